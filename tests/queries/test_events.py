"""The language of `--where`: small, safe, and clear about what it does not know."""

import contextlib
import re
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwright as rw
from rollwright.errors import RollwrightError
from rollwright.games.dust.outcomes import Extended
from rollwright.games.edge20.outcomes import Tier
from rollwright.games.ghostburn.outcomes import Grade
from rollwright.queries import answer
from rollwright.queries.condition_lexer import ConditionError
from rollwright.queries.conditions import parse_condition
from rollwright.queries.measures import ConditionMeasure


class Shot(NamedTuple):
    hit: bool
    jammed: bool
    successes: int
    winner: str = "actor"
    worth: Fraction = Fraction(1, 2)


FIELDS = Shot._fields
SHOT = Shot(True, False, 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hit", True),
        ("hit and not jammed", True),
        ("not hit or jammed", False),
        ("not (hit and jammed)", True),
        ("NOT not hit", True),
        ("successes >= 2", True),
        ("1 <= successes <= 2", True),
        ("1 < successes < 2", False),
        ("successes = 2 and hit = yes", True),
        ("successes != 2", False),
        ("successes <> 3", True),
        ("successes > -1", True),
        ("winner = actor", True),
        ("winner == 'actor'", True),
        ('winner = "somebody else"', False),
        ("worth = 0.5", True),
        ("worth >= 1/2", True),
        ("hit == true and jammed = no", True),
        ("hit or nonsense = winner", True),
        ("successes = 1 or 2", True),
        ("successes = 1 or 3 or -2", False),
        ("2 = successes or 1", True),
        ("3 = successes or 1", False),
        ("successes = 1 or jammed", False),
        ("successes = 1 or hit", True),
        ("successes = 1 or not jammed", True),
        ("winner = nobody or Actor", True),
        ("winner = nobody or winner = actor", True),
        ("successes >= 1 <= 1", False),
        ("successes >= 1 <= 2", True),
        ("(successes) >= 2", True),
        ("successes > 5 or hit", True),
    ],
)
def test_events_hold_or_not(text, expected):
    """Each form of the language, on one outcome."""
    assert expected is parse_condition(text, FIELDS)(SHOT)


@pytest.mark.parametrize("text", ["total >= 4", "it >= 4", ">= 4", "4 <= result"])
def test_plain_numbers(text):
    """For dice the outcome itself is meant."""
    test = parse_condition(text, ())
    assert (True, False) == (test(4), test(3))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the end came"),
        ("hit and", "the end came"),
        ("and hit", "'and' came"),
        ("hit jammed", "'jammed' came"),
        ("(hit", "closing parenthesis"),
        ("jamed", "did you mean 'jammed'?"),
        ("sucesses > 1", "did you mean 'successes'?"),
        ("hit; import os", "';' is not known here"),
        ("__import__('os')", "there is no field '__import__'"),
        ("hit.real", "'.' is not known here"),
        ("winner > 3", "cannot be put in an order"),
        ("successes = 1/0", "divided by zero"),
        ("(" * 100 + "hit", "too deeply"),
        ("hit and " * 1000 + "hit", "too long"),
        ("- hit", "a number was expected"),
        ("2", "a value alone is no event; write for example `hit = 2`"),
        ("hit and 'x'", "a value alone is no event"),
        ("not yes", "a value alone is no event"),
        ("1 < 2", "a value alone is no event"),
        ("successes != 1 or 2", "after `or` another value goes with `=` only"),
        ("successes >= 1 or 2", "after `or` another value goes with `=` only"),
        ("successes = yes", "a number is neither yes nor no"),
    ],
)
def test_what_cannot_be_read(text, said):
    """The place and what was expected there."""
    with pytest.raises(ConditionError, match=r".") as caught:
        parse_condition(text, FIELDS)(SHOT)
    assert said in str(caught.value)


@given(st.text(alphabet="hitandorjammed successes()<>=!-'\"0123456789./_é", max_size=60))
def test_any_text_is_read_or_refused(text):
    """No text does anything but say yes, no, or why not."""
    with contextlib.suppress(RollwrightError):
        assert parse_condition(text, FIELDS)(SHOT) in (True, False)


class Checked(NamedTuple):
    tier: Tier
    before: Tier
    success: bool
    outcome: Grade
    margin: int = 3


CHECKED = Checked(Tier.SUCCESS, Tier.FAILURE, True, Grade("Fade"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tier = success", True),
        ("success = tier", True),
        ("tier >= success", True),
        ("tier > 'success'", False),
        ("tier <= Failure", False),
        ("failure <= tier <= success", True),
        ("tier > before", True),
        ("tier = success and success", True),
        ("outcome < Success", True),
        ("outcome = fade", True),
        ("tier = failure or success", True),
        ("before = 'critical success' or success", False),
        ("margin = 2 or success", True),
    ],
)
def test_a_word_beside_a_ranked_field_is_one_of_its_words(text, expected):
    """`success` is a yes or no of its own, but beside a tier it is the tier of that name."""
    assert expected is parse_condition(text, Checked._fields)(CHECKED)


@pytest.mark.parametrize(
    "text", ["tier >= 2", "tier >= margin", "tier = banana", "tier = 'x'", "tier = outcome"]
)
def test_nothing_else_goes_beside_a_ranked_field(text):
    """The refusal is an ordinary one and lists the words, from the worst to the best."""
    with pytest.raises(
        ConditionError, match="none of: critical failure, failure, success, critical"
    ):
        parse_condition(text, Checked._fields)(CHECKED)


@pytest.mark.parametrize("text", ["turns <= 2", "2 >= turns", "turns = 2"])
def test_a_field_that_was_not_counted_is_named(text):
    """What is None was left out, which is no number and no text; the option that helps is said."""
    task = Extended(True, 5, None, False, None)
    with pytest.raises(ConditionError, match=r"not counted here: turns \(give --limit\)"):
        parse_condition(text, Extended._fields)(task)
    assert parse_condition("turns = none", Extended._fields)(task)


@pytest.mark.parametrize(
    ("asked", "share"),
    [
        ("d20 = 19 or 20", "1/10"),
        ("2d6 >= 7 <= 9", "5/12"),
        ("1d20+5 vs 15 = success", "1/2"),
        ("1d20+5 vs 15 >= Success", "11/20"),
        ("1d20 vs 40 = success", "0"),
    ],
)
def test_what_people_mean(asked, share):
    """Each was another number once, without a word: 100 %, 58.3 %, 0 %."""
    what, sign, value = re.fullmatch(r"(.*?) ([<>]?=) (.*)", asked).groups()
    found = answer("event", {"expression": what, "where": f"{sign} {value}"})
    assert share == found["chance"]


def test_a_score_with_words_of_its_own_is_asked_for_as_it_is_printed():
    """KLEP R13: 10! lies beyond every number, and is printed so."""
    request = {"game": "kleptonomicon", "roll": "test"}
    for where in ("score = 10!", "score = '10!'", "critical = 10!"):
        assert "1/20" == answer("event", {"request": request, "where": where})["chance"]


@pytest.mark.parametrize(
    ("what", "where", "said"),
    [
        ({"expression": "1d20+5 vs 15"}, "= sucess", "success"),
        ({"expression": "2d6"}, "= seven", "nothing here is ever 'seven'"),
        ({"request": {"game": "kleptonomicon", "roll": "contest"}}, "winner = me", "first, second"),
    ],
)
def test_a_word_that_nothing_is_called_is_refused(what, where, said):
    """A slip is no chance of 0 %, asked in whatever way."""
    for question in ("event", "odds", "sensitivity"):
        with pytest.raises(ConditionError) as refused:
            answer(question, {**what, "where": where})
        assert said in str(refused.value)


def test_in_a_sweep_a_word_may_come_late():
    """Where no value of the field knows it, it is refused; where one does, the others are 0 %."""
    first, second = rw.Dist({"owl": 1, "cat": 1}), rw.Dist({"cat": 1})
    for word, expected in (("owl", [Fraction(1, 2), 0]), ("Cat", [Fraction(1, 2), 1])):
        asked = ConditionMeasure(f"= {word}")
        assert expected == [asked.chance(first), asked.chance(second)]
        asked.check()
    asked = ConditionMeasure("= dog")
    assert [0, 0] == [asked.chance(first), asked.chance(second)]
    with pytest.raises(ConditionError, match="nothing here is ever 'dog'"):
        asked.check()


D20 = tuple(range(1, 21))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at least 15", 6),
        ("At most 5", 5),
        ("more than 15", 5),
        ("fewer than 5", 4),
        ("15+", 6),
        ("total 15+", 6),
        ("15 or more", 6),
        ("= 15 or better", 6),
        ("5 or less or 15+", 11),
        ("between 5 and 10", 6),
        ("not between 5 and 10", 14),
        ("total between 5 and 10 and at least 7", 4),
    ],
)
def test_comparisons_can_be_said(text: str, expected: int) -> None:
    """As a player says them; the faces of a d20 that are meant are counted by hand."""
    assert expected == sum(map(parse_condition(text, ()), D20))


class Told(NamedTuple):
    """An outcome with a field that players call otherwise, and one of several words."""

    reliability_loss: int
    grade: str
    jammed: bool | None = None


TOLD = (Told(0, "Fade"), Told(2, "Cool Success"))
SPOKEN = {"reliability_lost": "reliability_loss"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("reliability lost >= 1", [False, True]),
        ("Reliability-lost at least 1", [False, True]),
        ("grade = cool success", [False, True]),
        ("grade = fade or cool success", [True, True]),
        ("not grade = Cool success and reliability lost = 0", [True, False]),
    ],
)
def test_fields_and_texts_are_read_as_they_are_said(text: str, expected: list[bool]) -> None:
    """By the words on the page, without quotes or underscores."""
    test = parse_condition(text, Told._fields, SPOKEN, TOLD)
    assert expected == [test(one) for one in TOLD]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fade", "write for example `grade = Fade`"),
        ("cool success", 'write for example `grade = "Cool Success"`'),
        ("'fade'", "write for example `grade = Fade`"),
        ("= fade", "write for example `grade = Fade`"),
        ("= nonsense", "nothing here is ever 'nonsense'"),
        ("1 <= 2", "write for example `1 <= reliability_loss <= 2`"),
        ("jammed", "not counted here: jammed"),
        ("grade = Fade and not jammed", "not counted here: jammed"),
    ],
)
def test_a_word_alone_is_told_with_the_field_it_belongs_to(text: str, said: str) -> None:
    """A value is no event; what it would be compared with is known from the outcomes."""
    with pytest.raises(ConditionError, match=r".") as caught:
        test = parse_condition(text, Told._fields, SPOKEN, TOLD)
        raise test.unmet(TOLD) or AssertionError("it was read")
    assert str(caught.value).endswith(said)


def test_a_field_that_is_sometimes_none_is_compared_all_the_same() -> None:
    """None means that it was not counted only where it is so throughout."""

    class Fight(NamedTuple):
        killer: str | None

    fights = (Fight(None), Fight("bo"))
    test = parse_condition("killer = bo", Fight._fields, outcomes=fights)
    assert test.unmet(fights) is None
    assert [False, True] == [test(one) for one in fights]
