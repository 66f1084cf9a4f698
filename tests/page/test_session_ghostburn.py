"""A whole session of GHOST/BURN in four browsers, from the link to the export."""

import pytest
from playwright.sync_api import expect

from tests.page.people import LAPTOP, PHONE, TABLET
from tests.page.playing import (
    add_thing,
    around,
    asked,
    card,
    edited,
    end_session,
    enter,
    export,
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

PERSUADE = {"name": "Persuade", "ability": "Presence", "bonus": 2}
PRESENCE = [{"name": "Presence", "score": 3}]
WIRE = {"name": "Wire", "abilities": PRESENCE, "skills": [PERSUADE], "luck_points": 1}
HEX = {**WIRE, "name": "Hex", "skills": [{**PERSUADE, "favored": True}]}


@pytest.fixture
def runners(somebody):
    """Rosa runs the game; Ann and Bo, who favors his skill and has a phone, can persuade.

    Eve looks on.
    """
    rosa, ann, bo = somebody(), somebody(size=TABLET), somebody(size=PHONE)
    eve = somebody(size=LAPTOP)
    rosa.open_table("GHOST/BURN", "Rosa")
    watch(eve, rosa.link("spectator"))
    for person, name, sheet in ((ann, "Ann", WIRE), (bo, "Bo", HEX)):
        person.join(rosa.link(), name)
        expect(person.feed(f"{name} sits down")).to_be_visible()
        person.seat().do("sheet.create", values=sheet)
    add_thing(ann, "Gear, augments, charms", name="voice box", for_which_skill="Persuade", bonus=1)
    expect(part(bo, "Sheet").get_by_text("favored", exact=True)).to_be_visible()
    return rosa, ann, bo, eve


def luck(person, left):
    """The Luck on one's own sheet."""
    group = part(person, "Sheet").get_by_role("group", name=f"Luck: {left} of 1")
    expect(group).to_be_visible()


def test_a_session_from_link_to_export(runners, tmp_path):
    """Luck avoids a Glitch, lifts a Fade, and is there again in the next session."""
    rosa, ann, bo, eve = runners
    a_glitch_is_avoided(rosa, ann, bo, eve)
    an_asked_roll_is_lifted(rosa, bo, eve)
    conditions_by_hand(rosa, ann)
    end_session(rosa)
    for person in (ann, bo):
        luck(person, 1)
    for person in (ann, bo, eve):
        expect(person.seen("Session 2").first).to_be_visible()
    expect(rosa.feed("A new session for Wire")).to_contain_text("Luck Points 0 → 1")
    what_is_left(rosa, tmp_path)


def a_glitch_is_avoided(rosa, ann, bo, eve):
    """Two levels short is a Glitch; a Luck Point makes it a Fade, with what the chart says."""
    luck(ann, 1)
    place = panel(ann, "Skill roll")
    pick(place, "Skill", "Persuade")
    ladder = {"Easy": "100 %", "Moderate": "79 %", "Severe": "1 %", "Hard": "28 %"}
    for level, chance in ladder.items():
        pick(place, "Difficulty Level", level)
        expect(odds(place)).to_have_text(chance)
    place.get_by_text("More settings").first.click()
    place.get_by_role("textbox", name="Target").fill("the clerk")
    chart = place.get_by_role("group", name="Chart of the trick", exact=True)
    chart.get_by_label("Trick").fill("Convince")
    chart.get_by_role("group", name="Fade", exact=True).get_by_label("Condition").fill("Confident")
    options(place, own_dice=True)
    roll(place)
    mine = card(ann, "Persuade")
    enter(mine, 1, 2)
    waits = "Waiting for Ann: Spend Luck?"
    expect(card(bo, "Persuade").get_by_text(waits)).to_be_visible()
    only_watches(eve, "Persuade", waits)
    for said in ("Keep the Luck", "Spend Luck: +2", "Spend Luck: avoid the Glitch"):
        expect(option(mine, said).locator(".option-worth")).to_be_visible()
    mine.get_by_label("What I aim for").select_option(label="no Glitch")
    expect(option(mine, "Spend Luck: avoid the Glitch")).to_contain_text("no Glitch")
    option(mine, "Spend Luck: avoid the Glitch").click()
    for person in (rosa, ann, bo, eve):
        told = card(person, "Persuade").locator(".told")
        expect(told).to_contain_text("Luck avoids the Glitch: Fade instead")
    luck(ann, 0)
    expect(part(ann, "Sheet").get_by_text("the clerk: Confident")).to_be_visible()


def an_asked_roll_is_lifted(rosa, bo, eve):
    """A favored skill makes three of the Luck, which the advice tells Bo to spend."""
    dialog = around(rosa, "Ask for a roll")
    dialog.get_by_role("switch", name="Everybody").uncheck()
    dialog.get_by_role("switch", name="Ann").uncheck()
    dialog.get_by_role("button", name="Persuade").click()
    pick(dialog, "Difficulty Level", "Moderate")
    dialog.get_by_role("button", name="Ask", exact=True).click()
    asked(bo).get_by_role("button", name="Real dice").click()
    mine = card(bo, "Persuade")
    enter(mine, 5, 3)
    expect(option(mine, "Spend Luck: +3")).to_contain_text("best")
    option(mine, "Spend Luck: +3").click()
    for person in (rosa, eve):
        told = card(person, "Persuade").locator(".told")
        expect(told).to_contain_text("a Luck Bonus of 3 for a favored skill adds 3 for 16")
    luck(bo, 0)


def conditions_by_hand(rosa, ann):
    """A condition is noted down and crossed out where it stands."""
    sheet = part(ann, "Sheet")
    sheet.get_by_label("Add a condition").fill("Hunted")
    sheet.get_by_label("Add a condition").press("Enter")
    edited(rosa, "Ann", "Wire", "+ Hunted")
    sheet.get_by_role("button", name="Remove Hunted").click()
    expect(sheet.get_by_role("button", name="Remove Hunted")).to_have_count(0)
    edited(rosa, "Ann", "Wire", "− Hunted")
    expect(sheet.get_by_role("button", name="Remove Hunted")).to_have_count(0)


def what_is_left(rosa, folder):
    """The log is true, and knows what was chosen."""
    events = true_log(export(rosa, "Log, to verify", folder))
    assert ["avoid-glitch", "bonus"] == [
        one["body"]["option"] for one in events if one["kind"] == "roll.chosen"
    ]
