"""Sums of what the dice of a pool read, and successes among them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import lcm

from rollwright.budget import Budget, Work
from rollwright.dice import Die, Face, Outcome, Pool
from rollwright.errors import BadDist
from rollwright.exact.dist import Comparison, Dist
from rollwright.exact.polynomials import Terms, multiply, shifted_power
from rollwright.exact.pools import Kind, Table, kinds_of, whole_total
from rollwright.readings import Reader, matches


def sum_of(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[Outcome]:
    """The sum of what the dice read: numbers, or tuples of numbers added place by place.

    This gives odds at once; what a rule awaits is `rollwright.rules.tally`.

    >>> from rollwright.dice import D6
    >>> sum_of(3 * D6)[10]
    27
    >>> sum_of(2 * D6, lambda face: (face == 6, face == 1))[1, 1]
    2
    """
    kinds = kinds_of(pool, read)
    if not kinds:
        return Dist.sure(0)
    tables, code = encode(kinds, "a sum")
    weights = sum_weights(tables, Work(budget, "the sum of", pool))
    dist = Dist._build(code.read(weights), whole_total(kinds))
    if code.in_order:
        dist._outcomes = tuple(dist._weights)
    return dist


def sum_weights(kinds: list[IntKind], work: Work) -> Terms:
    """The weight of each sum of dice that read whole numbers."""
    if not kinds:
        return {0: 1}
    made = [shifted_power(table, count, work) for table, count in kinds]
    if len(made) > 2:
        made.sort(key=len)
    weights = made[0]
    for more in made[1:]:
        weights = multiply(weights, more, work)
    return weights


def successes(
    pool: Pool | Die, test: Reader | Iterable[Face] | Hashable, *, budget: Budget | None = None
) -> Dist[int]:
    """How many dice pass a test, or show this face, or one of several: `successes(pool, [5, 6])`.

    >>> from rollwright.dice import D10
    >>> successes(3 * D10, lambda face: face >= 8).weights
    (343, 441, 189, 27)
    """
    dice = (pool,) if isinstance(pool, Die) else [die for die, _ in pool.groups]
    read = matches(test, [face for die in dice for face in die.faces])
    kinds = [(_passes(table), count) for table, count in kinds_of(pool, read)]
    if not kinds:
        return Dist.sure(0)
    weights = sum_weights(kinds, Work(budget, "the successes of", pool))
    return Dist._build(weights, whole_total(kinds))


def _passes(table: Table) -> Table:
    passed: Table = {}
    for reading, weight in table.items():
        passed[1 if reading else 0] = passed.get(1 if reading else 0, 0) + weight
    return passed


def compare(a: Dist[Outcome] | Pool | Die, b: Dist[Outcome] | Pool | Die) -> Comparison:
    """The chances that `a` comes out below, level with or above `b`; pools by their sums.

    >>> from rollwright.dice import D6, D8
    >>> compare(2 * D6, D8).less
    Fraction(7, 36)
    """
    one = a if isinstance(a, Dist) else sum_of(a)
    return one.compare(b if isinstance(b, Dist) else sum_of(b))


IntTable = dict[int, int]
IntKind = tuple[IntTable, int]


class NumberCode:
    """Plain numbers: a whole number is itself, a fraction so many parts."""

    __slots__ = ("parts",)
    in_order = False

    def __init__(self, parts: int = 1) -> None:
        self.parts = parts

    def read(self, sums: IntTable) -> dict[Outcome, int]:
        """The sums as numbers again."""
        if self.parts == 1:
            return sums
        from fractions import Fraction

        return {Fraction(key, self.parts): weight for key, weight in sums.items()}


class VectorCode:
    """Tuples of whole numbers, added place by place."""

    __slots__ = ("make", "starts", "strides")
    in_order = True

    def __init__(self, strides: list[int], starts: list[int], make: type[tuple[int, ...]]) -> None:
        self.strides = strides
        self.starts = starts
        self.make = make

    def read(self, sums: IntTable) -> dict[Outcome, int]:
        """The sums as tuples again."""
        made = _tuples(sums, self.strides, self.starts)
        if self.make is tuple:
            return made
        return {self.make(*outcome): weight for outcome, weight in made.items()}


def _tuples(sums: IntTable, strides: list[int], starts: list[int]) -> dict[Outcome, int]:
    """In order, because whole numbers are sorted sooner than tuples.

    Written out for the usual lengths: taking sums apart can cost as much as counting them.
    """
    keys = sorted(sums)
    if len(strides) == 2:
        (s, _), (a, b) = strides, starts
        return {(k // s + a, k % s + b): sums[k] for k in keys}
    if len(strides) == 3:
        (s, t, _), (a, b, c) = strides, starts
        return {(k // s + a, k % s // t + b, k % t + c): sums[k] for k in keys}
    if len(strides) == 4 and strides[1] + keys[-1] // strides[1] < len(keys):
        return _by_halves(keys, sums, strides, starts)
    if len(strides) == 4:
        (s, t, u, _), (a, b, c, d) = strides, starts
        return {(k // s + a, k % s // t + b, k % t // u + c, k % u + d): sums[k] for k in keys}
    return _by_columns(keys, sums, strides, starts)


def _by_halves(
    keys: list[int], sums: IntTable, strides: list[int], starts: list[int]
) -> dict[Outcome, int]:
    """Two places at a time, from tables: right where most of their values come up."""
    (s, t, u, _), (a, b, c, d) = strides, starts
    low = [(k // u + c, k % u + d) for k in range(t)]
    high = [(k // (s // t) + a, k % (s // t) + b) for k in range(keys[-1] // t + 1)]
    return {high[k // t] + low[k % t]: sums[k] for k in keys}


def _by_columns(
    keys: list[int], sums: IntTable, strides: list[int], starts: list[int]
) -> dict[Outcome, int]:
    """One place after the other, of all sums at once."""
    columns = []
    rest = keys
    for stride, start in zip(strides, starts, strict=True):
        columns.append([key // stride + start for key in rest])
        rest = [key % stride for key in rest]
    return dict(zip(zip(*columns, strict=True), [sums[key] for key in keys], strict=True))


Code = NumberCode | VectorCode


def encode(kinds: list[Kind], question: str) -> tuple[list[IntKind], Code]:
    """The kinds with whole numbers for readings, and how to read their sums."""
    types = {type(reading) for table, _ in kinds for reading in table}
    if types <= {int}:
        return kinds, NumberCode()
    if any(issubclass(kind, tuple) for kind in types):
        return _encode_vectors(kinds, types, question)
    return encode_numbers(kinds, question)


def encode_numbers(kinds: list[Kind], question: str) -> tuple[list[IntKind], NumberCode]:
    """The kinds with whole numbers for numbers; anything else is refused."""
    if {type(reading) for table, _ in kinds for reading in table} <= {int}:
        return kinds, NumberCode()
    for table, _ in kinds:
        for reading in table:
            if not hasattr(reading, "denominator"):
                raise BadDist(
                    f"{question} needs numbers, but a die reads {reading!r}; use read= to give "
                    "each face a number"
                )
    parts = lcm(*[reading.denominator for table, _ in kinds for reading in table])
    tables = [({int(r * parts): w for r, w in table.items()}, n) for table, n in kinds]
    return tables, NumberCode(parts)


def _encode_vectors(
    kinds: list[Kind], types: set[type], question: str
) -> tuple[list[IntKind], VectorCode]:
    wide = _width(kinds, question)
    if not wide:
        raise BadDist(f"{question} needs at least one number in each reading, not ()")
    lows = [[min(column) for column in zip(*table, strict=True)] for table, _ in kinds]
    highs = [[max(column) for column in zip(*table, strict=True)] for table, _ in kinds]
    counts = [count for _, count in kinds]
    strides = [1] * wide
    for place in range(wide - 1, 0, -1):
        spans = [n * (h[place] - low[place]) for n, h, low in zip(counts, highs, lows, strict=True)]
        strides[place - 1] = strides[place] * (sum(spans) + 1)
    starts = [sum([n * low[p] for n, low in zip(counts, lows, strict=True)]) for p in range(wide)]
    tables = [
        (_encode_table(table, low, strides), n) for (table, n), low in zip(kinds, lows, strict=True)
    ]
    make = types.pop() if len(types) == 1 and hasattr(next(iter(types)), "_fields") else tuple
    return tables, VectorCode(strides, starts, make)


def _width(kinds: list[Kind], question: str) -> int:
    readings = [reading for table, _ in kinds for reading in table]
    wide = len(readings[0]) if isinstance(readings[0], tuple) else -1
    for reading in readings:
        if not isinstance(reading, tuple) or len(reading) != wide:
            raise BadDist(f"{question} needs tuples of one length, not {reading!r}")
        for part in reading:
            if not isinstance(part, int):
                raise BadDist(f"{question} needs tuples of whole numbers, not {reading!r}")
    return wide


def _encode_table(table: dict[Outcome, int], lows: list[int], strides: list[int]) -> IntTable:
    made: IntTable = {}
    for reading, weight in table.items():
        key = sum([(r - low) * s for r, low, s in zip(reading, lows, strides, strict=True)])
        made[key] = made.get(key, 0) + weight
    return made
