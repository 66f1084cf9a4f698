"""Named ways to decide, and goals in players' words.

Policies say when to re-roll, and when to leave a turn at that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollwright.engine.odds.count import Situation
from rollwright.kit import Goal, Policy

from .outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from .rules import KEEP, REROLL, REROLL_LOWER, Reroll, Standing
from .turns import GO_ON, STOP, GoOn


def deciding(
    reroll: Callable[[Reroll | Standing], bool], go_on: Callable[[GoOn], bool] = lambda about: True
) -> Callable[[Situation], Any]:
    """A policy made of when to re-roll and when to go on with the turn.

    The lower die is re-rolled: the other one can never do more for the one that counts.
    """

    def decide(situation: Situation) -> Any:
        about, options = situation.about, situation.options
        if isinstance(about, Reroll | Standing):
            lower = REROLL if REROLL in options else REROLL_LOWER
            return lower if reroll(about) else KEEP
        if about.made and not go_on(about):
            return STOP
        return GO_ON if GO_ON in options else about.left[0]

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


GOALS: dict[str, Goal] = {
    "just-succeed": Goal("succeed; in a turn, as often as possible", successes),
    "careful": Goal(
        "succeed, where a critical failure costs as much as a success wins",
        lambda outcome: successes(outcome) - critical_failures(outcome),
    ),
    "no-disaster": Goal("avoid a critical failure", lambda outcome: not critical_failures(outcome)),
    "critical": Goal("a critical success", critical_successes, ("check", "turn")),
    "most-effect": Goal(
        "as much damage or healing as possible", lambda outcome: outcome.effect, ("check", "turn")
    ),
    "whole-plan": Goal(
        "every check of the plan succeeds",
        lambda turn: turn.completed and turn.successes == turn.checks,
        ("turn",),
    ),
}
DEFAULT_GOAL = "just-succeed"
