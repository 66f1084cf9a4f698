"""Every screen and dialog: no barrier, both themes, text at 200 %, targets, no motion."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.gates import thorough
from tests.page.evening import an_evening
from tests.page.people import DESKTOP, PHONE, barriers, resize
from tests.page.walks import DIALOGS, SCREENS, Sitting, table

WALK = SCREENS | DIALOGS
NOTHING = {name: [] for name in WALK}
NARROW = (320, 640)
LARGE = "size => document.documentElement.style.setProperty('--text-size', size)"
LOOKS = Path(__file__).with_name("looks.js").read_text("utf-8")


def checked(at):
    """The screen that checks a log, without Python: with it, test_verify_headline looks at it."""
    page = at.guest.page
    page.route("**/python/*", lambda route: route.abort())
    page.goto(f"{at.address}verify")
    log = {"name": "log.json", "mimeType": "application/json"}
    held = json.dumps(at.evening.referee.log()).encode()
    page.locator("input[type=file]").set_input_files([{**log, "buffer": held}])
    page.get_by_role("button", name="Replay the rules here").wait_for()
    return page


def sized(at, size):
    """Give every browser a size."""
    for person in at.people:
        resize(person.page, size)


def edges_at_200(page):
    """What is past the edge of a page with text twice as large, and what is cut."""
    page.evaluate(LARGE, "2")
    found = page.evaluate("[looks.pastTheEdge(), looks.cutOff()]")
    page.evaluate(LARGE, "1")
    return found


def in_front(page):
    """The dialog that lies in front of a screen, which by itself is walked to as well."""
    return "dialog[open]" if page.locator("dialog[open]").count() else ""


def barriers_in(theme, page):
    """What axe finds on a page in a theme."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    return [f"{theme}: {barrier}" for barrier in barriers(page)]


@pytest.fixture(scope="module")
def at(browser, server):
    """Two browsers at an evening's table, and one outside."""
    with Server(server.address) as services:
        sitting = Sitting(browser, server.address, an_evening(services))
        yield sitting
    for person in sitting.people:
        person.context.close()


@pytest.fixture(scope="module")
def walked(at):
    """Everything that was found on a walk through all screens, by what was looked for.

    One way to each screen: there its size is changed in place.
    """
    found = {name: {} for name in ("barriers", "edges", "edges at 200", "cut", "targets", "motion")}
    sized(at, DESKTOP)
    for name, show in (WALK | {"verify": checked}).items():
        page = show(at)
        page.evaluate(LOOKS)
        found["motion"][name] = page.evaluate("looks.moving()")
        found["barriers"][name] = barriers(page, inside=in_front(page))
        found["edges at 200"][name], found["cut"][name] = edges_at_200(page)
        resize(page, PHONE)
        found["edges"][name], found["targets"][name] = page.evaluate(
            "[looks.pastTheEdge(), looks.smallTargets()]"
        )
        resize(page, NARROW)
        found["edges"][name] += page.evaluate("looks.pastTheEdge()")
        edges, cut = edges_at_200(page)
        found["edges at 200"][name] += edges
        found["cut"][name] += cut
        resize(page, DESKTOP)
    return found


@thorough
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_barrier_in_any_size_and_theme(at, theme, size):
    """Each screen reached in that size, and drawn in that theme."""
    sized(at, size)
    found = {name: barriers_in(theme, show(at)) for name, show in WALK.items()}
    for person in at.people:
        person.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert NOTHING == found


def test_axe_finds_no_barrier_anywhere(walked):
    """Every screen and every dialog."""
    assert NOTHING == walked["barriers"]


def test_nothing_stands_past_the_edge_of_a_phone(walked):
    """At 360 pixels and at 320 everything is in sight, or in a row that scrolls by itself."""
    assert NOTHING == walked["edges"]


def test_text_at_200_percent_does_not_break(walked):
    """With text twice as large, nothing is past an edge nor a control cut: on 320 pixels, where
    there is least room, and on a desktop.
    """
    assert NOTHING == walked["edges at 200"]
    assert NOTHING == walked["cut"]


def test_targets_can_be_hit(walked):
    """Main controls have 44 pixels each way, everything else at least 24."""
    assert NOTHING == walked["targets"]


def test_with_reduced_motion_no_screen_moves(walked):
    """On no screen does an animation run."""
    assert NOTHING == walked["motion"]


def test_with_reduced_motion_dice_lie_at_once(at):
    """A push that is chosen throws dice, and nothing is animated while they come."""
    sized(at, DESKTOP)
    page = table(at)
    page.evaluate(LOOKS)
    page.evaluate("globalThis.moved = looks.watch()")
    page.locator(".option").last.click()
    expect(page.locator(".decision")).to_have_count(0)
    expect(page.locator(".roll-card").last.locator(".told, .waiting").first).to_be_visible()
    assert [] == page.evaluate("moved")
