"""The pictures of every screen in the documentation: made by the walk, small, all shown."""

import re

import pytest

from rollwright.client import Server
from tests.page.evening import an_evening
from tests.page.pressing import pressed
from tests.page.screenshots import FOLDER, LIMIT, SIZES, THEMES, names
from tests.page.walks import SCREENS, Sitting

PAGE = FOLDER.parents[1] / "table" / "screens.md"
TOTAL = 3_000_000
README = FOLDER.parents[2] / "README.md"


def test_there_is_a_picture_of_every_screen():
    """Phone and desktop, light and dark; `./dev run tests.page.screenshots` makes them."""
    there = {path.name for path in FOLDER.glob("*.png")}
    assert set(names()) == there
    assert len(SCREENS) * len(SIZES) * len(THEMES) == len(there)


def test_the_pictures_are_small():
    """No picture is heavy, nor are all of them together."""
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.png")}
    assert {} == {name: size for name, size in sizes.items() if size >= LIMIT}
    assert sum(sizes.values()) < TOTAL


def test_the_page_of_the_docs_shows_them_all():
    """Each picture once, and none that is not there."""
    shown = re.findall(r"pictures/table/([\w-]+\.png)", PAGE.read_text("utf-8"))
    assert sorted(names()) == sorted(shown)


def test_the_readme_shows_a_table():
    """Whoever looks at the project first sees the table with an open choice."""
    assert "docs/pictures/table/table-desktop-light.png" in README.read_text("utf-8")


@pytest.mark.parametrize("size", SIZES)
def test_a_picture_of_the_table_can_be_taken(browser, server, size):
    """The way to the open choice works today, and its picture fits in the documentation."""
    with Server(server.address) as services:
        at = Sitting(browser, server.address, an_evening(services))
        width, height = SIZES[size]
        for person in at.people:
            person.page.set_viewport_size({"width": width, "height": height})
        shot = SCREENS["table"](at).screenshot()
        blank = browser.new_page()
        small = pressed(blank, shot)
        blank.close()
        for person in at.people:
            person.context.close()
    assert b"\x89PNG" == small[:4]
    assert len(small) < min(LIMIT, len(shot))
