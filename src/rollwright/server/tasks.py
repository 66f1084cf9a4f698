"""What a counting process works on: questions as plain data, and long things in pieces."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from rollwright.ask import kinds
from rollwright.ask.answers import Answer, answer
from rollwright.ask.errors import error_of
from rollwright.budget import Budget
from rollwright.errors import RollwrightError
from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game, list_games
from rollwright.server.bodies import body_of
from rollwright.server.rooms.offload import decided
from rollwright.server.routes.exports import told

WORKS: dict[str, Callable[[Mapping[str, Any], list[bytes]], bytes]] = {
    "decide": decided,
    "tell": told,
}
"""What is made of long things that come in pieces, as bytes."""


def settled(
    question: Mapping[str, Any], budget: Budget, pieces: list[bytes] | None = None
) -> Answer:
    """The answer under `answer` or `raw`, or why there is none under `error`; nothing is raised.

    The kind of question stands under `ask`, its fields beside it. The `pieces` are what is worked
    on, or the fields of a question that is long, as they came.
    """
    kind = str(question.get("ask", ""))
    fields = {name: value for name, value in question.items() if name != "ask"}
    try:
        if pieces is not None and kind in WORKS:
            return {"raw": WORKS[kind](question, pieces)}
        if pieces is not None:
            fields |= body_of(b"".join(pieces), kinds.Verify)
        return {"answer": answer(kind, fields, budget)}
    except (RollwrightError, RecursionError, MemoryError) as problem:
        return {"error": error_of(problem)}
    except Exception as problem:
        traceback.print_exc(file=sys.stderr)
        said = f"this should not have happened, please report it: {type(problem).__name__}"
        return {"error": {"code": "internal", "message": said}}


def warm_up() -> None:
    """Load every game and count a little of each, so that the first question is answered soon."""
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
