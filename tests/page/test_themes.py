"""A game's own colours and pictures on the page, by day and by night."""

import re

import pytest
from playwright.sync_api import expect

from rollwright.kit.games import find_game, own_games
from rollwright.pictures.themes import theme_shown
from tests.page.people import Person, barriers
from tests.page.test_twins import a_table

HELD = "name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)"


@pytest.mark.parametrize("game", own_games())
def test_a_table_has_the_colours_of_its_game(browser, server, game):
    """All that the card comes to stands in the page, by day and by night, and can be read."""
    bo = Person(browser, server.address, color_scheme="light")
    bo.page.goto(a_table(server.address, game, game))
    expect(bo.page.locator(".roll-card .die").first).to_be_visible()
    for when in ("light", "dark"):
        bo.page.emulate_media(color_scheme=when)
        colours = theme_shown(find_game(game).card.theme)[when]
        assert len(colours) == 8
        bo.page.wait_for_function(
            f"([name, colour]) => ({HELD})(name) === colour", arg=["felt", colours["felt"]]
        )
        assert colours == {name: bo.page.evaluate(HELD, name) for name in colours}
        assert [] == barriers(bo.page, "color-contrast")
    bo.context.close()


def test_the_first_page_has_its_own_colours(somebody):
    """What no game is about looks as the page does; by night too."""
    ann = somebody()
    ann.page.goto(ann.address)
    expect(ann.page.get_by_role("button", name="Open the table")).to_be_visible()
    assert re.fullmatch("#1d5a4c", ann.page.evaluate(HELD, "felt"))
    ann.page.emulate_media(color_scheme="dark")
    assert re.fullmatch("#237561", ann.page.evaluate(HELD, "felt"))
