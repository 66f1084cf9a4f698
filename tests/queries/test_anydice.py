"""Programs of AnyDice as a question: plain data in and out, refused at their place."""

from __future__ import annotations

import pytest

from rollwright.anydice import AnyDiceError
from rollwright.budget import Budget
from rollwright.errors import CodedError, TooMuchWork
from rollwright.queries import answer
from rollwright.queries.errors import error_of


def test_outputs_come_with_names_odds_and_python():
    """Every outcome with its weight, how they do against each other, and the same in Python."""
    program = 'output d4 named "small" output d6'
    found = answer("anydice", {"text": program})
    small, large = found["outputs"]
    assert ("small", "4", "output 2", "6") == (
        small["name"], small["total"], large["name"], large["total"],
    )  # fmt: skip
    assert [{"value": n, "weight": "1"} for n in range(1, 5)] == small["outcomes"]
    assert "5/2" == small["fields"][0]["mean"]["exact"]
    [duel] = found["duels"]
    assert ("small", "output 2", "1/4") == (duel["first"], duel["second"], duel["greater"]["exact"])
    assert "small = D4\nsmall\nD6\n" == found["python"]
    assert [] == found["refused"] == found["warnings"]


def test_what_has_no_form_in_python_is_answered_and_told():
    """The answer is there, and what to write instead, with line and column."""
    outer = "function: f { result: X } function: g X:n { result: [f] } output [g 2]"
    found = answer("anydice", {"text": f"output d6\n{outer}"})
    assert ["1", "2"] == [str(out["outcomes"][0]["value"]) for out in found["outputs"]]
    [refused] = found["refused"]
    assert ("outer", 2, 23) == (refused["code"], refused["line"], refused["column"])
    assert "make it a parameter" in refused["said"]


def test_a_die_without_faces_has_no_outcomes():
    """It is an output all the same."""
    [found] = answer("anydice", {"text": "output d{}"})["outputs"]
    assert ([], "0") == (found["outcomes"], found["total"])


def test_a_slip_is_refused_with_its_line_and_column():
    """As data for programs: the code, the place, and one sentence."""
    with pytest.raises(AnyDiceError) as caught:
        answer("anydice", {"text": "X: 3\noutput Y"})
    found = error_of(caught.value)
    assert ("bad_expression", "text", 2, 8, "variable") == (
        found["code"], found["field"], found["line"], found["column"], found["slip"],
    )  # fmt: skip


def test_work_is_bounded():
    """A program that would take too long is refused by the budget, with its line and column."""
    with pytest.raises(TooMuchWork) as caught:
        answer(
            "anydice", {"text": "function: f S:s { result: #S }\noutput [f 20d20]"}, Budget(10_000)
        )
    found = error_of(caught.value)
    assert ("too_much_work", "text", 2, 8) == (
        found["code"], found["field"], found["line"], found["column"],
    )  # fmt: skip
    assert "'[f 20d20]' in line 2 needs about" in found["message"]


def test_many_outputs_are_not_held_against_each_other():
    """Sixty are, in 60 * 59 / 2 pairs; a hundred would be as many pairs as nobody reads."""
    sixty = answer("anydice", {"text": "loop N over {1..60} { output N }"})
    assert (60, 1770) == (len(sixty["outputs"]), len(sixty["duels"]))
    hundred = answer("anydice", {"text": "loop N over {1..100} { output N }"})
    assert (100, []) == (len(hundred["outputs"]), hundred["duels"])


def test_outputs_of_any_names_are_told_apart():
    """Also where one is called as another would be: three outputs are three pairs."""
    text = 'output 1 named "a (3)" output 2 named "a" output 3 named "a"'
    assert 3 == len(answer("anydice", {"text": text})["duels"])


def test_outputs_without_outcomes_count_too():
    """Twenty thousand and one of them are too many for an answer."""
    with pytest.raises(CodedError) as caught:
        answer("anydice", {"text": "loop N over {1..20001} { output d{} }"})
    assert "too_large" == caught.value.code


def test_sentences_are_in_the_language_that_is_asked_for():
    """German too."""
    found = answer("anydice", {"text": "output d{}", "language": "de"})
    assert "ohne Augen" in found["refused"][0]["said"]
