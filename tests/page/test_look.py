"""What somebody looks like at a table: a colour, a symbol and dice of their own, for everybody."""

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.page.playing import part

LIMIT = 4.5
"""How much letters on a die must stand out."""
CONTRAST = """
(die) => {
  const pen = document.createElement('canvas').getContext('2d');
  const light = (colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((part) => {
      const level = part / 255;
      return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const body = light(getComputedStyle(die.querySelector('.die-body')).fill);
  const ink = light(getComputedStyle(die.querySelector('.die-picture')).color);
  return (Math.max(body, ink) + 0.05) / (Math.min(body, ink) + 0.05);
}
"""


@pytest.fixture
def seats(server):
    """A referee and a player of edge20, as programs; a seat each for a browser."""
    with Server(server.address) as host:
        rosa = host.create_table("edge20", name="Rosa")
        yield rosa, host.join(rosa.links["player"], name="Bo")


def opened(person):
    """What Bo can choose in his seat."""
    button = part(person, "More").get_by_role("button", name="What can be done with Bo's seat")
    button.click()
    return person.page.get_by_role("dialog")


def body_of(place):
    """The colour that a die in a place is drawn with."""
    return place.locator(".die-body").first.evaluate("body => getComputedStyle(body).fill")


def test_everybody_sees_the_dice_that_somebody_chose(somebody, seats):
    """Chosen in one's own seat, by keys or taps; others see it at once, and after a reload."""
    rosa, bo = seats
    mine, hers = somebody(), somebody()
    for person, seat in ((mine, bo), (hers, rosa)):
        person.page.goto(str(seat.move()))
        expect(person.page.get_by_role("region", name="Stage", exact=True)).to_be_visible()
    bo.roll("1d20")
    on_stage = hers.page.locator(".stage-pane .roll-card")
    of_the_game = body_of(on_stage)

    dialog = opened(mine)
    dialog.get_by_role("radio", name="violet").check(force=True)
    dialog.get_by_role("radio", name="skull").check(force=True)
    dialog.get_by_role("radio", name="in my colour").check(force=True)
    expect(on_stage.locator(".dice")).to_have_attribute("data-worn", "own")
    assert of_the_game != body_of(on_stage)
    assert [] == mine.barriers()
    sets = {"in my colour": "own", "bone": "bone", "coal": "coal", "brass": "brass"}
    for name, worn in {**sets, "glass": "glass"}.items():
        dialog.get_by_role("radio", name=name, exact=True).check(force=True)
        expect(dialog.locator(".dice")).to_have_attribute("data-worn", worn)
        contrasts = dialog.locator(".die").evaluate_all(f"dice => dice.map({CONTRAST})")
        assert min(contrasts) >= LIMIT
    hers.page.reload()
    expect(on_stage.locator(".dice")).to_have_attribute("data-worn", "glass")
    symbol = hers.page.locator(".seats-strip .seat", has_text="Bo").locator(".avatar svg")
    expect(symbol).to_be_attached()


def test_two_choices_in_one_moment_are_both_kept(somebody, seats):
    """The second tap, before the first has come back from the server, adds to it."""
    _, bo = seats
    mine = somebody()
    mine.page.goto(str(bo.move()))
    dialog = opened(mine)
    tap = "labels => labels.forEach(label => document.querySelector(label).click())"
    names = [f'.look input[aria-label="{name}"]' for name in ("violet", "skull", "glass")]
    expect(dialog.locator(names[0])).to_be_attached()
    mine.page.evaluate(tap, names)
    for name in names:
        expect(dialog.locator(name)).to_be_checked()
    expect(dialog.locator(".dice")).to_have_attribute("data-worn", "glass")
    mine.page.reload()
    opened(mine)
    for name in names:
        expect(dialog.locator(name)).to_be_checked()


def test_dice_in_ones_own_colour_without_having_chosen_one(somebody, seats):
    """They are in the colour of the place, and readable."""
    _, bo = seats
    mine = somebody()
    mine.page.goto(str(bo.move()))
    dialog = opened(mine)
    dialog.get_by_role("radio", name="in my colour").check(force=True)
    expect(dialog.locator(".dice")).to_have_attribute("data-worn", "own")
    contrasts = dialog.locator(".die").evaluate_all(f"dice => dice.map({CONTRAST})")
    assert min(contrasts) >= LIMIT
