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

A rule asks for no more than it needs: `roll` shows every die, `tally` only a sum, `fold` only a
state. What it returns may be an outcome or a step still to be taken (`return tally(...)`,
`return another_rule(state)`): that is where everything else is forgotten, and counting gets fast.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar, overload

from rollwright.dice import Die, Face, Outcome, Pool
from rollwright.engine.repeats import BOUND, Moved, Part, Repeats, repeats
from rollwright.engine.rerolls import Dice, Rerolls, explode, reroll, throw_again
from rollwright.engine.steps import (
    Args,
    Call,
    Choice,
    Finish,
    Fold,
    Look,
    Option,
    P,
    Roll,
    Rule,
    State,
    Step,
    Tally,
    Together,
    note,
    watched,
)
from rollwright.errors import Misuse
from rollwright.hands import Hand
from rollwright.readings import Reader, Reading
from rollwright.words.messages import said

__all__ = [
    "Call",
    "Choice",
    "Ending",
    "Hand",
    "Repeats",
    "Rerolls",
    "Rule",
    "Step",
    "choose",
    "explode",
    "fold",
    "gather",
    "look",
    "offer",
    "repeat",
    "reroll",
    "roll",
    "rule",
    "tally",
    "together",
]

MOST_OPTIONS = 28_000
"""Of one choice: each is followed to its end. The largest choice of a game here has 26,532."""
T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an option
Ending: TypeAlias = T | Step[T]
"""What a rule with outcome `T` may return: the outcome, or a step that ends in it."""


def rule(function: Callable[P, Coroutine[Any, Any, T | Step[T]]]) -> Rule[P, T]:
    """Make an async function a rule; calling it gives a step to await, return, roll or count."""
    return Rule(function)


@overload
def roll(pool: Dice, *, sees: Iterable[str] | None = None) -> Step[Hand[Reading]]: ...
@overload
def roll(
    pool: Dice, read: Callable[[Face], T], *, sees: Iterable[str] | None = None
) -> Step[Hand[T]]: ...
@overload
def roll(
    pool: Dice, read: Callable[[Face, Die], T], *, sees: Iterable[str] | None = None
) -> Step[Hand[T]]: ...
def roll(
    pool: Dice, read: Reader | None = None, *, sees: Iterable[str] | None = None
) -> Step[Hand[Reading]]:
    """Throw dice and see each of them, read by `read`.

    Faces that read alike are one case: the coarser the reading, the faster the count.
    """
    step: Roll[Hand[Reading]] = Roll.__new__(Roll)
    if isinstance(pool, Rerolls):
        return throw_again(step.filled(pool.pool, read, sees), pool)
    return step.filled(pool, read, sees)


@overload
def tally(
    pool: Dice,
    read: Callable[[Face], T] | Callable[[Face, Die], T],
    *,
    start: T | int = 0,
    sees: Iterable[str] | None = None,
) -> Step[T]: ...
@overload
def tally(
    pool: Dice,
    read: Reader | None = None,
    *,
    finish: Callable[..., U | Step[U]],
    start: State = 0,
    given: Args = (),
    sees: Iterable[str] | None = None,
) -> Step[U]: ...
@overload
def tally(pool: Dice, *, start: int = 0, sees: Iterable[str] | None = None) -> Step[int]: ...
def tally(
    pool: Dice,
    read: Reader | None = None,
    *,
    start: State = 0,
    finish: Finish | None = None,
    given: Args = (),
    sees: Iterable[str] | None = None,
) -> Step[Outcome]:
    """Throw dice and see only `start` plus the sum of the readings: numbers, or tuples of numbers.

    `finish(sum, *given)` makes the answer from it: an outcome, a rule, or an `offer`. Write it as a
    function of a module, so that the count can tell that two endings are the same. This is a step
    of a rule; the odds of the same sum, without a rule around it, are `rollwright.exact.tally`.
    """
    step: Tally[Outcome] = Tally.__new__(Tally)
    if type(start) in _CHANGING:
        raise Misuse(f"a tally starts from a number or a tuple, not from {start!r}")
    step.start = start
    if isinstance(pool, Rerolls):
        return throw_again(step.filled(pool.pool, read, sees, finish, given), pool)
    return step.filled(pool, read, sees, finish, given)


@overload
def fold(
    pool: Dice,
    start: T,
    step: Callable[[T, Reading, int], T],
    *,
    read: Reader | None = None,
    sees: Iterable[str] | None = None,
) -> Step[T]: ...
@overload
def fold(
    pool: Dice,
    start: T,
    step: Callable[[T, Reading, int], T],
    *,
    finish: Callable[..., U | Step[U]],
    read: Reader | None = None,
    given: Args = (),
    sees: Iterable[str] | None = None,
) -> Step[U]: ...
def fold(
    pool: Dice,
    start: State,
    step: Callable[[State, Reading, int], State],
    *,
    read: Reader | None = None,
    finish: Finish | None = None,
    given: Args = (),
    sees: Iterable[str] | None = None,
) -> Step[Outcome]:
    """Throw dice and see only a state: `step(state, reading, how many dice show it)`.

    The readings come in rising order, each once, those that nobody rolled with 0. This is a step of
    a rule; the odds of the same state, without a rule around it, are `rollwright.exact.fold`.
    """
    folded: Fold[Outcome] = Fold.__new__(Fold)
    if type(start) in _CHANGING:
        raise Misuse(f"a fold starts from an unchanging value, not from {start!r}")
    folded.start = start
    folded.step = step
    if isinstance(pool, Rerolls):
        return throw_again(folded.filled(pool.pool, read, sees, finish, given), pool)
    return folded.filled(pool, read, sees, finish, given)


_CHANGING: set[type] = {list, dict, set, bytearray}


def look(hand: Hand[Reading], read: Callable[..., T] | None = None) -> Look[Hand[T]]:
    """Read dice of this rule's own roll again, more finely; only after the last choice.

    At the table that shows what already lies there; in a count it is chance among the faces that
    are still possible.
    """
    step: Look[Hand[T]] = Look.__new__(Look)
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

    They are counted as distributions, not as paths. Where parts hold choices they are played one
    after the other in the order given, and whoever chooses later has seen what came before.
    """
    return _together(parts, None, None)


def gather(parts: Iterable[Step[T]], start: U, step: Callable[[U, T], U]) -> Together[U]:
    """Independent parts of which only a running state is kept: the lowest, the sum, the count."""
    if type(start) in _CHANGING:
        raise Misuse(f"gather starts from an unchanging value, not from {start!r}")
    return _together(tuple(parts), start, step)


def _together(
    parts: tuple[Step[object], ...], start: State, step: Callable[..., State] | None
) -> Together[Outcome]:
    for part in parts:
        if not isinstance(part, Step):
            raise Misuse(f"together takes rules and throws, not {part!r}")
    joined: Together[Outcome] = Together.__new__(Together)
    joined.parts = parts
    joined.start = start
    joined.step = step
    if watched:
        note(joined, parts)
    return joined


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
    if type(start) in _CHANGING:
        raise Misuse(f"what is repeated starts from an unchanging value, not from {start!r}")
    if isinstance(part, (Die, Pool, Rerolls)):
        part = thrown(part)
    elif not isinstance(part, Step) and not callable(part):
        raise Misuse(f"what is repeated is dice, a throw or a rule, not {part!r}")
    return repeats(part, until, step, bound, 0, start)


def choose(
    *options: O, by: str = "player", about: Hashable = None, against: bool = False
) -> Choice[O]:
    """Let `by` pick one of the options; list the one that changes least first.

    `about` is what the decision turns on, as plain data for policies and tables of advice.
    Whoever is `against` the roller plays best by giving the goal as little as can be.
    """
    try:
        if len(options) <= MOST_OPTIONS and len(set(options)) != len(options):
            raise Misuse(f"the options of a choice must differ: {options!r}")
    except TypeError:
        raise Misuse(f"options are plain, unchanging values, not {options!r}") from None
    return _choice(options, by, about, None, against)


def offer(
    endings: Mapping[O, T | Step[T]],
    *,
    by: str = "player",
    about: Hashable = None,
    against: bool = False,
) -> Choice[T]:
    """End the rule in a choice: each option stands for an outcome or a step that ends in one."""
    return _choice(tuple(endings), by, about, tuple(endings.values()), against)


def _choice(
    options: tuple[Option, ...],
    by: str,
    about: Hashable,
    endings: tuple[Outcome, ...] | None,
    against: bool,
) -> Choice[Outcome]:
    if not options:
        raise Misuse("a choice needs at least one option")
    if len(options) > MOST_OPTIONS:
        raise Misuse(said("refused.options", n=len(options), most=MOST_OPTIONS))
    if watched:
        for option in options:
            if isinstance(option, Step):
                raise Misuse(f"an option is plain data, not {option!r}: offer it under a name")
    step: Choice[Outcome] = Choice.__new__(Choice)
    step.options = options
    step.by = by
    step.about = about
    step.endings = endings
    step.against = against
    if watched:
        note(step, endings or ())
    return step


@rule
async def thrown(dice: Dice) -> Outcome:
    """Dice by themselves: what one die shows, or the sum of several."""
    if isinstance(dice, Die) or (isinstance(dice, Pool) and dice.size == 1):
        return min(await roll(dice))
    return tally(dice)
