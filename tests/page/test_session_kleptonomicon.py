"""A whole session of The Kleptonomicon in five browsers, from the link to the export."""

import csv
import re

import pytest
from playwright.sync_api import expect

from tests.gates import thorough
from tests.page.people import KEEPING, LAPTOP, MOVING, PHONE, TABLET
from tests.page.playing import (
    add_thing,
    around,
    card,
    close,
    edited,
    end_session,
    enter,
    export,
    let_happen,
    make_sheet,
    odds,
    only_watches,
    option,
    options,
    panel,
    part,
    pick,
    roll,
    says_true,
    true_log,
    watch,
)

pytestmark = thorough  # an evening of GHOST/BURN stands for all

WIDE = (1440, 900)


@pytest.fixture
def crew(somebody):
    """Rosa runs the game; Ann, Bo with his phone and Cy have sheets; Eve looks on."""
    rosa, ann, bo = somebody(**KEEPING), somebody(size=LAPTOP, **MOVING), somebody(size=PHONE)
    cy, eve = somebody(size=TABLET), somebody(size=WIDE)
    rosa.open_table_by_hand("The Kleptonomicon", "Rosa")
    watch(eve, rosa.link("spectator"))
    for person, name, sheet, value in (
        (ann, "Ann", "Moth", 2),
        (bo, "Bo", "Crow", 1),
        (cy, "Cy", "Rat", 0),
    ):
        person.join(rosa.link(), name)
        expect(person.feed(f"{name} sits down")).to_be_visible()
        make_sheet(person, sheet)
        add_thing(person, "Modifiers", name="Sneaking", modifier=value)
    return rosa, ann, bo, cy, eve


def choose(person, said):
    """Take an option whose worth is shown, on one's own card."""
    button = option(card(person, "Group Test"), said)
    expect(button.locator(".option-worth")).to_be_visible()
    button.click()


def test_a_session_from_link_to_export(crew, tmp_path):
    """Tests, a Contest and a Group Test, each decided by whom it concerns, end in a true log."""
    rosa, ann, bo, cy, eve = crew
    stacked_advantages_and_a_coin(rosa, ann)
    a_contest_of_two_seats(rosa, bo, cy, eve)
    a_group_test_of_three(rosa, ann, bo, cy, eve)
    end_session(rosa)
    for person in (cy, eve):
        expect(person.feed("Session 1 has ended")).to_be_visible()
    what_is_left(rosa, cy, tmp_path)


def stacked_advantages_and_a_coin(rosa, ann):
    """Two Advantages of the sheet and one more make four dice; a 10 is decided by a coin."""
    part(ann, "Sheet").get_by_role("button", name="Add to: Advantages and Disadvantages").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("Cause").fill("moonless night")
    dialog.get_by_role("button", name="How many: one more").click()
    dialog.get_by_label("Until", exact=True).fill("dawn")
    dialog.get_by_role("button", name="Save").click()
    sheet = part(ann, "Sheet")
    expect(sheet.get_by_text("all Tests · until dawn")).to_be_visible()
    expect(sheet.get_by_text("Advantage × 2")).to_be_visible()

    place = panel(ann, "Test")
    pick(place, "Which Score", "Sneaking")
    expect(place.get_by_text("3 dice, the highest counts")).to_be_visible()
    expect(odds(place)).to_have_text("91 %")
    expect(place.get_by_role("group", name="If there is a choice")).to_have_count(0)
    place.get_by_role("button", name="Advantages: more", exact=True).click()
    expect(place.get_by_text("4 dice, the highest counts")).to_be_visible()
    options(place, own_dice=True)
    roll(place)
    mine = card(ann, "Sneaking")
    enter(mine, 10, 3, 4, 1)
    enter(mine, "critical success")
    for person in (rosa, ann):
        told = card(person, "Sneaking").locator(".told")
        expect(told).to_contain_text("10!, the best Sneaking Score whatever the Modifier, High")
    expect(part(ann, "Sheet").get_by_text("a good side effect is due").first).to_be_visible()

    part(ann, "Sheet").get_by_role("button", name="It ends").click()
    expect(part(ann, "Sheet").get_by_text("until dawn")).to_have_count(0)
    part(ann, "Sheet").get_by_role("button", name="Remove a good side effect is due").click()
    edited(rosa, "Ann", "Moth", "− a good side effect is due")


def a_contest_of_two_seats(rosa, bo, cy, eve):
    """Bo against Cy: both sheets count, and what the coin brings goes to the right one."""
    place = panel(bo, "Contest")
    pick(place, "Against whom", "Rat")
    options(place, own_dice=True)
    expect(odds(place)).to_have_text(re.compile("^5[89] %$"))
    roll(place)
    mine = card(bo, "Contest")
    enter(mine, 4)
    enter(mine, 10)
    enter(mine, "critical success")
    for person in (rosa, bo, cy, eve):
        expect(card(person, "Contest").locator(".told")).to_contain_text("Rat")
    part(cy, "Stage")
    let_happen(card(cy, "Contest"))
    expect(part(cy, "Sheet").get_by_text("a good side effect is due").first).to_be_visible()
    expect(part(bo, "Sheet").get_by_text("a good side effect is due")).to_have_count(0)


def a_group_test_of_three(rosa, ann, bo, cy, eve):
    """Everybody who did well decides in their own browser whom to help, with the odds."""
    place = panel(ann, "Group Test")
    expect(place.get_by_role("group", name="If there is a choice")).to_be_visible()
    for name in ("Moth", "Crow", "Rat"):
        expect(place.get_by_role("checkbox", name=name, exact=True)).to_be_checked()
    options(place, own_dice=True)
    roll(place)
    mine = card(ann, "Group Test")
    enter(mine, 8)
    enter(mine, 7)
    enter(mine, 2)
    waits = "Waiting for Ann: Give an Advantage away?"
    for person in (rosa, bo, cy):
        expect(card(person, "Group Test").get_by_text(waits)).to_be_visible()
    only_watches(eve, "Group Test", waits)
    expect(option(mine, "Give Advantage to Rat")).to_contain_text("best")
    choose(ann, "Give Advantage to Rat")
    enter(mine, 3)
    choose(ann, "Keep it")
    expect(option(mine, "Keep it")).to_have_count(0)
    choose(bo, "Give Advantage to Rat")
    enter(mine, 9)
    for person in (rosa, ann, bo, cy, eve):
        told = card(person, "Group Test").locator(".told")
        expect(told).to_contain_text("Crow")
        expect(told).not_to_contain_text("@")


def what_is_left(rosa, cy, folder):
    """The log is true, its history can be read, and the dice are judged with care."""
    says_true(rosa)
    events = true_log(export(rosa, "Log, to verify", folder))
    chosen = [one["body"]["by"] for one in events if one["kind"] == "roll.chosen"]
    assert ["s2", "s2", "s3"] == chosen
    history = export(rosa, "History to read", folder).read_text("utf-8")
    assert "# " == history[:2]
    for said in ("Bo", "a good side effect is due", "Sneaking"):
        assert said in history
    assert "@s" not in history
    with export(cy, "History to calculate with", folder).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert 3 <= len(rows)
    dialog = around(cy, "Are my dice bad?")
    dialog.get_by_label("Whose dice").select_option("The whole table")
    expect(dialog.get_by_role("heading", name=re.compile("^Real d10, thrown"))).to_be_visible()
    close(dialog)
