"""What lies before one's eyes at a new table: the invitation, the dice, and then the result."""

from playwright.sync_api import expect

from tests.page.people import PHONE, wait_until
from tests.page.playing import card, enter, options, panel, roll


def in_sight(person, place):
    """Whether something lies whole in what the stage shows."""
    box = person.page.locator(".stage-pane").bounding_box()
    found = place.bounding_box()
    above = found["y"] >= box["y"]
    return above and found["y"] + found["height"] <= box["y"] + box["height"]


def test_whoever_opens_a_table_sees_the_link_first_and_then_the_dice(somebody):
    """On a phone: no link to skip to is in the way, and the invitation does not push dice away."""
    rosa = somebody(size=PHONE)
    rosa.open_table_by_hand("Dust", "Rosa")
    expect(rosa.page.get_by_role("button", name="Copy the link")).to_be_in_viewport()
    expect(rosa.page.get_by_role("link", name="Skip to the content")).not_to_be_focused()
    place = panel(rosa, "Pool roll")
    options(place, own_dice=True)
    roll(place)
    enter(card(rosa, "Roll"), 7, 7, 3, 4, 5)
    expect(card(rosa, "Roll").locator(".told")).to_be_visible()
    expect(rosa.page.locator(".roll-card .felt-tray")).to_be_in_viewport(ratio=1)
    wait_until(rosa.page, lambda: in_sight(rosa, rosa.page.locator(".roll-card")))
