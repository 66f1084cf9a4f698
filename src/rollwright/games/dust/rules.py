"""The rules in the book's order: one throw, opposing rolls, tasks over several turns, plans."""

from __future__ import annotations

from typing import Any, NamedTuple

from rollwright.rules import Ending, Step, choose, gather, offer, rule

from .dice import FULL, Lying, Terms, grade_of, scored, throw, throw_briefly, throw_net
from .outcomes import Extended, Opposed, Planned, Rolled


class Stake(NamedTuple):
    """The Adrenaline a roller has, spends on the roll, and what becomes of doubles."""

    spend: int
    adrenaline: int
    doubles: str = "take"

    @classmethod
    def of(cls, terms: Terms, spend: int, adrenaline: int | None, doubles: str = "take") -> Stake:
        """The stake on a throw; where the action fails by itself, nothing can be spent."""
        spent = 0 if terms.fails else spend
        return cls(spent, spent if adrenaline is None else adrenaline, doubles)


class DoublesPoint(NamedTuple):
    """What taking the point for doubles turns on."""

    doubles: int
    net: int
    adrenaline: int


@rule
async def standard_roll(terms: Terms, stake: Stake) -> Ending[Rolled]:
    """Declare what is spent, throw once, let the 1s take successes away, and read the rest."""
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
    """What a throw comes to: net, grade, doubles and Adrenaline."""
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
    """How one side of an opposing roll stands."""

    net: int
    gained: int


class Match(NamedTuple):
    """An opposing roll: the two sides, and how ties and botches are read."""

    actor: Terms
    actor_stake: Stake
    defender: Terms
    defender_stake: Stake
    tie: str
    floor: bool


NOBODY = Terms(0, 0)


@rule
async def stand(terms: Terms, stake: Stake) -> Ending[Stood]:
    """One side of an opposing roll throws."""
    return throw_briefly(terms, finish=_stood, given=(terms, stake))


def _stood(lying: Lying, terms: Terms, stake: Stake) -> Stood:
    rolled = _settle(lying, terms, stake)
    return Stood(rolled.net, rolled.adrenaline_gained)


@rule
async def opposing_roll(match: Match) -> Ending[Opposed]:
    """Both sides throw against one number; more successes win, and the margin says by how much."""
    sides = stand(match.actor, match.actor_stake), stand(match.defender, match.defender_stake)
    met: Step[Any] = gather(sides, match, _face_off)
    if match.tie != "reroll" or not (match.actor.dice or match.defender.dice):
        return met
    found: Opposed = await met
    return opposing_roll(match) if found.winner == "nobody" else found


def _face_off(before: Any, stood: Stood) -> Any:
    """First the actor's throw is noted, then the defender's is held against it."""
    if isinstance(before, Match):
        return (before, stood)
    match, actor = before
    return compared(match, actor, stood)


def compared(match: Match, actor: Stood, defender: Stood) -> Opposed:
    """Who wins, and by what margin."""
    least = 0 if match.floor else min(actor.net, defender.net)
    margin = max(actor.net, least) - max(defender.net, least)
    level = "defender" if match.tie == "defender" else "nobody"
    winner = "actor" if margin > 0 else "defender" if margin < 0 else level
    if {"actor": match.actor, "defender": match.defender}.get(winner, NOBODY).fails:
        margin, winner = 0, "nobody"  # what fails by itself does not even beat a botch
    return Opposed(margin, winner, actor.net, defender.net, actor.gained, defender.gained)


@rule
async def earning(terms: Terms, adrenaline: int, goal: int) -> Ending[int]:
    """Roll again and again, taking every point for doubles, until there is enough Adrenaline."""
    return throw_briefly(terms, finish=_earned, given=(terms, adrenaline, goal))


def _earned(lying: Lying, terms: Terms, adrenaline: int, goal: int) -> Any:
    earned = _settle(lying, terms, Stake(0, adrenaline)).adrenaline
    return earned if earned >= goal else earning(terms, earned, goal)


SAVE = "save"
SPENDING = {SAVE: 0, **{f"spend {points}": points for points in range(1, FULL + 1)}}
"""What can be said before a roll, with how many points that is."""
OPTIONS = tuple(SPENDING)


class Spending(NamedTuple):
    """What spending turns on: the points there are, and how far things have come."""

    adrenaline: int
    made: int
    """Successes gathered so far, or rolls made so far."""
    wanted: int
    """Successes wanted in all, or the need of the roll that is next."""
    left: int | None
    """Turns or rolls left, this one included; None without a limit."""


def _can_say(terms: Terms, most: int, adrenaline: int) -> tuple[str, ...]:
    """What the roller may declare before the dice are thrown."""
    return OPTIONS[: 1 if terms.fails else 1 + min(most, adrenaline)]


class Task(NamedTuple):
    """An extended roll: each turn's throw, what is wanted, and how long it may take."""

    terms: Terms
    target: int
    limit: int | None
    botch: str
    """What a botch does: nothing, subtract, reset or end."""
    most_spent: int
    """Adrenaline that may be spent on one turn's roll."""
    counts_botches: bool = False
    """Whether every botch is counted, or only whether there was one."""


class Progress(NamedTuple):
    """How a task stands between two turns."""

    total: int
    turns: int | None
    botches: int
    """Botches so far; where they are not counted, only whether there was one."""
    adrenaline: int | None


@rule
async def extended_roll(task: Task, now: Progress) -> Ending[Extended]:
    """Each turn one roll; what it nets is added until the target is reached or time is up."""
    if now.adrenaline is None:
        return throw_net(task.terms, finish=_after_turn, given=(task, now))
    options = _can_say(task.terms, task.most_spent, now.adrenaline)
    said = SAVE
    if len(options) > 1:
        left = None if now.turns is None or task.limit is None else task.limit - now.turns
        about = Spending(now.adrenaline, now.total, task.target, left)
        said = await choose(*options, about=about)
    return throw_briefly(task.terms, finish=_after_throw, given=(task, now, SPENDING[said]))


def _after_throw(lying: Lying, task: Task, now: Progress, spend: int) -> Ending[Extended]:
    """The turn with Adrenaline taken into account."""
    net, _, points = scored(lying, task.terms, spend)
    assert now.adrenaline is not None
    return _moved_on(net, task, now, min(FULL, now.adrenaline - spend + points))


def _after_turn(net: int, task: Task, now: Progress) -> Ending[Extended]:
    """The turn where Adrenaline is left out of account."""
    return _moved_on(net, task, now, None)


def _moved_on(net: int, task: Task, now: Progress, adrenaline: int | None) -> Ending[Extended]:
    """Add what the turn brought; the task is done, over, or goes on."""
    botched = net < 0
    total = _botched_total(net, task, now) if botched else now.total + net
    turns = None if now.turns is None else now.turns + 1
    botches = now.botches + botched if task.counts_botches else int(now.botches or botched)
    done = total >= task.target
    out_of_time = turns is not None and turns == task.limit
    if done or out_of_time or (botched and task.botch == "end"):
        counted = botches if task.counts_botches else None
        return Extended(done, total, turns, botches > 0, adrenaline, counted)
    return extended_roll(task, Progress(total, turns, botches, adrenaline))


def _botched_total(net: int, task: Task, now: Progress) -> int:
    if task.botch == "reset":
        return 0
    return max(0, now.total + net) if task.botch == "subtract" else now.total


class Errand(NamedTuple):
    """One roll of a plan: how it is thrown, the successes it needs, and what they are worth."""

    terms: Terms
    need: int
    worth: int


class Account(NamedTuple):
    """How a plan stands between two rolls."""

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
async def planned_rolls(errands: tuple[Errand, ...], most: int, now: Account) -> Ending[Planned]:
    """One roll after the other, with one pool of Adrenaline to spend from and to add to."""
    errand, later = errands[0], errands[1:]
    options = _can_say(errand.terms, most, now.adrenaline)
    said = SAVE
    if len(options) > 1:
        about = Spending(now.adrenaline, now.met, errand.need, len(errands))
        said = await choose(*options, about=about)
    spend = SPENDING[said]
    tried = await attempt(errand, spend)
    after = Account(
        now.worth + errand.worth * tried.met,
        now.met + tried.met,
        min(FULL, now.adrenaline - spend + tried.points),
        now.botches + tried.botched,
    )
    return planned_rolls(later, most, after) if later else Planned(*after)


@rule
async def attempt(errand: Errand, spend: int) -> Ending[Tried]:
    """One roll of a plan."""
    return throw_briefly(errand.terms, finish=_tried, given=(errand, spend))


def _tried(lying: Lying, errand: Errand, spend: int) -> Tried:
    net, _, points = scored(lying, errand.terms, spend)
    return Tried(net >= errand.need, points, net < 0)
