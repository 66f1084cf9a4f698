"""The highest, the lowest and the n-th of a pool's dice; two pools laid side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb
from typing import Literal

from rollwright.budget import Budget, Work
from rollwright.dice import Die, Face, Outcome, Pool
from rollwright.errors import BadDist
from rollwright.exact.dist import Dist
from rollwright.exact.polynomials import slot_bytes, unpack
from rollwright.exact.pools import (
    DiceCounts,
    Kind,
    Showing,
    is_little,
    kinds_of,
    ranked_readings,
    size_of,
    whole_bits,
    whole_total,
)
from rollwright.exact.weights import best, worst
from rollwright.readings import Reader

FEW_DICE = 100
DIGIT = 30
"""Bits that Python multiplies at once."""


def powering(digits: float) -> float:
    """Return the steps of raising something to a number of so many digits."""
    return 0.05 * float(digits**1.585)


def highest(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[Outcome]:
    """The highest die.

    >>> from rollwright.dice import D4
    >>> highest(2 * D4).weights
    (1, 3, 5, 7)
    """
    if read is None and budget is None and is_little(pool, FEW_DICE):
        [(die, count)] = pool.groups
        return Dist._build(*best(zip(die.faces, die.weights), count), 0, die.faces)
    kinds = kinds_of(pool, read)
    return _extreme(kinds, ranked_readings(kinds), Work(budget, "the highest of", pool))


def lowest(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[Outcome]:
    """The lowest die."""
    if read is None and budget is None and is_little(pool, FEW_DICE):
        [(die, count)] = pool.groups
        made = worst(zip(die.faces, die.weights), die.total, count)
        return Dist._build(*made, 0, die.faces)
    kinds = kinds_of(pool, read)
    return _extreme(kinds, ranked_readings(kinds)[::-1], Work(budget, "the lowest of", pool))


def _extreme(kinds: list[Kind], worst_to_best: list[Outcome], work: Work) -> Dist[Outcome]:
    """Each outcome's weight is what is reached up to it, less what was reached before."""
    if not kinds:
        raise BadDist("there are no dice, so there is no highest or lowest one")
    digits = whole_bits(kinds) / DIGIT
    work.spend(len(worst_to_best) * (len(kinds) * (1 + size_of(kinds) // 100) + powering(digits)))
    if len(kinds) == 1:
        table, count = kinds[0]
        return Dist._build(*best([(reading, table[reading]) for reading in worst_to_best], count))
    reached = [0] * len(kinds)
    made: dict[Outcome, int] = {}
    before = 0
    for reading in worst_to_best:
        now = 1
        for i, (table, count) in enumerate(kinds):
            reached[i] += table.get(reading, 0)
            now *= reached[i] ** count
        if now > before:
            made[reading] = now - before
        before = now
    return Dist._build(made, before)


def nth_highest(
    pool: Pool | Die, n: int, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[Outcome]:
    """The n-th highest die; `n` is 1 for the highest.

    >>> from rollwright.dice import D6
    >>> nth_highest(3 * D6, 2)[3]
    52
    """
    kinds = kinds_of(pool, read)
    return nth_of(kinds, n, Work(budget, f"number {n} from the top of", pool))


def nth_lowest(
    pool: Pool | Die, n: int, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[Outcome]:
    """The n-th lowest die; `n` is 1 for the lowest."""
    kinds = kinds_of(pool, read)
    _check_rank(n, size_of(kinds))
    work = Work(budget, f"number {n} from the bottom of", pool)
    return nth_of(kinds, size_of(kinds) + 1 - n, work)


def _check_rank(n: object, size: int) -> None:
    if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= size:
        raise BadDist(f"of {size} dice there are number 1 to {size}, not {n!r}")


def nth_of(kinds: list[Kind], n: int, work: Work) -> Dist[Outcome]:
    """The n-th highest: at least n dice reach a reading, but not the next one."""
    size = size_of(kinds)
    _check_rank(n, size)
    readings = ranked_readings(kinds)
    if n == 1:
        return _extreme(kinds, readings, work)
    if n == size:
        return _extreme(kinds, readings[::-1], work)
    terms = min(n, size - n) if len(kinds) == 1 else n * size // 2
    work.spend(len(readings) * terms * (4 + whole_bits(kinds) / 500))
    total = whole_total(kinds)
    below = [0] * len(kinds)
    made: dict[Outcome, int] = {}
    chance, last = total, None
    for reading in readings:
        above = [sum(t.values()) - b for (t, _), b in zip(kinds, below, strict=True)]
        reached = at_least(list(zip(above, below, [c for _, c in kinds], strict=True)), n, total)
        if last is not None and chance > reached:
            made[last] = chance - reached
        chance, last = reached, reading
        below = [b + table.get(reading, 0) for b, (table, _) in zip(below, kinds, strict=True)]
    if chance:
        made[last] = chance
    return Dist._build(made, total)


Split = tuple[int, int, int]
"""Weights of one kind of die: that which reaches a mark, that which does not, how many dice."""


def at_least(splits: Sequence[Split], n: int, total: int) -> int:
    """The weight of at least `n` dice reaching the mark."""
    if len(splits) > 1:
        return total - sum(counts_reaching(splits, n))
    above, below, size = splits[0]
    if not below:
        return total
    if n <= size - n:
        return total - _first_terms(above, below, size, n)
    return _first_terms(below, above, size, size - n + 1)


def _first_terms(up: int, down: int, size: int, count: int) -> int:
    """The binomial terms with fewer than `count` dice up, each made from the one before."""
    term: int = down**size
    made = term
    for j in range(1, count):
        term = term * ((size - j + 1) * up) // (j * down)
        made += term
    return made


def counts_reaching(splits: Sequence[Split], limit: int) -> list[int]:
    """For 0, 1, … `limit - 1` dice the weight of exactly so many reaching the mark.

    The weights of those that reach it may be packed polynomials of what they show.
    """
    made = [1]
    scale = 1
    for above, below, size in splits:
        if not above:
            scale *= below**size
            continue
        ways = _ways(above, below, size, limit)
        made = [
            sum(
                [
                    made[i] * ways[j - i]
                    for i in range(max(0, j - len(ways) + 1), min(j + 1, len(made)))
                ]
            )
            for j in range(min(limit, len(made) + len(ways) - 1))
        ]
    return made if scale == 1 else [scale * weight for weight in made]


def _ways(above: int, below: int, size: int, limit: int) -> list[int]:
    made = []
    power = 1
    for j in range(min(size + 1, limit)):
        made.append(comb(size, j) * below ** (size - j) * power)
        power *= above
    return made


Ties = Literal["defender", "attacker", "nobody"]


def pair_off(
    attackers: Pool | Die,
    defenders: Pool | Die,
    *,
    ties: Ties = "defender",
    read: Reader | None = None,
    budget: Budget | None = None,
) -> Dist[tuple[int, int]]:
    """How many pairs the attackers win and how many the defenders, highest against highest.

    Dice without a partner count for nothing. `ties` says who wins a pair that is level.

    >>> from rollwright.dice import D6
    >>> pair_off(3 * D6, 2 * D6)[2, 0]
    2890
    """
    if ties not in ("defender", "attacker", "nobody"):
        raise BadDist(f"ties go to the defender, the attacker or nobody, not {ties!r}")
    sides = [_Queue(kinds_of(attackers, read)), _Queue(kinds_of(defenders, read))]
    work = Work(budget, "pairing off", (attackers, defenders))
    faces = ranked_readings(sides[0].kinds + sides[1].kinds)[::-1]
    pairs = min(sides[0].size, sides[1].size)
    width = slot_bytes(sides[0].total * sides[1].total)
    slots = (pairs + 1) ** 2 if ties == "nobody" else pairs + 1
    unit = 2 + slots * width / 2000
    _spend(sides, len(faces) * unit, ties == "nobody", work)
    score = 8 * width
    # One who arrives second at a face meets those level with it as if they were higher.
    first = 0 if ties != "defender" else 1
    gains = (score, score * (pairs + 1)) if ties == "nobody" else (score, 0)
    made = _lined_up(sides, faces, first, gains, ties == "nobody")
    total = sides[0].total * sides[1].total
    return Dist._build(_scores(unpack(made, width, slots), pairs, ties == "nobody"), total)


class _Queue:
    """The dice of one side."""

    def __init__(self, kinds: list[Kind]) -> None:
        self.kinds = kinds
        self.crowd = DiceCounts([count for _, count in kinds])
        self.size = size_of(kinds)
        self.total = whole_total(kinds)

    def shows(self, face: Face) -> list[Showing]:
        """Which kinds show a face; at its lowest, a kind has no other left."""
        return [
            Showing(kind, table[face], forced=min(table) == face)
            for kind, (table, _) in enumerate(self.kinds)
            if face in table
        ]


def _spend(sides: list[_Queue], unit: float, three_ways: bool, work: Work) -> None:
    one, two = [side.crowd for side in sides]
    states = (one.everyone + 1) * two.throws() + one.throws() * (two.everyone + 1)
    work.spend(states * unit * (1 + (one.everyone if three_ways else 0)))


Line = tuple[int, int]
"""The dice used of the side that arrives first, and of the other."""


def _lined_up(
    sides: list[_Queue], faces: list[Face], first: int, gains: tuple[int, int], level: bool
) -> int:
    """Let both sides arrive face by face, from the highest, and score the pairs as they form."""
    early, late = sides[first], sides[1 - first]
    lines: dict[Line, int] = {(0, 0): 1}
    for face in faces:
        arrived = _arrive_early(lines, early, late, face, gains[1 - first], level)
        lines = _arrive_late(arrived, early, late, face, gains[first])
    return lines[early.crowd.everyone, late.crowd.everyone]


def _arrive_early(
    lines: dict[Line, int], early: _Queue, late: _Queue, face: Face, gain: int, level: bool
) -> dict[tuple[int, int, int], int]:
    """Dice that meet a partner already in line lose to it.

    Where level pairs count for nobody, how many stood in line before this face is remembered.
    """
    shows = early.shows(face)
    made: dict[tuple[int, int, int], int] = {}
    known: dict[int, list[tuple[int, int, int, int]]] = {}
    for (mine, theirs), weight in lines.items():
        if mine not in known:
            known[mine] = early.crowd.arrivals(mine, shows)
        ahead, before = late.crowd.used_dice(theirs), early.crowd.used_dice(mine)
        done = min(before, ahead)
        for new, ways, count, _ in known[mine]:
            lost = min(before + count, ahead) - done
            key = (new, theirs, before if level else early.crowd.used_dice(new))
            made[key] = made.get(key, 0) + (weight * ways << (gain * lost))
    return made


def _arrive_late(
    arrived: dict[tuple[int, int, int], int], early: _Queue, late: _Queue, face: Face, gain: int
) -> dict[Line, int]:
    shows = late.shows(face)
    made: dict[Line, int] = {}
    known: dict[int, list[tuple[int, int, int, int]]] = {}
    for (theirs, mine, ahead), weight in arrived.items():
        if mine not in known:
            known[mine] = late.crowd.arrivals(mine, shows)
        before = late.crowd.used_dice(mine)
        done = min(before, ahead)
        for new, ways, count, _ in known[mine]:
            lost = min(before + count, ahead) - done
            key = (theirs, new)
            made[key] = made.get(key, 0) + (weight * ways << (gain * lost))
    return made


def _scores(weights: Iterable[int], pairs: int, level: bool) -> dict[tuple[int, int], int]:
    if level:
        base = pairs + 1
        return {(i % base, i // base): weight for i, weight in enumerate(weights) if weight}
    return {(won, pairs - won): weight for won, weight in enumerate(weights) if weight}
