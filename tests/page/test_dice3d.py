"""Dice that roll in three dimensions: the server decides, and nobody pays who did not ask.

Who asks for them, and what is remembered of that, is looked at in web/tests/solid_dice.test.tsx.
"""

import json
import re

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from rollwright.server.routes.site import FOLDER
from tests.browsers import SOFTWARE
from tests.drafts import drafted
from tests.page.bundles import bundled
from tests.page.clocks import Clock
from tests.page.people import MOVING, resize
from tests.page.playing import labelled
from tests.server.guests import CLIENT

SWITCHED_ON = "localStorage.setItem('rollwright.dice3d', 'true')"
ONE_THROW = "Math.random = () => 0.42"
"""The same throw in every run; that others end well too is shown in web/tests/physics.test.ts."""
SMALL = (380, 420)
SLOWLY = 120
"""Milliseconds between two pictures: fewer than thirty a second."""


def chunk():
    """The file that holds everything about dice in three dimensions."""
    [found] = [path.name for path in (FOLDER / "assets").glob("dice3d-*.js")]
    return found


def fetched(person):
    """The names of the scripts that a page asks for from now on."""
    names = []
    person.page.on("request", lambda request: names.append(request.url.rpartition("/")[2]))
    return names


def rolled(person, dice):
    """Roll dice without a table, and wait for the sentence that tells the result."""
    person.page.goto(f"{person.address}roll?dice={dice}")
    expect(person.page.locator(".dock .chance strong")).not_to_have_text("–")
    person.page.locator(".roll-button").click()
    expect(person.page.locator(".play .told")).not_to_be_empty()


@pytest.fixture
def drawing(driver):
    """A Chromium that draws in three dimensions without a graphics card."""
    return driver.browser(*SOFTWARE)


ABLE = """
Object.defineProperty(navigator, "hardwareConcurrency", { value: 8 });
const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, how) {
  return get.call(this, kind, { ...how, failIfMajorPerformanceCaveat: false });
};
"""


def test_nothing_of_it_is_fetched_where_the_device_cannot(somebody):
    """Without quick graphics neither a roll nor the store of the page fetches a byte of it, until
    somebody switches it on, which fetches it at once.
    """
    ann = somebody(**MOVING)
    names = fetched(ann)
    rolled(ann, "3d6")
    shell = CLIENT.get(f"{ann.address}worker.js").text
    assert chunk() not in names
    assert chunk() not in shell
    assert json.loads((FOLDER / "sizes.json").read_text("utf-8"))["table"] < 60_000
    ann.page.get_by_role("button", name="Settings").click()
    with ann.page.expect_response(re.compile("dice3d-")):
        ann.page.get_by_role("switch", name="3D dice").check()


WATCH = """
() => {
  const { dataset } = document.body;
  const watch = new MutationObserver(() => {
    const canvas = document.querySelector('canvas.dice3d');
    if (!canvas) return;
    const rolled = document.querySelectorAll('.die-picture[data-flying=rolled]').length;
    if (rolled <= Number(dataset.rolled ?? 0)) return;
    dataset.rolled = rolled;
    dataset.hidden = canvas.getAttribute('aria-hidden');
  });
  watch.observe(document.body, { subtree: true, childList: true, attributes: true });
}
"""
SHEET = {"name": "Novak", "AGL": "C", "weapons": [{"name": "AK", "rounds": 30, "rate_of_fire": 6}]}
ATTACK = {"roll": "attack", "weapon": "AK", "ammo_dice": 2}
FELT = """
() => new MutationObserver(() => {
  const canvas = document.querySelector('canvas.dice3d');
  if (!canvas) return;
  const cut = canvas.style.clipPath.match(/[\\d.]+(?=px)/g).map(Number);
  const [top, right = top, bottom = top, left = right] = cut;
  const felt = document.querySelector('.stage-pane').getBoundingClientRect();
  const box = canvas.getBoundingClientRect();
  const over = Math.max(felt.top - box.top - top, felt.left - box.left - left,
    box.right - right - felt.right, box.bottom - bottom - felt.bottom);
  document.body.dataset.over = Math.round(over);
  const edges = [top, right, bottom, left].filter(Boolean).length;
  const soft = canvas.style.mask.match(/transparent/g)?.length ?? 0;
  document.body.dataset.hard = edges - soft;
}).observe(document.body, { childList: true })
"""
DRAWN = """
(die) => {
  const canvas = die.querySelector('canvas');
  const middle = [canvas.width / 2, canvas.height / 2];
  return canvas.getContext('2d').getImageData(...middle, 1, 1).data[3];
}
"""


@pytest.fixture
def novak(server):
    """The seat of a player with a character."""
    with Server(server.address) as host:
        bo = host.join(host.create_table("twilight2000", name="Rosa").links["player"], name="Bo")
        bo.do("sheet.create", values=SHEET)
        yield bo


def attacked(seat):
    """An attack with known faces that waits: keep or push?"""
    return seat.enter(seat.roll(draft=drafted(ATTACK), sheet=seat.seat, physical=True), [2, 3, 6])


def test_dice_stay_the_dice_that_rolled(drawing, somebody, novak):
    """On the felt alone, and then as they landed: through a push, a reload and another size."""
    ann = somebody(browser=drawing, size=(900, 640), **MOVING)
    ann.context.add_init_script(SWITCHED_ON)
    ann.context.add_init_script(ONE_THROW)
    ann.page.goto(str(novak.move()))
    expect(ann.page.locator("html")).to_have_attribute("data-dice3d", "ready")
    expect(ann.page.get_by_role("region", name="Stage", exact=True)).to_be_visible()
    ann.page.evaluate(FELT)
    ann.page.evaluate(WATCH)
    clock = Clock(ann.page)
    stage = ann.page.locator(".stage-pane .roll-card")
    roll = attacked(novak)
    clock.until(lambda: stage.locator("[data-solid]").count() == 3)
    assert "3" == ann.page.evaluate("document.body.dataset.rolled")
    assert int(ann.page.evaluate("document.body.dataset.over")) <= 0
    assert "0" == ann.page.evaluate("document.body.dataset.hard")  # no edge cuts a die
    assert 255 == stage.locator(".die-picture").first.evaluate(DRAWN)
    said = ["d6 shows 2", "ammo d6 shows 3", "ammo d6 shows 6"]
    dice = stage.locator(".die svg[role=img]")
    for number, words in enumerate(said):
        expect(dice.nth(number)).to_have_attribute("aria-label", re.compile(words[-7:]))
    expect(stage.locator(".die").last.locator(".die-tag")).to_have_text("stays")

    resize(ann.page, (760, 560))
    clock.until(lambda: stage.locator("[data-solid]").count() == 3)
    novak.enter(novak.choose(roll, "push"), [4, 5])
    clock.until(lambda: stage.locator(".die[data-tag=again] [data-solid]").count() == 2)
    clock.go_on()
    ann.page.reload()
    expect(stage.locator("[data-flying]")).to_have_count(0)
    expect(stage.locator("[data-solid]").first).to_be_visible()
    assert [] == ann.barriers()
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_role("switch", name="3D dice").uncheck()
    expect(stage.locator("[data-solid]")).to_have_count(0)


def test_below_thirty_pictures_a_second_they_fall_back(drawing, somebody):
    """A device that was thought quick, so that dice rolled unasked, and is not: after two slow
    throws dice are flat for good. Before that the second one is drawn with fewer pixels, which may
    do. They roll on a canvas that no screen reader meets, and lie as the page says them.
    """
    ann = somebody(browser=drawing, size=SMALL, **MOVING)
    ann.context.add_init_script(ABLE)
    ann.context.add_init_script(ONE_THROW)
    ann.page.goto(f"{ann.address}roll?dice=1d20%2B1d4%2B1d100")
    expect(ann.page.locator("html")).to_have_attribute("data-dice3d", "ready")
    expect(ann.page.locator(".dock .chance strong")).not_to_have_text("–")
    ann.page.evaluate(WATCH)
    clock = Clock(ann.page)
    canvas, solid = ann.page.locator("canvas.dice3d"), ann.page.locator(".play [data-solid]")
    pixels = []
    for lie in (3, 0):
        with ann.page.expect_response("**/api/v1/roll") as answered:
            ann.page.locator(".roll-button").click()
        clock.until(canvas.count, SLOWLY)
        pixels.append(canvas.evaluate("one => one.width / one.clientWidth"))
        clock.until(lambda: not canvas.count(), SLOWLY)
        expect(solid).to_have_count(lie)
        faces = [face for one in answered.value.json()["throws"] for face in one["faces"]]
        said = [f"{die} shows {face}" for die, face in zip(("d20", "d4", "d100"), faces)]
        labelled(ann.page.locator(".play").first, *said)
    assert "3" == ann.page.evaluate("document.body.dataset.rolled")
    assert "true" == ann.page.evaluate("document.body.dataset.hidden")
    first, second = pixels
    assert second < 0.8 < first
    assert "true" == ann.page.evaluate("localStorage.getItem('rollwright.dice3d.slow')")


EYE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
EYE += '<circle cx="12" cy="12" r="9"/></svg>'
PAINTING = """
import { sheetOf } from "./src/dice3d/painting";
import { shapeOf } from "./src/dice3d/shapes";
import { front } from "./src/i18n/text";

/** How many marks stand side by side on the first side of a die that rolls. */
export async function marks(icons) {
  front.value = { name: "game", words: {}, card: { icons: PICTURES } };
  const labels = Array(6).fill("x");
  const colours = { body: "#ffffff", ink: "#000000" };
  const paint = () => ({ text: "x", icons, alone: true });
  const sheet = sheetOf(shapeOf("d6"), labels, "x", paint, colours, () => {});
  const drawn = sheet.version;
  const late = icons.some((icon) => icon in PICTURES);
  while (late && sheet.version === drawn) await new Promise(requestAnimationFrame);
  const side = sheet.image.width / 3;
  const row = sheet.image.getContext("2d").getImageData(0, side / 2, side, 1).data;
  const dark = Array.from({ length: side }, (_, x) => row[4 * x] < 128);
  return dark.filter((is, x) => is && !dark[x - 1]).length;
}
"""


def test_dice_that_roll_have_all_signs_too(browser):
    """A bar for each sign across the middle of a side, pictures once they are there."""
    tab = browser.new_page()
    tab.evaluate(bundled(PAINTING.replace("PICTURES", json.dumps({"eye": EYE}))))
    counted = [tab.evaluate("(icons) => page.marks(icons)", icons) for icons in (
        ["minus"], ["minus", "minus"], ["minus"] * 3, [], ["eye"],
    )]  # fmt: skip
    assert [1, 2, 3, 0, 1] == counted
    tab.close()
