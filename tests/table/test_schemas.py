"""What is said of events and of a table as a seat sees it is true, field by field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import jsonschema_rs
import pytest

from rollwright.kit.fields import fields_of
from rollwright.kit.schemas import components_of, schema_of
from rollwright.table import snapshot
from rollwright.table.reducer import REDUCERS
from rollwright.table.schemas import (
    EVENTS,
    EventBody,
    EventView,
    RollRequestView,
    SeatView,
    SheetData,
    TableView,
)
from tests.table.tables import soldiers

LOGS = sorted((Path(__file__).parents[1] / "archive" / "3" / "logs").glob("*.json"))
SHAPES = [*EVENTS.values(), EventView, TableView, SeatView, SheetData, RollRequestView]
SCHEMAS = {"components": {"schemas": components_of(SHAPES)}}


def problems(shape: type, plain: Any) -> list[str]:
    """Where some data is not as its shape says."""
    schema = {"$ref": f"#/components/schemas/{shape.__name__}", **SCHEMAS}
    found = jsonschema_rs.validator_for(schema).iter_errors(plain)
    return [problem.message for problem in found]


def body_of(event: dict[str, Any]) -> tuple[type[EventBody], dict[str, Any]]:
    """The shape that a body should have, and the body without what only sealed ones have."""
    body = dict(event["body"])
    kind = body.pop("kind") if event["kind"] == "sealed" else event["kind"]
    return EVENTS[kind], body


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_stored_events_are_as_they_are_described(path: Path) -> None:
    """No event has a field that is not told of, lacks one, or holds something else in it."""
    for event in json.loads(path.read_text("utf-8"))["events"]:
        assert [] == problems(EventView, event)
        if event.get("body"):
            assert [] == problems(*body_of(event)), event["kind"]


def test_every_kind_of_event_is_described() -> None:
    """Those that change a table, and those that only tell something."""
    assert {*REDUCERS, "chat.sent", "roll.refused"} == set(EVENTS)


def test_what_does_not_fit_is_found() -> None:
    """A field too many, one too few and one of another type are problems."""
    joined = {"by": "s1", "seat": "s1", "role": "referee", "name": None, "status": "here"}
    shape = EVENTS["seat.joined"]
    assert [] == problems(shape, joined)
    for wrong in (joined | {"more": 1}, joined | {"role": "king"}, {"by": "s1"}):
        assert [] != problems(shape, wrong)


def test_the_table_as_a_seat_sees_it_is_as_described() -> None:
    """The first picture of a table: the table, seats, sheets, asks."""
    host = soldiers(spectators=1)
    host.do("s1", "roll_request.create", who=["s2"], expression="1d6", note="now")
    host.do("s1", "sheet.create", sheet="npc")
    for seat in ("s1", "s2", None):
        seen = snapshot(host.state, host.state.seats[seat] if seat else None)
        assert [] == problems(TableView, seen["table"])
        for shape, name in ((SeatView, "seats"), (SheetData, "sheets"), (RollRequestView, "asks")):
            assert [] == [found for one in seen[name] for found in problems(shape, one)]
            assert seen[name] or seat != "s1"


class Line(TypedDict):
    """A line of an order."""

    what: Annotated[str, "What is wanted."]
    size: NotRequired[Annotated[Literal["small", "large"], "How much of it."]]
    parts: Annotated[list[str] | None, "What it is made of."]


def test_typed_dicts_are_described_like_other_fields() -> None:
    """Types, help texts, what may be left out and what may be null are those of the annotations."""
    what, size, parts = fields_of(Line).values()
    assert ("text", "What is wanted.", True) == (what.kind, what.help, what.is_required)
    assert (("small", "large"), False, False) == (size.choices, size.is_required, size.optional)
    assert ("list", "text", True) == (parts.kind, parts.inner.kind, parts.optional)
    assert ["what", "parts"] == schema_of(Line)["required"]
