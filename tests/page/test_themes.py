"""A game's own colours and pictures on the page, by day and by night."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from rollwright.kit.games import find_game, own_games
from rollwright.pictures.themes import theme_to_json
from tests.gates import but
from tests.page.people import barriers
from tests.page.test_twins import a_table

HELD = "name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)"


FACED = """face =>
  getComputedStyle(document.querySelector('.roll-who')).fontFamily.includes(face)"""
TONES = ("great", "good", "mixed", "bad")
NAMED = """(tone) => {
  const die = document.querySelector(".felt-tray .die");
  die.dataset.tone = tone;
  return getComputedStyle(die.querySelector(".die-name")).color.match(/[\\d.]+/g).map(Number);
}"""


def luminance(colour):
    """How bright a colour is, by the definition of WCAG."""
    parts = [part / 255 for part in colour[:3]]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("game", but(own_games(), "ghostburn"))
def test_a_table_has_the_colours_of_its_game(somebody, server, game):
    """All that the card comes to stands in the page, by day and by night, and can be read; so can
    the name of a die on the felt in every tone, 4.5 to 1 at the least, though axe does not look
    through the felt's shading. Names stand in the face of the game, which comes with the page.
    """
    bo = somebody(color_scheme="light")
    bo.page.goto(a_table(server.address, game, game))
    expect(bo.page.locator(".roll-card .felt-tray .die").first).to_be_visible()
    theme = find_game(game).card.theme
    for when in ("light", "dark"):
        bo.page.emulate_media(color_scheme=when)
        colours = theme_to_json(theme)[when]
        assert {"felt", "on-felt", "panel", "ink", "accent", "awful", "die"} <= set(colours)
        assert "<svg" in colours.pop("pattern")
        bo.page.wait_for_function(
            f"([name, colour]) => ({HELD})(name) === colour", arg=["felt", colours["felt"]]
        )
        assert colours == {name: bo.page.evaluate(HELD, name) for name in colours}
        assert "data:image/svg+xml" in bo.page.evaluate(HELD, "felt-pattern")
        assert [] == barriers(bo.page, "color-contrast")
        names_can_be_read(bo.page, when)
    bo.page.wait_for_function(FACED, arg=theme.display)
    bo.page.wait_for_function("face => document.fonts.check(`16px '${face}'`)", arg=theme.display)
    fetched = "() => performance.getEntriesByType('resource').map((one) => one.name)"
    assert any(name.endswith(".woff2") for name in bo.page.evaluate(fetched))


def names_can_be_read(page, when):
    """The names of dice on the felt, and at its edge."""
    for tone, ground in product(TONES, ("felt", "felt-edge")):
        name = luminance(page.evaluate(NAMED, tone))
        below = luminance(bytes.fromhex(page.evaluate(HELD, ground).strip().lstrip("#")))
        light, dark = max(name, below) + 0.05, min(name, below) + 0.05
        assert light / dark >= 4.5, (tone, when, ground, light / dark)


def test_the_first_page_has_its_own_colours(somebody):
    """What no game is about looks as the page does; by night too. Games wear their own felt."""
    ann = somebody()
    ann.page.goto(ann.address)
    expect(ann.page.get_by_role("button", name="Open the table")).to_be_visible()
    assert re.fullmatch("#f7f0df", ann.page.evaluate(HELD, "felt"))
    worn = ann.page.locator(".game-choice.faced")
    expect(worn).to_have_count(len(own_games()))
    day = [one.evaluate("tile => tile.style.getPropertyValue('--felt')") for one in worn.all()]
    assert len(set(day)) == len(day)
    ann.page.emulate_media(color_scheme="dark")
    assert re.fullmatch("#1c5748", ann.page.evaluate(HELD, "felt"))
    expect(worn.first).not_to_have_attribute("style", re.compile(day[0]))
