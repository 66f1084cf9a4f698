"""What a roll does to somebody else waits for them, and names them, in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.drafts import drafted
from tests.page.people import PHONE
from tests.page.playing import tab, true_log

SOLDIER = {"STR": "A", "AGL": "A", "ranged_combat": "A", "hit_capacity": 5}
M4 = {"name": "M4", "rate_of_fire": 6, "rounds": 30, "magazine_size": 30}
ENGLISH = re.compile(r"This would change Cy: \d+ damage")
ELSEWHERE = re.compile(r"What Bo rolled \(.*\) would change Cy: \d+ damage")


@pytest.fixture
def fight(somebody, server):
    """Rosa the referee, and Cy with a sheet, in browsers; Bo with a gun and a program."""
    rosa, cy = somebody(), somebody(size=PHONE)
    rosa.open_table("Twilight: 2000", "Rosa")
    with Server(server.address) as api:
        bo = api.join(rosa.link(), name="Bo")
        cy.join(rosa.link(), "Cy")
        expect(cy.feed("Cy sits down")).to_be_visible()
        bo.do("sheet.create", values={**SOLDIER, "name": "Bo", "weapons": [M4]})
        table, told = cy.first_table()
        victim = api.table(f"{cy.address}t/{table}#{told['token']}")
        victim.do("sheet.create", values={**SOLDIER, "name": "Cy"})
        yield rosa, cy, bo


def shoot(bo):
    """Typed faces that hit: nobody can tell whether the dice showed them."""
    aims = {"roll": "attack", "weapon": "M4", "ammo_dice": 0, "targets": [{"name": "@s3"}]}
    roll = bo.roll(draft=drafted({**aims, "pushable": False}), physical=True)
    roll = bo.enter(roll, [12, 12])
    while not roll.has_outcome:
        roll = bo.enter(roll, [1] * len(roll.after["dice"]))
    return roll


def test_dice_for_somebody_are_asked_for_by_name(fight):
    """Whoever types for another reads whom a location die is for, and no number of a seat."""
    rosa, _, bo = fight
    aims = {"roll": "attack", "weapon": "M4", "ammo_dice": 0, "targets": [{"name": "@s3"}]}
    roll = bo.roll(draft=drafted({**aims, "pushable": False}), physical=True)
    bo.enter(roll, [12, 12])
    asked = rosa.page.get_by_role("group", name="Faces of real dice")
    expect(asked.locator(".chip").first).to_contain_text("Cy")
    expect(asked).not_to_contain_text("@s")


def test_one_tap_lets_it_happen(fight):
    """The victim sees what it would do, and lets it; everybody sees who did."""
    rosa, cy, bo = fight
    shoot(bo)
    tab(cy, "Stage")
    asked = cy.page.get_by_role("group", name=ENGLISH)
    expect(asked).to_be_visible()
    assert [] == cy.barriers()
    cy.page.reload()
    cy.page.get_by_role("button", name="Let it happen").click()
    expect(cy.seen("Cy let it happen.")).to_be_visible()
    expect(rosa.seen("Cy let it happen.")).to_be_visible()
    expect(rosa.page.get_by_role("button", name="Let it happen")).to_have_count(0)
    tab(cy, "Sheet")
    expect(cy.page.get_by_role("group", name=re.compile(r"Damage: [1-9] of"))).to_be_visible()


def test_a_referee_says_no_by_the_keyboard(fight, tmp_path):
    """The choice that waits is a key away; nothing changes, and the log is true."""
    rosa, cy, bo = fight
    shoot(bo)
    expect(rosa.page.get_by_role("group", name=ENGLISH)).to_be_visible()
    rosa.page.keyboard.press("c")
    expect(rosa.page.get_by_role("button", name="Let it happen")).to_be_focused()
    rosa.page.keyboard.press("Tab")
    rosa.page.keyboard.press("Enter")
    tab(cy, "Stage")
    expect(cy.seen("Rosa did not let it happen.")).to_be_visible()
    [sheet] = [one for one in bo.snapshot()["sheets"] if one["sheet"] == "s3"]
    assert 0 == sheet["values"].get("damage", 0)
    log = tmp_path / "log.json"
    log.write_text(json.dumps(bo.log()), "utf-8")
    assert "roll.declined" in [event["kind"] for event in true_log(log)]


def test_the_strip_leads_to_it_when_it_is_out_of_sight(fight):
    """A roll further up that waits for one's word is not forgotten; nor after a reload."""
    _, cy, bo = fight
    shoot(bo)
    for number in range(30):
        bo.do("chat.send", text=f"line {number}")
    tab(cy, "Stage")
    expect(cy.feed("line 29")).to_be_visible()
    strip = cy.page.locator(".waiting-strip")
    expect(strip).to_contain_text(ELSEWHERE)
    strip.click()
    expect(cy.page.get_by_role("button", name="Let it happen")).to_be_in_viewport()
    expect(cy.page.locator(".die-word").last).to_have_text("where it hits Cy for 5")


def test_in_german_and_for_whoever_only_watches(fight, somebody):
    """Others read whom it waits for, and have no button; the words are German ones."""
    rosa, _, bo = fight
    shoot(bo)
    dora = somebody(locale="de-DE")
    dora.page.goto(rosa.link())
    dora.page.get_by_label("Dein Name").fill("Dora")
    dora.page.get_by_role("button", name="Hinsetzen").click()
    waits = dora.seen("Wartet auf Cy oder die Spielleitung.")
    expect(waits).to_contain_text(re.compile(r"Das würde Cy ändern: \d+ Schaden"))
    expect(dora.page.get_by_role("button", name="Geschehen lassen")).to_have_count(0)


def test_characters_are_named_where_something_is_rolled(somebody, server):
    """On the card, in its verdict and in the feed; people are who says and joins something."""
    rosa = somebody()
    rosa.open_table("Kleptonomicon", "Rosa")
    with Server(server.address) as api:
        seats = [api.join(rosa.link(), name=name) for name in ("Milo", "Bo")]
        for seat, name in zip(seats, ("Vex", "Ash"), strict=True):
            seat.do("sheet.create", values={"name": name})
        sides = {"first": {"name": "milo", "modifier": 20}, "second": {"name": "Ash"}}
        roll = seats[0].roll(request={"roll": "contest", **sides}, physical=True)
        while not roll.has_outcome:
            roll = seats[0].enter(roll, [5] * len(roll.after["dice"]))
    card = rosa.page.locator(".roll-card").first
    expect(card.get_by_text("Vex wins").first).to_be_visible()
    expect(card).to_contain_text("Contest against Ash")
    expect(rosa.page.locator("body")).not_to_contain_text("Milo wins")
