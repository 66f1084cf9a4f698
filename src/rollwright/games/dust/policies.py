"""Named ways to play, and what players want of a roll, in their words.

Policies say when to spend Adrenaline, and whether to take the point for doubles.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from rollwright.engine.odds.count import Situation
from rollwright.kit import Goal, Policy

from .dice import FULL
from .outcomes import Extended, Opposed, Planned
from .rules import SPENDING, DoublesPoint


def _decide(situation: Situation, reserve: int) -> Any:
    """Take doubles; spend as much as is allowed without touching the reserve."""
    if isinstance(situation.about, DoublesPoint):
        return "take"
    spare = situation.about.adrenaline - reserve
    return [option for option in situation.options if SPENDING[option] <= max(0, spare)][-1]


POLICIES = {
    "never": Policy.of(
        "spend no Adrenaline, take every point for doubles", partial(_decide, reserve=FULL)
    ),
    "always": Policy.of("spend Adrenaline whenever there is some", partial(_decide, reserve=0)),
    "reserve": Policy.numbered(
        "spend only what is above a reserve of N points",
        lambda points: partial(_decide, reserve=points),
        name="reserve",
        says="how many points to keep",
        low=0,
        high=FULL,
        rule="DUST R18",
    ),
    "leave": Policy.of(
        "spend nothing and leave the points for doubles", lambda situation: situation.options[0]
    ),
}


def succeeded(outcome: Any) -> int:
    """1 for a success: a net of 1, an opposing roll won, a task done; a plan counts its worth."""
    if isinstance(outcome, Planned):
        return outcome.worth
    if isinstance(outcome, Extended):
        return int(outcome.done)
    if isinstance(outcome, Opposed):
        return int(outcome.winner == "actor")
    return int(outcome.net >= 1)


def _unbotched(outcome: Any) -> bool:
    if isinstance(outcome, Opposed):
        return outcome.actor_net >= 0
    return not outcome.botched if isinstance(outcome, Extended) else bool(outcome.net >= 0)


def _adrenaline(outcome: Any) -> int:
    if isinstance(outcome, Opposed):
        return outcome.actor_gained
    return outcome.adrenaline or 0


GOALS = {
    "just-succeed": Goal("just succeed, by however little", succeeded),
    "complete": Goal("a complete success: 3 or more", lambda rolled: rolled.net >= 3, ("roll",)),
    "overwhelming": Goal(
        "an overwhelming success: 5 or more", lambda rolled: rolled.net >= 5, ("roll",)
    ),
    "no-botch": Goal("whatever happens, no botch", _unbotched, ("roll", "opposing", "extended")),
    "successes": Goal("as many successes as possible", lambda rolled: rolled.net, ("roll",)),
    "margin": Goal("win by as much as possible", lambda opposed: opposed.margin, ("opposing",)),
    "done-cleanly": Goal(
        "get it done without a botch on the way",
        lambda task: task.done and not task.botched,
        ("extended",),
    ),
    "adrenaline": Goal("have much Adrenaline afterwards", _adrenaline),
}
