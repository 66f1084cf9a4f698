"""Questions and commands as they are handed on: bodies that were checked, tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rollwright.errors import BadField, CodedError
from rollwright.i18n.locale import ENGLISH, reader_language
from rollwright.jsonable import Json
from rollwright.queries.kinds import Query, drop_nulls
from rollwright.server.json_codec import parse_json
from rollwright.table.commands.writer import Secrets, Side
from rollwright.table.events import Event
from rollwright.table.state import TableState

LONGEST_FIELD = 60


def is_repeatable(question: Mapping[str, Json]) -> bool:
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


class TaskResult(NamedTuple):
    """The result of a command, with its events in their places after the head."""

    events: tuple[Event, ...]
    side: tuple[Side, ...]
    refusal: CodedError | None = None
    """Why nothing was done, where the log says so."""


def with_language(question: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the question with the language of its reader; English is the default."""
    language = reader_language()
    known = language == ENGLISH or "language" in question
    return question if known else {**question, "language": language}


def parse_body(data: bytes, shape: type[Query]) -> dict[str, Json]:
    """The fields in some JSON that were given, checked."""
    plain = parse_object(data)
    try:
        shape.from_plain(plain)
    except BadField as problem:
        raise CodedError("bad_field", problem.wording, problem.field[:LONGEST_FIELD]) from None
    return drop_nulls(shape, plain)


def parse_object(data: bytes) -> dict[str, Json]:
    """The names and values in some JSON."""
    plain = parse_json(data)
    if not isinstance(plain, dict):
        raise CodedError("bad_field", "the body: this is no object of names and values")
    return plain
