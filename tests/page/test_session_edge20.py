"""A whole session of d20 with edges in four browsers, from the link to the export."""

import csv
import re

import pytest
from playwright.sync_api import expect

from tests.gates import thorough
from tests.page.people import KEEPING, LAPTOP, MOVING, PHONE, TABLET
from tests.page.playing import (
    about_roll,
    add_thing,
    around,
    card,
    close,
    end_session,
    enter,
    export,
    make_sheet,
    odds,
    only_watches,
    option,
    options,
    panel,
    part,
    pick,
    roll,
    true_log,
    watch,
)

pytestmark = thorough  # an evening of GHOST/BURN stands for all


@pytest.fixture
def party(somebody):
    """Rosa runs the game, Bo sits there with his phone and Eve looks on; Ann plays a scout."""
    rosa, ann, bo = somebody(**KEEPING), somebody(size=LAPTOP, **MOVING), somebody(size=PHONE)
    eve = somebody(size=TABLET)
    rosa.open_table_by_hand("d20 with edges", "Rosa")
    watch(eve, rosa.link("spectator"))
    for person, name in ((ann, "Ann"), (bo, "Bo")):
        person.join(rosa.link(), name)
        expect(person.feed(f"{name} sits down")).to_be_visible()
    make_sheet(ann, "Vale")
    add_thing(ann, "Skills", name="Stealth", skill_modifier=5)
    crossbow = {"name": "crossbow", "tier": 3, "damage_or_healing_dice": "1d8"}
    add_thing(ann, "Weapons and tools", folded=True, **crossbow)
    for source, amount in (("blessing", 3), ("song", 2), ("charm", 2)):
        add_thing(ann, "Bonuses and penalties", what_it_comes_from=source, amount=amount)
    sheet = part(ann, "Sheet")
    sheet.get_by_label("Add an edge").fill("high ground")
    sheet.get_by_label("Add an edge").press("Enter")
    expect(sheet.get_by_text("net +1: d4")).to_be_visible()
    sheet.get_by_role("button", name="Re-rolls left: one more").click()
    expect(sheet.get_by_label("Re-rolls left", exact=True)).to_have_value("1")
    return rosa, ann, bo, eve


def test_a_session_from_link_to_export(party, tmp_path):
    """Every tier, a re-roll, a turn cut short and a repair, all on the sheet and in a true log."""
    rosa, ann, bo, eve = party
    a_check_with_a_reroll(rosa, ann, bo, eve)
    success_and_failure(ann, bo, eve)
    the_turn_ends(rosa, ann, eve)
    a_repair(rosa, ann)
    end_session(rosa)
    for person in (bo, eve):
        expect(person.feed("Session 1 has ended")).to_be_visible()
    what_is_left(rosa, bo, tmp_path)


def tier(person, said):
    """The result that the newest check tells this person of."""
    expect(card(person, "Stealth").locator(".told")).to_contain_text(said)


def a_check_with_a_reroll(rosa, ann, bo, eve):
    """Bonuses stack up to their cap; a bad throw is mended by the die that the odds advise."""
    expect(part(ann, "Sheet").get_by_text("+7 in all, but only +6 count")).to_be_visible()
    part(ann, "Sheet").get_by_role("button", name="New turn").click()
    place = panel(ann, "Check")
    pick(place, "Skill", "Stealth")
    expect(place.get_by_text("7 in all, 6 counts: at most twice the largest")).to_be_visible()
    pick(place, "DC", "20")
    pick(place, "Advantage", "Advantage")
    expect(odds(place)).to_have_text(re.compile("%"))
    options(place, own_dice=True)
    roll(place)
    mine = card(ann, "Stealth")
    enter(mine, 3, 2, 1)
    waits = "Waiting for Ann: Keep the dice, or roll one d20 again?"
    expect(card(bo, "Stealth").get_by_text(waits)).to_be_visible()
    only_watches(eve, "Stealth", waits)
    for said in ("Keep", "Re-roll lower", "Re-roll higher"):
        expect(option(mine, said).locator(".option-worth")).to_be_visible()
    tie = "Re-roll lower or re-roll higher: it does not matter."
    expect(mine.locator(".why")).to_contain_text(tie)
    option(mine, "Re-roll lower").click()
    enter(mine, 20)
    for person in (rosa, ann, bo, eve):
        tier(person, "Critical success")
    expect(part(ann, "Sheet").get_by_label("Re-rolls left", exact=True)).to_have_value("0")
    expect(part(ann, "Sheet").get_by_label("Checks made", exact=True)).to_have_value("1")


def success_and_failure(ann, bo, eve):
    """The second check of a turn is at 5 less, the third at 10."""
    place = panel(ann, "Check")
    pick(place, "DC", "15")
    pick(place, "Advantage", "Neither")
    pick(place, "Weapon or tool", "Crossbow")
    expect(place.get_by_text("−5 for the checks before it")).to_be_visible()
    beside = part(ann, "Roll").locator(".dock-beside")
    expect(beside).to_contain_text("Check 2 of this turn: −5")
    expect(beside.get_by_role("button", name="New turn")).to_be_visible()
    roll(place)
    enter(card(ann, "Stealth"), 10, 1, 6)
    tier(bo, "Success: ")
    tier(bo, "effect 6")
    expect(place.get_by_text("−10 for the checks before it")).to_be_visible()
    roll(place)
    enter(card(ann, "Stealth"), 8, 1, 5)
    for person in (bo, eve):
        tier(person, "Failure: ")


def the_turn_ends(rosa, ann, eve):
    """A natural 1 makes a failure critical: the crossbow jams, and no check follows this turn."""
    beside = part(ann, "Roll").locator(".dock-beside")
    expect(beside).to_contain_text("Check 4 of this turn: −15")
    beside.get_by_role("button", name="New turn").click()
    expect(beside).to_have_count(0)
    expect(part(ann, "Sheet").get_by_label("Checks made", exact=True)).to_have_value("0")
    place = panel(ann, "Check")
    roll(place)
    enter(card(ann, "Stealth"), 1, 1, 4)
    for person in (rosa, eve):
        tier(person, "Critical failure")
    ended = part(ann, "Sheet").get_by_role("button", name="Turn ended")
    expect(ended).to_have_attribute("aria-pressed", "true")
    expect(part(ann, "Sheet").get_by_text("does not work, 0 attempts")).to_be_visible()
    why = part(ann, "Roll").locator(".dock-why")
    expect(why).to_contain_text("critical failure has ended this turn")

    about_roll(card(rosa, "Stealth"), "Undo with its effects")
    part(ann, "Sheet")
    expect(ended).to_have_attribute("aria-pressed", "false")
    expect(part(ann, "Sheet").get_by_text("does not work")).to_have_count(0)
    roll(panel(ann, "Check"))
    enter(card(ann, "Stealth"), 1, 1, 4)
    expect(part(ann, "Sheet").get_by_text("does not work, 0 attempts")).to_be_visible()


def a_repair(rosa, ann):
    """The second attempt has 5 more than the first, and the crossbow works again."""
    part(ann, "Sheet").get_by_role("button", name="New turn").click()
    place = panel(ann, "Getting it working again")
    pick(place, "Weapon or tool", "Crossbow")
    pick(place, "Skill", "Stealth")
    expect(odds(place)).to_have_text(re.compile("%"))
    roll(place)
    mine = card(ann, "getting it working again")
    enter(mine, 1, 1)
    enter(mine, 10, 2)
    expect(card(rosa, "getting it working again").locator(".told")).to_be_visible()
    expect(part(ann, "Sheet").get_by_text("does not work")).to_have_count(0)


def what_is_left(rosa, bo, folder):
    """The log is true, the history reads well, and the statistics know real dice."""
    events = true_log(export(rosa, "Log, to verify", folder))
    assert 1 == sum(one["kind"] == "roll.undone" for one in events)
    history = export(rosa, "History to read", folder).read_text("utf-8")
    for said in ("Ann", "Critical success", "Critical failure", "Crossbow"):
        assert said in history
    with export(bo, "History to calculate with", folder).open(encoding="utf-8", newline="") as file:
        assert "Ann" in {value for row in csv.DictReader(file) for value in row.values()}
    dialog = around(bo, "Are my dice bad?")
    dialog.get_by_label("Whose dice").select_option("Ann")
    expect(dialog.get_by_role("heading", name=re.compile("^Real d20, thrown"))).to_be_visible()
    close(dialog)
