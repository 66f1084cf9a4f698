"""An evening of Twilight: 2000 in four browsers, from the link in the chat to the exported log."""

from playwright.sync_api import expect

from tests.gates import thorough
from tests.page.people import KEEPING, LAPTOP, MOVING, PHONE, TABLET
from tests.page.playing import (
    about_roll,
    add_thing,
    around,
    asked,
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
    says_true,
    tab,
    true_log,
    watch,
)

pytestmark = thorough  # an evening of GHOST/BURN stands for all

RIFLE = {"Reliability in good condition": 5, "Spare magazines": 1}


def test_an_evening_from_link_to_export(somebody, tmp_path):
    """Three people play everything the game has, one looks on, and the log of it all is true."""
    rosa, bo, ada = somebody(**KEEPING | MOVING), somebody(size=PHONE), somebody(size=TABLET)
    eve = somebody(size=LAPTOP)
    sit_down(rosa, bo, ada, eve)
    fill_in_sheets(bo, ada)
    asked_for_recon(rosa, bo, ada)
    attack(rosa, bo, ada, eve)
    clear_the_jam(bo)
    sneak_past(rosa, bo, ada, eve)
    secret_roll(rosa, bo, eve)
    mistyped(rosa, ada)
    undone(rosa, ada)
    end_session(rosa)
    for person in (bo, eve):
        expect(person.feed("Session 1 has ended")).to_be_visible()
    kept_files(rosa, tmp_path)
    says_true(rosa)
    says_true(bo)


def sit_down(rosa, bo, ada, eve):
    """Bo and Eve come in by their links; from then on newcomers knock, and Ada is let in."""
    rosa.open_table_by_hand("Twilight: 2000", "Rosa")
    links = around(rosa, "Links and seats")
    link = links.get_by_role("textbox", name="For players").input_value()
    watch(eve, links.get_by_role("textbox", name="For spectators").input_value())
    bo.join(link, "Bo")
    expect(bo.feed("Bo sits down")).to_be_visible()
    links.get_by_role("switch", name="Newcomers knock").check()
    close(links)
    ada.join(link, "Ada")
    expect(ada.page.get_by_role("heading", name="You have knocked")).to_be_visible()
    part(rosa, "More").get_by_role("button", name="Let in").click()
    expect(ada.feed("Ada was let in")).to_be_visible()


def fill_in_sheets(bo, ada):
    """Attributes and skills by tap, and a rifle with its magazine and reliability."""
    levels = {"AGL": "B", "INT": "B", "Ranged combat": "C", "Recon": "C"}
    for person, name in ((bo, "Novak"), (ada, "Weiss")):
        sheet = make_sheet(person, name)
        for what, level in levels.items():
            sheet.get_by_role("combobox", name=what, exact=True).select_option(level)
    add_thing(bo, "Weapons", folded=True, name="AK-74", rounds=5, **RIFLE)
    sheet = part(bo, "Sheet")
    expect(sheet.get_by_role("img", name="Rounds: 5 of 30")).to_be_visible()
    expect(sheet.get_by_role("img", name="Reliability: 5 of 5")).to_be_visible()


def asked_for_recon(rosa, bo, ada):
    """The referee asks everybody; each answers with a tap, one of them with real dice."""
    dialog = around(rosa, "Ask for a roll")
    dialog.get_by_role("button", name="Recon").click()
    dialog.get_by_role("button", name="Modifier: less").click()
    dialog.get_by_role("button", name="Ask", exact=True).click()
    expect(dialog).to_have_count(0)
    asked(bo).get_by_role("button", name="Real dice").click()
    enter(card(bo, "Novak Skill roll: recon"), 2, 4)
    option(card(bo, "Novak Skill roll: recon"), "Keep").click()
    expect(rosa.seen("waiting for Weiss")).to_be_visible()
    asked(ada).get_by_role("button", name="Real dice").click()
    enter(card(ada, "Weiss Skill roll: recon"), 7, 5)
    expect(card(ada, "Weiss Skill roll: recon").locator(".told")).to_be_visible()
    expect(rosa.page.locator(".asks")).to_have_count(0)


def attack(rosa, bo, ada, eve):
    """The odds stand beside the button; the push is advised and paid for on the sheet."""
    place = panel(bo, "Attack")
    slider = place.get_by_role("slider", name="Ammo dice")
    expect(odds(place)).to_contain_text("%")
    before = odds(place).inner_text()
    slider.press("End")
    expect(slider).to_have_value("4")
    expect(place.locator(".slider output").first).to_have_text("4")
    slider.press("ArrowLeft")
    place.get_by_role("button", name="Modifier: less").click()
    expect(odds(place)).not_to_have_text(before)
    place.get_by_role("button", name="Modifier: more").click()
    options(place, own_dice=True)
    roll(place)
    mine = card(bo, "Attack")
    enter(mine, 2, 3, 1, 4, 2)
    expect(option(mine, "Push")).to_contain_text("best")
    expect(option(mine, "Push")).to_contain_text("%")
    expect(option(mine, "Keep")).to_contain_text("0 %")
    expect(ada.seen("Waiting for Bo: Keep or push?")).to_be_visible()
    only_watches(eve, "Attack", "Waiting for Bo: Keep or push?")
    option(mine, "Push").click()
    enter(mine, 7, 1, 1, 6)
    expect(mine.locator(".told")).to_be_visible()
    expect(mine.locator(".told")).to_contain_text("1s on 3 dice: AK-74 loses 3 reliability, jams")
    for person in (rosa, bo, ada, eve):
        changed = card(person, "Attack").locator(".changes")
        expect(changed).to_have_text("AK-74: Rounds 5 → 0, Reliability 5 → 2, Jammed")
    sheet = part(bo, "Sheet")
    expect(sheet.get_by_role("img", name="Rounds: 0 of 30")).to_be_visible()
    expect(sheet.get_by_role("img", name="Reliability: 2 of 5")).to_be_visible()
    expect(sheet.get_by_text("jammed", exact=True)).to_be_visible()


def clear_the_jam(bo):
    """A success frees the weapon, and a spare magazine fills it again."""
    place = panel(bo, "Clear a jam")
    expect(odds(place)).to_contain_text("%")
    roll(place)
    mine = card(bo, "Clear a jam")
    enter(mine, 8, 2)
    expect(mine.locator(".changes")).to_contain_text("Actions used + slow")
    sheet = part(bo, "Sheet")
    expect(sheet.get_by_text("jammed", exact=True)).to_have_count(0)
    sheet.get_by_role("button", name="Reload (1 spare)").click()
    expect(sheet.get_by_role("img", name="Rounds: 30 of 30")).to_be_visible()


def sneak_past(rosa, bo, ada, eve):
    """Bo against Ada: her side comes from her sheet, and both see who has won."""
    place = panel(bo, "Opposed")
    pick(place, "Which skill", "Recon")
    pick(place, "Against whom", "Weiss")
    place.get_by_role("combobox", name="Their skill").select_option("Recon")
    expect(odds(place)).to_contain_text("%")
    options(place, own_dice=True)
    roll(place)
    mine = card(bo, "Opposed roll")
    enter(mine, 6, 3)
    enter(mine, 2, 5)  # ahead: a push would gain nothing, so nobody is asked
    for person in (rosa, bo, ada, eve):
        seen = card(person, "Opposed roll")
        expect(seen).to_contain_text("against Weiss")
        expect(seen.locator(".told")).to_contain_text("the active side wins by 1")


def secret_roll(rosa, bo, eve):
    """What the referee rolls for a character of hers reaches nobody until she reveals it."""
    dialog = around(rosa, "Non-player characters")
    dialog.get_by_label("Name", exact=True).fill("Marauder")
    dialog.get_by_role("button", name="Add", exact=True).click()
    dialog.get_by_role("listitem").filter(has_text="Marauder").get_by_role(
        "button", name="Sheet"
    ).click()
    expect(dialog).to_have_count(0)
    part(rosa, "Roll").get_by_label("Rolling as").select_option("Marauder")
    place = panel(rosa, "Skill")
    options(place, way="Private", own_dice=True)
    roll(place)
    hers = card(rosa, "Marauder")
    enter(hers, 2)
    option(hers, "Keep").click()
    for person in (bo, eve):
        tab(person, "Stage")
        veiled = person.page.locator(".roll-card.veiled")
        expect(veiled).to_contain_text("Rosa rolls in secret")
    about_roll(hers, "Reveal to all")
    for person in (bo, eve):
        expect(person.page.locator(".roll-card.veiled")).to_have_count(0)
        expect(card(person, "Skill roll: recon").locator(".told")).to_be_visible()


def mistyped(rosa, ada):
    """A mistyped face is taken back in front of everybody, and typed anew."""
    place = panel(ada, "Skill")
    options(place, own_dice=True)
    roll(place)
    mine = card(ada, "Skill roll: recon")
    enter(mine, 2, 4)
    mine.get_by_role("button", name="Take back").click()
    expect(card(rosa, "Ada").locator(".tray-throw[data-taken]")).to_have_count(1)
    enter(mine, 1, 4)
    option(mine, "Push").click()
    enter(mine, 10)
    sheet = part(ada, "Sheet")
    expect(sheet.get_by_role("group", name="Stress: 1 of 5")).to_be_visible()


def undone(rosa, ada):
    """The referee undoes that roll: its stress is gone, and everybody can read why."""
    hers = card(rosa, "stress")
    about_roll(hers, "Undo with its effects")
    expect(part(ada, "Sheet").get_by_role("group", name="Stress: 0 of 5")).to_be_visible()
    expect(card(ada, "The referee has undone this roll.")).to_be_visible()


def kept_files(rosa, folder):
    """The log verifies and holds each thing once; the history can be read."""
    events = true_log(export(rosa, "Log, to verify", folder))
    kinds = [event["kind"] for event in events]
    expected = {
        "seat.admitted": 1,
        "roll_request.answered": 2,
        "roll.taken_back": 1,
        "roll.revealed": 1,
    }
    expected |= {"roll.undone": 1, "session.ended": 1, "roll.started": 7}
    assert expected == {kind: kinds.count(kind) for kind in expected}
    story = export(rosa, "History to read", folder).read_text("utf-8")
    assert "AK-74 loses 3 reliability, jams" in story
    assert "Weiss: stress 1 → 0 (taken back)" in story
