"""The rules of a roll and of a session, in the book's order.

At the end the named ways to spend Luck, by the outcome and by what Luck would make of it; and what
players want of a roll or of a session, in their words.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from operator import add
from typing import NamedTuple

from rollwright.dice import D10
from rollwright.engine.endings import Ending, gather, offer, tally
from rollwright.engine.odds.count import Situation
from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Goal, Policy, Request
from rollwright.rules import rule

from .house import House
from .outcomes import COOL, FADE, GLITCH, SUCCESS, Check, Grade, Score, grade_at, level_at, step_of

msg = words_of(__package__ or __name__).msg
TWO_D10 = 2 * D10
DOUBLE_TEN = 20
"""Two tens are the only way to a sum of 20."""


class Task(NamedTuple):
    """A roll as the dice see it."""

    bonus: int
    """Sum of the ability and the skill, gear, aug and standing luck bonus that count, one of each
    kind.
    """
    dl: int
    """The step of the Difficulty Level."""
    luck_adds: int
    """The increase by a Luck Bonus."""
    house: House = House()


class Stage(NamedTuple):
    """One roll of a session, with what each of the four outcomes is worth."""

    task: Task
    worths: tuple[Fraction | int, ...]
    """From Glitch to Cool Success: all whole numbers, or all fractions."""


class Moment(NamedTuple):
    """The basis of the decision to spend Luck: the outcome now, and what Luck could make of it."""

    outcome: Grade
    with_bonus: Grade
    """The outcome with a Luck Bonus; Avoid a Glitch always gives a Fade."""
    luck_points: int
    rolls_left: int = 0
    """How many rolls of the session are still to come."""
    result: int | None = None


@lru_cache(maxsize=4096)
def reading(dice: int, task: Task, luck: int = 0) -> Check:
    """Return the result of a sum of the dice, with so much added by Luck."""
    result = dice + task.bonus + luck
    step = step_of(result, task.house)
    is_cool = dice == DOUBLE_TEN and task.house.double_ten_cool
    outcome = COOL if is_cool else grade_at(result, task.dl, task.house)
    return Check(
        outcome=outcome,
        level=level_at(step, task.house),
        result=result,
        luck_used=False,
        steps=step - task.dl,
        before=outcome,
        successes=int(outcome >= SUCCESS),
        glitches=int(outcome == GLITCH),
    )


def with_luck_bonus(dice: int, task: Task) -> Check:
    """Return the outcome with the Luck Bonus added."""
    before = reading(dice, task).outcome
    return reading(dice, task, task.luck_adds)._replace(luck_used=True, before=before)


def luck_uses(dice: int, task: Task) -> dict[str, Check]:
    """Return the uses of a Luck Point once the outcome is known: one use, one of these.

    A Glitch may be turned into a Fade; the result stays what it is.
    """
    first = reading(dice, task)
    uses = {"keep": first, "bonus": with_luck_bonus(dice, task)}
    if first.outcome == GLITCH:
        uses["avoid-glitch"] = first._replace(outcome=FADE, luck_used=True, glitches=0)
    return uses


@rule
async def make_roll(task: Task, luck_points: int) -> Ending[Check]:
    """Throw 2d10, add the bonuses, read the outcome; then a Luck Point may alter it once."""
    if not luck_points:
        return tally(TWO_D10, finish=reading, given=(task,))
    dice = await tally(TWO_D10)
    uses = luck_uses(dice, task)
    first = uses["keep"]
    moment = Moment(first.outcome, uses["bonus"].outcome, luck_points, result=first.result)
    return offer(uses, by="player", about=moment)


def prospects(dice: int, task: Task) -> tuple[Grade, Grade]:
    """Return the outcome of a sum now and with a Luck Bonus: the whole basis of using Luck."""
    return reading(dice, task).outcome, with_luck_bonus(dice, task).outcome


@rule
async def throw_for(task: Task) -> Ending[tuple[Grade, Grade]]:
    """Throw 2d10 and see the outcome, as it is and as a Luck Bonus would make it."""
    return tally(TWO_D10, finish=prospects, given=(task,))


def points(dice: int, stage: Stage) -> Score:
    """Return the points that a sum of the dice adds to a session without Luck."""
    return scored(Score(), stage, reading(dice, stage.task).outcome)


@rule
async def throw_without_luck(stage: Stage) -> Ending[Score]:
    """Throw 2d10 for a roll of a session that has no Luck left."""
    return tally(TWO_D10, finish=points, given=(stage,))


@rule
async def play_session(stages: tuple[Stage, ...], luck_points: int, so_far: Score) -> Ending[Score]:
    """Make the rolls in order; after each outcome a Luck Point is spent on it or kept."""
    if not luck_points:
        return gather(map(throw_without_luck, stages), so_far, added)
    if not stages:
        return so_far
    stage, later = stages[0], stages[1:]
    outcome, with_bonus = await throw_for(stage.task)
    ways = {"keep": play_session(later, luck_points, scored(so_far, stage, outcome))}
    altered_by_luck = {"bonus": with_bonus}
    if outcome == GLITCH:
        altered_by_luck["avoid-glitch"] = FADE
    for use, altered in altered_by_luck.items():
        score = scored(so_far, stage, altered)
        spent = score._replace(luck_used=score.luck_used + 1)
        ways[use] = play_session(later, luck_points - 1, spent)
    return offer(ways, by="player", about=Moment(outcome, with_bonus, luck_points, len(later)))


def scored(so_far: Score, stage: Stage, outcome: Grade) -> Score:
    """The score of a session with one outcome more."""
    return Score(
        so_far.successes + (outcome >= SUCCESS),
        so_far.value + stage.worths[outcome.rank],
        so_far.glitches + (outcome == GLITCH),
        so_far.cools + (outcome == COOL),
        so_far.luck_used,
    )


def added(one: Score, other: Score) -> Score:
    """Two scores together."""
    return Score(*map(add, one, other))


Chooser = Callable[[Situation], str]
FLOORS = {"fade": FADE, "success": SUCCESS, "cool": COOL}


def best_use(moment: Moment) -> str:
    """The use of Luck that gives the best outcome; keep where none gives a better one.

    Where both uses do the same, the one that always works is taken.
    """
    avoided = max(moment.outcome, FADE)
    if moment.with_bonus > avoided:
        return "bonus"
    return "avoid-glitch" if avoided > moment.outcome else "keep"


def spend_below(floor: Grade) -> Chooser:
    """Spend Luck on an outcome below `floor`, as soon as Luck betters it."""

    def decide(situation: Situation) -> str:
        moment: Moment = situation.about
        return best_use(moment) if moment.outcome < floor else "keep"

    return decide


def take_the_bonus(situation: Situation) -> str:
    """Take the bonus wherever it is offered, whether or not it changes the outcome."""
    return "bonus" if "bonus" in situation.options else "keep"


def _below(argument: str, request: Request) -> Chooser:
    floor = FLOORS.get(argument.lower())
    if floor is None:
        problem = msg("refusal.floor", came=repr(argument))
        would_do = ", ".join(f"below:{word}" for word in FLOORS)
        raise BadField("policy", problem, rule="GHOST R14", would_do=would_do)
    return spend_below(floor)


POLICIES = {
    "never": Policy.of("keep the Luck Point", lambda situation: "keep"),
    "if-failed": Policy.of("spend it on a Glitch", spend_below(FADE)),
    "always": Policy.of("spend it on the first outcome that it betters", spend_below(COOL)),
    "bonus": Policy.of("always take the Luck bonus, on the first roll there is", take_the_bonus),
    "below": Policy(
        "spend it on the first outcome below this one that it betters", _below, "OUTCOME"
    ),
}


def cool(end: Check | Score) -> int:
    """One for every Cool Success."""
    return end.cools if isinstance(end, Score) else int(end.outcome == COOL)


def value(end: Check | Score) -> Fraction | int:
    """One for every step above a Glitch, or the session's own worths."""
    return end.value if isinstance(end, Score) else end.outcome.rank


GOALS = {
    "just-succeed": Goal("a Success or better", lambda end: end.successes),
    "no-glitch": Goal("no Glitch", lambda end: -end.glitches),
    "cool": Goal("a Cool Success", cool),
    "value": Goal("as far up as possible: Glitch 0, Fade 1, Success 2, Cool Success 3", value),
    "save-luck": Goal(
        "a Success, unless Luck is worth more: half a success a point",
        lambda end: Fraction(2 * end.successes - end.luck_used, 2),
    ),
}
