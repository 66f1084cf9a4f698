"""The stream overlay: the dice that everybody may see, on nothing, for spectators' eyes only.

Whom it lets in, and where its address stands, is in web/tests (`overlay.test.tsx`,
`coming.test.tsx`).
"""

import re

import pytest
from playwright.sync_api import expect

from tests.gates import first
from tests.page.moments import hit, push, seated
from tests.page.overlays import FOLDER, PICTURES, SIZE, over, seen_through
from tests.page.people import wait_until
from tests.page.test_secrets import Ear

ROLL = ".overlay .roll-card"
LIMIT = 60_000


def corners(picture):
    """How much of each corner is to be seen."""
    right, bottom = picture.width - 1, picture.height - 1
    return [picture.getpixel((x, y))[3] for x in (0, right) for y in (0, bottom)]


@pytest.mark.parametrize("theme", first(["light", "dark"]))
def test_dice_verdict_and_odds_lie_on_nothing(somebody, host, theme):
    """Around the roll the video shines through; before it there is nothing. Of what is rolled in
    private nothing is shown and nothing comes over the line; and what has ended goes by itself,
    when the address says.
    """
    rosa, bo = seated(host, "twilight2000")
    stream = somebody(size=SIZE, color_scheme=theme)
    page = stream.page
    ear = Ear(stream)
    link = str(rosa.links["spectator"])
    over(page, link)
    secret = bo.roll({"roll": "skill", "attribute": "B", "skill": "C"}, visibility="private")
    assert secret.faces
    wait_until(page, lambda: secret.id in "".join(ear.heard))
    assert (0, 0) == seen_through(page).getchannel("A").getextrema()
    assert 0 == "".join(ear.heard).count('"faces"')
    waits = push(bo)
    expect(page.locator(f"{ROLL} .option-worth")).to_have_count(2)
    expect(page.locator(f"{ROLL} .die")).to_have_count(4)
    assert 0 == page.locator("button:visible, a:visible, summary:visible").count()
    assert [0] * 4 == corners(seen_through(page))
    hit(bo)
    expect(page.locator(f"{ROLL} .outcome")).to_contain_text("Hit")
    expect(page.locator(f"{ROLL} .odds-line")).to_contain_text("%")
    picture = seen_through(page)
    assert [0] * 4 == corners(picture)
    box = page.locator(ROLL).bounding_box()
    middle = (int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2))
    assert 255 == picture.getpixel(middle)[3]
    felt = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--felt')")
    assert felt.strip() in str(host.game("twilight2000")["card"]["theme"][theme].values())
    assert [] == stream.barriers()
    bo.do("roll.cancel", roll=waits.id)
    page.goto("about:blank")
    over(page, link, stay=1)
    last = push(bo)
    expect(page.locator(ROLL)).to_be_visible()
    bo.do("roll.cancel", roll=last.id)
    expect(page.locator(ROLL)).to_have_count(0)


def test_the_documentation_shows_it():
    """Both pictures are there, small, and on the page."""
    page = (FOLDER.parents[1] / "howto" / "stream.md").read_text("utf-8")
    assert sorted(PICTURES) == sorted(re.findall(r"pictures/streams/([\w-]+\.webp)", page))
    assert all((FOLDER / name).stat().st_size < LIMIT for name in PICTURES)
