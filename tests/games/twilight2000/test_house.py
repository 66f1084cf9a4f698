"""House rules travel with a request, and what is none is refused."""

import pytest

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.twilight2000 import House, Skill, game
from rollwright.kit import from_plain, to_plain


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
