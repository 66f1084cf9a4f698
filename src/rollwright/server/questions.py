"""Questions as plain data and their answers as plain data: what a counting process works on."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from rollwright.budget import Budget
from rollwright.errors import BadField, RollwrightError
from rollwright.server.asking_advice import advise
from rollwright.server.asking_bodies import body_of
from rollwright.server.asking_errors import error_of
from rollwright.server.asking_odds import compare, odds
from rollwright.server.asking_previews import preview
from rollwright.server.asking_rolls import roll, verify
from rollwright.server.rooms.offload import decided
from rollwright.server.routes.exports import told
from rollwright.server.routes.schemas import Verify

Answer = dict[str, Any]

KINDS: dict[str, Callable[[Mapping[str, Any], Budget], Answer]] = {
    "odds": odds,
    "advise": advise,
    "preview": preview,
    "compare": compare,
    "roll": roll,
    "verify": verify,
}
"""What can be asked, by the word under `ask`."""


def answer(question: Mapping[str, Any], budget: Budget | None = None) -> Answer:
    """The answer to a question; refusals are raised.

    >>> answer({"ask": "odds", "expression": "2d6", "where": "it >= 10"})["chance"]
    '1/6'
    """
    kind = KINDS.get(str(question.get("ask", "")))
    if kind is None:
        raise BadField("ask", "this is no question", would_do=", ".join(KINDS))
    return kind(question, budget or Budget())


WORKS: dict[str, Callable[[Mapping[str, Any], list[bytes]], bytes]] = {
    "decide": decided,
    "tell": told,
}
"""What is made of long things that come in pieces, as bytes."""


def settled(
    question: Mapping[str, Any], budget: Budget, pieces: list[bytes] | None = None
) -> Answer:
    """The answer under `answer` or `raw`, or why there is none under `error`; nothing is raised.

    The `pieces` are what is worked on, or a long body as it came: its fields belong to the
    question.
    """
    try:
        work = WORKS.get(str(question.get("ask", "")))
        if work is not None and pieces is not None:
            return {"raw": work(question, pieces)}
        if pieces is not None:
            question = {**question, **body_of(b"".join(pieces), Verify)}
        return {"answer": answer(question, budget)}
    except (RollwrightError, RecursionError, MemoryError) as problem:
        return {"error": error_of(problem)}
    except Exception as problem:
        traceback.print_exc(file=sys.stderr)
        said = f"this should not have happened, please report it: {type(problem).__name__}"
        return {"error": {"code": "internal", "message": said}}


def warm_up() -> None:
    """Load every game and count a little of each, so that the first question is answered soon."""
    from rollwright.kit.fields import fields_of
    from rollwright.kit.games import find_game, list_games

    for name in list_games():
        try:
            game = find_game(name)
        except Exception:  # a broken game of somebody else's must not stop the others
            traceback.print_exc(file=sys.stderr)
            continue
        shows = [about.more.get("shows") for about in fields_of(game.house).values()]
        for show in [one for one in shows if one is not None][:2]:
            plain = {"game": name, "roll": show.roll, **show.fields}
            settled({"ask": "preview", "request": plain, "parts": ["odds"]}, Budget(300_000))
    settled({"ask": "odds", "expression": "4d6kh3+2"}, Budget(300_000))
