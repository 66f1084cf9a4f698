"""Dice in the spelling of other tools: rolled and counted as they are meant there."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rollwright.errors import RollwrightError
from rollwright.queries import answer
from rollwright.queries.errors import error_of


def test_dice_of_another_tool_are_counted_as_they_are_meant_there():
    """In Roll20 `>8` is 8 or more: 3 faces of 10."""
    plain = {"expression": "1d10>8", "where": "it>=1"}
    assert "1/5" == answer("event", plain)["chance"]
    assert "3/10" == answer("event", {**plain, "dialect": "roll20"})["chance"]


def test_every_answer_says_what_was_spelled_anew():
    """What was rolled, and why it looks different."""
    found = answer("odds", {"expression": "4d6r<2", "dialect": "foundry", "language": "de"})
    assert "4d6ro<2" == found["translation"]["expression"] == found["title"]
    (change,) = found["translation"]["changes"]
    assert {
        "before": "r<2",
        "after": "ro<2",
        "why": "ein bloßes r würfelt dort einmal neu",
    } == change
    assert "translation" not in answer("odds", {"expression": "4d6ro<2"})


def test_what_a_tool_asks_for_is_a_number_that_can_be_given():
    """Roll20's `?{Bonus|2}` is 2 unless something else is said."""
    plain = {"expression": "?{Bonus|2} + 1d1", "dialect": "roll20"}
    assert 3 == answer("roll", plain)["step"]["outcome"]
    found = answer("roll", {**plain, "variables": {"Bonus": 7}})
    assert 8 == found["step"]["outcome"]
    assert [{"name": "Bonus", "prompt": "Bonus", "value": 2, "options": []}] == found[
        "translation"
    ]["queries"]


def test_a_curve_moves_what_a_tool_asks_for():
    """A question of Roll20 is a name like any other: 1d6+1 has a mean of 9/2."""
    vary = {"field": "Bonus", "values": [1, 2, 3]}
    plain = {"expression": "1d6+?{Bonus|0}", "dialect": "roll20", "vary": vary}
    means = [cell["chance"]["exact"] for cell in answer("curve", plain)["cells"]]
    assert [Fraction(9, 2), Fraction(11, 2), Fraction(13, 2)] == [*map(Fraction, means)]


def test_a_line_is_asked_about_without_rolling_it():
    """Every tool that reads it otherwise, or the one that is named."""
    found = answer("translate", {"expression": "4d6r<2"})["readings"]
    assert [("Roll20", "4d6rr<=2"), ("Foundry", "4d6ro<2")] == [
        (one["title"], one["expression"]) for one in found
    ]
    (one,) = answer("translate", {"expression": "6yz", "dialect": "YearZero"})["readings"]
    assert ("yearzero", "6d6=6") == (one["dialect"], one["expression"])


def refused(kind: str, **plain: object) -> dict[str, object]:
    """The refusal of a question, as data."""
    with pytest.raises(RollwrightError) as caught:
        answer(kind, plain)
    return dict(error_of(caught.value))


def test_a_refused_line_is_offered_what_it_means_elsewhere():
    """Where it means nothing here."""
    assert [
        {"dialect": "roll20", "title": "Roll20", "expression": "4d6rr<=2"},
        {"dialect": "foundry", "title": "Foundry", "expression": "4d6ro<2"},
    ] == refused("odds", expression="4d6r<2")["readings"]
    assert "readings" not in refused("odds", expression="4d6+")


def test_a_line_out_of_a_chat_is_offered_what_it_means_there():
    """It is read as ours, and the other readings stand beside the answer."""
    found = answer("odds", {"expression": "/r 10d10>8"})
    assert [("Roll20", "10d10>=8"), ("Avrae", "{10d10}>8")] == [
        (one["title"], one["expression"]) for one in found["readings"]
    ]
    assert "readings" in answer("preview", {"expression": "/r 10d10>8", "parts": []})
    for same in ("/r 4d6kh3", "10d10>8"):
        assert "readings" not in answer("odds", {"expression": same})


def test_a_dialect_is_one_of_dice():
    """An unknown one, and one beside a request, are refused by their field."""
    assert "dialect" == refused("odds", expression="1d6", dialect="rol20")["field"]
    request = {"game": "dust", "roll": "roll"}
    assert "dialect" == refused("odds", request=request, dialect="roll20")["field"]
