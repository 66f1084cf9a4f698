"""Checking, mixing and mapping the weights of distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, TypeVar

from rollwright.errors import BadDist

if TYPE_CHECKING:
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


def refuse_floats(weights: dict[Any, int]) -> None:
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
    from rollwright.exact.dist import Dist

    if not isinstance(part, Dist):
        raise BadDist(f"a mixture is made of distributions, not {part!r}; is it Dist.sure(…)?")
