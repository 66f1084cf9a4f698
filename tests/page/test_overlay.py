"""The stream overlay: the dice that everybody may see, on nothing, for spectators' eyes only."""

import re

import pytest
from playwright.sync_api import expect

from tests.gates import first
from tests.page.moments import MOMENTS, hit, push, seated
from tests.page.overlays import FOLDER, PICTURES, SIZE, address, over, seen_through
from tests.page.test_secrets import Ear

ROLL = ".overlay .roll-card"
LIMIT = 60_000


def corners(picture):
    """How much of each corner is to be seen."""
    right, bottom = picture.width - 1, picture.height - 1
    return [picture.getpixel((x, y))[3] for x in (0, right) for y in (0, bottom)]


@pytest.mark.parametrize("theme", first(["light", "dark"]))
def test_dice_verdict_and_odds_lie_on_nothing(somebody, host, theme):
    """Around the roll the video shines through; before it there is nothing."""
    rosa, bo = seated(host, "twilight2000")
    stream = somebody(size=SIZE, color_scheme=theme)
    page = stream.page
    over(page, str(rosa.links["spectator"]))
    assert (0, 0) == seen_through(page).getchannel("A").getextrema()
    push(bo)
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


def test_what_has_ended_goes_by_itself(somebody, host):
    """A roll lies there as long as the address says, and then the page is empty again."""
    rosa, bo = seated(host, "edge20")
    page = somebody(size=SIZE).page
    over(page, str(rosa.links["spectator"]), stay=1)
    MOMENTS["check"][1](bo)
    expect(page.locator(ROLL)).to_be_visible()
    open_roll = next(iter(bo.snapshot()["rolls"]))
    bo.do("roll.cancel", roll=open_roll)
    expect(page.locator(ROLL)).to_have_count(0)


def test_a_link_for_more_than_watching_is_refused(somebody, host):
    """Neither a player's link nor a seat shows anything; and the overlay never sits down."""
    rosa, bo = seated(host, "ghostburn")
    page = somebody(size=SIZE, locale="de-DE").page
    for link in (rosa.links["player"], rosa.links["referee"], bo.link, rosa.link):
        page.goto("about:blank")
        page.goto(address(str(link)))
        expect(page.get_by_role("alert")).to_contain_text("nur den Link zum Zusehen")
    page.goto("about:blank")
    page.goto(address(str(rosa.link)[:-8] + "AAAAAAAA"))
    expect(page.get_by_role("alert")).to_contain_text("zeigt keinen Tisch")
    assert 4 == len(rosa.snapshot()["seats"])


def test_a_secret_roll_is_not_sent_to_the_overlay(somebody, host):
    """Of what is rolled in private nothing is shown and nothing comes over the line."""
    rosa, bo = seated(host, "twilight2000")
    stream = somebody(size=SIZE)
    ear = Ear(stream)
    over(stream.page, str(rosa.links["spectator"]))
    secret = bo.roll({"roll": "skill", "attribute": "B", "skill": "C"}, visibility="private")
    assert secret.faces
    bo.roll("2d6")
    expect(stream.page.locator(f"{ROLL} .die")).to_have_count(2)
    assert secret.id in "".join(ear.heard)
    assert 1 == "".join(ear.heard).count('"faces"')


def test_the_referee_finds_it_among_the_links(somebody):
    """The address of the overlay stands below the link for spectators, and opens it."""
    referee = somebody()
    referee.open_table("Twilight", "Rosa")
    referee.page.get_by_role("button", name="More", exact=True).click()
    referee.page.get_by_role("button", name="Links and seats").click()
    dialog = referee.page.get_by_role("dialog", name="Links and seats")
    shown = dialog.get_by_role("textbox", name="Stream overlay").input_value()
    expected = address(referee.link("spectator")).replace("?stay=3600", "")
    assert expected == shown
    assert [] == referee.barriers()


def test_the_documentation_shows_it():
    """Both pictures are there, small, and on the page."""
    page = (FOLDER.parents[1] / "howto" / "stream.md").read_text("utf-8")
    assert sorted(PICTURES) == sorted(re.findall(r"pictures/streams/([\w-]+\.webp)", page))
    assert all((FOLDER / name).stat().st_size < LIMIT for name in PICTURES)
