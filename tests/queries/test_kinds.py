"""Questions are read field by field; what is wrong is refused by its name."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.errors import BadField, RollwrightError
from rollwright.kit.fields import NOT_GIVEN, fields_of
from rollwright.queries import answer
from rollwright.queries.answers import ANSWERS
from rollwright.queries.errors import error_of
from rollwright.queries.kinds import (
    KINDS,
    MOST_CELLS,
    MOST_VALUES,
    PreviewQuery,
    RollQuery,
    drop_nulls,
)

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
    ("odds", {"request": SKILL, "of": ["ones"] * 61}, "of"),
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

DICE = {"expression": "2d6"}
WHERE, ALSO = {"where": "successes > 0"}, {"goal": "success"}
HELP = {"field": "helpers", "values": [0, 1]}
IDLE: list[tuple[str, dict[str, Any], str]] = [
    ("curve", {"request": SKILL, "vary": HELP, **WHERE, "of": "ones"}, "of"),
    ("map", {"request": SKILL, "vary": [HELP, TALL], "of": "ones", **ALSO}, "goal"),
    ("find", {"request": SKILL, "target": "50%", "over": "modifier", **WHERE, **ALSO}, "goal"),
    ("sensitivity", {"request": SKILL, **WHERE, **ALSO}, "goal"),
    ("sensitivity", {**DICE, **ALSO}, "goal"),
    ("compare", {"rolls": [{"request": SKILL}] * 2, **WHERE, **ALSO}, "goal"),
    ("compare", {"rolls": [DICE] * 2, **ALSO}, "goal"),
    ("preview", {**DICE, **ALSO}, "goal"),
    ("preview", {**DICE, "more": ["n"]}, "more"),
    ("preview", {"request": SKILL, "more": ["nonsense"]}, "more"),
    ("preview", {**DICE, "more": []}, "more"),
    ("preview", {**DICE, "parts": ["odds"], "more": ["n"]}, "more"),
    ("preview", {"request": SKILL, "parts": ["odds"], "more": ["modifier"]}, "more"),
    ("preview", {"request": SKILL, "vary": HELP, "more": ["modifier"]}, "more"),
    ("odds", {"request": SKILL, "variables": {}}, "variables"),
    ("odds", {**DICE, "house": {}}, "house"),
    ("odds", {"request": SKILL, "seat": ""}, "seat"),
    ("roll", {"request": SKILL, "by": ""}, "by"),
    ("verify", {"transcript": {"format": 2}, "head": ""}, "head"),
    ("odds", {"request": SKILL, "variables": {"n": 1}}, "variables"),
    ("odds", {**DICE, "house": {"tie": "x"}}, "house"),
    ("odds", {"request": SKILL, "game": "dust"}, "game"),
    ("odds", {"request": SKILL, "sheet": {"name": "A"}}, "sheet"),
    ("odds", {"request": SKILL, "seat": "gm"}, "seat"),
    ("roll", {"request": SKILL, "option": "keep", "number": 0}, "number"),
    ("roll", {"request": SKILL, "by": "roller"}, "by"),
    ("verify", {"transcript": {"format": 2}, "log": {"format": 2}}, "transcript"),
    ("verify", {"transcript": {"format": 2}, "head": "ab"}, "head"),
]


@pytest.mark.parametrize(("kind", "question", "field"), IDLE)
def test_what_would_not_be_answered_is_refused(
    kind: str, question: dict[str, Any], field: str
) -> None:
    """A field that changes nothing beside the others is named, with what would do."""
    with pytest.raises(BadField, match=r"would do") as caught:
        answer(kind, question)
    assert field == caught.value.field


@pytest.mark.parametrize("kind", ["odds", "event", "preview", "roll", "sensitivity"])
def test_a_number_for_a_name_that_is_not_there_is_refused(kind: str) -> None:
    """Whoever mistypes a name in dice is told so, with the likely one."""
    about = {"expression": "2d6 + @strength", "variables": {"strength": 1, "strenght": 2}}
    with pytest.raises(BadField, match=r"no @strenght in the dice.*'strength'") as caught:
        answer(kind, about | ({"where": "it > 7"} if kind == "event" else {}))
    assert "variables" == caught.value.field


def test_many_fields_may_be_named_in_one_text():
    """A text with commas is as long as it has to be."""
    listed = answer("odds", {"request": SKILL, "of": ["successes", "ones"] * 8})
    assert listed == answer("odds", {"request": SKILL, "of": "successes, ones, " * 8})


def test_the_numbers_of_a_roll_are_known_by_name():
    """What one more is worth is told of those that were asked for, or the likely one is named."""
    asked = {"request": SKILL, "parts": ["more"]}
    more = answer("preview", {**asked, "more": ["modifier"]})["more"]
    assert ["modifier"] == [one["field"] for one in more]
    with pytest.raises(BadField, match="did you mean 'modifier'"):
        answer("preview", {**asked, "more": ["modifer"]})


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
        PreviewQuery.from_plain({"request": SKILL, "vary": [TALL, WIDE]})


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
    assert {"request": SKILL, "option": None} == drop_nulls(RollQuery, plain)
    assert RollQuery.from_plain(plain).option is None
    assert RollQuery.from_plain({"request": SKILL}).option is NOT_GIVEN
