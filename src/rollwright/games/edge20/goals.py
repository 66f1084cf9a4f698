"""What players want of a roll, in their words."""

from __future__ import annotations

from typing import Any

from rollwright.games.edge20.outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from rollwright.kit import Goal


def successes(outcome: Any) -> int:
    """One for each check that succeeds, or for a thing that works again."""
    if isinstance(outcome, TurnOutcome):
        return outcome.successes
    return int(outcome.fixed if isinstance(outcome, RepairOutcome) else outcome.success)


def critical_failures(outcome: Any) -> int:
    """How many checks failed critically."""
    if isinstance(outcome, TurnOutcome):
        return int(outcome.cut_short)
    if isinstance(outcome, RepairOutcome):
        return outcome.critical_failures
    return int(outcome.turn_ends)


def critical_successes(outcome: CheckOutcome | TurnOutcome) -> int:
    """How many checks succeed critically."""
    if isinstance(outcome, TurnOutcome):
        return outcome.critical_successes
    return int(outcome.tier is Tier.CRITICAL_SUCCESS)


def careful(outcome: Any) -> int:
    """Successes less critical failures."""
    return successes(outcome) - critical_failures(outcome)


def effect(outcome: CheckOutcome | TurnOutcome) -> int:
    """Damage or healing."""
    return outcome.effect


def unscathed(outcome: Any) -> bool:
    """Whether nothing failed critically."""
    return not critical_failures(outcome)


def whole_plan(outcome: TurnOutcome) -> bool:
    """Whether every check of the plan was made and succeeded."""
    return outcome.completed and outcome.successes == outcome.checks


GOALS: dict[str, Goal] = {
    "just-succeed": Goal("succeed; in a turn, as often as possible", successes),
    "careful": Goal("succeed, where a critical failure costs as much as a success wins", careful),
    "no-disaster": Goal("avoid a critical failure", unscathed),
    "critical": Goal("a critical success", critical_successes, ("check", "turn")),
    "most-effect": Goal("as much damage or healing as possible", effect, ("check", "turn")),
    "whole-plan": Goal("every check of the plan succeeds", whole_plan, ("turn",)),
}
DEFAULT_GOAL = "just-succeed"
