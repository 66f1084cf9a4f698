"""Named ways to give help in a Group Test, and goals in players' words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollwright.engine.odds.count import Situation as Decision
from rollwright.errors import BadField
from rollwright.games.kleptonomicon.groups import Plea
from rollwright.games.kleptonomicon.requests import KEEP, Group
from rollwright.kit import Goal, Policy, Request

BANDS = {"low": 0, "mixed": 1, "high": 2}


def _given_by(order: Callable[[Plea], Any]) -> Callable[[str, Request], Callable[[Decision], str]]:
    """Give to the first in this order who is below the goal."""

    def make(argument: str, request: Request) -> Callable[[Decision], str]:
        return lambda decision: _first_below(request, decision, order)

    return make


def _first_below(request: Request, decision: Decision, order: Callable[[Plea], Any]) -> str:
    assert isinstance(request, Group)
    below = [plea for plea in decision.about.pleas if plea.score < request.aim]
    return min(below, key=order).name if below else KEEP


POLICIES = {
    "never": Policy.of("nobody gives an Advantage away", lambda decision: KEEP),
    "lowest-first": Policy(
        "every Advantage goes to the lowest Score below the goal, the lower Modifier first",
        _given_by(lambda plea: (plea.promised, plea.score, plea.modifier)),
    ),
    "weakest-first": Policy(
        "every Advantage goes to the lowest Modifier among those below the goal",
        _given_by(lambda plea: (plea.promised, plea.modifier)),
    ),
    "strongest-first": Policy(
        "every Advantage goes to the highest Modifier among those below the goal",
        _given_by(lambda plea: (plea.promised, -plea.modifier)),
    ),
}


def _succeeds(outcome: Any) -> bool:
    if hasattr(outcome, "winner"):
        return bool(outcome.winner == "first")
    return bool(outcome.passed if hasattr(outcome, "passed") else outcome.reached)


def _band(outcome: Any) -> int:
    if outcome.band not in BANDS:
        raise BadField(
            "read",
            f"only the goal was read, so the band is {outcome.band!r}",
            rule="KLEP R31",
            would_do="bands or scores",
        )
    return BANDS[outcome.band]


def _is_high(outcome: Any) -> bool:
    return _band(outcome) == 2


def _is_safe(outcome: Any) -> bool:
    if outcome.critical is None:
        raise BadField(
            "read",
            "only the goal was read, so a 0! is not told from another Low Score",
            rule="KLEP R23",
            would_do="bands or scores",
        )
    return bool(outcome.critical != "0!")


GOALS = {
    "just-succeed": Goal("pass, win, or reach the group's goal", _succeeds),
    "high": Goal("get a High Score", _is_high, ("test", "group")),
    "best-band": Goal("one point for Mixed, two for High", _band, ("test", "group")),
    "no-critical-failure": Goal("anything but a 0!", _is_safe, ("test", "group")),
}
