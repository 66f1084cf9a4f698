"""Questions are read field by field; what is wrong is refused by its name."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.ask import answer
from rollwright.ask.answers import ANSWERS
from rollwright.ask.errors import error_of
from rollwright.ask.kinds import KINDS, MOST_CELLS, MOST_VALUES, Preview, Roll, given
from rollwright.errors import BadField, RollwrightError
from rollwright.kit.fields import NOT_GIVEN, fields_of

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
TALL = {"field": "modifier", "values": list(range(MOST_VALUES))}
WIDE = {"field": "helpers", "values": list(range(MOST_VALUES))}

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("odds", {}, "request"),
    ("odds", {"expression": "2d6", "request": SKILL}, "request"),
    ("odds", {"expresion": "2d6"}, "expresion"),
    ("odds", {"expression": 7}, "expression"),
    ("odds", {"expression": " "}, "expression"),
    ("odds", {"expression": "d6" * 4000}, "expression"),
    ("odds", {"expression": "2d6", "variables": [1]}, "variables"),
    ("odds", {"expression": "@a", "variables": {"a": "many"}}, "variables.a"),
    ("odds", {"expression": "@a", "variables": {str(n): n for n in range(200)}}, "variables"),
    ("odds", {"expression": "2d6", "policy": "never"}, "policy"),
    ("odds", {"request": SKILL, "of": {"hit": True}}, "of"),
    ("odds", {"request": SKILL, "of": [1]}, "of[0]"),
    ("odds", {"request": SKILL, "of": "hit"}, "of"),
    ("odds", {"request": SKILL, "of": "ones", "where": "successes > 99"}, "where"),
    ("event", {"request": SKILL}, "where"),
    ("compare", {"rolls": [{"expression": "2d6"}]}, "rolls"),
    ("compare", {"rolls": [{"expression": "2d6"}] * 9}, "rolls"),
    ("compare", {"rolls": [{"expression": "2d6"}, {}]}, "rolls[1].request"),
    ("compare", {"rolls": [{"expression": "2d6"}, {"request": {**SKILL, "x": 1}}]}, "rolls[1].x"),
    ("curve", {"request": SKILL}, "vary"),
    ("curve", {"request": SKILL, "vary": {"field": "modifier", "values": []}}, "vary.values"),
    ("map", {"request": SKILL, "vary": [TALL]}, "vary"),
    ("map", {"request": SKILL, "vary": [TALL, TALL]}, "vary"),
    ("map", {"request": SKILL, "vary": [TALL, {"field": 3, "values": [1]}]}, "vary[1].field"),
    ("preview", {"request": SKILL, "vary": [TALL, WIDE]}, "vary"),
    ("preview", {"request": SKILL, "vary": []}, "vary"),
    ("preview", {"request": SKILL, "vary": [3]}, "vary[0]"),
    ("preview", {"request": SKILL, "vary": "modifier"}, "vary"),
    ("preview", {"request": SKILL, "parts": ["all"]}, "parts[0]"),
    ("preview", {"request": SKILL, "more": "helpers"}, "more"),
    ("roll", {"request": SKILL, "faces": "3,2"}, "faces"),
    ("roll", {"request": SKILL, "faces": [[3]]}, "faces[0]"),
    ("roll", {"request": SKILL, "seed": True}, "seed"),
    ("roll", {"request": SKILL, "seed": 10**300}, "seed"),
    ("verify", {}, "transcript"),
    ("describe", {"game": 3}, "game"),
    ("describe", {"game": "duste"}, "game"),
]


@pytest.mark.parametrize(("kind", "question", "field"), WRONG)
def test_what_is_wrong_is_named(kind: str, question: dict[str, Any], field: str) -> None:
    """Every slip is refused by our own error, with its field and a sentence."""
    with pytest.raises(RollwrightError) as caught:
        answer(kind, question)
    error = error_of(caught.value)
    assert ("bad_field", field) == (error["code"], error.get("field"))
    assert 10 < len(error["message"]) <= 1000


def test_a_map_of_too_many_cells_is_refused() -> None:
    """Two axes that are each short enough can still be too much together."""
    assert MOST_VALUES**2 > MOST_CELLS
    with pytest.raises(BadField, match="at most 900"):
        Preview.from_plain({"request": SKILL, "vary": [TALL, WIDE]})


def test_every_kind_is_read_and_answered() -> None:
    """No kind of question without its answer, and every field says what it is for."""
    assert list(KINDS) == list(ANSWERS)
    with pytest.raises(BadField, match="odds, event"):
        answer("guess", {})
    for kind in KINDS.values():
        assert all(about.help for about in fields_of(kind).values())


def test_null_is_left_out_but_for_an_option() -> None:
    """A field that is null says nothing; as an option, null is one that a rule may offer."""
    plain = {"request": SKILL, "policy": None, "option": None}
    assert {"request": SKILL, "option": None} == given(Roll, plain)
    assert Roll.from_plain(plain).option is None
    assert Roll.from_plain({"request": SKILL}).option is NOT_GIVEN
