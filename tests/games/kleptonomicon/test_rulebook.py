"""The rulebook: guidance is shown to people where they need it."""

from rollwright.games.kleptonomicon import Test, game
from rollwright.kit import fields_of, find_game, schema_of


def test_the_game_is_found_by_its_name():
    """The library knows it without being told."""
    assert find_game("kleptonomicon") is game


def test_which_modifier_to_use_is_shown_as_guidance():
    """KLEP R2: the referee names the Modifier; said with the field, and in the schema."""
    line = game.rulebook["R2"]
    assert line.guidance
    assert line.text in fields_of(Test)["modifier"].help
    assert line.text in schema_of(Test)["properties"]["modifier"]["description"]


def test_naming_the_end_value_is_shown_as_guidance():
    """KLEP R7: asked for a Score, say the end value; said with the field that names the Score."""
    line = game.rulebook["R7"]
    assert line.guidance
    assert line.text in fields_of(Test)["score_name"].help
    assert {"R2", "R7"} == {name for name, line in game.rulebook.items() if line.guidance}
