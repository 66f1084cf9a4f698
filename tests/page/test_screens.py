"""The pictures of every screen in the documentation: made by the walk, small, all shown."""

import re

import pytest

from rollwright.client import Server
from rollwright.kit.games import own_games
from tests.browsers import SOFTWARE
from tests.gates import thorough
from tests.page.evening import an_evening
from tests.page.moments import MOMENTS, lie, seated, watching
from tests.page.people import resize
from tests.page.pressing import pressed
from tests.page.screenshots import (
    FOLDER,
    LIMIT,
    SIZES,
    STAGE,
    STAGED,
    THEMES,
    VARIANTS,
    WORKBENCH,
    benched,
    names,
    staged,
)
from tests.page.variants import names as varied
from tests.page.walks import SCREENS, Sitting

PAGE = FOLDER.parents[1] / "table" / "screens.md"
TOTAL = 3_000_000
ALL_WAYS = FOLDER.parents[1] / "table" / "variants.md"
SHEET, SHEETS = 240_000, 5_000_000
"""Bytes that no sheet of sixteen pictures may have, nor all of them together."""
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


def test_every_screen_is_pictured_in_all_its_ways():
    """A sheet for each screen, dialog and moment: all there, small, and on their page."""
    sizes = {path.name: path.stat().st_size for path in VARIANTS.iterdir()}
    assert sorted(varied()) == sorted(sizes)
    assert {} == {name: size for name, size in sizes.items() if size >= SHEET}
    assert sum(sizes.values()) < SHEETS
    shown = re.findall(r"pictures/variants/([\w-]+\.webp)", ALL_WAYS.read_text("utf-8"))
    assert sorted(varied()) == sorted(shown)


def test_the_workbench_is_pictured():
    """On a phone and a desktop, by day and by night: there, small, and in its how-to."""
    sizes = {path.name: path.stat().st_size for path in WORKBENCH.iterdir()}
    assert sorted(benched()) == sorted(sizes)
    assert {} == {name: size for name, size in sizes.items() if size >= LIMIT}
    page = (FOLDER.parents[1] / "howto" / "workbench.md").read_text("utf-8")
    shown = re.findall(r"pictures/workbench/([\w-]+\.webp)", page)
    assert sorted(benched()) == sorted(shown)


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


@thorough
def test_a_moment_can_be_pictured(driver, server):
    """Dice lie on the stage as solids, on a phone by night."""
    with Server(server.address) as services:
        _, seat = seated(services, "edge20")
        MOMENTS["critical"][1](seat)
        person = watching(driver.browser(*SOFTWARE), seat, size=STAGED["phone"], theme="dark")
        lie(person.page)
        assert [] == person.complaints
        person.context.close()


def test_the_readme_shows_a_table():
    """Whoever looks at the project first sees the table with an open choice."""
    assert "docs/pictures/table/table-desktop-light.webp" in README.read_text("utf-8")


@thorough
def test_a_picture_of_the_table_can_be_taken(browser, server):
    """The way to the open choice works today in every size, and its picture fits in the docs."""
    with Server(server.address) as services:
        at = Sitting(browser, server.address, an_evening(services))
    blank = browser.new_page()
    for size in SIZES.values():
        for person in at.people:
            resize(person.page, size)
        shot = SCREENS["table"](at).screenshot()
        small = pressed(blank, shot)
        assert b"\x89PNG" == small[:4]
        assert len(small) < min(LIMIT, len(shot))
    blank.close()
    for person in at.people:
        person.context.close()
