"""Questions and commands as the server hands them on: bodies that were checked, tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from rollwright.ask.kinds import LONGEST_EXPRESSION, Plain, Question, Wanted, given, left_out, text
from rollwright.errors import BadField, Refusal
from rollwright.kit.fields import field
from rollwright.plain import Json
from rollwright.server.json import received
from rollwright.table.commands.writer import Secrets, Side
from rollwright.table.events import Event
from rollwright.table.state import TableState
from rollwright.words.reader import ENGLISH, reader_language

MOST_SHOWN = 60


def is_settled(question: Mapping[str, Json]) -> bool:
    """Whether the answer is the same every time, so that it may be kept and shared."""
    if question.get("ask") != "roll":
        return True
    return question.get("seed") is not None or question.get("faces") is not None


class Task(NamedTuple):
    """A command that is to be decided, with what is needed for that."""

    state: TableState
    seat: str
    command: Mapping[str, Json]
    secrets: Secrets
    at: int


class Placed(NamedTuple):
    """What a command came to, with its events in their places behind the head."""

    events: tuple[Event, ...]
    side: tuple[Side, ...]


class TablePreview(Wanted):
    """Asks about a roll at a table that is not made yet: what and whose, as in roll.start."""

    expression: str | None = text("Dice as they are written: 4d6kh3+2.", LONGEST_EXPRESSION)
    dialect: str | None = text(
        "The tool whose spelling the expression has; the table's own without it.", 40
    )
    request: Plain | None = left_out("A request of the table's game, as data.")
    draft: Plain | None = left_out("`roll`, `pick` and `set`; the sheet fills in the rest.")
    sheet: str | None = text("The sheet; your own without it.")


class TableForm(Question):
    """Asks for the form of a roll at a table: what and whose, as in roll.start."""

    draft: Plain = field(
        help="`roll`, `pick` (things on the sheet by name) and `set` (fields that are said)."
    )
    sheet: str | None = text("The sheet; your own without it.")
    purpose: Literal["roll", "ask", "explore"] | None = left_out("What it is for.")
    hash: str | None = text("The hash of the form that whoever asks has.", 64)
    n: int = field(0, help="The number of the draft, which the answer has too.", low=0)


class TableAdvice(Question):
    """Asks for advice on an open roll of a table."""

    goal: str | None = text("A goal of the game, or prices; the roll's own without it.")


def read_by(question: Mapping[str, Json]) -> Mapping[str, Json]:
    """The question in the language of whoever reads the answer; English needs no saying."""
    language = reader_language()
    known = language == ENGLISH or "language" in question
    return question if known else {**question, "language": language}


def body_of(data: bytes, shape: type[Question]) -> dict[str, Json]:
    """The fields in some JSON that were given, checked."""
    plain = object_of(data)
    try:
        shape.from_plain(plain)
    except BadField as problem:
        raise Refusal("bad_field", problem.wording, problem.field[:MOST_SHOWN]) from None
    return given(shape, plain)


def object_of(data: bytes) -> dict[str, Json]:
    """The names and values in some JSON."""
    plain = received(data)
    if not isinstance(plain, dict):
        raise Refusal("bad_field", "the body: this is no object of names and values")
    return plain
