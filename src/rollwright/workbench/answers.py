"""Every question that the workbench answers, with its own beside those of `ask`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rollwright import queries
from rollwright.budget import Budget
from rollwright.errors import BadField
from rollwright.i18n.codes import language_code
from rollwright.i18n.locale import reader_language, use_locale
from rollwright.queries.answers import ANSWERS as ASKED
from rollwright.queries.errors import error_of
from rollwright.workbench.gallery import gallery
from rollwright.workbench.games import code, package
from rollwright.workbench.kinds import KINDS
from rollwright.workbench.outputs import grid
from rollwright.workbench.programs import example, from_anydice, load, program
from rollwright.workbench.sheets import chances, sheet

if TYPE_CHECKING:
    from rollwright.queries.kinds import Query

Answer = dict[str, Any]
PROGRAM = "program"
"""The field of every other question that has the text its rules or its game are in."""
ANSWERS: dict[str, Callable[[Any, Budget], Any]] = {
    "program": program,
    "example": example,
    "from_anydice": from_anydice,
    "gallery": gallery,
    "code": code,
    "grid": grid,
    "sheet": sheet,
    "chances": chances,
    "package": package,
}
"""Each takes the question as `kinds` reads it, and a budget."""


def answer(
    kind: str, plain: Mapping[str, Any], *, language: str = "", budget: Budget | None = None
) -> Answer:
    """The answer to a question; refusals are raised."""
    if kind not in ANSWERS and kind not in ASKED:
        raise BadField("ask", "this is no question", would_do=", ".join([*ANSWERS, *ASKED]))
    given, allowed = dict(plain), budget or Budget()
    wanted = language or given.get("language") or ""
    with use_locale(language_code(str(wanted)) or reader_language()):
        text = given.pop(PROGRAM, None)
        if isinstance(text, str):
            load(text, Budget(allowed.work))
        if kind not in ANSWERS:
            return queries.answer(kind, given, allowed)
        question: Query = KINDS[kind].from_plain(given)
        found: Answer = ANSWERS[kind](question, allowed)
        return found


def reply(kind: str, question: str, *, language: str = "", work: int = 0) -> str:
    """An answer as JSON to a question as JSON; a refusal is an answer too."""
    try:
        plain = json.loads(question)
        if not isinstance(plain, dict):
            raise BadField("question", "this is no question", would_do="an object")
        found = answer(kind, plain, language=language, budget=Budget(work) if work else None)
        return json.dumps({"answer": found}, allow_nan=False)
    except KeyboardInterrupt:
        raise
    except Exception as problem:
        with use_locale(language_code(language) or reader_language()):
            return json.dumps({"error": error_of(problem)})
