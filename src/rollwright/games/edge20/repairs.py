"""Repairs: a check against DC 10 + Tier, try after try, each with 5 more than the one before."""

from __future__ import annotations

from functools import lru_cache

from rollwright.games.edge20.actions import D20Roll
from rollwright.games.edge20.outcomes import RepairOutcome, Tier
from rollwright.games.edge20.requests import PER_ATTEMPT, PER_CHECK, Check, Repair
from rollwright.games.edge20.stacking import EDGE_DICE
from rollwright.games.edge20.tiers import CRITICAL_MARGIN
from rollwright.games.edge20.turns import attempt
from rollwright.kit.fields import shared_fields
from rollwright.rules import Ending, rule

BASE_DC = 10


@lru_cache(maxsize=5000)
def try_check(ask: Repair, number: int, nth: int) -> Check:
    """The check of attempt `number` on this jam, as the nth check of its turn."""
    return check_as_told(ask, min(number, steady_attempt(ask)), nth)


def check_as_told(ask: Repair, number: int, nth: int) -> Check:
    """The check of an attempt with all the bonus earned by then, whether it matters or not."""
    fields = shared_fields(ask, D20Roll)
    if ask.house.repair_bonus_stacks:
        fields["bonuses"] = (*ask.bonuses, *(PER_ATTEMPT,) * (number - 1))
    else:
        fields["modifier"] += PER_ATTEMPT * (number - 1)
    return Check(**fields, dc=BASE_DC + ask.tier, nth_check=nth, house=ask.house)


@rule
async def get_working(ask: Repair) -> Ending[RepairOutcome]:
    """Try to get a thing working again until it does, or until you give up."""
    return try_once(ask, 0, ask.checks_before + 1, 1, 0)


@rule
async def try_once(
    ask: Repair, made: int, nth: int, turns: int, critical_failures: int
) -> Ending[RepairOutcome]:
    """One attempt; a failed one makes the next easier, a critical failure also ends the turn."""
    found = await attempt(try_check(ask, ask.attempt + made, nth))
    flopped = found.tier is Tier.CRITICAL_FAILURE
    made, critical_failures = made + 1, critical_failures + flopped
    if found.tier.is_success or made == ask.limit:
        fixed = found.tier.is_success
        return RepairOutcome(fixed, made, turns, critical_failures, nth, flopped)
    if flopped or nth_in_turn(ask, nth, turns) >= ask.tries_per_turn:
        return try_once(ask, made, 1, turns + 1, critical_failures)
    return try_once(ask, made, nth + 1, turns, critical_failures)


def nth_in_turn(ask: Repair, nth: int, turns: int) -> int:
    """How many attempts this turn has seen, other checks left out."""
    return nth - ask.checks_before if turns == 1 else nth


@rule
async def until_it_works(ask: Repair, number: int, nth: int, first_turn: bool) -> Ending[str]:
    """Attempts without end, for the average: later ones are all alike."""
    found = await attempt(try_check(ask, number, nth))
    if found.tier.is_success:
        return "works"
    number = min(number + 1, steady_attempt(ask))
    tried = nth_in_turn(ask, nth, 1 if first_turn else 2)
    if found.tier is Tier.CRITICAL_FAILURE or tried >= ask.tries_per_turn:
        return until_it_works(ask, number, 1, False)
    return until_it_works(ask, number, nth + 1, first_turn)


@lru_cache(maxsize=1000)
def steady_attempt(ask: Repair) -> int:
    """An attempt from which on another +5 changes nothing: the cap is met, or all is certain."""
    against = sum(ask.penalties)
    if ask.house.repair_bonus_stacks:
        if ask.house.turn_penalty_stacks:
            against += PER_CHECK * (ask.checks_before + ask.tries_per_turn - 1)
        missing = 2 * max(PER_ATTEMPT, *ask.bonuses, 0) + against - sum(ask.bonuses)
    else:
        checks = ask.checks_before + ask.tries_per_turn
        worst = 1 - EDGE_DICE[-1] + ask.modifier - against - PER_CHECK * checks
        missing = BASE_DC + ask.tier + CRITICAL_MARGIN - worst
    return max(1 - -missing // PER_ATTEMPT, ask.attempt)
