"""Guidance of the rulebook is shown to people where it belongs."""

from pathlib import Path

import pytest

from rollwright.games.twilight2000 import Skill
from rollwright.games.twilight2000.house import LINES
from rollwright.kit import fields_of

TABLE_TALK = ("R1", "R2", "R9", "R19", "R39", "R48", "R49", "R50", "R52", "R56", "R62", "R68")
"""The lines that are guidance, as the game's page lists them."""
PAGE = Path(__file__).parents[3] / "docs" / "games" / "twilight2000.md"


def test_guidance_is_marked():
    """The lines for people are marked as guidance, and no others (T2K R1)."""
    assert TABLE_TALK == tuple(name for name, line in LINES.items() if line.guidance)


@pytest.mark.parametrize("name", TABLE_TALK)
def test_guidance_is_on_the_page(name):
    """The page tells guidance: T2K R1, R2, R9, R19, R39, R48, R49, R50, R52, R56, R62, R68."""
    guidance = (
        PAGE.read_text("utf-8").partition("## Guidance for the table")[2].partition("\n## ")[0]
    )
    assert LINES[name].text in " ".join(guidance.split())


def test_guidance_is_in_the_form():
    """Describe first, what helps or hinders, who may help: in the fields (T2K R2, R48, R52)."""
    fields = fields_of(Skill)
    assert "say first what the character does" in fields["skill_name"].help
    assert "each thing that helps +1 and each that hinders -1" in fields["modifier"].help
    assert "if it makes sense to the Referee" in fields["helpers"].help
