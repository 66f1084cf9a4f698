"""Levels are read as they are written and stay hidden, and odd input is refused."""

import pytest

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.ghostburn import Attempt, Roll, Session, Sheet, game

TALK = Attempt(ability=3, dl="Hard")
ASKED = Roll(ability=3, dl="Hard")
SHEET = Sheet(
    abilities=[{"name": "Presence", "score": 3}],
    skills=[{"name": "Persuade", "ability": "Presence"}],
)


@pytest.mark.parametrize(
    "dl", ["²", "9" * 5000, 10**5000, True, 20.0, "٢٠", "x" * 100], ids=lambda dl: type(dl).__name__
)
def test_odd_levels_are_refused_with_what_would_do(dl):
    """GHOST R8: signs that look like digits, endless numbers and other things are named."""
    with pytest.raises(BadField, match=r"^dl.*GHOST R8.*Easy \(8\).*would do"):
        Roll(ability=3, dl=dl)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("house", [{}, {"above_severe": "site"}, {"above_severe": "open"}])
def test_a_level_that_is_recommended_is_accepted_as_it_is_written(language, house):
    """GHOST R8: in the words of the reader, with its number, as the refusal lists them."""
    with pytest.raises(BadField) as refused:
        Roll(ability=3, dl="Tricky", house=house)
    listed = game.words.say(refused.value.remedy, language).split(", ")
    assert len(listed) > 3
    steps = [rw.odds(Roll(ability=3, dl=text, house=house)) for text in listed]
    numbers = [int(text.partition("(")[2].rstrip(")")) for text in listed]
    assert [rw.odds(Roll(ability=3, dl=number, house=house)) for number in numbers] == steps
    for text in listed:
        alone = text.partition(" (")[0]
        assert Roll(ability=3, dl=alone, house=house) == Roll(ability=3, dl=text, house=house)


def test_a_level_with_the_number_of_another_is_refused():
    """GHOST R8: nobody can tell which was meant."""
    with pytest.raises(BadField, match=r"dl.*'Hard \(14\)'.*GHOST R8"):
        Roll(ability=3, dl="Hard (14)")
    assert "Hard" == Roll(ability=3, dl=" hard (20) ").dl


def test_the_bars_of_a_session_are_toned_as_those_of_a_roll():
    """GHOST R9 to R12: the four outcomes from bad to great, and a session with a success good."""
    tones = {"Glitch": "bad", "Fade": "mixed", "Success": "good", "Cool Success": "great"}
    assert {"outcome": tones, "successes": {"1..": "good"}} == dict(game.card.outcomes)


def test_a_number_above_the_ladder_is_its_top_where_numbers_are_read_as_levels():
    """GHOST R8: by house rule a number lies in a level, and above the top that is the top."""
    house = {"dl_between": "level", "above_severe": "open"}
    assert rw.odds(Roll(ability=20, dl=50, house=house)) == rw.odds(
        Roll(ability=20, dl="Severe", house=house)
    )
    with pytest.raises(BadField, match="not on the ladder"):
        Roll(ability=20, dl=50, house={"above_severe": "open"})


def test_a_hidden_level_is_not_given_away_by_a_result_below_easy():
    """GHOST R3: where such a result is a failure of its own, the sentence keeps the secret."""
    hidden = {"dl_shown": False, "below_easy": "failure"}
    said = {
        game.tell(asked, rw.roll(asked, faces=(2, 3)))
        for asked in (
            Roll(ability=0, dl=dl, luck_points=0, house=hidden) for dl in ("Easy", "Hard")
        )
    }
    assert 1 == len(said)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"rolls": [3]}, r"rolls\[0\]"),
        ({"rolls": 3}, "rolls"),
        ({"rolls": [{"dl": "Hard"}]}, r"rolls\[0\]\.skill"),
        ({"rolls": [{"skill": "Persuade", "dl": "Hard", "charm": 2}]}, r"rolls\[0\]\.charm"),
    ],
)
def test_odd_rolls_beside_a_sheet_are_refused(fields, field):
    """GHOST R2: what is no roll, or lacks its skill, is named."""
    with pytest.raises(BadField, match=f"^{field}:"):
        game.from_sheet(SHEET, "session", **fields)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("fair_level", (5, "abc")),
        ("fair_level", (5, "1e-99999999")),
        ("fair_level", (5, 7)),
        ("bonus_or_avoid", (ASKED, (3, 40))),
        ("bonus_or_avoid", (ASKED, "39")),
        ("spend_luck_now", (Session(rolls=[TALK]), (3, 4, 5))),
        ("how_near", (ASKED, "17")),
        ("point_worth", (ASKED, 18)),
    ],
)
def test_questions_refuse_nonsense(question, asked):
    """GHOST R4: faces, chances and results that cannot be are refused by name."""
    with pytest.raises(BadField, match="would do"):
        game.questions[question](*asked)


def test_sessions_too_long_to_count_are_refused_at_once():
    """GHOST R13: what would take minutes is refused with what would do."""
    with pytest.raises(BadField, match=r"^rolls.*would do"):
        Session(rolls=[TALK] * 7)
