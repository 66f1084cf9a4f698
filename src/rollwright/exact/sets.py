"""Alike dice and runs in a pool: each a fold."""

from __future__ import annotations

from rollwright.budget import Budget
from rollwright.dice import Die, Pool
from rollwright.errors import BadDist
from rollwright.exact.dist import Dist
from rollwright.exact.folds import fold
from rollwright.exact.kinds import kinds_of
from rollwright.readings import Reader


def largest_set(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[int]:
    """How many dice the largest group of dice alike has.

    >>> from rollwright.dice import D6
    >>> largest_set(3 * D6).weights
    (120, 90, 6)
    """
    return fold(pool, 0, lambda most, _, count: max(most, count), read=read, budget=budget)


def pairs(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[int]:
    """How many pairs can be laid aside, no die used twice: four alike are two pairs.

    >>> from rollwright.dice import D6
    >>> pairs(4 * D6).weights
    (360, 840, 96)
    """
    return sets_of(pool, 2, read, budget=budget)


def sets_of(
    pool: Pool | Die, size: int, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[int]:
    """How many sets of `size` dice alike can be laid aside, no die used twice."""
    if type(size) is not int or size < 1:
        raise BadDist(f"a set has at least one die, not {size!r}")
    return fold(pool, 0, lambda sets, _, count: sets + count // size, read=read, budget=budget)


def longest_run(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[int]:
    """How many whole numbers in a row are shown at most.

    >>> from rollwright.dice import D6
    >>> longest_run(5 * D6)[5]
    240
    """
    every = {reading for table, _ in kinds_of(pool, read) for reading in table}
    for reading in every:
        if not isinstance(reading, int):
            raise BadDist(f"a run is of whole numbers, but a die reads {reading!r}")

    def step(run: tuple[int, int], face: int, count: int) -> tuple[int, int]:
        longest, now = run
        if not count:
            return longest, 0
        now = now + 1 if face - 1 in every else 1
        return max(longest, now), now

    return fold(pool, (0, 0), step, read=read, budget=budget).map(lambda run: run[0])
