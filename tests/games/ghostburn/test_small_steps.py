"""What single goals and policies of GHOST/BURN turn on, tried on one roll each."""

from types import SimpleNamespace

import pytest

import rollwright as rw
from rollwright.games.ghostburn import Roll
from rollwright.games.ghostburn.house import _cool
from rollwright.games.ghostburn.rules import GOALS, take_the_bonus


def ending(ability):
    """How a Hard roll ends whose dice show 11, without Luck."""
    return rw.roll(Roll(ability=ability, dl="Hard", luck_points=0), faces=[5, 6]).outcome


@pytest.mark.parametrize(
    ("goal", "worths"),
    [
        ("just-succeed", [0, 0, 1, 1]),
        ("no-glitch", [-1, 0, 0, 0]),
        ("cool", [0, 0, 0, 1]),
        ("value", [0, 1, 2, 3]),
        ("save-luck", [0, 0, 1, 1]),
    ],
)
def test_what_each_goal_gives_for_the_four_outcomes(goal, worths):
    """GHOST R9: Glitch, Fade, Success and Cool Success, in the eyes of each goal."""
    ends = [ending(ability) for ability in (1, 4, 9, 16)]
    assert ["Glitch", "Fade", "Success", "Cool Success"] == [end.outcome for end in ends]
    assert worths == [GOALS[goal].worth(end) for end in ends]


def test_house_rules_are_measured_by_cool_successes():
    """What the page of house rules counts is a Cool Success, and nothing below it."""
    assert [False, False, False, True] == [_cool(ending(ability)) for ability in (1, 4, 9, 16)]


def test_whoever_always_takes_the_bonus_keeps_where_none_is_offered():
    """GHOST R14: the bonus wherever it is among the options, else what costs nothing."""
    offered = SimpleNamespace(options=("keep", "bonus", "avoid-glitch"))
    assert "bonus" == take_the_bonus(offered)
    assert "keep" == take_the_bonus(SimpleNamespace(options=("keep", "avoid-glitch")))
