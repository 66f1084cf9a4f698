"""The workbench: rules and games that somebody writes, with their odds beside them.

It answers everything that `ask` answers, and runs programs. Running one runs whatever is written
in it, so this room is for the Python of a browser and for somebody's own process: no server ever
comes here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwright.budget import Budget


def answer(
    kind: str, question: Mapping[str, Any], *, language: str = "", budget: Budget | None = None
) -> dict[str, Any]:
    """The answer to a question as plain data; refusals are raised.

    A question about rules or a game of a program has its text as `program`.

    >>> answer("program", {"text": "2d6"})["outputs"][0]["fields"][0]["mean"]["said"]
    '7'
    """
    from rollwright.workbench.answers import answer

    return answer(kind, question, language=language, budget=budget)


def reply(kind: str, question: str, *, language: str = "", work: int = 0) -> str:
    """The same from JSON to JSON, for a worker: `{"answer": …}`, or `{"error": …}`.

    >>> reply("event", '{"expression": "2d6", "where": "it >= 10"}')[:40]
    '{"answer": {"title": "2d6", "policy": ""'
    """
    from rollwright.workbench.answers import reply

    return reply(kind, question, language=language, work=work)


def code_for(request: Mapping[str, Any]) -> str:
    """A request of a game, or dice, as a program that can be changed."""
    from rollwright.workbench.games import code_for

    return code_for(request)


def package(text: str) -> dict[str, str]:
    """The game of a program as a folder that can be installed: what lies where in it."""
    files = answer("package", {"text": text})["files"]
    return {file["path"]: file["content"] for file in files}


__all__ = ["answer", "code_for", "package", "reply"]
