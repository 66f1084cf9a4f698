"""What Adrenaline is worth: spend it now or keep it, and how fast doubles bring more."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from rollwright.engine.best.advice import advise
from rollwright.engine.odds.count import chain
from rollwright.errors import NeverEnds
from rollwright.exact import Dist
from rollwright.games.dust.chances import outcomes
from rollwright.games.dust.house import House
from rollwright.games.dust.policies import succeeded
from rollwright.games.dust.requests import Plan, PlannedRoll, Roll
from rollwright.games.dust.rules import earning
from rollwright.games.dust.tasks import SAVE
from rollwright.games.dust.throws import FULL
from rollwright.kit.questions import whole

MOST_ROLLS = 1000
"""By then every pool that brings Adrenaline at all is full."""


class PointGain(NamedTuple):
    """The chance to reach what is needed, with and without a point of Adrenaline."""

    kept: Fraction
    spent: Fraction

    @property
    def gain(self) -> Fraction:
        """What the point adds to the chance."""
        return self.spent - self.kept


def gain_of_spending(roll: Roll, *, need: int = 1) -> PointGain:
    """How much does a point of Adrenaline add to the chance of `need` successes?

    >>> gain_of_spending(Roll(pool=1, difficulty=9))
    PointGain(kept=Fraction(1, 5), spent=Fraction(9, 10))
    """
    kept, spent = (
        outcomes(roll.but(spend=points, adrenaline=None)).of("net").at_least(need)
        for points in (0, 1)
    )
    return PointGain(kept, spent)


class SpendNow(NamedTuple):
    """Whether to spend on the roll at hand, given the rolls that are still to come."""

    spend: bool
    matters: bool
    """False where keeping the point is worth the same."""
    if_spent: Fraction
    """What all the rolls together are worth if a point is spent now and the rest played best."""
    if_kept: Fraction


def spend_now(
    now: PlannedRoll,
    later: Iterable[PlannedRoll] = (),
    *,
    adrenaline: int,
    house: House | None = None,
) -> SpendNow:
    """Should I spend Adrenaline now, or keep it for the rolls that I see coming?

    >>> easy, hard = PlannedRoll(pool=7, difficulty=5), PlannedRoll(pool=2, difficulty=9)
    >>> spend_now(easy, [hard], adrenaline=1).spend
    False
    """
    plan = Plan(rolls=(now, *later), adrenaline=adrenaline, house=house or House())
    advice = advise(plan.call(), succeeded)
    if advice.here is None:
        return SpendNow(False, False, advice.value, advice.value)
    worths = {worth.option: worth.value for worth in advice.here.worths}
    kept = worths.pop(SAVE)
    spent = max(worths.values())
    return SpendNow(spent > kept, spent != kept, spent, kept)


def worth_of_a_point(
    rolls: Iterable[PlannedRoll], *, adrenaline: int = 0, house: House | None = None
) -> Fraction:
    """What is one more point of Adrenaline worth over the rolls to come, played best?

    >>> worth_of_a_point([PlannedRoll(pool=1, difficulty=9)])
    Fraction(7, 10)
    """
    whole("adrenaline", adrenaline, 0, FULL - 1, "DUST R18")
    plan = Plan(rolls=tuple(rolls), adrenaline=adrenaline, house=house or House())
    richer = plan.but(adrenaline=adrenaline + 1)
    return advise(richer.call(), succeeded).value - advise(plan.call(), succeeded).value


def adrenaline_income(roll: Roll) -> Fraction:
    """How much Adrenaline do doubles bring on average?

    >>> adrenaline_income(Roll(pool=2))
    Fraction(1, 20)
    """
    return outcomes(roll).of("adrenaline_gained").mean


def rolls_until(roll: Roll, *, adrenaline: int = 0, goal: int = FULL) -> Fraction | None:
    """How many such rolls does it take on average to come to so much Adrenaline?

    None where they never bring any.

    >>> rolls_until(Roll(pool=2), goal=1)
    Fraction(20, 1)
    """
    whole("adrenaline", adrenaline, 0, FULL, "DUST R18")
    whole("goal", goal, 0, FULL, "DUST R18")
    if adrenaline >= goal:
        return Fraction(0)
    try:
        return chain(earning(roll.terms, adrenaline, goal)).length
    except NeverEnds:
        return None


def adrenaline_after(roll: Roll, rolls: int, *, adrenaline: int = 0) -> Dist[int]:
    """How much Adrenaline is there after so many rolls, if none is spent?

    >>> adrenaline_after(Roll(pool=2), 2).p(0)
    Fraction(361, 400)
    """
    whole("adrenaline", adrenaline, 0, FULL, "DUST R18")
    whole("rolls", rolls, 0, MOST_ROLLS, "DUST R17")
    fresh = roll.but(spend=0, adrenaline=0)
    gained = outcomes(fresh).of("adrenaline_gained")
    return gained.sum_of(rolls).map(lambda points: min(FULL, adrenaline + points))
