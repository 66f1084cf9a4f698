"""The pictures of every screen in the documentation: made by the walk, small, all shown."""

import re

import pytest

from rollwright.client import Server
from rollwright.kit.games import own_games
from tests.page.conftest import launched
from tests.page.evening import an_evening
from tests.page.moments import MOMENTS, SOFTWARE, lie, seated, watching
from tests.page.pressing import pressed
from tests.page.screenshots import FOLDER, LIMIT, SIZES, STAGE, STAGED, THEMES, names, staged
from tests.page.walks import SCREENS, Sitting

PAGE = FOLDER.parents[1] / "table" / "screens.md"
TOTAL = 3_000_000
README = FOLDER.parents[2] / "README.md"


def test_there_is_a_picture_of_every_screen():
    """Phone and desktop, light and dark; `./dev run tests.page.screenshots` makes them."""
    there = {path.name for path in FOLDER.glob("*.webp")}
    assert set(names()) == there
    assert len(SCREENS) * len(SIZES) * len(THEMES) == len(there)


def test_the_pictures_are_small():
    """No picture is heavy, nor are all of them together."""
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.webp")}
    assert {} == {name: size for name, size in sizes.items() if size >= LIMIT}
    assert sum(sizes.values()) < TOTAL


def test_the_page_of_the_docs_shows_them_all():
    """Each picture once, and none that is not there."""
    shown = re.findall(r"pictures/table/([\w-]+\.webp)", PAGE.read_text("utf-8"))
    assert sorted(names()) == sorted(shown)


def test_the_stage_is_pictured_in_every_game():
    """Moments, rows of pictures and the recording: all there, small, and on the page."""
    sizes = {path.name: path.stat().st_size for path in STAGE.iterdir()}
    assert sorted(staged()) == sorted(sizes)
    assert {game for game, _ in MOMENTS.values()} == set(own_games())
    recording = sizes.pop("recording.webp")
    assert recording < 600_000
    assert {} == {name: size for name, size in sizes.items() if size >= LIMIT}
    assert sum(sizes.values()) < TOTAL
    shown = re.findall(r"pictures/stage/([\w-]+\.webp)", PAGE.read_text("utf-8"))
    assert sorted(staged()) == sorted({*shown, "recording.webp"})


def test_who_looks_first_sees_it_move():
    """The recording stands on the first page of the documentation and in the README."""
    assert "docs/pictures/stage/recording.webp" in README.read_text("utf-8")
    assert "pictures/stage/recording.webp" in (FOLDER.parents[1] / "index.md").read_text("utf-8")


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_can_be_played(server, name):
    """The story of every picture works by the rules of today."""
    game, play = MOMENTS[name]
    with Server(server.address) as services:
        _, seat = seated(services, game)
        assert play(seat).id


def test_a_moment_can_be_pictured(browser, server):
    """Dice lie on the stage as solids, on a phone by night."""
    chromium = launched(browser.browser_type, *SOFTWARE)
    with Server(server.address) as services:
        _, seat = seated(services, "edge20")
        MOMENTS["critical"][1](seat)
        person = watching(chromium, seat, size=STAGED["phone"], theme="dark")
        lie(person.page)
        assert [] == person.complaints
    chromium.close()


def test_the_readme_shows_a_table():
    """Whoever looks at the project first sees the table with an open choice."""
    assert "docs/pictures/table/table-desktop-light.webp" in README.read_text("utf-8")


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
