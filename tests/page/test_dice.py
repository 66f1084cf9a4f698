"""Dice on the page in a browser: they fly, come to rest, and nothing moves unasked.

What they are called and how they lie is looked at in web/tests/dice.test.tsx.
"""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.page.conftest import Serving
from tests.page.people import MOVING, wait_until
from tests.page.playing import at, labelled

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


def test_dice_show_at_the_click_tumble_and_come_to_rest(somebody):
    """Dice are on the page one picture after the click, before the server has said a word.

    How many milliseconds that takes is measured by the benchmarks, on a machine at rest. They are
    in the air at once and lie still soon after; whoever has set that nothing moves sees them lie.
    """
    ann = somebody(**MOVING)
    page = ann.page
    page.goto(f"{ann.address}roll?dice=3d8")
    expect(page.locator(".builder-odds .chart-bar").first).to_be_visible()
    page.evaluate(WATCH)
    held = []
    page.route("**/api/v1/roll", lambda route: held.append(route))
    assert 1 == page.evaluate(CLICK)
    expect(page.locator(".play .die")).to_have_count(3)
    expect(page.locator(".play .told")).to_have_count(0)
    wait_until(page, lambda: held)
    held[0].continue_()
    page.unroute("**/api/v1/roll")
    expect(page.locator(".play .told")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-flew", "3")
    expect(page.locator(".play .die-lying")).to_have_count(3)
    expect(page.locator(".play [data-flying]")).to_have_count(0)
    expect(page.locator(".play .die-number")).to_have_count(3)

    page.evaluate("localStorage.setItem('rollwright.motion', 'none')")
    page.reload()
    page.locator(".roll-button").click()
    expect(page.locator(".play .told")).to_be_visible()
    assert 0 == page.evaluate("document.getAnimations().length")
    assert 0 == page.locator(".play .die-picture g[visibility=hidden]").count()
    expect(page.locator(".play .die-lying")).to_have_count(3)


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
    """Icons with a name are drawn, others stand as the game writes them, beside the number.

    A face that is said in several words has as much room on its button as they take.
    """
    with Server(ferry.address) as api:
        seat = api.create_table("night_ferry", name="Rosa")
        roll = seat.roll({"roll": "cross", "oars": 3}, physical=True)
        rosa = at(somebody, seat, address=ferry.address)
        buttons = rosa.page.locator(".face-buttons .button")
        expect(buttons.first).to_be_visible()
        words = "one.textContent = 'smoke and smoke'"
        wide = f"one => {{ {words}; return one.scrollWidth <= one.clientWidth; }}"
        assert buttons.first.evaluate(wide)
        seat.enter(roll, [1, 4, 6])
    dice = rosa.page.locator(".roll-card .die")
    expect(dice.nth(0).locator(".die-sign")).to_have_text("≈")
    expect(dice.nth(2).locator("path.die-stroke")).to_have_count(1)

    labelled(rosa.page.locator(".roll-card"), "d6 shows 1", "d6 shows 4", "d6 shows 6")
    assert 0 == dice.nth(1).locator(".die-sign, .die-stroke").count()
    assert ["1", "6"] == [dice.nth(n).locator(".die-number").inner_html() for n in (0, 2)]
