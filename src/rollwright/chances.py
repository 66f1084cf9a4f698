"""Every case of a throw with its weight, each different throw counted once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rollwright import exact
from rollwright.budget import Budget
from rollwright.hands import Hand, every_hand
from rollwright.replay import Run
from rollwright.steps import Fold, Look, Roll, Tally, Throw

Cases = tuple[list[tuple[Any, int]], int]
"""Answers with their weights, and the total weight."""


class Chances:
    """The cases of throws, remembered by dice and table of readings."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._known: dict[Any, Cases] = {}

    def of(self, run: Run) -> Cases:
        """The cases of the throw or look that `run` waits for."""
        step = run.step
        return self._look(run, step) if type(step) is Look else self.of_throw(step)

    def of_throw(self, step: Throw[Any]) -> Cases:
        """The cases of a throw: hands, sums or states."""
        if type(step) is Roll:
            return self.hands(step)
        if type(step) is Fold:
            return self.fold(step)
        assert type(step) is Tally
        items, total = self.tally(step)
        if step.start == 0:
            return items, total
        return [(plus(step.start, value), weight) for value, weight in items], total

    def hands(self, step: Roll[Any]) -> Cases:
        """Every hand of a roll."""
        key = (Roll, step.pool, step.tables)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = every_hand(step.pool, key[2], self.budget)
        return known

    def tally(self, step: Tally[Any]) -> Cases:
        """Every sum of a tally, without its start."""
        key = (Tally, step.pool, step.tables)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _listed(
                exact.tally(step.pool, step.read, budget=self.budget) if step.pool else None
            )
        return known

    def fold(self, step: Fold[Any]) -> Cases:
        """Every state a fold can come to."""
        key = (Fold, step.pool, step.tables, step.start, step.step)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _listed(
                exact.fold(step.pool, step.start, step.step, read=step.read, budget=self.budget)
                if step.pool
                else exact.Dist.sure(step.start)
            )
        return known

    def _look(self, run: Run, step: Look[Any]) -> Cases:
        pool, owners = run.look_pool()
        stand_in: Roll[Any] = Roll.__new__(Roll)
        stand_in.pool, stand_in.read = pool, step.read
        hands, total = self.hands(stand_in)
        return [
            (Hand((owners[die], reading) for die, reading in hand.pairs), weight)
            for hand, weight in hands
        ], total


def _listed(dist: exact.Dist[Any] | None) -> Cases:
    if dist is None:
        return [(0, 1)], 1
    return list(dist.items()), dist.total


def plus(start: Any, value: Any) -> Any:
    """`start` and a sum, added place by place where they are tuples."""
    if isinstance(start, tuple):
        if value == 0:
            return start
        return tuple([a + b for a, b in zip(start, value, strict=True)])
    if isinstance(value, tuple):
        return tuple([start + b for b in value])
    return start + value


PLACE_BITS = 24
_HALF = 1 << (PLACE_BITS - 1)
_MASK = (1 << PLACE_BITS) - 1


def packed(value: Any, width: int) -> int | None:
    """A tuple of small whole numbers as one number, so that sums of tuples are sums of numbers."""
    if value == 0:
        return 0
    total = 0
    for place in reversed(value):
        if type(place) is not int or not -_HALF // 2 < place < _HALF // 2:
            return None
        total = (total << PLACE_BITS) + place
    return total


def unpacked(number: int, width: int) -> tuple[int, ...]:
    """The tuple that `packed` made a number of."""
    places = []
    for _ in range(width):
        place = ((number + _HALF) & _MASK) - _HALF
        places.append(place)
        number = (number - place) >> PLACE_BITS
    return tuple(places)


class Packing:
    """Sums as plain numbers where that is possible, and back again."""

    __slots__ = ("width",)

    def __init__(self, width: int) -> None:
        self.width = width

    def pack_all(self, values: Iterable[Any]) -> list[int] | None:
        """Each value as a number, or None if one of them does not fit."""
        listed = []
        for value in values:
            number = packed(value, self.width)
            if number is None:
                return None
            listed.append(number)
        return listed

    def unpack(self, number: int) -> tuple[int, ...]:
        """The value behind a number."""
        return unpacked(number, self.width)
