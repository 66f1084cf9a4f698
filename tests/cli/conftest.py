"""What a test of the command line has loaded by the way is taken away after it."""

import pytest

from rollwright import file_games
from rollwright.engine import values
from rollwright.kit import games


@pytest.fixture(autouse=True)
def forgotten_rules():
    """Rules of a file or a module are a game, and called so, for as long as a test asks them."""
    yield
    for game in file_games._games.values():
        values._homes.pop(game.package, None)
        values._packages.pop(game.name, None)
        games._loaded.pop(game.name, None)
    if file_games._games:
        values._written.clear()
    file_games._games.clear()
    file_games._loaded.clear()
