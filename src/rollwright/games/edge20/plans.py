"""How many checks to make in a turn, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rollwright.errors import BadField
from rollwright.games.edge20.chances import expected_effect, tier_odds
from rollwright.games.edge20.requests import Turn
from rollwright.games.edge20.turns import nth_check
from rollwright.kit.questions import Number, number


class Plan(NamedTuple):
    """A turn: the checks in their order, how many of them to make, and what that is worth."""

    order: tuple[str, ...]
    checks: int
    value: Fraction
    values: tuple[Fraction, ...]
    """What it is worth to plan none, one, two … of them in this order."""


def how_many_checks(
    turn: Turn, *, success: Number = 1, harm: Number = 1, effect: Number = 0
) -> Plan:
    """How many of these checks should I try, in the order they are listed?

    `success` is what one is worth, `harm` what a critical failure costs, `effect` what a point of
    damage or healing is worth. Checks do not change each other, so how many to try can be said
    beforehand.

    >>> from rollwright.games.edge20 import Check
    >>> turn = Turn(checks=[Check(modifier=8, dc=15)] * 4)
    >>> how_many_checks(turn).checks, how_many_checks(turn, harm=5).checks
    (2, 1)
    """
    worth = _Worth(turn, _prices(success=success, harm=harm, effect=effect))
    return worth.plan(tuple(range(len(turn.checks))))


def best_order(turn: Turn, *, success: Number = 1, harm: Number = 1, effect: Number = 0) -> Plan:
    """In which order should I make these checks, and how many of them?

    >>> from rollwright.games.edge20 import Check
    >>> checks = [Check(name="leap", modifier=2, dc=15), Check(name="shoot", modifier=12, dc=15)]
    >>> best_order(Turn(checks=checks)).order
    ('shoot', 'leap')
    """
    worth = _Worth(turn, _prices(success=success, harm=harm, effect=effect))
    return worth.plan(worth.best_from(frozenset(range(len(turn.checks)))))


def _prices(**given: Number) -> tuple[Fraction, Fraction, Fraction]:
    success, harm, effect = (number(name, price) for name, price in given.items())
    return success, harm, effect


class _Worth:
    """What the checks of a turn are worth at each place in it."""

    def __init__(self, turn: Turn, prices: tuple[Fraction, Fraction, Fraction]) -> None:
        if turn.rerolls:
            raise BadField(
                "rerolls",
                "shared re-rolls make each check depend on those before it, so ask for advice",
                rule="EDGE R20",
                would_do="0, or re-rolls of single checks",
            )
        self.turn = turn
        self.prices = prices
        self._orders: dict[frozenset[int], tuple[Fraction, tuple[int, ...]]] = {}
        self._single: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}

    def single(self, check: int, nth: int) -> tuple[Fraction, Fraction]:
        """What one check is worth by itself as the nth, and the chance that the turn goes on."""
        if (check, nth) not in self._single:
            asked = nth_check(self.turn, check, nth)
            odds = tier_odds(asked)
            success, harm, effect = self.prices
            value = success * odds.succeeds - harm * odds.critical_failure
            if effect:
                value += effect * expected_effect(asked)
            self._single[check, nth] = value, 1 - odds.critical_failure
        return self._single[check, nth]

    @property
    def most(self) -> int:
        """How many checks the turn may have."""
        limit = self.turn.house.max_checks
        length = len(self.turn.checks)
        return length if limit is None else min(length, limit - self.turn.checks_before)

    def values(self, order: Sequence[int]) -> tuple[Fraction, ...]:
        """What it is worth to make the first none, one, two … checks of an order."""
        found, total, alive = [Fraction(0)], Fraction(0), Fraction(1)
        for nth, check in enumerate(order[: self.most], start=1):
            value, goes_on = self.single(check, nth)
            total, alive = total + alive * value, alive * goes_on
            found.append(total)
        return tuple(found)

    def plan(self, order: Sequence[int]) -> Plan:
        """The order with the best place to stop, the earliest among equals."""
        values = self.values(order)
        best = max(values)
        labels = tuple(self.turn.labels[check] for check in order)
        return Plan(labels, values.index(best), best, values)

    def best_from(self, left: frozenset[int]) -> tuple[int, ...]:
        """The best order of the checks that are left, by dynamic programming over what is left."""
        return self._best(left)[1]

    def _best(self, left: frozenset[int]) -> tuple[Fraction, tuple[int, ...]]:
        nth = len(self.turn.checks) - len(left) + 1
        if not left or nth > self.most:
            return Fraction(0), tuple(sorted(left))
        if left not in self._orders:
            found = []
            for check in sorted(left):
                value, goes_on = self.single(check, nth)
                later, order = self._best(left - {check})
                found.append((value + goes_on * max(later, Fraction(0)), (check, *order)))
            self._orders[left] = max(found, key=lambda pair: pair[0])
        return self._orders[left]
