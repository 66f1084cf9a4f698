"""An evening of A Thousand Miles of Dust in four browsers, from the link to the exported log."""

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
    tab,
    true_log,
    watch,
)

pytestmark = thorough  # an evening of GHOST/BURN stands for all


def test_an_evening_from_link_to_export(somebody, tmp_path):
    """Three people play everything the game has, one looks on, and the log of it all is true."""
    rosa, bo, ada = somebody(**KEEPING | MOVING), somebody(size=LAPTOP), somebody(size=PHONE)
    eve = somebody(size=TABLET)
    sit_down(rosa, bo, ada, eve)
    fill_in_sheets(bo, ada)
    doubles_bring_adrenaline(rosa, bo)
    adrenaline_is_spent(bo)
    a_botch_is_owed(rosa, bo)
    doubles_are_asked_for(bo, ada, eve)
    asked_for_a_roll(rosa, bo)
    one_against_the_other(rosa, bo, ada, eve)
    a_task_over_turns(bo, ada)
    hidden_until_shown(rosa, bo, ada, eve)
    undone(rosa, bo)
    end_session(rosa)
    for person in (bo, eve):
        expect(person.feed("Session 1 has ended")).to_be_visible()
    kept_files(rosa, tmp_path)
    says_true(rosa)
    says_true(ada)


def sit_down(rosa, bo, ada, eve):
    """Two players by the referee's link, and a spectator by theirs."""
    rosa.open_table_by_hand("A Thousand Miles of Dust", "Rosa")
    links = around(rosa, "Links and seats")
    link = links.get_by_role("textbox", name="For players").input_value()
    to_watch = links.get_by_role("textbox", name="For spectators").input_value()
    close(links)
    watch(eve, to_watch)
    for person, name in ((bo, "Bo"), (ada, "Ada")):
        person.join(link, name)
        expect(person.feed(f"{name} sits down")).to_be_visible()


def fill_in_sheets(bo, ada):
    """Attributes and abilities by name, and a task under way."""
    make_sheet(bo, "Jax")
    add_thing(bo, "Attributes and abilities", name="Wits", rating=3)
    add_thing(bo, "Attributes and abilities", name="Drive", rating=2)
    add_thing(bo, "Tasks under way", name="Hotwire", successes_wanted=3)
    make_sheet(ada, "Mara")
    add_thing(ada, "Attributes and abilities", name="Grit", rating=3)
    expect(part(ada, "Sheet").get_by_role("img", name="Grit: 3 of 5")).to_be_visible()
    expect(part(bo, "Sheet").get_by_role("img", name="Hotwire: 0 of 3")).to_be_visible()


def drive(bo, *faces, difficulty="6"):
    """Bo throws Wits and Drive with his own dice; the card."""
    place = panel(bo, "Pool roll")
    pick(place, "Attribute", "Wits")
    ability = place.get_by_role("combobox", name="Ability")
    ability.select_option(label=ability.locator("option", has_text="Drive").inner_text())
    pick(place, "Difficulty", difficulty)
    expect(odds(place)).to_contain_text("%")
    options(place, own_dice=True)
    roll(place)
    mine = card(bo, "Roll: Wits + Drive")
    enter(mine, *faces)
    return mine


def doubles_bring_adrenaline(rosa, bo):
    """Five dice at difficulty 7; a pair brings a point, on the sheet too."""
    mine = drive(bo, 8, 8, 2, 3, 4, difficulty="7")
    expect(mine.locator(".told")).to_contain_text("doubles: +1 Adrenaline")
    sheet = part(bo, "Sheet")
    expect(sheet.get_by_role("group", name="Adrenaline: 1 of 10")).to_be_visible()
    expect(card(rosa, "Wits").locator(".changes")).to_have_text("Adrenaline 0 → 1")


def adrenaline_is_spent(bo):
    """The point is spent with a slider that ends at what the table allows, and raises the odds."""
    place = panel(bo, "Pool roll")
    before = odds(place).inner_text()
    slider = place.get_by_role("slider", name="Adrenaline spent")
    expect(slider).to_have_attribute("max", "1")
    slider.press("End")
    expect(odds(place)).not_to_have_text(before)
    mine = drive(bo, 7, 2, 3, 4, 5)
    expect(mine.locator(".told")).to_contain_text("1 bought with Adrenaline")
    sheet = part(bo, "Sheet")
    expect(sheet.get_by_role("group", name="Adrenaline: 0 of 10")).to_be_visible()


def a_botch_is_owed(rosa, bo):
    """More 1s than successes: everybody reads of the botch, and the sheet counts it."""
    mine = drive(bo, 1, 2, 3, 4, 5)
    expect(mine.locator(".told")).to_contain_text("a botch")
    expect(card(rosa, "botch").locator(".changes")).to_have_text("Botches still owed 0 → 1")
    sheet = part(bo, "Sheet")
    expect(sheet.get_by_role("textbox", name="Botches still owed")).to_have_value("1")


def doubles_are_asked_for(bo, ada, eve):
    """Whoever wants to be asked decides on the point for doubles when the dice lie."""
    place = panel(bo, "Pool roll")
    place.get_by_text("More settings").click()
    pick(place, "The point for doubles", "ask")
    mine = drive(bo, 9, 9, 2, 3, 4)
    tab(ada, "Stage")
    expect(ada.seen("Waiting for Bo")).to_be_visible()
    only_watches(eve, "Roll: Wits + Drive", "Waiting for Bo")
    option(mine, "Take").click()
    expect(mine.locator(".told")).to_contain_text("doubles: +1 Adrenaline")
    pick(panel(bo, "Pool roll"), "The point for doubles", "take it")


def asked_for_a_roll(rosa, bo):
    """The referee asks one of them for a roll by the names on his sheet."""
    dialog = around(rosa, "Ask for a roll")
    dialog.get_by_role("switch", name="Everybody").uncheck()
    dialog.get_by_role("switch", name="Ada").uncheck()
    dialog.get_by_role("button", name="Something else").click()
    dialog.get_by_role("combobox", name="Attribute", exact=True).select_option("Wits")
    pick(dialog, "Difficulty", "8")
    dialog.get_by_role("button", name="Ask", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(rosa.seen("Roll: Wits, Difficulty 8 · waiting for Jax")).to_be_visible()
    expect(asked(bo)).to_contain_text("Rosa asks you to roll: Pool roll: Wits, Difficulty 8")
    asked(bo).get_by_role("button", name="Real dice").click()
    enter(card(bo, "Roll: Wits"), 9, 2, 3)
    expect(card(bo, "Roll: Wits").locator(".told")).to_contain_text("net 1")
    expect(rosa.seen("waiting for Jax")).to_have_count(0)


def one_against_the_other(rosa, bo, ada, eve):
    """Jax against Mara: her pair brings her the point, on her own sheet."""
    place = panel(bo, "Opposing roll")
    pick(place, "Against whom", "Mara")
    expect(odds(place)).to_contain_text("%")
    options(place, own_dice=True)
    roll(place)
    mine = card(bo, "Opposing roll")
    enter(mine, 7, 8, 9, 2, 3)
    enter(mine, 10, 10, 4)
    for person in (rosa, bo, ada, eve):
        told = card(person, "Opposing roll").locator(".told")
        expect(told).to_contain_text("Jax wins by 1")
        expect(told).to_contain_text("Mara gains 1 Adrenaline")
    part(ada, "Stage")
    let_happen(card(ada, "Opposing roll"))
    expect(part(ada, "Sheet").get_by_role("group", name="Adrenaline: 1 of 10")).to_be_visible()


def a_task_over_turns(bo, ada):
    """A task goes on turn by turn, with Adrenaline to spend before each."""
    place = panel(bo, "Extended roll")
    pick(place, "Task", "Hotwire")
    expect(odds(place)).to_contain_text("%")
    options(place, own_dice=True)
    roll(place)
    mine = card(bo, "Extended roll")
    option(mine, "Save").click()
    enter(mine, 7, 2, 3, 4, 5)
    option(mine, "Spend 1").click()
    enter(mine, 7, 2, 3, 4, 5)
    expect(mine.locator(".told")).to_contain_text("done: 3 gathered, 3 needed")
    sheet = part(bo, "Sheet")
    expect(sheet.get_by_role("img", name="Hotwire: 3 of 3")).to_be_visible()


def hidden_until_shown(rosa, bo, ada, eve):
    """What Ada rolls hidden, not even the referee sees, until Ada shows it."""
    place = panel(ada, "Pool roll")
    options(place, way="Hidden")
    roll(place)
    hers = card(ada, "Grit")
    expect(hers.locator(".told")).to_be_visible()
    for person in (rosa, bo, eve):
        expect(person.page.locator(".roll-card.veiled")).to_contain_text("Ada rolls in secret")
    about_roll(hers, "Reveal to all")
    for person in (rosa, bo, eve):
        expect(card(person, "Grit").locator(".told")).to_be_visible()
        expect(person.page.locator(".roll-card.veiled")).to_have_count(0)


def undone(rosa, bo):
    """The referee undoes Bo's botch (Ada's own dice may have made one too): he owes none."""
    lines = rosa.page.locator(".feed-item.is-roll", has_text="Jax").filter(has_text="Drive")
    his = lines.filter(has_text="Botch")
    his.locator(".feed-line").click()
    expect(his.locator(".changes")).to_have_text("Botches still owed 0 → 1")
    about_roll(his, "Undo with its effects")
    sheet = part(bo, "Sheet")
    expect(sheet.get_by_role("textbox", name="Botches still owed")).to_have_value("0")


def kept_files(rosa, folder):
    """The log verifies and holds each thing once; the history can be read."""
    kinds = [event["kind"] for event in true_log(export(rosa, "Log, to verify", folder))]
    expected = {"roll.started": 8, "roll_request.answered": 1, "roll.chosen": 3, "roll.undone": 1}
    expected |= {"roll.revealed": 1, "session.ended": 1}
    assert expected == {kind: kinds.count(kind) for kind in expected}
    story = export(rosa, "History to read", folder).read_text("utf-8")
    assert "done: 3 gathered, 3 needed" in story
