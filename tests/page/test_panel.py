"""The roll panel in a browser: odds that follow the fingers, and room for twice the text.

What it says of what the server answers is looked at in web/tests/panel.test.tsx.
"""

import pytest
from playwright.sync_api import expect

import rollwright as rw
from tests.page.people import PHONE, Person


@pytest.fixture(scope="module")
def ann(browser, server):
    """Somebody with a page without a table."""
    person = Person(browser, server.address)
    yield person
    assert person.complaints == []
    person.context.close()


def percent(chance):
    """A chance as the page writes it."""
    shown = float(chance) * 100
    return f"{shown:.1f}".removesuffix(".0") if shown < 10 or shown > 95 else f"{shown:.0f}"


def test_the_odds_follow_a_slider_and_its_keys_roll(ann):
    """At every step of the slider the page shows the exact chance that the library counts."""
    ann.page.goto(f"{ann.address}roll?game=dust&roll=roll&with=%7B%22pool%22%3A1%7D")
    slider = ann.page.get_by_role("slider", name="Dice in the pool")
    slider.focus()
    for pool in range(1, 8):
        outcomes = rw.odds({"game": "dust", "roll": "roll", "pool": pool})
        expected = percent(outcomes.p(lambda outcome: outcome.net > 0))
        expect(ann.page.locator(".dock .chance strong")).to_have_text(f"{expected} %")
        slider.press("ArrowRight")
    slider.press("Control+Enter")
    expect(ann.page.locator(".play .told")).to_be_visible()


STICKING_OUT = """
() => [...document.querySelectorAll('.roll-panel, .dock').values()]
  .flatMap((place) => [...place.querySelectorAll('button, label, input, summary')])
  .filter((one) => one.checkVisibility() && !one.closest('.kinds, .kept, .game-picker'))
  .filter((one) => one.getBoundingClientRect().right > innerWidth)
  .map((one) => one.textContent || one.getAttribute('aria-label') || one.className)
"""
ROLLS = {
    "Any dice": "",
    "A Thousand Miles of Dust": "Pool roll",
    "The Kleptonomicon": "Test",
    "d20 with edges": "Check",
    "GHOST/BURN": "Skill roll",
    "Twilight: 2000": "Attack",
}
"""By game the kind of roll that has most to say."""


def test_at_twice_the_text_size_everything_is_within_reach(ann):
    """On a phone with text at 200 % no control of the panel lies past the edge of the screen."""
    page = ann.page
    page.goto(f"{ann.address}api/v1")
    page.evaluate("localStorage.setItem('rollwright.text', '2')")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(f"{ann.address}roll")
    games = page.get_by_role("group", name="Game")
    out = {}
    for game, kind in ROLLS.items():
        games.get_by_role("radio", name=game).check()
        if kind:
            page.locator(".kinds").get_by_role("button", name=kind, exact=True).click()
        expect(page.locator(".dock .chance:not([data-waits]) strong")).not_to_have_text("–")
        expect(page.locator(".roll-button")).to_be_in_viewport(ratio=1)
        out[game] = page.evaluate(STICKING_OUT)
        assert 360 >= page.evaluate("document.documentElement.scrollWidth")
        if game == "A Thousand Miles of Dust":
            eight = page.get_by_role("group", name="Difficulty").get_by_role(
                "radio", name="8", exact=True
            )
            eight.check()
            expect(eight).to_be_checked()
    assert {game: [] for game in ROLLS} == out
