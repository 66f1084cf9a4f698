"""The page for everybody: without a mouse, with a screen reader, without a network."""

import pytest
from playwright.sync_api import expect

from tests.gates import thorough
from tests.page.people import DESKTOP, KEEPING, MOVING, PHONE


@thorough  # test_accessibility walks through all screens
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_no_barrier(somebody, theme, size):
    """Start, table, people and verify hold every rule that axe knows."""
    rosa = somebody(size=size, color_scheme=theme)
    rosa.page.goto(rosa.address)
    rosa.page.get_by_role("radio", name="GHOST/BURN").check()
    found = {"start": rosa.barriers()}
    rosa.open_table_as_it_is("Rosa")
    expect(rosa.feed("Rosa sits down")).to_be_visible()
    found["table"] = rosa.barriers()
    rosa.page.get_by_role("navigation").get_by_role("button", name="More").click()
    expect(rosa.page.get_by_role("heading", name="At the table")).to_be_visible()
    found["more"] = rosa.barriers()
    rosa.page.goto(f"{rosa.address}verify")
    expect(rosa.page.get_by_role("heading", level=1)).to_be_visible()
    found["verify"] = rosa.barriers()
    assert {"start": [], "table": [], "more": [], "verify": []} == found


def press(person, *keys):
    """Press keys, one after the other."""
    for key in keys:
        person.page.keyboard.press(key)


@thorough  # test_keyboard plays a whole session so
def test_a_roll_is_made_and_heard_of_by_keyboard_alone(somebody):
    """From the first page to a result that is read out, without touching a mouse.

    No such check asks for a choice; how one is made with keys is shown in test_keyboard.
    """
    ann = somebody(**MOVING)
    ann.page.goto(ann.address)
    ann.page.get_by_role("radio", name="d20 with edges").focus()
    press(ann, "Space", "Tab")
    ann.page.keyboard.type("Ann")
    press(ann, "Enter")
    expect(ann.feed("Ann sits down")).to_be_visible()
    expect(ann.page.locator(".dock .chance strong")).not_to_have_text("–")
    press(ann, "Control+Enter")
    card = ann.page.locator(".roll-card")
    expect(card).to_be_visible()
    expect(card.locator(".told")).to_be_visible()
    ann.hears("Ann:")
    press(ann, "f")
    expect(ann.page.locator(".feed-item").last).to_be_focused()
    press(ann, "ArrowUp")
    expect(ann.page.locator(".feed-item").nth(-2)).to_be_focused()


@thorough  # test_recovery does what waits for the network
def test_without_a_network_the_page_still_opens_and_says_so(somebody):
    """The shell comes from the browser's store, and the table comes back with the network."""
    rosa = somebody(**KEEPING)
    rosa.open_table("Free dice", "Rosa")
    rosa.page.evaluate("navigator.serviceWorker.ready")
    rosa.page.wait_for_function(
        "caches.keys().then(async (names) => "
        "names.length > 0 && (await (await caches.open(names[0])).keys()).length > 20)"
    )
    rosa.context.set_offline(True)
    rosa.page.reload()
    expect(rosa.seen("No connection")).to_be_visible()
    rosa.context.set_offline(False)
    expect(rosa.feed("Rosa sits down")).to_be_visible()
