"""The functions that every AnyDice program has, counted directly instead of roll by roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rollwright.anydice.tree import Pattern
from rollwright.anydice.values import (
    EMPTY,
    DiceValue,
    Sequence,
    Value,
    by_rank,
    digit_steps,
    to_value,
    total,
)
from rollwright.budget import Work
from rollwright.dice import Die, Pool
from rollwright.exact import Dist, keep

MOST_EXPLOSIONS = 100


class ProgramSettings(NamedTuple):
    """The values that `set` changes."""

    explode_depth: int = 2
    function_depth: int = 10
    lowest_first: bool = False


class BuiltIn(NamedTuple):
    """A function: what its places take, and what it comes to."""

    takes: str
    work: Callable[..., Value]


def absolute(number: int, *_: object) -> int:
    """[absolute N:n]."""
    return abs(number)


def contains(sequence: Sequence, number: int, *_: object) -> int:
    """[S:s contains N:n]."""
    return int(number in sequence)


def count(wanted: Sequence, sequence: Sequence, *_: object) -> int:
    """[count V:s in S:s]; what is wanted twice counts twice."""
    return sum(sequence.count(number) for number in wanted)


def explode(dice: DiceValue, settings: ProgramSettings, work: Work) -> Value:
    """[explode D:d]: dice count as one, which is thrown again on its highest face."""
    die = total(dice, work)
    if die is None:
        return EMPTY
    top = die.outcomes[-1]
    whole = die
    for _ in range(settings.explode_depth):
        bits = whole.total.bit_length() + die.total.bit_length()
        work.spend((len(whole) + len(die)) * (1 + digit_steps(bits)))
        again = whole + top
        whole = die.then(lambda face, again=again: again if face == top else Dist.sure(face))  # type: ignore[misc]
    return DiceValue(1, whole)


def highest(number: int, dice: DiceValue, settings: ProgramSettings, work: Work) -> Value:
    """[highest N:n of D:d]."""
    return by_rank(dice, tuple(range(1, min(number, dice.count) + 1)), False, work)


def lowest(number: int, dice: DiceValue, settings: ProgramSettings, work: Work) -> Value:
    """[lowest N:n of D:d]."""
    return by_rank(dice, tuple(range(1, min(number, dice.count) + 1)), True, work)


def middle(number: int, dice: DiceValue, settings: ProgramSettings, work: Work) -> Value:
    """[middle N:n of D:d]; where it is uneven, the higher dice."""
    few = max(min(number, dice.count), 0)
    first = (dice.count - few) // 2 + 1
    return by_rank(dice, tuple(range(first, first + few)), False, work)


def higher(one: int, other: int, *_: object) -> int:
    """[highest of A:n and B:n]."""
    return max(one, other)


def lower(one: int, other: int, *_: object) -> int:
    """[lowest of A:n and B:n]."""
    return min(one, other)


def maximum(dice: DiceValue, settings: ProgramSettings, work: Work) -> Value:
    """[maximum of D:d]; 0 for the die without faces."""
    found = total(dice, work)
    return 0 if found is None else found.outcomes[-1]


def reverse(sequence: Sequence, *_: object) -> Value:
    """[reverse S:s]."""
    return sequence[::-1]


def sort(sequence: Sequence, settings: ProgramSettings, work: Work) -> Value:
    """[sort S:s], in the order of positions."""
    return tuple(sorted(sequence, reverse=not settings.lowest_first))


def highest_of_kinds(number: int, *rest: object) -> Value:
    """[highest N of A and B], and of three: dice of several kinds."""
    return _of_kinds(number, rest, False)


def lowest_of_kinds(number: int, *rest: object) -> Value:
    """[lowest N of A and B], and of three."""
    return _of_kinds(number, rest, True)


def _of_kinds(number: int, rest: tuple[object, ...], lowest_first: bool) -> Value:
    *kinds, _, work = rest
    assert isinstance(work, Work)
    dice = [kind for kind in kinds if isinstance(kind, DiceValue)]
    if any(kind.die is None for kind in dice):
        return EMPTY
    pool = Pool(
        [Die(dict(kind.die.items())) for kind in dice if kind.die for _ in range(kind.count)]
    )
    few = min(number, len(pool))
    if few < 1:
        return 0
    how = {"lowest": few} if lowest_first else {"highest": few}
    return to_value(keep(pool, budget=work.budget, **how))  # type: ignore[arg-type]


BUILT_IN: dict[Pattern, BuiltIn] = {
    ("absolute", None): BuiltIn("n", absolute),
    (None, "contains", None): BuiltIn("sn", contains),
    ("count", None, "in", None): BuiltIn("ss", count),
    ("explode", None): BuiltIn("d", explode),
    ("highest", None, "of", None): BuiltIn("nd", highest),
    ("lowest", None, "of", None): BuiltIn("nd", lowest),
    ("middle", None, "of", None): BuiltIn("nd", middle),
    ("highest", "of", None, "and", None): BuiltIn("nn", higher),
    ("lowest", "of", None, "and", None): BuiltIn("nn", lower),
    ("maximum", "of", None): BuiltIn("d", maximum),
    ("reverse", None): BuiltIn("s", reverse),
    ("sort", None): BuiltIn("s", sort),
    ("highest", None, "of", None, "and", None): BuiltIn("ndd", highest_of_kinds),
    ("lowest", None, "of", None, "and", None): BuiltIn("ndd", lowest_of_kinds),
    ("highest", None, "of", None, "and", None, "and", None): BuiltIn("nddd", highest_of_kinds),
    ("lowest", None, "of", None, "and", None, "and", None): BuiltIn("nddd", lowest_of_kinds),
}
"""Built-in functions by their words and places; a program may redefine any of them."""
