"""Every house rule: its readings, its default, and that it makes a difference."""

import pytest

from rollwright.games.dust import House, game
from rollwright.kit import fields_of, measured_house

DEFAULTS = {
    "automatic_success_protected": ("D1", False),
    "max_adrenaline_per_roll": ("D2", 1),
    "doubles_must_survive": ("D3", False),
    "doubles_count": ("D4", "roll"),
    "doubles_on_failure": ("D5", True),
    "minimum_pool": ("D6", "none"),
    "opposing_tie": ("D7", "nobody"),
    "opposing_floor": ("D8", False),
    "extended_botch": ("D9", "nothing"),
    "opposing_numbers": ("D10", "common"),
    "pool_cap": ("D14", 10),
    "cap_before_modifiers": ("D14", False),
}


def test_every_open_question_has_its_switch_and_default():
    """Each ambiguity that is an option is a field of the house, at the default reading."""
    found = {n: (about.more["code"], about.default) for n, about in fields_of(House).items()}
    assert DEFAULTS == found


@pytest.fixture(scope="module")
def measured():
    """What the readings of every house rule come to, by its name."""
    return {rule.name: rule for rule in measured_house(game)}


@pytest.mark.parametrize("name", fields_of(House))
def test_every_reading_gives_another_number(measured, name):
    """The question by which a house rule is measured tells its readings apart."""
    numbers = [number for _, _, number in measured[name].readings]
    assert len(numbers) == len(set(numbers)) > 1


def test_every_setting_of_a_choice_is_explained():
    """A house rule with named settings says what each of them reads."""
    for about in fields_of(House).values():
        settings = about.choices or tuple(about.more["readings"])
        assert set(settings) == set(about.more["readings"])


def test_all_lines_are_in_the_rulebook_in_order():
    """R1 to R21, each one sentence."""
    assert [f"R{n}" for n in range(1, 22)] == list(game.rulebook)
    for line in game.rulebook.values():
        assert line.text.endswith(".")
