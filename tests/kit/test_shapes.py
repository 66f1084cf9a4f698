"""Typed dictionaries and rows are described and read by the same fields as values."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, NamedTuple, NotRequired, TypedDict

import pytest

from rollwright.errors import BadField
from rollwright.jsonable import Json
from rollwright.kit.bodies import Text
from rollwright.kit.fields import fields_of, made
from rollwright.kit.schemas import components_of


class Stone(TypedDict):
    """A stone."""

    grams: Annotated[int, "What it weighs."]
    name: NotRequired[Annotated[Text, "What it is called."]]
    held: NotRequired[Annotated[Json, "Whatever is in it."]]


class Heap(TypedDict):
    """Stones, and a heap on them."""

    stones: Annotated[list[Stone], "All of them."]
    above: Annotated[Heap | None, "What lies on them."]


class Row(NamedTuple):
    """A row of an answer."""

    share: Fraction
    faces: tuple[int, ...] = ()


def test_a_typed_dictionary_has_fields_with_words():
    """Its kind, its words, and whether it may be left out are read from the types."""
    known = [(one.name, one.kind, one.help, one.is_required) for one in fields_of(Stone).values()]
    assert [
        ("grams", "int", "What it weighs.", True),
        ("name", "text", "What it is called.", False),
        ("held", "any", "Whatever is in it.", False),
    ] == known


def test_the_schema_of_a_typed_dictionary_refers_to_those_inside():
    """Each is there once, one that holds itself too; what may be left out is not required."""
    found = components_of([Heap])
    assert {"Heap", "Stone"} == set(found)
    assert ["grams"] == found["Stone"]["required"]
    assert {"$ref": "#/components/schemas/Stone"} == found["Heap"]["properties"]["stones"]["items"]
    above = found["Heap"]["properties"]["above"]["anyOf"]
    assert [{"$ref": "#/components/schemas/Heap"}, {"type": "null"}] == above


def test_a_row_is_made_of_plain_data():
    """A NamedTuple is checked field by field; a fraction may come as answers have it."""
    plain = {"share": {"exact": "1/3", "number": 0.3}, "faces": [1, 2]}
    assert Row(Fraction(1, 3), (1, 2)) == made(Row, plain)
    with pytest.raises(BadField, match=r"^faces\[1\]: 'x' is not a whole number"):
        made(Row, {"share": 1, "faces": [1, "x"]})
    with pytest.raises(BadField, match=r"^share: is missing"):
        made(Row, {})
