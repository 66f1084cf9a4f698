"""Every house rule: its readings, its default, and that it makes a difference."""

import pytest

from rollwright.errors import BadField
from rollwright.games.kleptonomicon import House, game
from rollwright.kit import fields_of, measured_house

DEFAULTS = {
    "group_help": ("D1", "extra_die"),
    "late_advantage": ("D2", "cancel"),
    "group_chain": ("D3", False),
    "group_looking": ("D4", "one_by_one"),
    "critical_value": ("D5", "beyond"),
    "coins": ("D6", "each"),
    "group_zero": ("D7", "critical"),
    "critical_ranges": ("D13", "both"),
}


def test_every_open_question_has_its_switch_and_default():
    """One switch for each ambiguity that must be offered, at the default of the list."""
    found = {name: (f.more["code"], f.default) for name, f in fields_of(House).items()}
    assert DEFAULTS == found


@pytest.fixture(scope="module")
def measured():
    """What the readings of every house rule come to, by its name."""
    return {rule.name: rule for rule in measured_house(game)}


@pytest.mark.parametrize("name", fields_of(House))
def test_every_switch_changes_the_number_it_is_shown_by(measured, name):
    """The readings differ, and so does what they come to; the default stands first."""
    numbers = [number for _, _, number in measured[name].readings]
    assert len(set(numbers)) == len(numbers) > 1
    assert DEFAULTS[name][1] == measured[name].readings[0][0]
    assert all(0 <= number <= 1 for number in numbers)


def test_every_reading_is_described():
    """The settings a switch accepts are exactly those it explains."""
    for name, described in fields_of(House).items():
        settings = described.choices or (False, True)
        assert set(settings) == set(described.more["readings"]), name


def test_an_unknown_setting_is_refused():
    """The refusal names the switch, its rule and the settings there are."""
    with pytest.raises(BadField, match=r"coins.*KLEP R18.*each, one"):
        House(coins="two")
