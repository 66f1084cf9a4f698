"""Questions and commands as they are handed on: bodies that were checked, tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rollwright.ask.kinds import Question, given
from rollwright.errors import BadField, Refusal
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
    """The result of a command, with its events in their places after the head."""

    events: tuple[Event, ...]
    side: tuple[Side, ...]
    refusal: Refusal | None = None
    """Why nothing was done, where the log says so."""


def read_by(question: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the question with the language of its reader; English is the default."""
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
