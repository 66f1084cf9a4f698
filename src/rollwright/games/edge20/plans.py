"""How many checks to make in a turn, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rollwright.kit import refuse_if
from rollwright.kit.questions import Number, number

from .questions import expected_effect, tier_odds
from .requests import Turn
from .turns import nth_check


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

    >>> turn = Turn(checks=[{"modifier": 8, "dc": 15}] * 4)
    >>> how_many_checks(turn).checks, how_many_checks(turn, harm=5).checks
    (2, 1)
    """
    return _Worth(turn, success, harm, effect).plan(range(len(turn.checks)))


def best_order(turn: Turn, *, success: Number = 1, harm: Number = 1, effect: Number = 0) -> Plan:
    """In which order should I make these checks, and how many of them?

    >>> leap, shoot = {"name": "leap", "modifier": 2}, {"name": "shoot", "modifier": 12}
    >>> best_order(Turn(checks=[leap | {"dc": 15}, shoot | {"dc": 15}])).order
    ('shoot', 'leap')
    """
    worth = _Worth(turn, success, harm, effect)
    _, order = worth.best(frozenset(range(len(turn.checks))))
    return worth.plan(order)


class _Worth:
    """What the checks of a turn are worth at each place in it."""

    def __init__(self, turn: Turn, success: Number, harm: Number, effect: Number) -> None:
        problem = "shared re-rolls make each check depend on those before it, so ask for advice"
        would_do = "0, or re-rolls of single checks"
        refuse_if(turn.rerolls, "rerolls", problem, "EDGE R20", would_do)
        self.turn = turn
        self.success = number("success", success)
        self.harm = number("harm", harm)
        self.effect = number("effect", effect)
        self._orders: dict[frozenset[int], tuple[Fraction, tuple[int, ...]]] = {}
        self._single: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}

    def single(self, check: int, nth: int) -> tuple[Fraction, Fraction]:
        """What one check is worth by itself as the nth, and the chance that the turn goes on."""
        if (check, nth) not in self._single:
            asked = nth_check(self.turn, check, nth)
            odds = tier_odds(asked)
            value = self.success * odds.succeeds - self.harm * odds.critical_failure
            if self.effect:
                value += self.effect * expected_effect(asked)
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

    def best(self, left: frozenset[int]) -> tuple[Fraction, tuple[int, ...]]:
        """The best order of the checks that are left, by dynamic programming over what is left."""
        nth = len(self.turn.checks) - len(left) + 1
        if not left or nth > self.most:
            return Fraction(0), tuple(sorted(left))
        if left not in self._orders:
            found = []
            for check in sorted(left):
                value, goes_on = self.single(check, nth)
                later, order = self.best(left - {check})
                found.append((value + goes_on * max(later, Fraction(0)), (check, *order)))
            self._orders[left] = max(found, key=lambda pair: pair[0])
        return self._orders[left]
