"""What cannot be asked is refused by its field, and is never an error of Python's."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.budget import Budget
from rollwright.errors import BadField, CodedError, UnknownName
from rollwright.queries import answer
from rollwright.queries.errors import error_of

GROUP = {"game": "kleptonomicon", "roll": "group", "members": [{}, {}]}
SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B"}
TEST = {"game": "kleptonomicon", "roll": "test"}
CHECK = {"modifier": 3, "dc": 15, "rerolls": 1}
DICE = {"expression": "(@n)d6", "target": "50%", "where": "it>=4"}


def _varied(request: dict[str, Any], *axes: tuple[str, Any]) -> dict[str, Any]:
    vary = [{"field": field, "values": [value]} for field, value in axes]
    return {"request": request, "vary": vary if len(vary) > 1 else vary[0]}


def _of_game(game: str, question: str, **arguments: Any) -> dict[str, Any]:
    return {"game": game, "question": question, "arguments": arguments}


HOUSE_IN_HOUSE = _varied(SKILL, ("house", 1.5), ("house.jam_rule", 1))
HOUSE_BY_NAME = _varied(SKILL, ("jam_rule", 1), ("house", 1.5))
NAME_IN_MEMBERS = _varied(GROUP, ("members", {"a": 1}), ("members[0].name", "a"))
SAME_TWICE = _varied(SKILL, ("house.jam_rule", 1), ("jam-rule", 1))


@pytest.mark.parametrize(
    ("kind", "plain", "field"),
    [
        ("map", HOUSE_IN_HOUSE, "vary"),
        ("map", HOUSE_BY_NAME, "vary"),
        ("map", NAME_IN_MEMBERS, "vary"),
        ("map", SAME_TWICE, "vary"),
        ("preview", HOUSE_IN_HOUSE, "vary"),
        ("preview", NAME_IN_MEMBERS, "vary"),
        *(
            (
                "question",
                _of_game("edge20", "which_die_to_reroll", check=CHECK, faces=[1], goal=goal),
                "goal",
            )
            for goal in (1, True, [1], {"a": 1})
        ),
        ("find", {**DICE, "over": "m"}, "over"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_its_field(
    kind: str, plain: dict[str, Any], field: str
) -> None:
    """The refusal is our own, names the field, and says what would do."""
    with pytest.raises(BadField) as refused:
        answer(kind, plain)
    assert refused.value.field == field
    assert refused.value.would_do or "there is only n" in refused.value.problem


@pytest.mark.parametrize("question", ["chance_of_goal", "whom_to_help", "should_a_pass_be_raised"])
@pytest.mark.parametrize("other", [{"request": SKILL}, {"request": TEST}, {"expression": "1d6"}])
def test_questions_of_group_tests_refuse_other_rolls(question: str, other: dict[str, Any]) -> None:
    """A transcript of another roll, even of another game, is refused as such."""
    transcript = answer("roll", other)["transcript"]
    with pytest.raises(BadField, match="a roll of a Group Test would do") as refused:
        answer("question", _of_game("kleptonomicon", question, transcript=transcript))
    assert refused.value.field == "transcript"


@pytest.mark.parametrize("kind", ["curve", "preview"])
@pytest.mark.parametrize("value", [1, True, 1.5, "a", {"a": 1}, [1], None])
def test_a_list_of_values_is_no_number_that_moves(kind: str, value: Any) -> None:
    """Only lists of numbers have a largest; others take nothing but a list of their own."""
    found = answer(kind, _varied(GROUP, ("members", value)))
    (cell,) = found["cells"] if kind == "curve" else found["vary"]["cells"]
    assert cell["problem"].startswith("members")


def test_values_that_cannot_be_are_refused_beside_the_others() -> None:
    """A search goes on where the notation refuses one of its values."""
    found = answer("find", {**DICE, "over": "n", "values": [1.5, 2, "3"]})
    assert [row["value"] for row in found["rows"]] == [2, "3"]
    assert [one["value"] for one in found["refused"]] == [1.5]


@pytest.mark.parametrize("question", ["how_many_ammo_dice", "full_burst_empties"])
@pytest.mark.parametrize("track", ["no-rounds", "wounds"])
def test_questions_of_rounds_count_them_whatever_an_old_request_tracks(
    question: str, track: str
) -> None:
    """Rounds are what is asked about, so they are counted where a roll once left them out."""
    request = {"roll": "attack", "attribute": "D", "rate_of_fire": 2, "rounds": 3}
    left_out, kept = (
        answer("question", _of_game("twilight2000", question, request=one))["answer"]
        for one in ({**request, "track": track}, request)
    )
    assert left_out == kept


@pytest.mark.parametrize(
    ("kind", "plain", "field"),
    [
        ("advise", {"request": SKILL, "goal": "foo=1"}, "goal"),
        ("advise", {"request": SKILL, "goal": "foo"}, "goal"),
        ("odds", {"request": {"game": "dust", "pool": 4}, "of": ["foo"]}, "of"),
        ("odds", {"request": {"game": "dsut", "pool": 4}}, "game"),
    ],
)
def test_an_unknown_name_is_told_with_the_field_it_stood_in(
    kind: str, plain: dict[str, Any], field: str
) -> None:
    """Which field that is does not hang on how the sentence ends."""
    with pytest.raises(UnknownName) as refused:
        answer(kind, plain)
    error = error_of(refused.value)
    assert field == error["field"]
    assert "outcome field of" not in error["message"]


@pytest.mark.parametrize(
    ("dice", "outcomes"),
    [("100d1000", 99_901), ("2d10000+1d6-3", 20_004), ("50d1000-50d999", 99_851)],
)
def test_odds_with_too_many_outcomes_are_refused_before_they_are_counted(
    dice: str, outcomes: int
) -> None:
    """Sums of n dice with k faces have n(k-1)+1 outcomes, and all kinds together as many more."""
    budget = Budget()
    with pytest.raises(CodedError) as refused:
        answer("odds", {"expression": dice}, budget)
    assert ("too_large", "of", 0) == (refused.value.code, refused.value.field, budget.spent)
    assert f"{outcomes:,} outcomes" in str(refused.value)


def test_an_event_among_many_outcomes_is_counted() -> None:
    """By symmetry half of 100d1000 is above its mean of 50,050, but for the mean itself."""
    asked = {"expression": "100d1000", "where": "it > 50050"}
    assert 0.49 < answer("odds", asked)["number"] < 0.5
