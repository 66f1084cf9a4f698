"""Dice that roll in three dimensions: the server decides, and nobody pays who did not ask."""

import json
import random
import re

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from rollwright.server.routes.site import FOLDER
from tests.drafts import drafted
from tests.page.conftest import launched
from tests.page.people import MOVING, Person
from tests.page.playing import labelled
from tests.server.guests import CLIENT

SWITCHED_ON = "localStorage.setItem('rollwright.dice3d', 'true')"
SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
ONE_THROW = "Math.random = () => 0.42"
"""The same throw in every run; that other throws end well too is what the survey shows."""
SMALL = (380, 420)
ROLLED = 1.6
"""Seconds after which dice that roll lie still."""
SIDES = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d12": 12, "d20": 20, "d100": 100}


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


def another(browser, *options):
    """Another Chromium, started in another way."""
    return launched(browser.browser_type, *options)


@pytest.fixture
def drawing(browser):
    """A Chromium that draws in three dimensions without a graphics card."""
    chromium = another(browser, *SOFTWARE)
    yield chromium
    chromium.close()


@pytest.fixture
def blind(browser):
    """A Chromium that cannot draw in three dimensions at all."""
    chromium = another(browser, "--disable-gpu", "--disable-3d-apis")
    yield chromium
    chromium.close()


def handfuls():
    """1,604 dice of every kind in handfuls of 1 to 8, each face of each kind asked for in turn."""
    chance = random.Random(7)
    faces = [(die, face + 1) for die, sides in SIDES.items() for face in range(sides)]
    faces += [("coin", "won"), ("coin", "lost"), ("d2", 1), ("d2", 2)]
    faces += [("dF", face) for face in (-1, 0, 1)]
    faces = faces * 8 + [one for one in faces if one[0] != "d100"] * 4
    chance.shuffle(faces)
    while faces:
        count = chance.randint(1, 8)
        yield [{"die": die, "face": face} for die, face in faces[:count]]
        del faces[:count]


def wanted(die, face):
    """What must be read off the bodies of a die: tens and ones of a hundred, else the face."""
    return [f"{face % 100 // 10}0", str(face % 10)] if die == "d100" else [str(face)]


SURVEY = """
async ([chunk, handfuls]) => {
  const { survey } = await import(`/assets/${chunk}`);
  return handfuls.map((dice, n) => survey(dice, n));
}
"""


def test_physics_ends_on_the_face_that_was_thrown(somebody):
    """Of 1,600 simulated dice of all kinds none shows another face, leans, or takes too long."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll")
    thrown = list(handfuls())
    found = ann.page.evaluate(SURVEY, [chunk(), thrown])
    asked = [die for handful in thrown for die in handful]
    lying = [die for handful in found for die in handful]

    assert 1400 <= len(lying) == len(asked)
    wrong = [
        (one, die["read"])
        for one, die in zip(asked, lying)
        if wanted(one["die"], one["face"]) != die["read"]
    ]
    assert [] == wrong
    assert max(die["seconds"] for die in lying) < ROLLED - 0.4
    assert sum(die["askew"] > 0.05 for die in lying) < len(lying) * 0.05


def test_the_same_seed_gives_the_same_throw(somebody):
    """Nothing in the physics depends on the clock or on chance."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll")
    dice = [{"die": die, "face": 2} for die in ("d4", "d6", "d20", "d100")]
    first, second = (ann.page.evaluate(SURVEY, [chunk(), [dice] * 3]) for _ in range(2))
    assert first == second


ABLE = """
Object.defineProperty(navigator, "hardwareConcurrency", { value: 8 });
const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, how) {
  return get.call(this, kind, { ...how, failIfMajorPerformanceCaveat: false });
};
"""


def test_where_the_device_can_dice_roll_unasked(drawing, server):
    """A device that draws quickly has them by default, and a switch turns them off for good."""
    ann = Person(drawing, server.address, size=SMALL, **MOVING)
    ann.context.add_init_script(ABLE)
    ann.page.goto(f"{ann.address}roll?dice=1d20")
    expect(ann.page.locator("html")).to_have_attribute("data-dice3d", "ready")
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_role("switch", name="3D dice").uncheck()
    names = fetched(ann)
    ann.page.reload()
    rolled(ann, "1d20")
    assert chunk() not in names
    ann.context.close()


def test_nothing_of_it_is_fetched_where_the_device_cannot(somebody):
    """Without quick graphics neither a roll nor the store of the page fetches a byte of it."""
    ann = somebody(**MOVING)
    names = fetched(ann)
    rolled(ann, "3d6")
    shell = CLIENT.get(f"{ann.address}worker.js").text
    assert chunk() not in names
    assert chunk() not in shell
    assert json.loads((FOLDER / "sizes.json").read_text("utf-8"))["table"] < 60_000


@pytest.mark.parametrize("how", ["the system", "the page"])
def test_reduced_motion_never_fetches_it(somebody, how):
    """Whoever wants no motion has it off, though it was switched on before."""
    ann = somebody(reduced_motion="reduce" if how == "the system" else "no-preference")
    ann.context.add_init_script(SWITCHED_ON)
    if how == "the page":
        ann.context.add_init_script("localStorage.setItem('rollwright.motion', 'none')")
    names = fetched(ann)
    rolled(ann, "3d6")
    ann.page.get_by_role("button", name="Settings").click()
    switch = ann.page.get_by_role("switch", name="3D dice")
    expect(switch).to_be_disabled()
    expect(switch).not_to_be_checked()
    assert chunk() not in names


def test_switched_on_it_is_fetched_and_remembered(somebody):
    """The settings switch it on, which fetches it at once; after a reload it is still on."""
    ann = somebody(**MOVING)
    ann.page.goto(f"{ann.address}roll")
    ann.page.get_by_role("button", name="Settings").click()
    with ann.page.expect_response(re.compile("dice3d-")):
        ann.page.get_by_role("switch", name="3D dice").check()
    with ann.page.expect_response(re.compile("dice3d-")):
        ann.page.reload()
    ann.page.get_by_role("button", name="Settings").click()
    expect(ann.page.get_by_role("switch", name="3D dice")).to_be_checked()


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


def come(browser, server):
    """Somebody who has switched dice in three dimensions on."""
    person = Person(browser, server.address, size=SMALL, **MOVING)
    person.context.add_init_script(SWITCHED_ON)
    person.context.add_init_script(ONE_THROW)
    return person


def test_dice_roll_and_end_as_the_page_says(drawing, server):
    """Dice roll on a canvas that no screen reader meets, and lie as the page says them."""
    ann = come(drawing, server)
    ann.page.goto(f"{ann.address}roll?dice=1d20%2B1d4%2B1d100")
    expect(ann.page.locator("html")).to_have_attribute("data-dice3d", "ready")
    expect(ann.page.locator(".dock .chance strong")).not_to_have_text("–")
    ann.page.evaluate(WATCH)
    with ann.page.expect_response("**/api/v1/roll") as answered:
        ann.page.locator(".roll-button").click()
    faces = [face for one in answered.value.json()["throws"] for face in one["faces"]]
    expect(ann.page.locator("body")).to_have_attribute("data-rolled", "3")
    expect(ann.page.locator("canvas.dice3d")).to_have_count(0)

    expect(ann.page.locator("body")).to_have_attribute("data-hidden", "true")
    said = [f"{die} shows {face}" for die, face in zip(("d20", "d4", "d100"), faces)]
    labelled(ann.page.locator(".play"), *said)
    expect(ann.page.locator(".play .die-lying")).to_have_count(3)
    expect(ann.page.locator(".play [data-solid]")).to_have_count(3)
    assert [] == ann.complaints
    ann.context.close()


SHEET = {"name": "Novak", "AGL": "C", "weapons": [{"name": "AK", "rounds": 30, "rate_of_fire": 6}]}
ATTACK = {"roll": "attack", "weapon": "AK", "ammo_dice": 2}
FELT = """
() => new MutationObserver(() => {
  const canvas = document.querySelector('canvas.dice3d');
  if (!canvas) return;
  const [top, right, bottom, left] = canvas.style.clipPath.match(/[\\d.]+(?=px)/g).map(Number);
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
        bo.do("sheet.make", values=SHEET)
        yield bo


def attacked(seat):
    """An attack with known faces that waits: keep or push?"""
    return seat.enter(seat.roll(draft=drafted(ATTACK), sheet=seat.seat, physical=True), [2, 3, 6])


def test_dice_stay_the_dice_that_rolled(drawing, server, novak):
    """On the felt alone, and then as they landed: through a push, a reload and another size."""
    ann = Person(drawing, server.address, **MOVING)
    ann.context.add_init_script(SWITCHED_ON)
    ann.context.add_init_script(ONE_THROW)
    ann.page.goto(str(novak.link))
    expect(ann.page.locator("html")).to_have_attribute("data-dice3d", "ready")
    expect(ann.page.get_by_role("region", name="Stage", exact=True)).to_be_visible()
    ann.page.evaluate(FELT)
    ann.page.evaluate(WATCH)
    roll = attacked(novak)
    stage = ann.page.locator(".stage-pane .roll-card")
    expect(stage.locator("[data-solid]")).to_have_count(3)
    assert "3" == ann.page.evaluate("document.body.dataset.rolled")
    assert int(ann.page.evaluate("document.body.dataset.over")) <= 0
    assert "0" == ann.page.evaluate("document.body.dataset.hard")  # no edge cuts a die
    assert 255 == stage.locator(".die-picture").first.evaluate(DRAWN)
    said = ["d6 shows 2", "ammo d6 shows 3", "ammo d6 shows 6"]
    dice = stage.locator(".die svg[role=img]")
    for number, words in enumerate(said):
        expect(dice.nth(number)).to_have_attribute("aria-label", re.compile(words[-7:]))
    expect(stage.locator(".die").last.locator(".die-tag")).to_have_text("stays")

    ann.page.set_viewport_size({"width": 900, "height": 640})
    expect(stage.locator("[data-solid]")).to_have_count(3)
    novak.enter(novak.choose(roll, "push"), [4, 5])
    expect(stage.locator(".die[data-tag=again] [data-solid]")).to_have_count(2)
    ann.page.reload()
    expect(stage.locator("[data-flying]")).to_have_count(0)
    expect(stage.locator("[data-solid]").first).to_be_visible()
    assert [] == ann.barriers()
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_role("switch", name="3D dice").uncheck()
    expect(stage.locator("[data-solid]")).to_have_count(0)
    assert [] == ann.complaints
    ann.context.close()


SLOWLY = """
window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 120);
window.cancelAnimationFrame = clearTimeout;
"""


def test_below_thirty_pictures_a_second_they_fall_back(drawing, server):
    """A device that was thought quick and is not: after two slow throws dice are flat for good.

    Before that the second one is drawn with fewer pixels, which may do.
    """
    ann = Person(drawing, server.address, size=SMALL, **MOVING)
    ann.context.add_init_script(ABLE)
    ann.context.add_init_script(SLOWLY)
    ann.page.goto(f"{ann.address}roll?dice=1d20")
    expect(ann.page.locator("html")).to_have_attribute("data-dice3d", "ready")
    expect(ann.page.locator(".dock .chance strong")).not_to_have_text("–")
    canvas = ann.page.locator("canvas.dice3d")
    pixels = []
    for count in (1, 2):
        ann.page.locator(".roll-button").click()
        pixels.append(canvas.evaluate("one => one.width / one.clientWidth"))
        expect(ann.page.locator(".play .die-lying")).to_have_count(count)
        expect(canvas).to_have_count(0)
    first, second = pixels
    assert second < 0.8 < first
    ann.page.wait_for_function("localStorage.getItem('rollwright.dice3d.slow') === 'true'")
    expect(ann.page.locator(".play [data-solid]")).to_have_count(0)
    names = fetched(ann)
    ann.page.reload()
    rolled(ann, "1d20")
    assert chunk() not in names
    ann.context.close()


def test_without_webgl_the_drawn_dice_do(blind, server):
    """A browser that cannot draw in three dimensions rolls as ever, and says nothing about it."""
    ann = come(blind, server)
    ann.page.goto(f"{ann.address}roll?dice=2d6")
    expect(ann.page.locator("html")).to_have_attribute("data-dice3d", "missing")
    assert ann.page.evaluate("document.createElement('canvas').getContext('webgl2')") is None
    rolled(ann, "2d6")
    expect(ann.page.locator(".play .die-lying")).to_have_count(2)
    expect(ann.page.locator("canvas.dice3d")).to_have_count(0)
    assert [] == ann.complaints
    ann.context.close()
