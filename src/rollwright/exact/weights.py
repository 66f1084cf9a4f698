"""Weights of distributions: checked, mixed and mapped; their means, spreads and quantiles."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, TypeVar

from rollwright.dice import Outcome
from rollwright.errors import BadDist

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.exact.dist import Dist


T = TypeVar("T")
U = TypeVar("U")
Made = tuple[dict[T, int], int, int]


def checked(pairs: Iterable[tuple[T, int]], lost: int) -> Made[T]:
    """The weights of a distribution given by a user, those of nothing left out."""
    weights: dict[T, int] = {}
    for outcome, weight in pairs:
        _check_weight(outcome, weight)
        if not weight:
            continue
        try:
            weights[outcome] = weights.get(outcome, 0) + weight
        except TypeError:
            raise BadDist(
                f"an outcome must be a plain, unchanging value, not {outcome!r}"
            ) from None
    _check_weight("what was lost", lost)
    if not weights:
        raise BadDist("a distribution needs at least one outcome that can happen")
    refuse_floats(weights)
    return weights, sum(weights.values()) + lost, lost


def _check_weight(outcome: object, weight: object) -> None:
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 0:
        raise BadDist(f"the weight of {outcome!r} is a whole number of at least 0, not {weight!r}")


def refuse_floats(weights: dict[Outcome, int]) -> None:
    """Refuse outcomes that are inexact: equal ones would not meet."""
    if float in set(map(type, weights)):
        wrong = next(outcome for outcome in weights if type(outcome) is float)
        raise BadDist(f"the outcome {wrong!r} is inexact; use a whole number or a Fraction")


def reduced(weights: dict[T, int], total: int, lost: int) -> Made[T]:
    """The same chances in lowest terms."""
    common = gcd(lost, *weights.values())
    return {o: w // common for o, w in weights.items()}, total // common, lost // common


def mapped(weights: dict[T, int], change: Callable[[T], U]) -> dict[U, int]:
    """The weights of the changed outcomes."""
    made: dict[U, int] = {}
    seen = made.get
    for outcome, weight in weights.items():
        new = change(outcome)
        try:
            made[new] = seen(new, 0) + weight
        except TypeError:
            raise BadDist(f"an outcome must be a plain, unchanging value, not {new!r}") from None
    refuse_floats(made)
    return made


def mixed(parts: Iterable[tuple[Dist[T], int]], lost: int = 0) -> Made[T]:
    """Distributions in proportion to their weights, and a weight of which nothing is known."""
    listed = list(parts)
    for part, weight in listed:
        _check_part(part)
        _check_weight(part, weight)
    whole = lcm(*[part._total for part, _ in listed])
    weights: dict[T, int] = {}
    seen = weights.get
    total = lost = lost * whole
    for part, weight in listed:
        scale = weight * (whole // part._total)
        if not scale:
            continue
        total += weight * whole
        lost += scale * part._lost
        for outcome, share in part._weights.items():
            weights[outcome] = seen(outcome, 0) + scale * share
    if not weights:
        raise BadDist("a mixture needs at least one distribution with a weight")
    return weights, total, lost


def _check_part(part: object) -> None:
    if not hasattr(part, "_weights"):
        raise BadDist(f"a mixture is made of distributions, not {part!r}; is it Dist.sure(…)?")


def ratio(part: int, whole: int) -> Fraction:
    """A chance as a fraction."""
    from fractions import Fraction

    return Fraction(part, whole)


def mean(weights: dict[Outcome, int]) -> Fraction:
    """The mean outcome."""
    _check_numbers(weights)
    made: Fraction = ratio(1, sum(weights.values())) * sum([o * w for o, w in weights.items()])
    return made


def variance(weights: dict[Outcome, int]) -> Fraction:
    """The mean square less the square of the mean."""
    middle = mean(weights)
    squares: Fraction = ratio(1, sum(weights.values())) * sum(
        [o * o * w for o, w in weights.items()]
    )
    return squares - middle * middle


def _check_numbers(weights: dict[Outcome, int]) -> None:
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


def duel(
    mine: list[tuple[Outcome, int]], theirs: list[tuple[Outcome, int]]
) -> tuple[int, int, int]:
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
