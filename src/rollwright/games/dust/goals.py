"""What players want of a roll, in their words; `just-succeed` unless another is named."""

from __future__ import annotations

from typing import Any

from rollwright.games.dust.outcomes import Extended, Opposed, Planned, Rolled
from rollwright.kit import Goal


def succeeded(outcome: Any) -> int:
    """1 for a success: a net of 1, an opposing roll won, a task done; a plan counts its worth."""
    if isinstance(outcome, Planned):
        return outcome.worth
    if isinstance(outcome, Extended):
        return int(outcome.done)
    if isinstance(outcome, Opposed):
        return int(outcome.winner == "actor")
    return int(outcome.net >= 1)


def _complete(rolled: Rolled) -> bool:
    return rolled.net >= 3


def _overwhelming(rolled: Rolled) -> bool:
    return rolled.net >= 5


def _unbotched(outcome: Any) -> bool:
    if isinstance(outcome, Opposed):
        return outcome.actor_net >= 0
    return not outcome.botched if isinstance(outcome, Extended) else bool(outcome.net >= 0)


def _net(rolled: Rolled) -> int:
    return rolled.net


def _margin(opposed: Opposed) -> int:
    return opposed.margin


def _clean(extended: Extended) -> bool:
    return extended.done and not extended.botched


def _adrenaline(outcome: Any) -> int:
    if isinstance(outcome, Opposed):
        return outcome.actor_gained
    return outcome.adrenaline or 0


GOALS = {
    "just-succeed": Goal("just succeed, by however little", succeeded),
    "complete": Goal("a complete success: 3 or more", _complete, ("roll",)),
    "overwhelming": Goal("an overwhelming success: 5 or more", _overwhelming, ("roll",)),
    "no-botch": Goal("whatever happens, no botch", _unbotched, ("roll", "opposing", "extended")),
    "successes": Goal("as many successes as possible", _net, ("roll",)),
    "margin": Goal("win by as much as possible", _margin, ("opposing",)),
    "done-cleanly": Goal("get it done without a botch on the way", _clean, ("extended",)),
    "adrenaline": Goal("have much Adrenaline afterwards", _adrenaline),
}
