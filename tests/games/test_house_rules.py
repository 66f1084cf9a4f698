"""House rules of every game: each open question of its book is a switch, told and measured."""

import pytest

from rollwright.kit import fields_of, measured_house
from rollwright.kit.games import find_game

SWITCHES = {
    "dust": "D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D14 D14",
    "edge20": "D1 D2 D3 D5 D6 D7 D8 D17 D18 D19",
    "ghostburn": "D1 D2 D4 D6 D11 D12",
    "kleptonomicon": "D1 D2 D3 D4 D5 D6 D7 D13",
    "twilight2000": "D1 D2 D3 D4 D8 D9 D11 D13 D17 D18",
}
"""The ambiguities of each rulebook that must be a switch, by their numbers in the digest of it."""
ALIKE = {"above_severe": 2, "dl_shown": 1, "dl_between": 1}
"""How many numbers there are where readings differ in what is told (GHOST R3, GHOST R8)."""


@pytest.fixture(scope="module", params=SWITCHES)
def game(request):
    """Each game in turn."""
    return find_game(request.param)


@pytest.fixture(scope="module")
def measured(game):
    """What the readings of every house rule come to."""
    return measured_house(game)


def test_every_ambiguity_is_a_switch(game):
    """Each open question of the book that must be offered is a field of the house."""
    codes = [about.more["code"] for about in fields_of(game.house).values()]
    assert SWITCHES[game.name].split() == codes


def test_every_reading_is_explained(game):
    """The settings that a switch accepts are those it explains; numbers are explained by some."""
    for name, about in fields_of(game.house).items():
        assert about.help, name
        settings = about.choices or tuple(about.more["readings"])
        assert set(settings) == set(about.more["readings"]), name
        assert all(about.more["readings"].values()), name


def test_every_reading_comes_to_a_number_of_its_own(measured):
    """The question by which a house rule is measured tells its readings apart."""
    for rule in measured:
        numbers = [number for *_, number in rule.readings]
        assert ALIKE.get(rule.name, len(numbers)) == len(set(numbers)), rule.name
        assert len(numbers) > 1, rule.name


def test_the_default_reading_stands_first(game, measured):
    """What a table plays unless it says otherwise."""
    defaults = {name: about.default for name, about in fields_of(game.house).items()}
    assert defaults == {rule.name: rule.readings[0][0] for rule in measured}
