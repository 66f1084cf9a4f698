"""Two pools laid side by side, high to low, and compared die by die."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.budget import Budget
from rollwright.dice import Die, Pool
from rollwright.errors import BadDist
from rollwright.exact.crowds import Crowd, Showing
from rollwright.exact.dist import Dist
from rollwright.exact.kinds import Kind, kinds_of, ranked_readings, size_of, whole_total
from rollwright.exact.packing import slot_bytes, unpacked
from rollwright.exact.work import Work
from rollwright.readings import Reader

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
    # Whoever arrives second at a face meets those level with it as if they were higher.
    first = 0 if ties != "defender" else 1
    gains = (score, score * (pairs + 1)) if ties == "nobody" else (score, 0)
    made = _lined_up(sides, faces, first, gains, ties == "nobody")
    total = sides[0].total * sides[1].total
    return Dist._made(_scores(unpacked(made, width, slots), pairs, ties == "nobody"), total)


class _Queue:
    """The dice of one side."""

    def __init__(self, kinds: list[Kind]) -> None:
        self.kinds = kinds
        self.crowd = Crowd([count for _, count in kinds])
        self.size = size_of(kinds)
        self.total = whole_total(kinds)

    def shows(self, face: Any) -> list[Showing]:
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
    sides: list[_Queue], faces: list[Any], first: int, gains: tuple[int, int], level: bool
) -> int:
    """Let both sides arrive face by face, from the highest, and score the pairs as they form."""
    early, late = sides[first], sides[1 - first]
    lines: dict[Line, int] = {(0, 0): 1}
    for face in faces:
        arrived = _arrive_early(lines, early, late, face, gains[1 - first], level)
        lines = _arrive_late(arrived, early, late, face, gains[first])
    return lines[early.crowd.everyone, late.crowd.everyone]


def _arrive_early(
    lines: dict[Line, int], early: _Queue, late: _Queue, face: Any, gain: int, level: bool
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
        ahead, before = late.crowd.seen(theirs), early.crowd.seen(mine)
        done = min(before, ahead)
        for new, ways, count, _ in known[mine]:
            lost = min(before + count, ahead) - done
            key = (new, theirs, before if level else early.crowd.seen(new))
            made[key] = made.get(key, 0) + (weight * ways << (gain * lost))
    return made


def _arrive_late(
    arrived: dict[tuple[int, int, int], int], early: _Queue, late: _Queue, face: Any, gain: int
) -> dict[Line, int]:
    shows = late.shows(face)
    made: dict[Line, int] = {}
    known: dict[int, list[tuple[int, int, int, int]]] = {}
    for (theirs, mine, ahead), weight in arrived.items():
        if mine not in known:
            known[mine] = late.crowd.arrivals(mine, shows)
        before = late.crowd.seen(mine)
        done = min(before, ahead)
        for new, ways, count, _ in known[mine]:
            lost = min(before + count, ahead) - done
            key = (theirs, new)
            made[key] = made.get(key, 0) + (weight * ways << (gain * lost))
    return made


def _scores(weights: Any, pairs: int, level: bool) -> dict[tuple[int, int], int]:
    if level:
        base = pairs + 1
        return {(i % base, i // base): weight for i, weight in enumerate(weights) if weight}
    return {(won, pairs - won): weight for won, weight in enumerate(weights) if weight}
