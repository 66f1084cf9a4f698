"""What somebody looks like at a table: dice of their own can be read, whatever they chose.

That everybody sees them, at once and later, is shown in web/tests/shown.test.tsx.
"""

from playwright.sync_api import expect

from tests.page.playing import at, part

FILL = "body => getComputedStyle(body).fill"
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


def test_dice_of_ones_own_can_be_read(somebody, host):
    """In the colour of one's place without having chosen one, and in every set, in a colour."""
    rosa = host.create_table("edge20", name="Rosa")
    bo = host.join(rosa.links["player"], name="Bo")
    person = at(somebody, bo)
    more = part(person, "More")
    more.get_by_role("button", name="What can be done with Bo's seat").click()
    dialog = person.page.get_by_role("dialog")

    def chosen(name, worn):
        dialog.get_by_role("radio", name=name, exact=True).check(force=True)
        expect(dialog.locator(".dice")).to_have_attribute("data-worn", worn)
        contrasts = dialog.locator(".die").evaluate_all(f"dice => dice.map({CONTRAST})")
        assert min(contrasts) >= LIMIT
        return dialog.locator(".die-body").first.evaluate(FILL)

    own = chosen("in my colour", "own")
    dialog.get_by_role("radio", name="olive").check(force=True)
    bodies = {name: chosen(name, name) for name in ("bone", "coal", "brass", "glass")}
    olive = chosen("in my colour", "own")
    assert 6 == len({own, olive, *bodies.values()})
    dialog.get_by_role("radio", name="skull").check(force=True)
    symbol = person.page.locator(".seats-strip .seat", has_text="Bo").locator(".avatar svg")
    expect(symbol).to_be_attached()
    look = {"colour": "olive", "symbol": "skull", "dice": "own"}
    [seat] = [one for one in rosa.snapshot()["seats"] if one["seat"] == bo.seat]
    assert look == seat["look"]
