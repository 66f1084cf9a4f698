"""Arithmetic of independent distributions: sums, products, the best of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import mul
from typing import TYPE_CHECKING, Any, TypeVar

from rollwright.dice import Outcome
from rollwright.errors import BadDist
from rollwright.exact.polynomials import multiplied as polynomial_product
from rollwright.exact.polynomials import powered
from rollwright.exact.work import Work

if TYPE_CHECKING:
    from rollwright.exact.dist import Dist
    from rollwright.exact.weights import Made

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")


def added(dist: Dist[Outcome], other: Dist[Outcome]) -> Made[Outcome]:
    """The sum of two throws; tuples of numbers add up by place."""
    if _number_kinds(dist) == {int} == _number_kinds(other):
        total = dist._total * other._total
        work = Work(None, "adding", (len(dist), len(other)))
        weights = polynomial_product(dist._weights, other._weights, work)
        return weights, total, _loss(dist, other)
    return combined(dist, other, _plus)


def moved(dist: Dist[Outcome], step: Any) -> Made[Outcome]:
    """Every outcome plus a constant."""
    _number_kinds(dist)
    _refuse_odd({type(step)}, step)
    weights = {_plus(outcome, step): weight for outcome, weight in dist._weights.items()}
    return weights, dist._total, dist._lost


def negated(dist: Dist[Outcome]) -> Made[Outcome]:
    """The outcomes with their signs turned."""
    if tuple in _number_kinds(dist):
        weights = {tuple([-part for part in o]): w for o, w in dist._weights.items()}
    else:
        weights = {-outcome: weight for outcome, weight in dist._weights.items()}
    return weights, dist._total, dist._lost


def multiplied(dist: Dist[Outcome], other: Dist[Outcome]) -> Made[Outcome]:
    """The product of two throws."""
    _refuse_vectors(_number_kinds(dist) | _number_kinds(other))
    return combined(dist, other, mul)


def scaled(dist: Dist[Outcome], factor: Any) -> Made[Outcome]:
    """Every outcome times a constant."""
    _refuse_odd({type(factor)}, factor)
    _refuse_vectors({type(factor)} | _number_kinds(dist))
    weights: dict[Outcome, int] = {}
    for outcome, weight in dist._weights.items():
        weights[outcome * factor] = weights.get(outcome * factor, 0) + weight
    return weights, dist._total, dist._lost


def combined(one: Dist[T], two: Dist[U], join: Callable[[T, U], V]) -> Made[V]:
    """Every outcome of one with every outcome of the other, joined."""
    Work(None, "combining", (len(one), len(two))).spend(2 * len(one) * len(two))
    weights: dict[V, int] = {}
    seen = weights.get
    others = list(two._weights.items())
    for a, x in one._weights.items():
        for b, y in others:
            made = join(a, b)
            try:
                weights[made] = seen(made, 0) + x * y
            except TypeError:
                raise BadDist(
                    f"an outcome must be a plain, unchanging value, not {made!r}"
                ) from None
    return weights, one._total * two._total, _loss(one, two)


def paired(one: Dist[T], two: Dist[U]) -> Made[tuple[T, U]]:
    """Every outcome of one beside every outcome of the other."""
    Work(None, "pairing", (len(one), len(two))).spend(2 * len(one) * len(two))
    others = list(two._weights.items())
    weights = {(a, b): x * y for a, x in one._weights.items() for b, y in others}
    return weights, one._total * two._total, _loss(one, two)


def _loss(one: Dist[Outcome], two: Dist[Outcome]) -> int:
    if not one._lost and not two._lost:
        return 0
    counted = (one._total - one._lost) * (two._total - two._lost)
    return int(one._total * two._total - counted)


def repeated(dist: Dist[Outcome], count: int) -> Made[Outcome]:
    """The sum of `count` throws."""
    check_count(count, least=0)
    kinds = _number_kinds(dist)
    if kinds <= {int, bool}:
        weights = powered(dist._weights, count, Work(None, f"the sum of {count} of", dist))
    else:
        weights = _chained(dist, count)
    total = dist._total**count
    return weights, total, total - (dist._total - dist._lost) ** count


def _chained(dist: Dist[Outcome], count: int) -> dict[Outcome, int]:
    """One throw after the other, for outcomes that are not whole numbers."""
    if not count:
        return {0: 1}
    made = dist
    for _ in range(count - 1):
        made = type(dist)._made(*combined(made, dist, _plus))
    return made._weights


def best(rising: Iterable[tuple[T, int]], count: int) -> tuple[dict[T, int], int]:
    """The best of `count` throws, by powers of the weight up to each outcome; and their total."""
    made: dict[T, int] = {}
    reached = before = 0
    for outcome, weight in rising:
        reached += weight
        now = reached**count
        made[outcome] = now - before
        before = now
    return made, before


def worst(rising: Iterable[tuple[T, int]], whole: int, count: int) -> tuple[dict[T, int], int]:
    """The worst of `count` throws, by powers of the weight from each outcome on."""
    made: dict[T, int] = {}
    before = counted = whole**count
    for outcome, weight in rising:
        whole -= weight
        now = whole**count
        made[outcome] = before - now
        before = now
    return made, counted


def check_count(count: object, *, least: int) -> None:
    """Refuse a number of throws that is none."""
    if not isinstance(count, int) or isinstance(count, bool) or count < least:
        raise BadDist(f"a number of throws is a whole number of at least {least}, not {count!r}")


def _number_kinds(dist: Dist[Outcome]) -> set[type]:
    kinds = set(map(type, dist._weights))
    if len(kinds) > 1 or int not in kinds:
        _refuse_odd(kinds, next(iter(dist._weights)))
    return kinds


def _refuse_odd(kinds: set[type], example: object) -> None:
    for kind in kinds:
        if not issubclass(kind, (int, tuple)) and not hasattr(kind, "denominator"):
            raise BadDist(
                f"arithmetic needs whole numbers or fractions, not {example!r}; map() can read "
                "a number from each outcome first"
            )


def _refuse_vectors(kinds: set[type]) -> None:
    if any(issubclass(kind, tuple) for kind in kinds):
        raise BadDist("a product needs numbers; use map() to multiply the parts of tuples")


def _plus(a: Any, b: Any) -> Any:
    if not isinstance(a, tuple) and not isinstance(b, tuple):
        return a + b
    if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) != len(b):
        raise BadDist(f"{a!r} and {b!r} cannot be added: tuples add up place by place")
    try:
        return tuple([x + y for x, y in zip(a, b, strict=True)])
    except TypeError:
        raise BadDist(f"{a!r} and {b!r} cannot be added: not all places are numbers") from None
