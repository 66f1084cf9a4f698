"""Every case of a throw with its weight, each different throw counted once."""

from __future__ import annotations

from typing import Any

from rollwright import exact
from rollwright.budget import Budget
from rollwright.hands import Hand, every_hand
from rollwright.replay import Run
from rollwright.steps import Fold, Look, Roll, Tally, Throw
from rollwright.vectors import Packing, SmallSums, packing_of, plus

Cases = tuple[list[tuple[Any, int]], int]
"""Answers with their weights, and the total weight."""
PackedCases = tuple[Packing | None, list[tuple[Any, int]], int]
"""The same with tuples packed into numbers; without a packing the tuples as they are."""


class Chances:
    """The cases of throws, remembered by dice and table of readings."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._known: dict[Any, Any] = {}
        self._small_sums = SmallSums(budget)

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
        known: Cases | None = self._known.get(key)
        if known is None:
            known = self._known[key] = every_hand(step.pool, key[2], self.budget)
        return known

    def tally(self, step: Tally[Any]) -> Cases:
        """Every sum of a tally, without its start."""
        key = (Tally, step.pool, step.tables)
        known: Cases | None = self._known.get(key)
        if known is None:
            known = self._known[key] = _listed(
                exact.tally(step.pool, step.read, budget=self.budget) if step.pool else None
            )
        return known

    def packed_tally(self, step: Tally[Any]) -> PackedCases:
        """Every sum of a tally of tuples as single numbers, where that is possible."""
        width = len(step.start) if isinstance(step.start, tuple) else 0
        key = (Packing, step.pool, step.tables, width, type(step.start))
        known: PackedCases | None = self._known.get(key)
        if known is None:
            packing = packing_of(step)
            sums = None if packing is None else self._small_sums.of(step, packing)
            if packing is None or sums is None:
                items, total = self.tally(step)
                numbers = packing.pack_all([value for value, _ in items]) if packing else None
                if packing is None or numbers is None:
                    known = (None, items, total)
                else:
                    weights = [weight for _, weight in items]
                    known = (packing, list(zip(numbers, weights, strict=True)), total)
            else:
                known = (packing, list(sums.items()), step.pool.total)
            self._known[key] = known
        return known

    def fold(self, step: Fold[Any]) -> Cases:
        """Every state a fold can come to."""
        key = (Fold, step.pool, step.tables, step.start, step.step)
        known: Cases | None = self._known.get(key)
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
