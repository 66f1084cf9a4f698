"""Policies decided before a roll: which of the roller's choices are made for them, and how.

A roll that begins with a way to decide by name (`never`) does not ask if that settles it. One that
begins with `ask` asks, but not if the card says that there is nothing to gain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField, UnknownName
from rollwright.hooks import call_hook
from rollwright.i18n.messages import msg
from rollwright.kit.games import Game, find_game
from rollwright.kit.requests import Request

ASK = "ask"
"""To be asked wherever something is to gain."""
BEST = "best"


def check_agreement(game: Game, policy: str, request: Request | None = None) -> None:
    """Refuse what cannot be agreed: a way to decide that there is not, or that has to be counted.

    What somebody is asked for may not be filled in yet: then only its name is looked at.
    """
    word = policy.partition(":")[0]
    if word == BEST:
        would_do = [ASK, *game.policies]
        raise BadField("policy", msg("policy.counted"), would_do=", ".join(would_do))
    if word != ASK and word not in game.policies:
        raise UnknownName("policy", policy, [ASK, *game.policies])
    if policy != ASK and request is not None:
        game.policy(policy, request)


def agreed_option(transcript: Transcript, policy: str, goal: str = "") -> tuple[Any, ...]:
    """The option that was agreed for the choice that is open, alone in a tuple; else nothing.

    `goal` is what is wanted of this roll; empty for the usual. A game that stumbles over the
    choice settles nothing, so that somebody is asked.
    """
    request, step = transcript.request, transcript.step
    if request is None or not policy or not isinstance(step, Choice):
        return ()
    game, found = find_game(request.game), None
    if policy == ASK:
        wanted = goal or game.usual_goal(request.roll)
        both = (request, transcript)
        found = call_hook(game, "nothing_to_gain", _nothing, *both, wanted, shown=_one_of(step))
    elif call_hook(game, "agreed", _nothing, request, transcript, shown=bool):
        found = _decide(game, policy, request, transcript)
    return (found,) if found in step.options else ()


def _one_of(step: Choice[Any]) -> Callable[[Any], Any]:
    """Return a filter of options that are not offered, before anybody compares them again."""
    return lambda found: found if found in step.options else None


def _nothing(*_: object) -> Any:
    return None


def _decide(game: Game, policy: str, request: Request, transcript: Transcript) -> Any:
    try:
        decide = game.policy(policy, request)
        return decide(transcript.situation) if callable(decide) else None
    except (
        Exception,
        SystemExit,
    ):  # a way to decide that does not fit this choice: then somebody is asked
        return None
