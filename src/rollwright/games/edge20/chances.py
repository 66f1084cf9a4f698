"""The chances of a single check; one count of the dice serves every modifier and DC."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rollwright import api
from rollwright.exact import Dist, tally
from rollwright.games.edge20.house import House
from rollwright.games.edge20.outcomes import TIERS, CheckOutcome
from rollwright.games.edge20.requests import Check
from rollwright.games.edge20.rules import make_brief_check, throw_natural
from rollwright.games.edge20.tiers import Natural, base_tier, settled, shifted_tier


class TierOdds(NamedTuple):
    """The chance of each of the four results."""

    critical_failure: Fraction
    failure: Fraction
    success: Fraction
    critical_success: Fraction

    @property
    def succeeds(self) -> Fraction:
        """The chance of a success or better."""
        return self.success + self.critical_success


def tier_odds(check: Check, policy: str | None = None) -> TierOdds:
    """How likely is each result?

    >>> [str(chance) for chance in tier_odds(Check(modifier=5, dc=15))]
    ['1/20', '2/5', '1/2', '1/20']
    """
    if check.rerolls:
        tiers = _rerolled(check, policy).of("tier")
        return TierOdds(*(tiers.p(tier) for tier in TIERS))
    return tiers_ahead(check)


def _rerolled(check: Check, policy: str | None) -> Dist[CheckOutcome]:
    """The odds of a check with re-rolls; the default policy looks at the result alone."""
    if policy is not None:
        return api.odds(check, policy)
    decide = api.game_of(check).policy(api.game_of(check).default_policy, check)
    return api.odds(make_brief_check(check), decide)


def tiers_ahead(check: Check, more: int = 0) -> TierOdds:
    """The odds without re-rolls, as if the modifier were `more` higher or the DC lower."""
    known = settled(check)
    return _tiers(known.advantage, known.edge, known.bonus - known.dc + more, known.house)


@lru_cache(maxsize=500)
def natural_odds(advantage: int, size: int, house: House) -> Dist[Natural]:
    """The dice before any modifier: one count serves every modifier and DC."""
    return api.odds(throw_natural(advantage, size, house))


@lru_cache(maxsize=10_000)
def _tiers(advantage: int, size: int, ahead: int, house: House) -> TierOdds:
    dice = natural_odds(advantage, size, house)
    weights = dict.fromkeys(TIERS, 0)
    for shown, weight in dice.items():
        weights[shifted_tier(base_tier(shown.sum + ahead, house), shown.natural, house)] += weight
    return TierOdds(*(Fraction(weights[tier], dice.total) for tier in TIERS))


def expected_effect(check: Check, policy: str | None = None) -> Fraction:
    """How much damage or healing on average, dice at their highest on critical successes?

    >>> expected_effect(Check(modifier=5, dc=15, effect="2d6+3"))
    Fraction(23, 4)
    """
    if check.rerolls:
        return _rerolled(check, policy).of("effect").mean
    known, odds = settled(check), tier_odds(check)
    return odds.success * _rolled_effect(check) + odds.critical_success * max(
        known.effect.highest, 0
    )


def _rolled_effect(check: Check) -> Fraction:
    """The average of the effect dice on a success."""
    pool, flat = settled(check).effect
    if not pool:
        return Fraction(max(flat, 0))
    return tally(pool).map(lambda total: max(total + flat, 0)).mean
