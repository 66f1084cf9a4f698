"""The rules in the book's order: one throw, opposing rolls, tasks over several turns, plans.

At the end the named ways to play: when to spend Adrenaline, and whether to take the point for
doubles; and what players want of a roll, in their words.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from rollwright.engine.endings import Ending, gather, offer
from rollwright.engine.odds.count import Situation
from rollwright.engine.steps import Call
from rollwright.kit import Goal, Policy
from rollwright.rules import Step, choose, rule

from .dice import FULL, Lying, Terms, grade_of, scored, throw, throw_briefly, throw_net
from .outcomes import Extended, Opposed, Planned, Rolled, Winner
from .requests import ExtendedRoll, Opposing, Plan, Roll, Stake


class DoublesPoint(NamedTuple):
    """The basis of the decision to take the point for doubles."""

    doubles: int
    net: int
    adrenaline: int


@rule
async def standard_roll(request: Roll) -> Ending[Rolled]:
    """Declare what is spent, throw once, let the 1s take successes away, and read the rest."""
    terms, stake = request.terms, request.stake
    if stake.doubles != "ask":
        return throw(terms, finish=_settle, given=(terms, stake))
    lying = await throw(terms)
    without = _settled(lying, terms, stake, take=False)
    with_points = _settled(lying, terms, stake, take=True)
    if without == with_points:
        return without
    about = DoublesPoint(without.doubles, without.net, without.adrenaline)
    return offer({"leave": without, "take": with_points}, about=about)


def _settle(lying: Lying, terms: Terms, stake: Stake) -> Rolled:
    return _settled(lying, terms, stake, take=stake.doubles == "take")


def _settled(lying: Lying, terms: Terms, stake: Stake, *, take: bool) -> Rolled:
    """Return the result of a throw: net, grade, doubles and Adrenaline."""
    net, doubles, points = scored(lying, terms, stake.spend)
    left = stake.adrenaline - stake.spend
    gained = min(points, FULL - left) if take else 0
    return Rolled(
        net=net,
        successes=lying.successes,
        ones=lying.ones,
        automatic=stake.spend,
        grade=grade_of(net),
        doubles=doubles,
        adrenaline_spent=stake.spend,
        adrenaline_gained=gained,
        adrenaline=left + gained,
    )


class Stood(NamedTuple):
    """The result of one side of an opposing roll."""

    net: int
    gained: int


@rule
async def stand(terms: Terms, stake: Stake) -> Ending[Stood]:
    """One side of an opposing roll throws."""
    return throw_briefly(terms, finish=_stood, given=(terms, stake))


def _stood(lying: Lying, terms: Terms, stake: Stake) -> Stood:
    rolled = _settle(lying, terms, stake)
    return Stood(rolled.net, rolled.adrenaline_gained)


@rule
async def opposing_roll(match: Opposing) -> Ending[Opposed]:
    """Both sides throw against one number; more successes win, and the margin says by how much."""
    met: Step[Any] = gather(tuple(stand(*side) for side in match.sides), match, _face_off)
    if match.house.opposing_tie != "reroll" or not any(terms.dice for terms, _ in match.sides):
        return met
    found: Opposed = await met
    return opposing_roll(match) if found.winner == "nobody" else found


def _face_off(before: Any, stood: Stood) -> Any:
    """First the actor's throw is noted, then the defender's is held against it."""
    if isinstance(before, Opposing):
        return (before, stood)
    match, actor = before
    return compared(match, actor, stood)


def compared(match: Opposing, actor: Stood, defender: Stood) -> Opposed:
    """Who wins, and by what margin."""
    least = 0 if match.house.opposing_floor else min(actor.net, defender.net)
    margin = max(actor.net, least) - max(defender.net, least)
    level: Winner = "defender" if match.house.opposing_tie == "defender" else "nobody"
    winner: Winner = "actor" if margin > 0 else "defender" if margin < 0 else level
    if winner != "nobody" and match.sides[winner == "defender"][0].fails:
        margin, winner = 0, "nobody"  # what fails by itself does not even beat a botch
    return Opposed(margin, winner, actor.net, defender.net, actor.gained, defender.gained)


@rule
async def earning(terms: Terms, adrenaline: int, goal: int) -> Ending[int]:
    """Roll again and again, taking every point for doubles, until there is enough Adrenaline."""
    return throw_briefly(terms, finish=_earned, given=(terms, adrenaline, goal))


def _earned(lying: Lying, terms: Terms, adrenaline: int, goal: int) -> Ending[int]:
    earned = _settle(lying, terms, Stake(0, adrenaline)).adrenaline
    return earned if earned >= goal else earning(terms, earned, goal)


SAVE = "save"
SPENDING = {SAVE: 0, **{f"spend {points}": points for points in range(1, FULL + 1)}}
"""Options before a roll, with the number of points in each."""
OPTIONS = tuple(SPENDING)


class Spending(NamedTuple):
    """The basis of the decision to spend: the points there are, and how far things have come."""

    adrenaline: int
    made: int
    """Successes gathered so far, or rolls made so far."""
    wanted: int
    """Successes wanted in all, or the need of the roll that is next."""
    left: int | None
    """Turns or rolls left, this one included; None without a limit."""


def _can_say(terms: Terms, most: int, adrenaline: int) -> tuple[str, ...]:
    """Return the roller's options before the dice are thrown."""
    return OPTIONS[: 1 if terms.fails else 1 + min(most, adrenaline)]


class Progress(NamedTuple):
    """The state of a task between two turns."""

    total: int
    turns: int | None
    botches: int
    """Botches so far; where they are not counted, only whether there was one."""
    adrenaline: int | None


@rule
async def extended_roll(task: ExtendedRoll, now: Progress) -> Ending[Extended]:
    """Each turn one roll; what it nets is added until the target is reached or time is up."""
    if now.adrenaline is None:
        return throw_net(task.terms, finish=_after_turn, given=(task, now))
    options = _can_say(task.terms, task.house.max_adrenaline_per_roll, now.adrenaline)
    throws = {said: _turn(task, now, SPENDING[said]) for said in options}
    if len(options) == 1:
        return throws[SAVE]
    left = None if now.turns is None or task.limit is None else task.limit - now.turns
    return offer(throws, about=Spending(now.adrenaline, now.total, task.target, left))


def _turn(task: ExtendedRoll, now: Progress, spend: int) -> Step[Extended]:
    return throw_briefly(task.terms, finish=_after_throw, given=(task, now, spend))


def task_from_start(task: ExtendedRoll) -> Call[Extended]:
    """An extended roll from its first turn on."""
    turns = None if task.limit is None else 0
    return extended_roll(task, Progress(task.progress, turns, 0, task.adrenaline))


def _after_throw(lying: Lying, task: ExtendedRoll, now: Progress, spend: int) -> Ending[Extended]:
    """The turn with Adrenaline taken into account."""
    net, _, points = scored(lying, task.terms, spend)
    assert now.adrenaline is not None
    return _moved_on(net, task, now, min(FULL, now.adrenaline - spend + points))


def _after_turn(net: int, task: ExtendedRoll, now: Progress) -> Ending[Extended]:
    """The turn where Adrenaline is left out of account."""
    return _moved_on(net, task, now, None)


def _moved_on(
    net: int, task: ExtendedRoll, now: Progress, adrenaline: int | None
) -> Ending[Extended]:
    """Add what the turn brought; the task is done, over, or goes on."""
    total, turns, botches, _ = now
    botched = net < 0
    total = _botched_total(net, task, now) if botched else total + net
    turns = None if turns is None else turns + 1
    botches = botches + botched if task.counts_botches else int(botches or botched)
    done = total >= task.target
    out_of_time = turns is not None and turns == task.limit
    if done or out_of_time or (botched and task.house.extended_botch == "end"):
        counted = botches if task.counts_botches else None
        return Extended(done, total, turns, botches > 0, adrenaline, counted)
    return extended_roll(task, Progress(total, turns, botches, adrenaline))


def _botched_total(net: int, task: ExtendedRoll, now: Progress) -> int:
    match task.house.extended_botch:
        case "reset":
            return 0
        case "subtract":
            return max(0, now.total + net)
    return now.total


class Account(NamedTuple):
    """The state of a plan between two rolls."""

    worth: int
    met: int
    adrenaline: int
    botches: int = 0


class Tried(NamedTuple):
    """A roll of a plan: whether it reached its need, and the points its doubles may add."""

    met: bool
    points: int
    botched: bool


@rule
async def planned_rolls(plan: Plan, number: int, now: Account) -> Ending[Planned]:
    """One roll after the other, with one pool of Adrenaline to spend from and to add to."""
    roll, terms = plan.rolls[number], plan.terms[number]
    options = _can_say(terms, plan.house.max_adrenaline_per_roll, now.adrenaline)
    said = SAVE
    if len(options) > 1:
        about = Spending(now.adrenaline, now.met, roll.need, len(plan.rolls) - number)
        said = await choose(*options, about=about)
    spend = SPENDING[said]
    tried = await attempt(terms, roll.need, spend)
    after = Account(
        now.worth + roll.worth * tried.met,
        now.met + tried.met,
        min(FULL, now.adrenaline - spend + tried.points),
        now.botches + tried.botched,
    )
    ends = number + 1 == len(plan.rolls)
    return Planned(*after) if ends else planned_rolls(plan, number + 1, after)


def plan_from_start(plan: Plan) -> Call[Planned]:
    """The rolls of a plan from the first on."""
    return planned_rolls(plan, 0, Account(0, 0, plan.adrenaline))


@rule
async def attempt(terms: Terms, need: int, spend: int) -> Ending[Tried]:
    """One roll of a plan."""
    return throw_briefly(terms, finish=_tried, given=(terms, need, spend))


def _tried(lying: Lying, terms: Terms, need: int, spend: int) -> Tried:
    net, _, points = scored(lying, terms, spend)
    return Tried(net >= need, points, net < 0)


Outcome = Rolled | Opposed | Extended | Planned


def _decide(situation: Situation, reserve: int) -> str:
    """Take doubles; spend as much as is allowed without touching the reserve."""
    if isinstance(situation.about, DoublesPoint):
        return "take"
    spare = situation.about.adrenaline - reserve
    options: tuple[str, ...] = situation.options
    return [option for option in options if SPENDING[option] <= max(0, spare)][-1]


POLICIES = {
    "never": Policy.of(
        "spend no Adrenaline, take every point for doubles", partial(_decide, reserve=FULL)
    ),
    "always": Policy.of("spend Adrenaline whenever there is some", partial(_decide, reserve=0)),
    "reserve": Policy.numbered(
        "spend only what is above a reserve of N points",
        lambda points: partial(_decide, reserve=points),
        name="reserve",
        says="how many points to keep",
        low=0,
        high=FULL,
        rule="DUST R18",
    ),
    "leave": Policy.of(
        "spend nothing and leave the points for doubles", lambda situation: situation.options[0]
    ),
}


def succeeded(outcome: Outcome) -> int:
    """1 for a success: a net of 1, an opposing roll won, a task done; a plan counts its worth."""
    if isinstance(outcome, Planned):
        return outcome.worth
    if isinstance(outcome, Extended):
        return int(outcome.done)
    if isinstance(outcome, Opposed):
        return int(outcome.winner == "actor")
    return int(outcome.net >= 1)


def _unbotched(outcome: Rolled | Opposed | Extended) -> bool:
    if isinstance(outcome, Opposed):
        return outcome.actor_net >= 0
    return not outcome.botched if isinstance(outcome, Extended) else outcome.net >= 0


def _adrenaline(outcome: Outcome) -> int:
    if isinstance(outcome, Opposed):
        return outcome.actor_gained
    return outcome.adrenaline or 0


GOALS = {
    "just-succeed": Goal("to succeed, by however little", succeeded),
    "complete": Goal("a complete success: 3 or more", lambda rolled: rolled.net >= 3, ("roll",)),
    "overwhelming": Goal(
        "an overwhelming success: 5 or more", lambda rolled: rolled.net >= 5, ("roll",)
    ),
    "no-botch": Goal("whatever happens, no botch", _unbotched, ("roll", "opposing", "extended")),
    "successes": Goal("as many successes as possible", lambda rolled: rolled.net, ("roll",)),
    "margin": Goal("win by as much as possible", lambda opposed: opposed.margin, ("opposing",)),
    "done-cleanly": Goal(
        "get it done without a botch on the way",
        lambda task: task.done and not task.botched,
        ("extended",),
    ),
    "adrenaline": Goal("have much Adrenaline afterwards", _adrenaline),
}
