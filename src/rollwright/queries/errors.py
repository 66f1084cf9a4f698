"""Every refusal of a question as data for programs and one sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from rollwright.errors import (
    BadAnswer,
    BadDist,
    BadField,
    BadTranscript,
    Cancelled,
    CodedError,
    NeedsPolicy,
    RollwrightError,
    TooMuchWork,
    UnknownName,
)
from rollwright.i18n.locale import format_text, in_words
from rollwright.i18n.messages import Message

if TYPE_CHECKING:
    from rollwright.queries.schemas import ErrorData, InterpretationData

LONGEST_SENTENCE = 1000
LONGEST_FIELD = 200

Details: TypeAlias = "dict[str, int | str | list[str] | list[InterpretationData]]"
"""Data that a program can use beside the code."""


class QueryError(CodedError):
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


def error_of(problem: BaseException) -> ErrorData:
    """A refusal as what JSON can hold: code, message, and where it went wrong.

    >>> error_of(BadField("modifier", "99 is too high"))
    {'code': 'bad_field', 'message': 'modifier: 99 is too high', 'field': 'modifier'}
    """
    problem = _error_with_place(problem)
    error: ErrorData = {"code": _code(problem), "message": _sentence(problem)}
    if field := _field(problem):
        error["field"] = field
    return cast("ErrorData", {**error, **_details(problem)})


def to_query_error(error: ErrorData) -> QueryError:
    """The refusal behind an error as data."""
    known = ("code", "message", "field")
    details = {name: value for name, value in error.items() if name not in known}
    told = cast("Details", details)
    return QueryError(error["code"], error["message"], error.get("field", ""), told)


def _code(problem: BaseException) -> str:
    if isinstance(problem, CodedError):
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
    text = " ".join(format_text(wording).split())
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"


def _field(problem: BaseException) -> str:
    """Which field it is about; a name that somebody made up may be long."""
    return _field_name(problem)[:LONGEST_FIELD]


def _field_name(problem: BaseException) -> str:
    if isinstance(problem, CodedError | BadField | UnknownName):
        return problem.field
    if isinstance(problem, BadTranscript):
        return problem.place
    if isinstance(problem, NeedsPolicy):
        return "policy"
    return "of" if isinstance(problem, BadDist) else ""


def _details(problem: BaseException) -> Details:
    if isinstance(problem, QueryError):
        return problem.details
    if isinstance(problem, BadAnswer) and problem.face is not None:
        return {"face": problem.face}
    if isinstance(problem, UnknownName):
        return {"known": problem.known[:100]}
    return {}


def _error_with_place(problem: BaseException) -> BaseException:
    """Return an error of dice, a program or an event with its place and what to write instead."""
    from rollwright.anydice import errors as anydice
    from rollwright.notation import NotationError, TooMuchToCount
    from rollwright.queries.condition_lexer import ConditionError
    from rollwright.queries.translations import interpretation_data

    if isinstance(problem, NotationError):
        start, end = problem.span
        details: Details = {
            "start": start,
            "end": end,
            "slip": problem.code,
            "suggestions": list(problem.repairs),
        }
        code = "too_much_work" if isinstance(problem, TooMuchToCount) else "bad_expression"
        if code == "bad_expression" and (found := interpretation_data(problem.text)):
            details["readings"] = found
        return QueryError(code, _sentence(problem), "expression", details)
    if isinstance(problem, anydice.AnyDiceError):
        start, end = problem.span
        details = {
            "start": start,
            "end": end,
            "line": problem.line,
            "column": problem.column,
            "slip": problem.code,
        }
        code = "too_much_work" if isinstance(problem, anydice.TooMuchToRun) else "bad_expression"
        return QueryError(code, _sentence(problem), "text", details)
    if isinstance(problem, ConditionError):
        details = {"start": problem.place, "end": problem.place + 1, "slip": "event"}
        return QueryError("bad_expression", _sentence(problem), "where", details)
    return problem
