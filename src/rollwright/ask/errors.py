"""Every refusal of a question as data for programs and one sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from rollwright.errors import (
    BadAnswer,
    BadDist,
    BadField,
    BadTranscript,
    Cancelled,
    NeedsPolicy,
    Refusal,
    RollwrightError,
    TooMuchWork,
    UnknownName,
)
from rollwright.words.messages import Message
from rollwright.words.reader import in_words, spoken

if TYPE_CHECKING:
    from rollwright.ask.shapes import Error, ReadingSaid

LONGEST_SENTENCE = 1000
LONGEST_FIELD = 200

Details: TypeAlias = "dict[str, int | str | list[str] | list[ReadingSaid]]"
"""Data that a program can use beside the code."""


class Unanswered(Refusal):
    """A question that got no answer; `details` holds what a program can use beside the code."""

    def __init__(
        self,
        code: str,
        message: Message | str,
        field: str = "",
        details: Details | None = None,
    ) -> None:
        super().__init__(code, message, field)
        self.details = details or {}


def error_of(problem: BaseException) -> Error:
    """A refusal as what JSON can hold: code, message, and where it went wrong.

    >>> error_of(BadField("modifier", "99 is too high"))
    {'code': 'bad_field', 'message': 'modifier: 99 is too high', 'field': 'modifier'}
    """
    problem = _placed(problem)
    error: Error = {"code": _code(problem), "message": _sentence(problem)}
    if field := _field(problem):
        error["field"] = field
    return cast("Error", {**error, **_details(problem)})


def unanswered(error: Error) -> Unanswered:
    """The refusal behind an error as data."""
    known = ("code", "message", "field")
    details = {name: value for name, value in error.items() if name not in known}
    told = cast("Details", details)
    return Unanswered(error["code"], error["message"], error.get("field", ""), told)


def _code(problem: BaseException) -> str:
    if isinstance(problem, Refusal):
        return problem.code
    for kind, code in _CODES:
        if isinstance(problem, kind):
            return code
    return "bad_request"


_CODES: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], str], ...] = (
    (Cancelled, "superseded"),
    ((TooMuchWork, RecursionError, MemoryError), "too_much_work"),
    ((BadField, UnknownName, NeedsPolicy, BadDist), "bad_field"),
    (BadAnswer, "bad_answer"),
)


def _sentence(problem: BaseException) -> str:
    if isinstance(problem, RecursionError):
        return in_words("count.nested")
    if isinstance(problem, MemoryError):
        return in_words("count.memory")
    wording = problem.wording if isinstance(problem, RollwrightError) else str(problem)
    text = " ".join(spoken(wording).split())
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"


def _field(problem: BaseException) -> str:
    """Which field it is about; a name that somebody made up may be long."""
    return _named(problem)[:LONGEST_FIELD]


def _named(problem: BaseException) -> str:
    if isinstance(problem, Refusal | BadField | UnknownName):
        return problem.field
    if isinstance(problem, BadTranscript):
        return problem.place
    if isinstance(problem, NeedsPolicy):
        return "policy"
    return "of" if isinstance(problem, BadDist) else ""


def _details(problem: BaseException) -> Details:
    if isinstance(problem, Unanswered):
        return problem.details
    if isinstance(problem, BadAnswer) and problem.face is not None:
        return {"face": problem.face}
    if isinstance(problem, UnknownName):
        return {"known": problem.known[:100]}
    return {}


def _placed(problem: BaseException) -> BaseException:
    """Return an error of dice, a program or an event with its place and what to write instead."""
    from rollwright.anydice import errors as anydice
    from rollwright.ask.phrases import BadEvent
    from rollwright.ask.translations import readings_said
    from rollwright.notation import NotationError, TooMuchToCount

    if isinstance(problem, NotationError):
        start, end = problem.span
        details: Details = {
            "start": start,
            "end": end,
            "slip": problem.code,
            "suggestions": list(problem.suggestions),
        }
        code = "too_much_work" if isinstance(problem, TooMuchToCount) else "bad_expression"
        if code == "bad_expression" and (found := readings_said(problem.text)):
            details["readings"] = found
        return Unanswered(code, _sentence(problem), "expression", details)
    if isinstance(problem, anydice.AnyDiceError):
        start, end = problem.span
        details = {
            "start": start,
            "end": end,
            "line": problem.line,
            "column": problem.column,
            "slip": problem.code,
        }
        code = "too_much_work" if isinstance(problem, anydice.TooMuchToCount) else "bad_expression"
        return Unanswered(code, _sentence(problem), "text", details)
    if isinstance(problem, BadEvent):
        details = {"start": problem.place, "end": problem.place + 1, "slip": "event"}
        return Unanswered("bad_expression", _sentence(problem), "where", details)
    return problem
