"""Rolling without a table: from a link, through every choice, on a phone."""

import pytest
from playwright.sync_api import expect

from tests.page.people import PHONE

GAMES = ["twilight2000", "dust", "kleptonomicon", "edge20", "ghostburn"]


def test_a_link_brings_the_roll_back(somebody):
    """What is set stands in the address, and the address opens it again for somebody else."""
    ann, bo = somebody(), somebody()
    ann.page.goto(f"{ann.address}roll?game=dust&roll=roll")
    ann.page.get_by_role("radio", name="8", exact=True).check(force=True)
    expect(ann.page.get_by_role("radio", name="8", exact=True)).to_be_checked()
    ann.page.wait_for_url("**difficulty**")
    bo.page.goto(ann.page.url)
    expect(bo.page.get_by_role("radio", name="8", exact=True)).to_be_checked()


def test_a_choice_is_played_to_its_end(somebody):
    """A roll stops at its choice, says what each option is worth, and goes on with the answer."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?game=ghostburn&roll=roll")
    ann.page.locator(".roll-button").click()
    choice = ann.page.get_by_role("group", name="Your choice")
    expect(choice.get_by_role("button", name="Keep")).to_contain_text("%")
    choice.get_by_role("button", name="Keep").click()
    expect(choice).to_have_count(0)
    told = ann.page.locator(".play .told").inner_text()
    good = "good" if told.endswith("Success.") else "bad"
    expect(ann.page.locator(".play")).to_have_attribute("data-good", good)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_rolls_on_a_phone(somebody, game):
    """At 360 pixels nothing sticks out, the button is in sight, and a tap throws dice."""
    ann = somebody(size=PHONE, color_scheme="dark")
    ann.page.goto(f"{ann.address}roll?game={game}")
    expect(ann.page.locator(".builder-odds .chance strong")).not_to_have_text("–")
    expect(ann.page.locator(".roll-button")).to_be_in_viewport(ratio=1)
    assert 360 >= ann.page.evaluate("document.documentElement.scrollWidth")
    ann.page.locator(".roll-button").click()
    expect(ann.page.locator(".play .die").first).to_be_in_viewport()
    expect(ann.page.locator(".play .told")).not_to_be_empty()


def test_the_page_speaks_german_too(somebody):
    """A browser that prefers German finds the panel in German."""
    ute = somebody(locale="de-DE")
    ute.page.goto(f"{ute.address}roll?game=dust")
    expect(ute.page.get_by_role("heading", name="Einfach würfeln")).to_be_visible()
    expect(ute.page.locator(".roll-button")).to_have_text("Würfeln")
    expect(ute.page.get_by_role("slider", name="Würfel im Pool")).to_be_visible()
