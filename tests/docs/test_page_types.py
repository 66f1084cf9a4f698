"""The types that the page is checked with are those of what the server reads and writes."""

import pytest
from docs.page_types import page_types, type_of

from rollwright.table.commands.dispatch import COMMANDS
from rollwright.table.schemas import EVENTS


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, "Plain"),
        ({"type": "integer", "minimum": 1}, "number"),
        ({"const": "throw"}, '"throw"'),
        ({"enum": [True]}, "true"),
        ({"type": ["string", "number"]}, "string | number"),
        ({"allOf": [{"$ref": "#/components/schemas/Seen"}]}, "Seen"),
        ({"anyOf": [{"$ref": "#/x/Ended"}, {"type": "null"}]}, "Ended | null"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "Record<string, number>"),
        ({"type": "object"}, "Record<string, Plain>"),
    ],
)
def test_a_schema_becomes_a_type(schema, expected):
    """Each kind of schema that fields have is written as TypeScript writes it."""
    assert expected == type_of(schema)


def test_nothing_of_the_wire_is_left_out():
    """Every command with its fields, every kind of event, and what may be left out."""
    text = page_types()
    for name in (*COMMANDS, *EVENTS):
        assert f'\n  "{name}": ' in text
    assert '"seat.rename": { seat?: string; name: string };' in text
    assert "export interface RollThrownEvent {" in text
