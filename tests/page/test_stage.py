"""The stage: the current roll in the middle, what has settled in lines beside it."""

from itertools import product

import pytest
from playwright.sync_api import expect

from tests.drafts import drafted
from tests.page.people import MOVING, PHONE, TABLET, Person, resize
from tests.page.playing import at, card, option, reopened, tab
from tests.page.test_moment import ATTACK, SHEET

WHOLE = """line => {
  const box = line.getBoundingClientRect();
  const feed = line.closest('.feed-scroll').getBoundingClientRect();
  return box.top >= feed.top - 1 && box.bottom <= feed.bottom + 1;
}"""


def a_table(host, game, **sheet):
    """A table with a referee and a player, who has a sheet if the game wants one."""
    rosa = host.create_table(game, name="Rosa")
    bo = host.join(rosa.links["player"], name="Bo")
    if sheet:
        bo.do("sheet.create", values=sheet)
    return rosa, bo


def attack(seat, **more):
    """An attack with real dice that missed, and waits: keep or push?"""
    started = seat.roll(draft=drafted(ATTACK), sheet=seat.seat, physical=True, **more)
    return seat.enter(started, [2, 3, 2, 1, 4, 5, 3])


def lines(person):
    """Rolls as lines of the feed."""
    return person.page.locator(".feed-item.is-roll .feed-line")


TEXT_SIZE = "size => document.documentElement.style.setProperty('--text-size', size)"


def test_who_decides_is_written_on_their_seat(somebody, host):
    """While dice tumble too, and where the seat has moved to the front."""
    rosa, bo = a_table(host, "twilight2000", **SHEET)
    watcher = at(somebody, rosa, size=TABLET, **MOVING)
    expect(watcher.page.locator(".seat")).to_have_count(2)
    attack(bo)
    said = watcher.page.locator(".seat[data-turn] b")
    expect(said).to_have_text("Bo decides")
    for text, size in product(("1", "2"), (TABLET, PHONE)):
        resize(watcher.page, size)
        watcher.page.evaluate(TEXT_SIZE, text)
        assert said.bounding_box()["width"] > 40


@pytest.fixture(scope="module")
def bo(host):
    """Bo's seat at a table of Twilight: 2000."""
    return a_table(host, "twilight2000", **SHEET)[1]


@pytest.fixture(scope="module")
def phone(browser, server, bo):
    """Bo's phone, upright."""
    person = Person(browser, server.address, size=PHONE)
    person.page.goto(str(bo.move()))
    yield person
    assert person.complaints == []
    person.context.close()


def test_ten_settled_rolls_fit_on_a_phone(phone, bo):
    """Each is one line with who, what, how it went and when; a tap opens the whole of it."""
    person = phone
    resize(person.page, PHONE)
    for number in range(1, 13):
        bo.roll(f"{number}d1")
    tab(person, "Feed")
    expect(lines(person)).to_have_count(12)
    expect(lines(person).last).to_be_in_viewport()
    whole = [line.evaluate(WHOLE) for line in lines(person).all()]
    assert sum(whole) >= 10
    ends = person.page.locator(".feed .ago").evaluate_all(
        "all => all.map((one) => Math.round(one.getBoundingClientRect().right))"
    )
    assert 1 == len(set(ends))
    expect(reopened(person, "7d1").locator(".die")).to_have_count(7)


def test_every_part_is_a_tap_away_on_a_phone(phone):
    """Stage, sheet, feed and more, and the button to roll between them."""
    person = phone
    resize(person.page, PHONE)
    tabs = person.page.get_by_role("navigation", name="Parts of the table")
    for name in ("Sheet", "Roll", "Feed", "More", "Stage"):
        tabs.get_by_role("button", name=name).click()
        expect(person.page.get_by_role("region", name=name, exact=True)).to_be_visible()
        expect(person.page.locator(".pane:visible")).to_have_count(1)


IN_SIGHT = """() => {
  const parts = document.querySelector("nav[aria-label='Parts of the table']");
  const floor = parts.getBoundingClientRect().top;
  const dice = [...document.querySelectorAll(".staged .die-picture")];
  return dice.length && dice.every((die) => die.getBoundingClientRect().bottom <= floor);
}"""


def test_a_phone_on_its_side_shows_whose_roll_it_is_and_the_dice(phone, bo):
    """740 by 360: nothing to scroll before the dice, and the choices right below them."""
    person = phone
    resize(person.page, (740, 360))
    started = bo.roll(draft=drafted(ATTACK), sheet=bo.seat, physical=True)
    bo.enter(started, [2, 3, 6, 4, 4, 5, 3])
    expect(card(person, "Attack").locator(".roll-who")).to_be_in_viewport()
    person.page.wait_for_function(IN_SIGHT)
    option(card(person, "Attack"), "Keep").click()
    expect(person.page.locator(".staged .outcome")).to_be_visible()
    assert [] == person.barriers()
