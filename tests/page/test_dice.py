"""Dice on the page: what they are called, how they lie, and that nothing moves unasked."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Serving
from tests.page.people import MOVING, wait_until
from tests.page.playing import labelled


def start(person, **roll):
    """Start a roll with real dice by the API, as the person does who sits at this browser."""
    return send(person, do="roll.start", physical=True, **roll)


def send(person, **command):
    """Send a command as the person who sits at this browser."""
    return person.seat().do(command.pop("do"), **command)


def test_a_screen_reader_hears_die_face_and_meaning(somebody):
    """Every die has a name such as "d8 shows 6, success", and ammo dice say what they are."""
    rosa = somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    attack = {"game": "twilight2000", "roll": "attack", "attribute": "A", "skill": "C"}
    attack |= {"ammo_dice": 2, "rounds": 30}
    start(rosa, request=attack)
    send(rosa, do="roll.enter", roll="r1", faces=[6, 12, 1, 6])

    labelled(
        rosa.page.locator(".roll-card"),
        "d8 shows 6, success",
        "d12 shows 12, two successes",
        "ammo die shows 1, explosion: wears the weapon after a push",
        "ammo die shows 6, bullet: more damage or another hit",
    )


def test_every_kind_of_die_has_a_shape_of_its_own(somebody):
    """Dice are told apart by their shape and their name, not by their colour."""
    ann = somebody(**MOVING)
    ann.page.goto(f"{ann.address}roll?dice=1d4%2B1d6%2B1d8%2B1d10%2B1d12%2B1d20%2B1d100")
    ann.page.locator(".roll-button").click()
    expect(ann.page.locator(".play .told")).to_be_visible()
    expect(ann.page.locator(".play .die-lying")).to_have_count(7)

    drawn = ann.page.locator(".play .die")
    names = [die.locator(".die-name").inner_text() for die in drawn.all()]
    paths = [die.locator(".die-lying .die-body").get_attribute("d") for die in drawn.all()]
    assert {"d4", "d6", "d8", "d10", "d12", "d20", "d100"} == set(names)
    assert 7 == len(set(paths))


def test_a_large_handful_is_counted_instead_of_drawn(somebody):
    """Two hundred dice are shown as one picture for each face, with how many show it."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?dice=200d6")
    ann.page.locator(".roll-button").click()
    expect(ann.page.locator(".play .told")).to_be_visible()

    counts = ann.page.locator(".play .die-name").all_inner_texts()
    assert len(counts) <= 6
    assert 200 == sum(int(re.sub(r"\D", "", count)) for count in counts)


def test_dice_tumble_and_come_to_rest(somebody):
    """A throw is in the air at once and lies still soon after."""
    ann = somebody(**MOVING)
    ann.page.goto(f"{ann.address}roll?dice=3d8")
    ann.page.evaluate(WATCH)
    ann.page.locator(".roll-button").click()
    expect(ann.page.locator("body")).to_have_attribute("data-flew", "3")
    expect(ann.page.locator(".play .die-lying")).to_have_count(3)
    expect(ann.page.locator(".play [data-flying]")).to_have_count(0)
    expect(ann.page.locator(".play .die-number")).to_have_count(3)


WATCH = """
() => {
  const { dataset } = document.body;
  const watch = new MutationObserver(() => {
    const now = document.querySelectorAll('.play .die-picture g[visibility=hidden]').length;
    if (now > Number(dataset.flew ?? 0)) dataset.flew = now;
  });
  watch.observe(document.body, { subtree: true, childList: true, attributes: true });
}
"""


@pytest.mark.parametrize("how", ["the system", "the page"])
def test_reduced_motion_has_no_motion_at_all(somebody, how):
    """Whoever wants no motion sees the dice lie there at once, and nothing is animated."""
    wish = "reduce" if how == "the system" else "no-preference"
    ann = somebody(reduced_motion=wish)
    if how == "the page":
        ann.context.add_init_script("localStorage.setItem('rollwright.motion', 'none')")
    ann.page.goto(f"{ann.address}roll?dice=5d6%2B2d20")
    ann.page.locator(".roll-button").click()
    expect(ann.page.locator(".play .told")).to_be_visible()

    assert 0 == ann.page.evaluate("document.getAnimations().length")
    assert 0 == ann.page.locator(".play .die-picture g[visibility=hidden]").count()
    expect(ann.page.locator(".play .die-lying")).to_have_count(7)


def test_dice_show_at_the_click(somebody):
    """Dice are on the page one picture after the click, before the server has said a word.

    How many milliseconds that takes is measured by the benchmarks, on a machine at rest.
    """
    ann = somebody(**MOVING)
    ann.page.goto(f"{ann.address}roll?dice=4d6")
    expect(ann.page.locator(".builder-odds .chart-bar").first).to_be_visible()
    held = []
    ann.page.route("**/api/v1/roll", lambda route: held.append(route))
    pictures = ann.page.evaluate(CLICK)
    expect(ann.page.locator(".play .die")).to_have_count(4)
    expect(ann.page.locator(".play .told")).to_have_count(0)
    wait_until(ann.page, lambda: held)
    held[0].continue_()
    expect(ann.page.locator(".play .told")).to_be_visible()

    assert 1 == pictures


CLICK = """
() => new Promise((done) => {
  let pictures = 0;
  const look = () => {
    pictures += 1;
    if (document.querySelector('.play .die')) done(pictures);
    else requestAnimationFrame(look);
  };
  document.querySelector('.roll-button').click();
  requestAnimationFrame(look);
})
"""


def test_locked_dice_stay_while_pushed_dice_roll_again(somebody):
    """After a push the successes and the 1s of the first throw lie on, the others are put aside."""
    rosa = somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    attack = {"game": "twilight2000", "roll": "attack", "attribute": "A", "skill": "C"}
    attack |= {"ammo_dice": 2, "rounds": 30}
    start(rosa, request=attack)
    send(rosa, do="roll.enter", roll="r1", faces=[6, 3, 1, 4])
    send(rosa, do="roll.choose", roll="r1", option="push")
    send(rosa, do="roll.enter", roll="r1", faces=[7, 5])

    labelled(
        rosa.page.locator(".roll-card"),
        "d8 shows 6, success, stays",
        "d12 shows 3, does not count",
        "ammo die shows 1, explosion: wears the weapon after a push, stays",
        "ammo die shows 4, does not count",
        "d12 shows 7, success",
        "ammo die shows 5",
    )


SIXTH = Path(__file__).parents[1] / "games" / "sixth_game"
ABOUT = {
    "METADATA": "Metadata-Version: 2.1\nName: night-ferry\nVersion: 1.0\n",
    "entry_points.txt": "[rollwright.games]\nnight_ferry = night_ferry:game\n",
}


@pytest.fixture
def ferry(tmp_path):
    """A server that has a sixth game installed, of which the page knows nothing."""
    site = tmp_path / "site"
    shutil.copytree(SIXTH / "night_ferry", site / "night_ferry")
    about = site / "night_ferry-1.0.dist-info"
    about.mkdir()
    for name, text in ABOUT.items():
        (about / name).write_text(text, "utf-8")
    serving = Serving(tmp_path, path=site).begin()
    yield serving
    serving.end()


def test_a_game_the_page_does_not_know_brings_its_icons(somebody, ferry):
    """Icons with a name are drawn, others stand as the game writes them, beside the number."""
    rosa = somebody(address=ferry.address)
    rosa.open_table_by_hand("Night Ferry", "Rosa")
    trip = {"game": "night_ferry", "roll": "cross", "oars": 3}
    start(rosa, request=trip)
    send(rosa, do="roll.enter", roll="r1", faces=[1, 4, 6])
    dice = rosa.page.locator(".roll-card .die")
    expect(dice.nth(0).locator(".die-sign")).to_have_text("≈")
    expect(dice.nth(2).locator("path.die-stroke")).to_have_count(1)

    labelled(rosa.page.locator(".roll-card"), "d6 shows 1", "d6 shows 4", "d6 shows 6")
    assert 0 == dice.nth(1).locator(".die-sign, .die-stroke").count()
    assert ["1", "6"] == [dice.nth(n).locator(".die-number").inner_html() for n in (0, 2)]


def test_signs_of_real_dice_fit_into_their_buttons(somebody, ferry):
    """A face that is said in several words has as much room as they take."""
    rosa = somebody(address=ferry.address)
    rosa.open_table_by_hand("Night Ferry", "Rosa")
    start(rosa, request={"game": "night_ferry", "roll": "cross", "oars": 1})
    buttons = rosa.page.locator(".face-buttons .button")
    expect(buttons.first).to_be_visible()
    wide = (
        "one => { one.textContent = 'smoke and smoke'; return one.scrollWidth <= one.clientWidth; }"
    )
    assert buttons.first.evaluate(wide)
