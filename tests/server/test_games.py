"""Games are described once in each language, however somebody calls it or them."""

import pytest

from rollwright.errors import UnknownName
from rollwright.server.routes import games


def test_a_game_is_described_once_in_each_language():
    """Each made-up language had a game described anew: a stranger kept the whole server busy."""
    known = games.Descriptions()
    english, german = (known.in_language("dust", language) for language in ("en", "de"))
    assert english != german
    for language in ("xx", "en-GB", "EN_us", "zz-zz", "nonsense!"):
        assert english is known.in_language("dust", language)
    assert german is known.in_language("dust", "de-AT")
    assert english != known.in_language("dust", None)  # without any words


def test_a_game_that_is_not_here_is_not_looked_for(monkeypatch):
    """To look through all packages takes a hundredth of a second or more, for each name."""

    def never(name):
        raise AssertionError("it is looked for")

    monkeypatch.setattr(games, "find_game", never)
    with pytest.raises(UnknownName, match="x" * 60):
        games.Descriptions().game("x" * 60_000)
