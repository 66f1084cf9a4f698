"""The two games in one file each, loaded as the command line loads them."""

from pathlib import Path

import pytest

from rollwright.file_games import load_game

EXAMPLES = Path(__file__).parents[2] / "docs" / "games" / "examples"


@pytest.fixture(scope="session")
def duality():
    """The game of hope and fear."""
    return load_game(str(EXAMPLES / "duality.py"))


@pytest.fixture(scope="session")
def race():
    """The race along the causeway."""
    return load_game(str(EXAMPLES / "marsh_race.py"))
