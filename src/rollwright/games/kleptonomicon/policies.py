"""Named ways to give help in a Group Test, and goals in players' words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollwright.engine.odds.count import Situation as Decision
from rollwright.kit import Goal, Policy, refuse_if

from .groups import Plea
from .requests import KEEP

BANDS = {"low": 0, "mixed": 1, "high": 2}


def _given_by(title: str, order: Callable[[Plea], Any]) -> Policy:
    """Give to the first in this order who is below the goal."""

    def make(argument: str, request: Any) -> Callable[[Decision], str]:
        def decide(decision: Decision) -> str:
            below = [plea for plea in decision.about.pleas if plea.score < request.aim]
            return min(below, key=order).name if below else KEEP

        return decide

    return Policy(title, make)


POLICIES = {
    "never": Policy.of("nobody gives an Advantage away", lambda decision: KEEP),
    "lowest-first": _given_by(
        "every Advantage goes to the lowest Score below the goal, the lower Modifier first",
        lambda plea: (plea.promised, plea.score, plea.modifier),
    ),
    "weakest-first": _given_by(
        "every Advantage goes to the lowest Modifier among those below the goal",
        lambda plea: (plea.promised, plea.modifier),
    ),
    "strongest-first": _given_by(
        "every Advantage goes to the highest Modifier among those below the goal",
        lambda plea: (plea.promised, -plea.modifier),
    ),
}


def _succeeds(outcome: Any) -> bool:
    if hasattr(outcome, "winner"):
        return bool(outcome.winner == "first")
    return bool(outcome.passed if hasattr(outcome, "passed") else outcome.reached)


def _band(outcome: Any) -> int:
    problem = f"only the goal was read, so the band is {outcome.band!r}"
    refuse_if(outcome.band not in BANDS, "read", problem, "KLEP R31", "bands or scores")
    return BANDS[outcome.band]


def _is_safe(outcome: Any) -> bool:
    problem = "only the goal was read, so a 0! is not told from another Low Score"
    refuse_if(outcome.critical is None, "read", problem, "KLEP R23", "bands or scores")
    return bool(outcome.critical != "0!")


GOALS = {
    "just-succeed": Goal("pass, win, or reach the group's goal", _succeeds),
    "high": Goal("get a High Score", lambda outcome: _band(outcome) == 2, ("test", "group")),
    "best-band": Goal("one point for Mixed, two for High", _band, ("test", "group")),
    "no-critical-failure": Goal("anything but a 0!", _is_safe, ("test", "group")),
}
