"""House rules of GHOST/BURN: each reading does what it says."""

from fractions import Fraction

import pytest

import rollwright as rw
from rollwright.games.ghostburn import House, Roll, game
from rollwright.kit import fields_of, measured_house


def outcome_of(faces, **fields):
    """The outcome of a roll without Luck."""
    return rw.roll(Roll(luck_points=0, **fields), faces=faces).outcome


@pytest.mark.parametrize(
    ("setting", "dl", "outcome"),
    [
        ("level", 8, "Fade"),
        ("failure", 8, "Glitch"),
        ("level", 14, "Glitch"),
        ("failure", 14, "Glitch"),
    ],
)
def test_results_below_easy(setting, dl, outcome):
    """GHOST R12, D1: a 5 is one level under Easy, or a failure of its own."""
    end = outcome_of([2, 3], ability=0, dl=dl, house=House(below_easy=setting))
    assert (outcome, "below Easy") == (end.outcome, end.level)


@pytest.mark.parametrize(
    ("setting", "outcome", "level"),
    [
        ("ladder", "Cool Success", "Severe +2"),
        ("open", "Success", "Severe"),
        ("site", "Cool Success", "Impossible"),
    ],
)
def test_results_above_severe(setting, outcome, level):
    """GHOST R8, D2: 39 against Severe."""
    end = outcome_of([9, 10], ability=20, dl="Severe", house=House(above_severe=setting))
    assert (outcome, level) == (end.outcome, end.level)


def test_nothing_lies_above_impossible():
    """GHOST R8, D2: on the site's ladder 38 and more is all one level."""
    levels = [
        outcome_of(
            [9, face], ability=20, skill=(add,), dl=8, house=House(above_severe="site")
        ).level
        for face, add in [(2, 0), (3, 3), (9, 0), (10, 18)]
    ]
    assert ["Severe", "Extreme", "Impossible", "Impossible"] == levels


@pytest.mark.parametrize(("setting", "outcome"), [(False, "Fade"), (True, "Cool Success")])
def test_two_tens(setting, outcome):
    """GHOST R9, D4: two tens are a 20 like any other, or always a Cool Success."""
    house = House(double_ten_cool=setting)
    assert outcome == outcome_of([10, 10], ability=0, dl="Severe", house=house).outcome
    assert "Moderate" == outcome_of([10, 9], ability=0, dl="Severe", house=house).level


def test_luck_that_carries_over():
    """GHOST R13, D6: more than one point only where Luck carries over, and one use a roll."""
    roll = Roll(ability=0, dl="Hard", luck_points=3, house=House(luck_carries=True))
    open_roll = rw.roll(roll, faces=[1, 1])
    assert 3 == open_roll.step.about.luck_points
    assert open_roll.choose("bonus").is_done


def test_a_hidden_level_is_not_told():
    """GHOST R3, D11: neither the level needed nor the distance to it is in what is told."""
    for faces in ([1, 1], [8, 9], [9, 9], [10, 10]):
        roll = Roll(ability=3, dl="Hard", house=House(dl_shown=False), luck_points=0)
        said = game.tell(roll, rw.roll(roll, faces=faces))
        assert "Hard (20)" not in said
        assert "hidden" in said


def test_what_each_house_rule_changes():
    """The measured numbers differ wherever the reading changes odds (hand counts of 2d10)."""
    measured = {
        rule.name: [number for *_, number in rule.readings] for rule in measured_house(game)
    }
    assert ["0", "21/100"] == list(map(str, measured["below_easy"]))
    assert ["1/10", "0", "1/10"] == list(map(str, measured["above_severe"]))
    assert ["0", "1/100"] == list(map(str, measured["double_ten_cool"]))
    assert measured["luck_carries"][0] < measured["luck_carries"][1]
    assert ["9/25", "9/25"] == list(map(str, measured["dl_shown"]))  # 13 or more of 2D10
    assert ["18/25", "18/25"] == list(map(str, measured["dl_between"]))  # 9 or more


def test_the_example_of_a_number_between_two_levels():
    """GHOST R8, D12: with a bonus of 5 Moderate takes 9 or more of 2D10, 72 of 100 throws."""
    asked = fields_of(House)["dl_between"].more["shows"]
    roll = game.request(asked.roll, **asked.fields)
    assert Fraction(72, 100) == rw.odds(roll).of(asked.measure).mean
