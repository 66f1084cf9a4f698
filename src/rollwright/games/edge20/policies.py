"""Named ways to decide, and goals in players' words.

Policies say when to re-roll, and when to leave a turn at that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollwright.engine.odds.count import Situation
from rollwright.games.edge20.outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from rollwright.games.edge20.rules import KEEP, REROLL, REROLL_LOWER, Reroll, Standing
from rollwright.games.edge20.turns import GO_ON, STOP, GoOn
from rollwright.kit import Goal, Policy

Decide = Callable[[Situation], Any]


def _lower(situation: Situation) -> str:
    """Re-roll the lower die: the other one can never do more for the one that counts."""
    return REROLL if REROLL in situation.options else REROLL_LOWER


def _next(situation: Situation) -> Any:
    """The next check of the plan."""
    return GO_ON if GO_ON in situation.options else situation.about.left[0]


def deciding(
    reroll: Callable[[Reroll | Standing], bool], go_on: Callable[[GoOn], bool] = lambda about: True
) -> Decide:
    """A policy made of when to re-roll the lower die and when to go on with the turn."""

    def decide(situation: Situation) -> Any:
        about = situation.about
        if isinstance(about, Reroll | Standing):
            return _lower(situation) if reroll(about) else KEEP
        return _next(situation) if not about.made or go_on(about) else STOP

    return decide


def _failed(about: Reroll | Standing) -> bool:
    return not about.tier.is_success


POLICIES: dict[str, Policy] = {
    "if-failed": Policy.of(
        "re-roll a check that failed; carry the plan of a turn out to its end", deciding(_failed)
    ),
    "never": Policy.of(
        "never re-roll; carry the plan of a turn out to its end", deciding(lambda about: False)
    ),
    "always": Policy.of(
        "use every re-roll on the lower die; carry the plan of a turn out to its end",
        deciding(lambda about: True),
    ),
    "stop-if-failed": Policy.of(
        "re-roll a check that failed; end the turn at the first failure",
        deciding(_failed, lambda about: about.made == about.successes),
    ),
    "stop-after": Policy.numbered(
        "re-roll a check that failed; end the turn after so many checks",
        lambda checks: deciding(_failed, lambda about: about.made < checks),
        name="stop-after",
        says="after how many checks",
        low=1,
        high=99,
        rule="EDGE R13",
    ),
}
DEFAULT_POLICY = "if-failed"


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
