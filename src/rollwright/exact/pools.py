"""The dice of a pool: each kind once, as it is read, and several kinds face after face."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from rollwright.dice import Die, Outcome, Pool
from rollwright.errors import BadDist
from rollwright.readings import Reader, readings

if TYPE_CHECKING:
    from typing import TypeGuard


Table = dict[Outcome, int]
Kind = tuple[Table, int]


def kinds_of(pool: Pool | Die, read: Reader | None) -> list[Kind]:
    """Return the readings of each kind of die, with weights; dice that read alike are one kind."""
    if isinstance(pool, Die):
        return [(table_of(pool, read), 1)]
    if not isinstance(pool, Pool):
        raise BadDist(f"a pool of dice is needed, such as 3 * D6, not {pool!r}")
    kinds = [(table_of(die, read), count) for die, count in pool.groups]
    return kinds if len(kinds) < 2 else _merge_kinds(kinds)


def is_little(pool: Pool | Die, most: int) -> TypeGuard[Pool]:
    """Whether a pool is a few dice alike, so plain that metering it would take the most time."""
    if type(pool) is not Pool or len(pool.groups) != 1:
        return False
    die, count = pool.groups[0]
    return count <= most and die.is_ranked


def table_of(die: Die, read: Reader | None) -> Table:
    """Return the readings of one die, with weights."""
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


def _merge_kinds(kinds: list[Kind]) -> list[Kind]:
    counts: dict[frozenset[tuple[Outcome, int]], Kind] = {}
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


def ranked_readings(kinds: list[Kind]) -> list[Outcome]:
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


Arrival = tuple[int, int, int, int]
"""The dice used then, in how many ways, how many arrive, and by how much they shift a sum."""


class Showing(NamedTuple):
    """One face of one kind of dice: its weight, its shift of a packed sum, whether it is forced.

    Where `forced`, no other face is left for the dice of this kind that have not shown yet.
    """

    kind: int
    weight: int
    shift: int = 0
    forced: bool = False


class DiceCounts:
    """So many dice of each kind."""

    __slots__ = ("_choices", "_places", "_powers", "everyone", "sizes")

    def __init__(self, sizes: list[int]) -> None:
        self.sizes = sizes
        self._places = []
        place = 1
        for size in sizes:
            self._places.append((place, size + 1))
            place *= size + 1
        self.everyone = place - 1
        self._choices: dict[int, list[int]] = {}
        self._powers: dict[int, list[int]] = {}

    def throws(self) -> int:
        """About how many steps it takes to pass one face: pairs of before and after."""
        return prod([(size + 1) * (size + 2) // 2 for size in self.sizes])

    def left(self, used: int) -> list[int]:
        """How many dice of each kind have not shown yet."""
        return [base - 1 - used // place % base for place, base in self._places]

    def used_dice(self, used: int) -> int:
        """How many dice have shown."""
        if len(self.sizes) == 1:
            return used
        return sum([used // place % base for place, base in self._places])

    def arrivals(self, used: int, shows: list[Showing], most: int | None = None) -> list[Arrival]:
        """The ways in which 0, 1, … up to `most` of the dice left show a face."""
        if len(shows) == 1 and len(self.sizes) == 1 and not shows[0].forced:
            return self._simple(used, shows[0], most)
        made: list[Arrival] = [(used, 1, 0, 0)]
        for kind, weight, shift, forced in shows:
            place, base = self._places[kind]
            left = base - 1 - used // place % base
            limit = left if most is None or most > left else most
            if forced and limit < left:
                return []
            choices = self._choose(left, limit)
            if weight != 1:
                powers = self._power_row(weight, limit)
                choices = [c * p for c, p in zip(choices, powers, strict=False)]
            counts = range(left if forced else 0, limit + 1)
            made = [
                (now + m * place, ways * choices[m], there + m, moved + m * shift)
                for now, ways, there, moved in made
                for m in counts
            ]
        if most is not None and len(shows) > 1:
            return [arrival for arrival in made if arrival[2] <= most]
        return made

    def _simple(self, used: int, show: Showing, most: int | None) -> list[Arrival]:
        """The same for a face that need not be shown, of the only kind there is."""
        left = self.everyone - used
        limit = left if most is None or most > left else most
        choices = self._choose(left, limit)
        _, weight, shift, _ = show
        if weight == 1:
            return [(used + m, choices[m], m, m * shift) for m in range(limit + 1)]
        powers = self._power_row(weight, limit)
        return [(used + m, choices[m] * powers[m], m, m * shift) for m in range(limit + 1)]

    def _choose(self, left: int, limit: int) -> list[int]:
        """In how many ways 0, 1, … `limit` of the dice left can be picked."""
        row = self._choices.setdefault(left, [1])
        for m in range(len(row), limit + 1):
            row.append(row[-1] * (left - m + 1) // m)
        return row

    def _power_row(self, weight: int, limit: int) -> list[int]:
        row = self._powers.setdefault(weight, [1])
        for _ in range(len(row), limit + 1):
            row.append(row[-1] * weight)
        return row
