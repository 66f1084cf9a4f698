"""Sums of small tuples, packed into single numbers so that adding them up is quick."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rollwright.budget import Budget
from rollwright.dice import Die
from rollwright.steps import Tally

PLACE_BITS = 24
_HALF = 1 << (PLACE_BITS - 1)
_MASK = (1 << PLACE_BITS) - 1
_MOST = _HALF // 2
FEW_DICE = 16
"""Up to so many dice, sums are made by adding die after die."""


def plus(start: Any, value: Any) -> Any:
    """`start` and a sum, added place by place where they are tuples."""
    if isinstance(start, tuple):
        if value == 0:
            return start
        return tuple([a + b for a, b in zip(start, value, strict=True)])
    if isinstance(value, tuple):
        return tuple([start + b for b in value])
    return start + value


class Packing:
    """Tuples of so many places as numbers, and back; sums of tuples are sums of numbers."""

    __slots__ = ("width",)

    def __init__(self, width: int) -> None:
        self.width = width

    def pack(self, value: Any) -> int | None:
        """A tuple of small whole numbers as one number; None if it does not fit."""
        if value == 0:
            return 0
        total = 0
        for place in reversed(value):
            if not isinstance(place, int) or not -_MOST < place < _MOST:
                return None
            total = (total << PLACE_BITS) + place
        return total

    def pack_all(self, values: Iterable[Any]) -> list[int] | None:
        """Each value as a number, or None if one of them does not fit."""
        listed = []
        for value in values:
            number = self.pack(value)
            if number is None:
                return None
            listed.append(number)
        return listed

    def unpack(self, number: int) -> tuple[int, ...]:
        """The tuple behind a number."""
        places = []
        for _ in range(self.width):
            place = ((number + _HALF) & _MASK) - _HALF
            places.append(place)
            number = (number - place) >> PLACE_BITS
        return tuple(places)


def packing_of(step: Tally[Any]) -> Packing | None:
    """How the sums of a tally are packed; None where they are plain numbers."""
    if isinstance(step.start, tuple):
        return Packing(len(step.start))
    for table in step.tables:
        if isinstance(table[0], tuple):
            return Packing(len(table[0]))
    return None


def small_sums(step: Tally[Any], packing: Packing, budget: Budget) -> dict[int, int] | None:
    """The packed sums of a few dice, made die by die; None where another way is better."""
    if step.pool.size > FEW_DICE:
        return None
    sums = {0: 1}
    for (die, count), table in zip(step.pool.groups, step.tables, strict=True):
        faces = _packed_faces(die, table, packing)
        if faces is None:
            return None
        for _ in range(count):
            budget.spend(len(sums) * len(faces), f"the sums of {step.pool!r}")
            sums = _one_die_more(sums, faces)
    return sums


def _packed_faces(
    die: Die, table: tuple[Any, ...], packing: Packing
) -> list[tuple[int, int]] | None:
    weights: dict[int, int] = {}
    for reading, weight in zip(table, die.weights, strict=True):
        number = packing.pack(reading)
        if number is None or max(map(abs, reading)) * FEW_DICE >= _MOST:
            return None
        weights[number] = weights.get(number, 0) + weight
    return list(weights.items())


def _one_die_more(sums: dict[int, int], faces: list[tuple[int, int]]) -> dict[int, int]:
    grown: dict[int, int] = {}
    known = grown.get
    for total, ways in sums.items():
        for face, weight in faces:
            number = total + face
            grown[number] = known(number, 0) + ways * weight
    return grown
