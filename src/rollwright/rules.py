"""The words a rule is written in.

A rule is an `async` function marked `@rule`. It awaits chance and choices and returns an outcome;
it never rolls a die or asks anybody itself, so one definition is rolled, counted and advised on.

>>> from rollwright.dice import D6
>>> @rule
... async def boxcars_or_bust() -> str:
...     hand = await roll(2 * D6)
...     return "boxcars" if hand.count(6) == 2 else "bust"
>>> boxcars_or_bust()
boxcars_or_bust()

`roll`, `choose` and `together` are all that most rules need, in loops and ifs as the rulebook has
them. `tally` throws dice and sees only a sum, `fold` only a state.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Hashable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, overload

import rollwright.engine.equality  # noqa: F401 - calls are compared by it
from rollwright.arithmetic import is_number
from rollwright.budget import Budget
from rollwright.dice import Die, Face, Outcome, Pool
from rollwright.engine import endings
from rollwright.engine.endings import CHANGING, MOST_OPTIONS, make_choice, make_together
from rollwright.engine.repeats import BOUND, Moved, Part, Repeats, repeats
from rollwright.engine.rerolls import Dice, Rerolls, explode, reroll, throw_again
from rollwright.engine.steps import (
    Call,
    Choice,
    LookStep,
    P,
    RollStep,
    Rule,
    RuleInside,
    SpendStep,
    State,
    Step,
    Together,
    counted_by,
    note,
    refuse_function,
    watched,
)
from rollwright.errors import Misuse
from rollwright.exact import Dist
from rollwright.hands import Hand
from rollwright.readings import Reader, Reading

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "Call",
    "Choice",
    "Hand",
    "Repeats",
    "Rerolls",
    "Rule",
    "Step",
    "choose",
    "explode",
    "fold",
    "look",
    "repeat",
    "reroll",
    "roll",
    "rule",
    "spend",
    "tally",
    "together",
]

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an option


def rule(function: Callable[P, Coroutine[Any, Any, T | Step[T]]]) -> Rule[P, T]:
    """Make an async function a rule; calling it gives a step to await, return, roll or count."""
    try:
        is_inside = function.__closure__ and sys._getframe(1).f_code.co_flags & _ASYNC
    except AttributeError:
        refuse_function(function)
    return RuleInside(function) if is_inside else Rule(function)


_ASYNC = 0x80
"""The flag of the code of an async function."""


@overload
def roll(
    pool: Dice, *, sees: Iterable[str] | None = None, by: object = ""
) -> Step[Hand[Reading]]: ...
@overload
def roll(
    pool: Dice, read: Callable[[Face], T], *, sees: Iterable[str] | None = None, by: object = ""
) -> Step[Hand[T]]: ...
@overload
def roll(
    pool: Dice,
    read: Callable[[Face, Die], T],
    *,
    sees: Iterable[str] | None = None,
    by: object = "",
) -> Step[Hand[T]]: ...
def roll(
    pool: Dice,
    read: Reader | None = None,
    *,
    sees: Iterable[str] | None = None,
    by: object = "",
) -> Step[Hand[Reading]]:
    """Throw dice and see each of them, read by `read`; `by` says whose dice they are.

    Faces that read alike are one case: the coarser the reading, the faster the count.
    """
    step: RollStep[Hand[Reading]] = RollStep.__new__(RollStep)
    step.by = by if type(by) is str else seat_of(by)
    if isinstance(pool, Rerolls):
        return throw_again(step.fill(pool.pool, read, sees), pool)
    return step.fill(pool, read, sees)


@overload
def tally(
    pool: Dice,
    read: Callable[[Face], T] | Callable[[Face, Die], T],
    *,
    start: T | int = 0,
    sees: Iterable[str] | None = None,
) -> Step[T]: ...
@overload
def tally(pool: Dice, *, start: int = 0, sees: Iterable[str] | None = None) -> Step[int]: ...
def tally(
    pool: Dice,
    read: Reader | None = None,
    *,
    start: State = 0,
    sees: Iterable[str] | None = None,
) -> Step[Outcome]:
    """Throw dice and see only `start` plus the sum of the readings: numbers, or tuples of numbers.

    This is a step of a rule; the odds of the same sum, without a rule around it, are
    `rollwright.exact.sum_of`.
    """
    return endings.tally(pool, read, start=start, sees=sees)  # type: ignore[arg-type]


def fold(
    pool: Dice,
    start: T,
    step: Callable[[T, Reading, int], T],
    *,
    read: Reader | None = None,
    sees: Iterable[str] | None = None,
) -> Step[T]:
    """Throw dice and see only a state: `step(state, reading, how many dice show it)`.

    The readings come in rising order, each once, those that nobody rolled with 0. This is a step of
    a rule; the odds of the same state, without a rule around it, are `rollwright.exact.reduce`.
    """
    return endings.fold(pool, start, step, read=read, sees=sees)


def look(hand: Hand[Reading], read: Callable[..., T] | None = None) -> LookStep[Hand[T]]:
    """Read dice of this rule's own roll again, more finely; only after the last choice.

    At the table that shows the dice already rolled; in a count it is chance among the faces that
    are still possible.
    """
    step: LookStep[Hand[T]] = LookStep.__new__(LookStep)
    step.hand = hand
    step.read = read
    if watched:
        note(step)
    return step


@overload
def together(first: Step[T], second: Step[U], /) -> Together[tuple[T, U]]: ...
@overload
def together(first: Step[T], second: Step[U], third: Step[V], /) -> Together[tuple[T, U, V]]: ...
@overload
def together(*parts: Step[T]) -> Together[tuple[T, ...]]: ...
def together(*parts: Step[object]) -> Together[Outcome]:
    """Independent parts, answered by the tuple of their outcomes.

    They are counted as distributions, not as paths. If parts hold choices they are played one after
    the other in the order given, and later choosers have seen what came before.
    """
    return make_together(parts, None, None)


@overload
def repeat(
    part: Step[T], *, until: Callable[[T], object] | Iterable[T] | T, bound: int = BOUND
) -> Call[Repeats[T]]: ...
@overload
def repeat(part: Dice, *, until: object, bound: int = BOUND) -> Call[Repeats[Outcome]]: ...
@overload
def repeat(
    part: Callable[[U], Step[U]], *, until: Callable[[U], object], start: U, bound: int = BOUND
) -> Call[Repeats[U]]: ...
@overload
def repeat(
    part: Step[T] | Callable[[U], Step[T]],
    *,
    until: Callable[[U], object],
    start: U,
    step: Callable[[U, T], U],
    bound: int = BOUND,
) -> Call[Repeats[U]]: ...
def repeat(
    part: Part | Dice,
    *,
    until: object,
    start: State = None,
    step: Moved = None,
    bound: int = BOUND,
) -> Call[Repeats[State]]:
    """Do something again and again, `until` a test holds: how many `times`, and the `last` state.

    Without more, the state is what was come to last. With `start` and `step(state, outcome)` it is
    kept from time to time; a function in the place of the part gives what is done next in a state.
    Dice in its place are thrown, and are what they come to in all. It is done at least once.
    Counting stops after `bound` times, and what has not ended by then is the `lost` part of the
    odds; at the table it goes on.

    >>> from rollwright.dice import D6
    >>> from rollwright.engine.odds.count import odds
    >>> odds(repeat(D6, until=6)).of("times").p(3)
    Fraction(25, 216)
    """
    if type(bound) is not int or bound < 1:
        raise Misuse(f"a bound is a whole number of times, at least 1, not {bound!r}")
    if type(start) in CHANGING:
        raise Misuse(f"what is repeated starts from an unchanging value, not from {start!r}")
    if isinstance(part, (Die, Pool, Rerolls)):
        part = thrown(part)
    elif not isinstance(part, Step) and not callable(part):
        raise Misuse(f"what is repeated is dice, a throw or a rule, not {part!r}")
    return repeats(part, until, step, bound, 0, start)


def choose(
    *options: O, by: object = "player", about: Hashable = None, against: bool = False
) -> Choice[O]:
    """Let `by` pick one of the options; list the one that changes least first.

    `about` is the basis of the decision, as plain data for policies and tables of advice. A chooser
    `against` the roller plays best by giving the goal as little as can be.
    """
    try:
        if len(options) <= MOST_OPTIONS and len(set(options)) != len(options):
            raise Misuse(f"the options of a choice must differ: {options!r}")
    except TypeError:
        listed = len(options) == 1 and isinstance(options[0], (list, set, dict))
        hint = ": write choose(*options) for what is in a list" if listed else ""
        raise Misuse(f"options are plain, unchanging values, not {options!r}{hint}") from None
    seat = by if type(by) is str else seat_of(by)
    return make_choice(options, seat, about, None, against)


def seat_of(by: object) -> str:
    """Somebody who throws or chooses: a name, or a sheet that plays a part of the roll."""
    seat = by if isinstance(by, str) else getattr(by, "seat", None)
    if not isinstance(seat, str):
        raise Misuse(f"whoever throws or chooses is named by a text or a sheet, not by {by!r}")
    return seat


def spend(amount: int | Fraction = 1) -> Step[None]:
    """Spend something on the way, such as a turn: `await spend(1)`. It changes nothing else.

    `rollwright.cost` gives the exact mean and variance of what is spent in all, and
    `advise(rule, goal, price=1)` takes so much from the goal for each that is spent. What a rule
    returns need not hold it, so a loop that only counts its turns comes back to where it was.
    """
    if not is_number(amount) or isinstance(amount, (bool, float)) or amount < 0:
        raise Misuse(f"what is spent is a whole number or a Fraction from 0 on, not {amount!r}")
    step: SpendStep = SpendStep.__new__(SpendStep)
    step.amount = amount
    if watched:
        note(step)
    return step


@rule
async def thrown(dice: Dice) -> Outcome:
    """Dice by themselves: what one die shows, or the sum of several."""
    if isinstance(dice, Die) or (isinstance(dice, Pool) and dice.size == 1):
        return min(await roll(dice))
    return tally(dice)


@counted_by(thrown)
def _odds_of_dice(dice: Dice, budget: Budget | None) -> Dist[Outcome] | None:
    """The odds of dice that explode without end, whose mean is known."""
    return dice.as_dist_within(budget) if isinstance(dice, Rerolls) and dice.is_endless else None


@rule
async def taken(step: Step[Outcome]) -> Outcome:
    """A throw or a choice by itself, without a rule around it."""
    return await step
