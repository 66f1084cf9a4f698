"""Sums of what the dice of a pool read, and successes among them."""

from __future__ import annotations

from typing import Any

from rollwright.budget import Budget
from rollwright.dice import Die, Pool
from rollwright.exact.coding import IntKind, coded
from rollwright.exact.dist import Comparison, Dist
from rollwright.exact.kinds import Table, kinds_of, whole_total
from rollwright.exact.polynomials import Terms, multiplied, powered
from rollwright.exact.work import Work
from rollwright.readings import Reader


def tally(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[Any]:
    """The sum of what the dice read: numbers, or tuples of numbers added place by place.

    >>> from rollwright.dice import D6
    >>> tally(3 * D6)[10]
    27
    >>> tally(2 * D6, lambda face: (face == 6, face == 1))[1, 1]
    2
    """
    kinds = kinds_of(pool, read)
    if not kinds:
        return Dist.sure(0)
    tables, code = coded(kinds, "a sum")
    weights = sum_weights(tables, Work(budget, "the sum of", pool))
    dist = Dist._made(code.read(weights), whole_total(kinds))
    if code.in_order:
        dist._outcomes = tuple(dist._weights)
    return dist


def sum_weights(kinds: list[IntKind], work: Work) -> Terms:
    """The weight of each sum of dice that read whole numbers."""
    if not kinds:
        return {0: 1}
    made = [powered(table, count, work) for table, count in kinds]
    if len(made) > 2:
        made.sort(key=len)
    weights = made[0]
    for more in made[1:]:
        weights = multiplied(weights, more, work)
    return weights


def successes(pool: Pool | Die, test: Any, *, budget: Budget | None = None) -> Dist[int]:
    """How many dice pass a test, or show this face.

    >>> from rollwright.dice import D10
    >>> successes(3 * D10, lambda face: face >= 8).weights
    (343, 441, 189, 27)
    """
    read = test if callable(test) else lambda face: face == test
    kinds = [(_passes(table), count) for table, count in kinds_of(pool, read)]
    if not kinds:
        return Dist.sure(0)
    weights = sum_weights(kinds, Work(budget, "the successes of", pool))
    return Dist._made(weights, whole_total(kinds))


def _passes(table: Table) -> Table:
    passed: Table = {}
    for reading, weight in table.items():
        passed[1 if reading else 0] = passed.get(1 if reading else 0, 0) + weight
    return passed


def compare(a: Dist[Any] | Pool | Die, b: Dist[Any] | Pool | Die) -> Comparison:
    """The chances that `a` comes out below, level with or above `b`; pools by their sums.

    >>> from rollwright.dice import D6, D8
    >>> compare(2 * D6, D8).less
    Fraction(7, 36)
    """
    one = a if isinstance(a, Dist) else tally(a)
    return one.compare(b if isinstance(b, Dist) else tally(b))
