"""Why a command was not done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from re import compile as pattern

from rollwright.errors import (
    BadAnswer,
    BadField,
    BadTranscript,
    RollwrightError,
    TooMuchWork,
    UnknownName,
    with_likeliest,
)
from rollwright.errors import CodedError as CodedError
from rollwright.i18n.messages import Message, Value
from rollwright.notation.errors import NotationError


def command_error(code: str, id: str, field: str = "", /, **values: Value) -> CodedError:
    """A refusal by the id of its sentence, which every language has."""
    return CodedError(code, Message(id, values), field)


def bad_field(name: str, problem: Message | str, would_do: Message | str = "") -> CodedError:
    """The refusal of one field."""
    return CodedError("bad_field", BadField(name, problem, would_do=would_do).wording, name)


class NeedsWorker(CodedError):
    """A command that takes longer than it may here: decide it where nobody else waits."""

    def __init__(self) -> None:
        super().__init__("too_much_work", Message("table.heavy"))


class NeedsEvents(CodedError):
    """A command about something so old that only the log has it: read these events, ask again."""

    def __init__(self, seqs: Sequence[int]) -> None:
        super().__init__("unavailable", Message("table.recall"))
        self.seqs = tuple(seqs)


UNEXPECTED = pattern(r"unexpected keyword argument '(\w+)'")
LONGEST = 600
"""No sentence is longer than this, whatever was sent."""
WITHIN = 200
"""Nor a reason within another sentence."""


class as_command_errors:
    """Whatever a rule or a game refuses or stumbles over becomes a CodedError.

    A class of its own, since a roll passes through it many times.
    """

    __slots__ = ("_field",)

    def __init__(self, field: str = "") -> None:
        self._field = field

    def __enter__(self) -> None:
        """Nothing is to be done before."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: object
    ) -> None:
        # A game that somebody plugged in may raise anything.
        if isinstance(problem, Exception) and not isinstance(problem, CodedError):
            raise command_error_of(problem, self._field) from problem


@contextmanager
def as_field_errors(field: str, known: Iterable[str] = ()) -> Iterator[None]:
    """The same where a game reads what somebody sent: what it stumbles over is then the field."""
    try:
        yield
    except RollwrightError as problem:
        raise command_error_of(problem, field) from problem
    except Exception as problem:
        raise _misfit(problem, field, known) from problem


def _misfit(problem: Exception, field: str, known: Iterable[str]) -> CodedError:
    unknown = UNEXPECTED.search(str(problem)) if isinstance(problem, TypeError) else None
    if unknown is None:
        return bad_field(field, Message("table.fields.misfit"))
    name = unknown.group(1)[:60]
    none = with_likeliest(Message("table.field.none", {"name": repr(name)}), name, sorted(known))
    return CodedError("bad_field", BadField(field, none).wording, f"{field}.{name}")


def command_error_of(problem: Exception, field: str = "") -> CodedError:
    """Return the refusal for an error of ours, or of a game."""
    if isinstance(problem, CodedError):
        return problem
    said = cut(problem)
    if isinstance(problem, TooMuchWork):
        return CodedError("too_much_work", said, field)
    if isinstance(problem, NotationError):
        return CodedError("bad_expression", said, field or "expression")
    if isinstance(problem, BadField):
        inner = problem.field[:120]
        return CodedError("bad_field", said, f"{field}.{inner}" if field else inner)
    if isinstance(problem, UnknownName):
        return CodedError("bad_field", said, field or problem.field)
    if isinstance(problem, BadAnswer):
        return CodedError("bad_answer", said, field)
    if isinstance(problem, BadTranscript):
        return CodedError("conflict", said, field)
    if isinstance(problem, RollwrightError):
        return CodedError("bad_request", said, field)
    what = _short(f"{type(problem).__name__}: {problem}", LONGEST)
    return command_error("internal", "table.stumbled", field, what=what)


def cut(problem: Exception, longest: int = LONGEST) -> Message | str:
    """Return the message of an error in every language, unless it is too long."""
    text = str(problem)
    if isinstance(problem, RollwrightError) and len(text) <= longest:
        return problem.wording
    return _short(text, longest)


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
