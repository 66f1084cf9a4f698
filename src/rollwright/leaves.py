"""What the ways through a rule end in: outcomes, other rules, and sums still to be thrown."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from typing import Any

from rollwright.budget import Budget
from rollwright.chains import Local
from rollwright.chances import Chances
from rollwright.errors import Misuse
from rollwright.exact import Dist
from rollwright.replay import Entered, Run, finished
from rollwright.steps import Call, Step, Tally, Throw
from rollwright.vectors import Packing, plus


class Leaves:
    """What the ways through a rule end in, gathered by denominator and merged where equal."""

    def __init__(self, chances: Chances, budget: Budget) -> None:
        self.chances = chances
        self.budget = budget
        self._outcomes: dict[int, dict[Any, int]] = {}
        self._tails: dict[int, dict[Any, int]] = {}
        self._tallies: dict[Any, tuple[Tally[Any], dict[int, dict[Any, int]]]] = {}

    def outcome(self, outcome: Any, ways: int, total: int) -> None:
        """A way that ends in an outcome."""
        into = self._outcomes.get(total)
        if into is None:
            into = self._outcomes[total] = {}
        into[outcome] = into.get(outcome, 0) + ways

    def outcomes(self, dist: Dist[Any], ways: int, total: int) -> None:
        """A way that ends in parts whose odds are known."""
        for outcome, weight in dist.items():
            self.outcome(outcome, ways * weight, total * dist.total)

    def tail(self, key: tuple[Any, ...], ways: int, total: int) -> None:
        """A way that ends in another rule."""
        into = self._tails.setdefault(total, {})
        into[key] = into.get(key, 0) + ways

    def ending(self, step: Any, ways: int, total: int, run: Run) -> None:
        """A way that ends in a throw still to be made."""
        if type(step) is Tally:
            self.tally(step, ways, total)
            return
        cases, whole = self.chances.of(run)
        for raw, weight in cases:
            value = finished(step, raw) if isinstance(step, Throw) else raw
            self._finished(value, ways * weight, total * whole)

    def tally(self, step: Tally[Any], ways: int, total: int) -> None:
        """A way that ends in a sum still to be thrown; equal ends are thrown once."""
        start = step.start
        try:
            key = (step.pool, step.tables, step.finish, step.given, type(start), _length(start))
            known = self._tallies.get(key)
        except TypeError:
            raise Misuse(
                f"{step!r} was given something that can change: use tuples and frozen values"
            ) from None
        if known is None:
            known = self._tallies[key] = (step, {})
        starts = known[1].get(total)
        if starts is None:
            starts = known[1][total] = {}
        starts[start] = starts.get(start, 0) + ways

    def _finished(self, value: Any, ways: int, total: int) -> None:
        if type(value) is Call:
            self.tail((Entered(value),), ways, total)
        elif isinstance(value, Step):
            raise Misuse(f"a finish gives an outcome or a rule, not {value!r}")
        else:
            self.outcome(value, ways, total)

    def local(self) -> Local:
        """All the ways together, over one total."""
        thrown = [
            (step, total * step.pool.total, starts)
            for step, by_total in self._tallies.values()
            for total, starts in by_total.items()
        ]
        common = lcm(*self._outcomes, *self._tails, *{whole for _, whole, _ in thrown})
        ends: dict[Any, EqualEnds] = {}
        for step, whole, starts in thrown:
            packing, items, _ = self.chances.packed_tally(step)
            key = (step.finish, step.given, packing and (packing.width, packing.make))
            if key not in ends:
                ends[key] = EqualEnds(step)
            self.budget.spend(len(items) * len(starts), "the ends of this rule")
            ends[key].add(packing, items, starts, common // whole)
        for equal in ends.values():
            for value, ways in equal.finished():
                self._finished(value, ways, common)
        return Local(_over(self._outcomes, common), _over(self._tails, common), common)


def _length(start: Any) -> int:
    return len(start) if isinstance(start, tuple) else 0


def _over(parts: dict[int, dict[Any, int]], common: int) -> dict[Any, int]:
    """Weights over several totals, brought together over one."""
    merged = parts.pop(common, {})
    for total, weights in parts.items():
        factor = common // total
        for key, weight in weights.items():
            merged[key] = merged.get(key, 0) + weight * factor
    return merged


class EqualEnds:
    """Sums that are finished by the same function, so that each different sum is finished once."""

    def __init__(self, step: Tally[Any]) -> None:
        self.step = step
        self.packing: Packing | None = None
        self.packed: dict[int, int] = {}
        self.plain: dict[Any, int] = {}

    def add(
        self,
        packing: Packing | None,
        items: list[tuple[Any, int]],
        starts: dict[Any, int],
        factor: int,
    ) -> None:
        """Every start plus every sum, with the ways it comes about."""
        if packing is None:
            _add_plain(self.plain, starts, items, factor)
            return
        keys = packing.pack_all(starts)
        if keys is None:
            unpacked = [(packing.unpack(number), weight) for number, weight in items]
            _add_plain(self.plain, starts, unpacked, factor)
            return
        self.packing = packing
        _add_sums(self.packed, dict(zip(keys, starts.values(), strict=True)), items, factor)

    def finished(self) -> Iterable[tuple[Any, int]]:
        """What each different sum comes to, with its ways."""
        finish = self.step.finished
        for raw, ways in self.plain.items():
            yield finish(raw), ways
        if self.packing is not None:
            unpack = self.packing.unpack
            for number, ways in self.packed.items():
                yield finish(unpack(number)), ways


def _add_plain(
    into: dict[Any, int], starts: dict[Any, int], items: list[tuple[Any, int]], factor: int
) -> None:
    for start, ways in starts.items():
        for value, weight in items:
            key = plus(start, value)
            into[key] = into.get(key, 0) + ways * weight * factor


def _add_sums(
    into: dict[int, int], starts: dict[int, int], items: list[tuple[int, int]], factor: int
) -> None:
    known = into.get
    for start, ways in starts.items():
        ways *= factor
        for value, weight in items:
            key = start + value
            into[key] = known(key, 0) + ways * weight
