"""House rules: every reading is a switch, and its number really differs."""

import pytest

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.twilight2000 import House, Skill, game
from rollwright.kit import fields_of, from_plain, measured_house, to_plain

OPTIONS = ("D1", "D2", "D3", "D4", "D8", "D9", "D11", "D13", "D17", "D18")


def test_every_open_question_is_a_switch():
    """The ten ambiguities that must be offered, each once (T2K R11, R31, R33)."""
    assert OPTIONS == tuple(about.more["code"] for about in fields_of(House).values())


@pytest.fixture(scope="module")
def measured():
    """What the readings of every house rule come to, by its name."""
    return {rule.name: rule for rule in measured_house(game)}


@pytest.mark.parametrize("name", fields_of(House))
def test_every_reading_has_a_number_of_its_own(measured, name):
    """No two readings of a rule come to the same on its own question (T2K R11, R31, R33)."""
    numbers = [number for _, _, number in measured[name].readings]
    assert len(set(numbers)) == len(numbers)
    assert measured[name].readings[0][0] == fields_of(House)[name].default


def test_house_rules_travel_with_the_request():
    """The plain form names only what is not the default (T2K R31)."""
    plain = {
        "game": "twilight2000",
        "roll": "attack",
        "attribute": "B",
        "skill": "C",
        "ammo_dice": 1,
        "house": {"jam_rule": "ammo"},
    }
    assert plain == to_plain(from_plain(plain))
    assert "ammo" == from_plain(plain).house.jam_rule
    assert rw.odds(plain, "always") != rw.odds({**plain, "house": {}}, "always")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"jam_rule": "never"}, r"house\.jam_rule.*together, one-kind, ammo"),
        ({"ammo_plus_one": 1}, r"house\.ammo_plus_one.*true or false"),
        ({"ammo_plus_on": True}, "ammo_plus_one"),
    ],
)
def test_unknown_readings_are_refused(setting, message):
    """The refusal lists the readings there are (T2K R31)."""
    with pytest.raises(BadField, match=message):
        game.request("skill", attribute="B", house=setting)


def test_the_default_house_is_the_default():
    """A request without house rules is one with the default ones (T2K R11)."""
    assert Skill(attribute="B") == Skill(attribute="B", house=House())
