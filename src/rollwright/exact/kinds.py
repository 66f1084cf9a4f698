"""The dice of a pool as they are read: each kind once, with how many of it there are."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import TYPE_CHECKING, Any

from rollwright.dice import Die, Pool
from rollwright.errors import BadDist
from rollwright.readings import Reader, readings

if TYPE_CHECKING:
    from typing import TypeGuard

Table = dict[Any, int]
Kind = tuple[Table, int]


def kinds_of(pool: Pool | Die, read: Reader | None) -> list[Kind]:
    """What each kind of die reads, with weights; dice that read alike are one kind."""
    if isinstance(pool, Die):
        return [(table_of(pool, read), 1)]
    if not isinstance(pool, Pool):
        raise BadDist(f"a pool of dice is needed, such as 3 * D6, not {pool!r}")
    kinds = [(table_of(die, read), count) for die, count in pool.groups]
    return kinds if len(kinds) < 2 else _merged(kinds)


def is_little(pool: Pool | Die, most: int) -> TypeGuard[Pool]:
    """Whether a pool is a few dice alike, so plain that metering it would take the most time."""
    if type(pool) is not Pool or len(pool.groups) != 1:
        return False
    die, count = pool.groups[0]
    return count <= most and die.is_ranked


def table_of(die: Die, read: Reader | None) -> Table:
    """What one die reads, with weights."""
    if read is None:
        return dict(zip(die.faces, die.weights, strict=True))
    table: Table = {}
    try:
        for reading, weight in zip(readings(die, read), die.weights, strict=True):
            table[reading] = table.get(reading, 0) + weight
    except TypeError:
        _refuse_changing(readings(die, read))
        raise
    return table


def _refuse_changing(read: Iterable[object]) -> None:
    for reading in read:
        try:
            hash(reading)
        except TypeError:
            raise BadDist(f"a reading must be a plain, unchanging value, not {reading!r}") from None


def _merged(kinds: list[Kind]) -> list[Kind]:
    counts: dict[frozenset[tuple[Any, int]], Kind] = {}
    for table, count in kinds:
        key = frozenset(table.items())
        counts[key] = (table, counts[key][1] + count if key in counts else count)
    return list(counts.values())


def whole_total(kinds: list[Kind]) -> int:
    """In how many ways the dice can fall."""
    return prod([sum(table.values()) ** count for table, count in kinds])


def whole_bits(kinds: list[Kind]) -> int:
    """About how long `whole_total` is, for estimates: it can be too long to work out."""
    return 1 + sum([sum(table.values()).bit_length() * count for table, count in kinds])


def ranked_readings(kinds: list[Kind]) -> list[Any]:
    """Every reading of any kind, rising."""
    every = kinds[0][0] if len(kinds) == 1 else {r for table, _ in kinds for r in table}
    try:
        return sorted(every)
    except TypeError:
        raise BadDist(
            f"ranks need readings that have an order, not {next(iter(every))!r}; use read= to "
            "give each face a number"
        ) from None


def size_of(kinds: list[Kind]) -> int:
    """How many dice there are."""
    return sum([count for _, count in kinds])
