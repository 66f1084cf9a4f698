"""Endings of rules that forget what led to them, for machinery and for games written before.

A rule written with `rollwright.rules` needs none of it: `return await part()` and a loop are
counted as quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeAlias, TypeVar, overload

from rollwright.dice import Die, Face, Outcome
from rollwright.engine.rerolls import Dice, Rerolls, throw_again
from rollwright.engine.steps import (
    Args,
    Choice,
    Finish,
    FoldStep,
    Option,
    State,
    Step,
    TallyStep,
    Together,
    note,
    watched,
)
from rollwright.errors import Misuse
from rollwright.i18n.messages import msg
from rollwright.readings import Reader, Reading

MOST_OPTIONS = 28_000
"""Options of one choice, each followed to its end. The largest choice of a game here has 26,532."""
CHANGING: frozenset[type] = frozenset({list, dict, set, bytearray})
"""Kinds that nothing starts from, since they change under a rule's feet."""
T = TypeVar("T")
U = TypeVar("U")
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an option
Ending: TypeAlias = T | Step[T]
"""Result of a rule with outcome `T`: the outcome, or a step that ends in it."""


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
    function of a module, so that the count recognises two endings as the same.
    """
    step: TallyStep[Outcome] = TallyStep.__new__(TallyStep)
    if type(start) in CHANGING:
        raise Misuse(f"a tally starts from a number or a tuple, not from {start!r}")
    step.start = start
    if isinstance(pool, Rerolls):
        return throw_again(step.fill(pool.pool, read, sees, finish, given), pool)
    return step.fill(pool, read, sees, finish, given)


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

    The readings come in rising order, each once, those that nobody rolled with 0.
    """
    folded: FoldStep[Outcome] = FoldStep.__new__(FoldStep)
    if type(start) in CHANGING:
        raise Misuse(f"a fold starts from an unchanging value, not from {start!r}")
    folded.start = start
    folded.step = step
    if isinstance(pool, Rerolls):
        return throw_again(folded.fill(pool.pool, read, sees, finish, given), pool)
    return folded.fill(pool, read, sees, finish, given)


def gather(parts: Iterable[Step[T]], start: U, step: Callable[[U, T], U]) -> Together[U]:
    """Independent parts of which only a running state is kept: the lowest, the sum, the count."""
    if type(start) in CHANGING:
        raise Misuse(f"gather starts from an unchanging value, not from {start!r}")
    return make_together(tuple(parts), start, step)


def make_together(
    parts: tuple[Step[object], ...], start: State, step: Callable[..., State] | None
) -> Together[Outcome]:
    """Make the step of parts at the same time."""
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


def offer(
    endings: Mapping[O, T | Step[T]],
    *,
    by: str = "player",
    about: Hashable = None,
    against: bool = False,
) -> Choice[T]:
    """End the rule in a choice: each option leads to an outcome or a step that ends in one."""
    return make_choice(tuple(endings), by, about, tuple(endings.values()), against)


def make_choice(
    options: tuple[Option, ...],
    by: str,
    about: Hashable,
    endings: tuple[Outcome, ...] | None,
    against: bool,
) -> Choice[Outcome]:
    """Make the step of a choice, each of whose options may lead to an ending."""
    if not options:
        raise Misuse("a choice needs at least one option")
    if len(options) > MOST_OPTIONS:
        raise Misuse(msg("refused.options", n=len(options), most=MOST_OPTIONS))
    if watched:
        for option in options:
            if isinstance(option, Step):
                raise Misuse(
                    f"an option is plain data, not {option!r}: choose its name, and await it then"
                )
    step: Choice[Outcome] = Choice.__new__(Choice)
    step.options = options
    step.by = by
    step.about = about
    step.endings = endings
    step.against = against
    if watched:
        note(step, endings or ())
    return step
