"""The pictures of the reference can be made of the page as it is."""

import pytest

from tests.gates import thorough
from tests.page.card_pictures import LIMIT, installed, names, pictures
from tests.page.conftest import Serving


@pytest.fixture
def lanterns(tmp_path):
    """A server that has the game of the reference installed."""
    site = installed(tmp_path)
    serving = Serving(tmp_path, path=site).begin()
    yield serving.address
    serving.end()


@thorough
def test_every_part_is_found_on_the_page(browser, lanterns, tmp_path):
    """A page that has moved on from what the pictures show is told here, not by a reader."""
    made = [path.name for path in pictures(browser, lanterns, tmp_path)]
    assert made == names()
    assert all((tmp_path / name).stat().st_size < LIMIT for name in made)
