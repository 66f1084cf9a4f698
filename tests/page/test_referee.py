"""The referee's side, in real browsers: characters, links, seats, house rules, sessions, logs."""

import json
import re

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.page.people import PHONE, await_answer, wait_until
from tests.page.playing import ALL_TRUE
from tests.page.test_at_the_table import start, tab
from tests.server.guests import Guest


@pytest.fixture
def rosa(somebody):
    """Rosa, at the GHOST/BURN table that she has opened."""
    rosa = somebody()
    rosa.open_table("GHOST/BURN", "Rosa")
    tab(rosa, "More")
    return rosa


@pytest.fixture
def bo(rosa, somebody):
    """Bo, a player of hers, on a phone."""
    bo = somebody(size=PHONE)
    bo.join(rosa.link(), "Bo")
    expect(bo.feed("Bo sits down")).to_be_visible()
    return bo


def open_dialog(person, name):
    """Open one of the dialogs beside the table."""
    person.page.get_by_role("region", name="Around the table").get_by_role(
        "button", name=name
    ).click()
    return person.page.get_by_role("dialog")


def shut(person):
    """Close the dialog in front."""
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Close", exact=True).click()
    expect(dialog).to_have_count(0)


def manage(person, name):
    """Open what can be done with a seat."""
    person.page.get_by_role("button", name=f"What can be done with {name}'s seat").click()
    return person.page.get_by_role("dialog")


def make_npc(person, name, *, shown=False):
    """Make a character of the referee's."""
    dialog = open_dialog(person, "Non-player characters")
    dialog.get_by_label("Name", exact=True).fill(name)
    if shown:
        dialog.get_by_role("switch", name="Show the sheet to all").check()
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("listitem").filter(has_text=name)).to_be_visible()
    shut(person)


def test_a_characters_sheet_and_roll_stay_behind_the_screen(rosa, bo):
    """A non-player character is the referee's alone, is rolled for, shown, and put away."""
    make_npc(rosa, "Kessler")
    make_npc(rosa, "Barkeeper", shown=True)
    bo.page.reload()
    tab(bo, "Sheet")
    expect(bo.page.get_by_role("tab", name="Barkeeper")).to_be_visible()
    expect(bo.page.locator("body")).not_to_contain_text("Kessler")

    [(table, known)] = rosa.tables.items()
    sheets = Guest(rosa.address.rstrip("/"), table, known["token"]).ask("GET").json()["sheets"]
    [hidden] = [one["sheet"] for one in sheets if not one["shown"]]
    start(rosa, {"do": "roll.start", "sheet": hidden, "visibility": "blind", "note": "he lies",
                 "request": {"roll": "roll", "skill": [2], "ability": 1, "dl": 14}})  # fmt: skip
    expect(rosa.page.locator(".roll-card")).to_contain_text("he lies")
    tab(bo, "Stage")
    expect(bo.page.locator(".roll-card")).to_contain_text("Rosa rolls in secret")
    expect(bo.page.locator("body")).not_to_contain_text("he lies")

    dialog = open_dialog(rosa, "Non-player characters")
    kessler = dialog.get_by_role("listitem").filter(has_text="Kessler")
    kessler.get_by_role("button", name="Remove").click()
    kessler.get_by_role("button", name="Yes, remove").click()
    expect(kessler).to_have_count(0)


def test_a_characters_roll_comes_from_the_panel(somebody):
    """The panel rolls for a character of the referee's once that is said."""
    rosa = somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    tab(rosa, "More")
    make_npc(rosa, "Kessler", shown=True)
    dialog = open_dialog(rosa, "Non-player characters")
    dialog.get_by_role("button", name="Sheet").click()
    expect(rosa.page.get_by_label("Name of the character")).to_have_value("Kessler")
    rosa.page.locator(".tab-roll").click()
    rosa.page.get_by_label("Rolling as").select_option("Kessler")
    rosa.page.locator(".roll-button").click()
    card = rosa.page.locator(".roll-card")
    expect(card).to_contain_text("Kessler")


def test_a_session_ends_and_luck_comes_back(rosa, bo):
    """The end of a session is asked for once more, counted, and fills the Luck of every sheet."""
    tab(bo, "Sheet")
    bo.page.get_by_label("Name of the character").fill("Vex")
    bo.page.get_by_role("button", name="Make the sheet").click()
    expect(bo.page.get_by_role("group", name="Luck: 1 of 1")).to_be_visible()
    start(bo, {"do": "sheet.change", "sheet": "s2", "values": {"luck_points": 0}})
    rosa.page.get_by_role("button", name="End the session").click()
    rosa.page.get_by_role("button", name="Yes, end it").click()

    expect(rosa.feed("Session 1 has ended")).to_be_visible()
    expect(rosa.feed("A new session for Vex")).to_contain_text("Luck Points 0 → 1")
    expect(bo.page.locator(".table-top")).to_contain_text("Session 2")


def test_house_rules_change_for_the_next_roll(rosa, bo):
    """A referee changes the table's name and a house rule; players read them and cannot."""
    dialog = open_dialog(rosa, "House rules")
    dialog.get_by_label("Name of the table").fill("Night shift")
    expect(dialog.get_by_text("As in the book, every one of them.")).to_be_visible()
    expect(dialog.get_by_role("radio")).to_have_count(0)  # a line each, which opens
    assert dialog.locator(".inside").evaluate("inside => inside.scrollHeight") < 1100
    dialog.locator(".rule > summary").last.click()
    rule = dialog.get_by_role("radio").last
    rule.check()
    dialog.get_by_role("button", name="Save").click()
    expect(rosa.feed("Rosa changed the table or its house rules")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="Night shift", level=1)).to_be_visible()

    tab(bo, "More")
    dialog = open_dialog(bo, "House rules")
    expect(dialog.get_by_role("heading", name="Not as in the book")).to_be_visible()
    expect(dialog.get_by_role("radio").last).to_be_checked()
    expect(dialog.get_by_role("radio").last).to_be_disabled()
    expect(dialog.get_by_role("button", name="Save")).to_have_count(0)


def test_a_house_rule_is_found_by_its_words(somebody):
    """Of many rules the search shows those that say it, open; and says where none does."""
    rosa = somebody(size=PHONE)
    rosa.open_table("Twilight: 2000", "Rosa")
    tab(rosa, "More")
    dialog = open_dialog(rosa, "House rules")
    search = dialog.get_by_role("searchbox", name="Search the rules")
    search.fill("jams a weapon")
    expect(dialog.get_by_role("group", name="What jams a weapon")).to_be_visible()
    expect(dialog.locator(".rule")).to_have_count(0)
    search.fill("no such thing")
    status = dialog.locator("[role=status]:not(#announcements)")
    expect(status).to_have_text("No rule says that.")
    search.fill("")
    expect(dialog.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)
    assert [] == rosa.barriers()


def test_a_link_made_anew_shuts_the_old_one(rosa, somebody):
    """Whoever comes with the old link stands before a shut door; the new one opens."""
    old = rosa.link()
    dialog = open_dialog(rosa, "Links and seats")
    dialog.get_by_role("button", name="Make it anew").first.click()
    dialog.get_by_role("button", name="Yes, the old one stops working").click()
    expect(rosa.feed("A link was made anew (Player)")).to_have_count(1)
    late = somebody(size=PHONE)
    late.page.goto(old)
    expect(late.page.get_by_role("heading", name="The door is shut")).to_be_visible()

    field = dialog.get_by_role("textbox", name="For players")
    expect(field).not_to_have_value(old)
    new = field.input_value()
    assert new == rosa.link()
    late.join(new, "Late")
    expect(late.feed("Late sits down")).to_be_visible()


def test_a_knock_is_turned_away(rosa, somebody):
    """Knocking is switched on while playing; who is turned away sees that, and nothing else."""
    dialog = open_dialog(rosa, "Links and seats")
    dialog.get_by_role("switch", name="Newcomers knock").check()
    expect(rosa.feed("Rosa changed the table")).to_be_visible()
    shut(rosa)
    eve = somebody()
    eve.join(rosa.link(), "Eve")
    expect(eve.page.get_by_role("heading", name="You have knocked")).to_be_visible()
    rosa.page.get_by_role("button", name="Turn away").click()
    expect(eve.page.get_by_role("heading", name="You were turned away")).to_be_visible()
    expect(rosa.page.locator(".knocks")).to_have_count(0)


def test_a_removed_seat_is_shut_out_at_once(rosa, bo):
    """The browser of a removed seat is told so, and its token opens nothing any more."""
    dialog = manage(rosa, "Bo")
    dialog.get_by_role("button", name="Remove the seat").click()
    dialog.get_by_role("button", name="Yes, remove").click()
    expect(bo.page.get_by_role("heading", name="removed")).to_be_visible()
    expect(rosa.feed("Bo was removed by Rosa")).to_be_visible()
    bo.page.reload()
    expect(bo.page.locator(".feed-item")).to_have_count(0)


def test_a_forgotten_person_is_someone(rosa, bo):
    """Name and words are gone from every screen and from the log; the log stays true."""
    tab(bo, "Feed")
    bo.page.get_by_label("Say something").fill("My real name is Robert.")
    bo.page.get_by_role("button", name="Send").click()
    expect(rosa.feed("My real name is Robert.")).to_be_visible()
    dialog = manage(rosa, "Bo")
    dialog.get_by_role("button", name="Erase name and words").click()
    dialog.get_by_role("button", name="Yes, erase for ever").click()
    expect(rosa.feed("Somebody's name and words were erased")).to_be_visible()
    for person in (rosa, bo):
        expect(person.page.locator("body")).not_to_contain_text("Robert")
        expect(person.feed("someone sits down")).to_be_visible()
    [(table, known)] = rosa.tables.items()
    with Server(rosa.address) as server:
        log = server.table(f"{rosa.address}t/{table}#{known['token']}").log()
        assert server.verify(log=log)["true"]
    assert "Robert" not in json.dumps(log)


def test_what_happens_while_the_page_reads_a_table_anew_is_not_lost(rosa, bo, somebody):
    """A person is forgotten; the answer with all sheets comes later than a change of one."""
    tab(bo, "Sheet")
    bo.page.get_by_label("Name of the character").fill("Vex")
    bo.page.get_by_role("button", name="Make the sheet").click()
    expect(bo.page.get_by_role("group", name="Luck: 1 of 1")).to_be_visible()
    cy = somebody()
    cy.join(rosa.link(), "Cy")
    expect(cy.feed("Cy sits down")).to_be_visible()
    held = []
    bo.page.route(re.compile(r"/tables/\w+$"), lambda route: held.append((route, route.fetch())))
    dialog = manage(rosa, "Cy")
    dialog.get_by_role("button", name="Erase name and words").click()
    dialog.get_by_role("button", name="Yes, erase for ever").click()
    wait_until(bo.page, lambda: held)
    start(bo, {"do": "sheet.change", "sheet": "s2", "values": {"luck_points": 0}})
    expect(bo.page.get_by_role("group", name="Luck: 0 of 1")).to_be_visible()

    [(route, answer)] = held
    route.fulfill(response=answer)
    await_answer(bo.page, route.request)

    expect(bo.page.get_by_role("group", name="Luck: 0 of 1")).to_be_visible()


def test_a_role_is_given_on(rosa, bo):
    """A second referee gets the referee's side, without coming anew."""
    dialog = manage(rosa, "Bo")
    dialog.get_by_role("radio", name="Referee").check()
    expect(rosa.feed("Bo is now: Referee")).to_be_visible()
    tab(bo, "More")
    expect(bo.page.get_by_role("button", name="Ask for a roll")).to_be_visible()


def exported(person, path):
    """Save the log as the referee has it, and return it."""
    dialog = open_dialog(person, "Export and delete")
    with person.page.expect_download() as download:
        dialog.get_by_role("button", name="Log, to verify or move").click()
    download.value.save_as(path)
    return json.loads(path.read_text("utf-8"))


def test_a_table_is_deleted_and_made_again_from_its_log(rosa, bo, somebody, tmp_path):
    """Deleted for everybody at once; from its log the referee goes on elsewhere, and dice hold."""
    start(bo, {"do": "roll.start", "expression": "3d6"})
    expect(rosa.page.locator(".told")).to_be_visible()
    path = tmp_path / "log.json"
    exported(rosa, path)
    dialog = rosa.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Delete the table").click()
    dialog.get_by_role("button", name="Yes, delete for ever").click()
    expect(rosa.page.get_by_role("heading", name="Start a table")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="You have left the table")).to_be_visible()

    anew = somebody()
    anew.page.goto(anew.address)
    anew.page.locator("input[type=file]").set_input_files(path)
    expect(anew.feed("The table was moved here from another server")).to_be_visible()
    start(anew, {"do": "roll.start", "expression": "2d10"})
    card = anew.page.locator(".roll-card").last
    expect(card.get_by_role("button", name="Verified")).to_be_visible()
    tab(anew, "More")
    anew.page.get_by_role("link", name="Verify").click()
    expect(anew.page.get_by_role("heading", name=ALL_TRUE)).to_be_visible(
        timeout=60_000  # Python comes first
    )
    expect(anew.page.locator(".facts")).to_contain_text("rolls replayed by their rules")


def test_a_log_that_is_not_true_makes_no_table(rosa, somebody, tmp_path):
    """What is wrong with it is said where the file was chosen; so it is for a file that is none."""
    path = tmp_path / "log.json"
    log = exported(rosa, path)
    log["events"][0]["body"]["game"] = "edge20"
    path.write_text(json.dumps(log), "utf-8")
    eve = somebody()
    eve.page.goto(eve.address)
    eve.page.locator("input[type=file]").set_input_files(path)
    expect(eve.page.get_by_role("alert")).to_contain_text("this log is not true")
    path.write_text("no log", "utf-8")
    eve.page.locator("input[type=file]").set_input_files(path)
    expect(eve.page.get_by_role("alert")).to_have_text("This file is no log of a table.")
