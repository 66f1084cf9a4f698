"""Means, spreads, quantiles and duels of weights."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from rollwright.errors import BadDist

if TYPE_CHECKING:
    from fractions import Fraction


def ratio(part: int, whole: int) -> Fraction:
    """A chance as a fraction."""
    from fractions import Fraction

    return Fraction(part, whole)


def mean(weights: dict[Any, int]) -> Fraction:
    """The mean outcome."""
    _check_numbers(weights)
    made: Fraction = ratio(1, sum(weights.values())) * sum([o * w for o, w in weights.items()])
    return made


def variance(weights: dict[Any, int]) -> Fraction:
    """The mean square less the square of the mean."""
    middle = mean(weights)
    squares: Fraction = ratio(1, sum(weights.values())) * sum(
        [o * o * w for o, w in weights.items()]
    )
    return squares - middle * middle


def _check_numbers(weights: dict[Any, int]) -> None:
    for outcome in weights:
        if not hasattr(outcome, "denominator"):
            kind = "fields; ask for one with of(…)" if isinstance(outcome, tuple) else "labels"
            raise BadDist(
                f"a mean needs numbers, but an outcome is {outcome!r}: these are {kind}"
                + ("" if kind[0] == "f" else "; map() can read a number from each")
            )


def root(square: Fraction) -> float:
    """The square root, also where the fraction's parts are too long for floats."""
    return math.sqrt(square)


def place(steps: list[int], share: Any) -> int:
    """The place of the first outcome up to which at least this share of the weight lies."""
    from fractions import Fraction

    try:
        # A float means what it shows: 0.1 is a tenth, not the binary number nearest to it.
        wanted = Fraction(str(share) if isinstance(share, float) else share)
    except (TypeError, ValueError):
        raise BadDist(f"a share of the weight is a number, not {share!r}") from None
    if not 0 <= wanted <= 1:
        raise BadDist(f"a share of the weight is from 0 to 1, not {share}")
    need = -(-wanted.numerator * steps[-1] // wanted.denominator)
    return max(bisect_left(steps, need) - 1, 0)


def duel(mine: list[tuple[Any, int]], theirs: list[tuple[Any, int]]) -> tuple[int, int, int]:
    """The weights of coming out below, level and above; both sides rise."""
    less = equal = i = 0
    below, all_theirs = 0, sum([weight for _, weight in theirs])
    greater = 0
    for outcome, weight in mine:
        while i < len(theirs) and theirs[i][0] < outcome:
            below += theirs[i][1]
            i += 1
        level = theirs[i][1] if i < len(theirs) and theirs[i][0] == outcome else 0
        less += weight * (all_theirs - below - level)
        equal += weight * level
        greater += weight * below
    return less, equal, greater
