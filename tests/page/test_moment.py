"""The moment of a decision and of a result: what is decided was seen, and what came is found."""

import re

from playwright.sync_api import expect

from tests.drafts import drafted
from tests.page.people import PHONE
from tests.page.playing import at, card, option, part, tab

DECIDED = "This was decided already"
GONE = "No connection."
CHECK = {"modifier": 5, "dc": 15}
TURN = {"roll": "turn", "checks": [CHECK, CHECK, CHECK, CHECK]}
ATTACK = {"roll": "attack", "weapon": "AK", "ammo_dice": 6}
SHEET = {"name": "Novak", "AGL": "C", "weapons": [{"name": "AK", "rounds": 30, "rate_of_fire": 6}]}


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


def test_a_choice_is_for_the_moment_that_was_seen(somebody, host):
    """A press that comes late answers nothing else, and is told so without an alarm."""
    _, bo = a_table(host, "edge20")
    turn = bo.enter(bo.roll(TURN, physical=True), [18])
    person = at(somebody, bo)
    mine = card(person, "Turn")
    expect(option(mine, "Go on")).to_be_visible()
    person.context.set_offline(True)
    expect(person.seen(GONE)).to_be_visible()
    option(mine, "Go on").click()
    bo.enter(bo.choose(turn, "go on"), [19])
    person.context.set_offline(False)
    expect(mine.get_by_text(DECIDED)).to_be_visible()
    expect(mine.get_by_text("Check 2")).to_be_visible()
    expect(option(mine, "Go on")).to_be_visible()
    expect(person.page.locator(".toast")).to_have_count(0)
    option(mine, "Stop").click()
    expect(mine.locator(".outcome")).to_contain_text("2 of 2")


def test_a_sheet_that_changed_meanwhile_is_said_before_going_on(somebody, host):
    """The numbers of an open roll are old: go on all the same, or roll anew."""
    _, bo = a_table(host, "twilight2000", **SHEET)
    attack(bo)
    spent = [{**SHEET["weapons"][0], "rounds": 12}]
    bo.do("sheet.change", sheet=bo.seat, values={"weapons": spent})
    person = at(somebody, bo, size=PHONE)
    mine = card(person, "AK")
    option(mine, "Keep").click()
    expect(mine.get_by_role("alert")).to_contain_text("Rounds was 30 and is 12 now")
    mine.get_by_role("button", name="Go on all the same").click()
    expect(mine.locator(".outcome")).to_contain_text("Miss")


def test_dice_and_choice_are_both_in_sight_on_a_phone(somebody, host):
    """Seven dice, two options and their odds: one decides with the dice before one's eyes."""
    _, bo = a_table(host, "twilight2000", **SHEET)
    attack(bo)
    person = at(somebody, bo, size=PHONE)
    mine = card(person, "AK")
    expect(mine.locator(".option-worth")).to_have_count(2)
    for what in (".felt-tray", ".options"):
        expect(mine.locator(what)).to_be_in_viewport(ratio=1)
    costs = mine.locator(".option-costs").all()
    kept, pushed = (re.findall(r"[a-z]{5,}", cost.inner_text()) for cost in costs)
    assert ["rounds", "fired"] == kept  # what an option cannot cost it does not name
    assert {*kept} < {*pushed}


def test_the_newest_result_and_the_open_question_are_both_found(somebody, host):
    """What others say lands below an open roll; a strip leads back to the question."""
    rosa, bo = a_table(host, "twilight2000", **SHEET)
    attack(bo)
    person = at(somebody, bo, size=PHONE)
    strip = person.page.locator(".waiting-strip")
    expect(option(card(person, "AK"), "Keep")).to_be_visible()
    expect(strip).to_have_count(0)
    for number in range(8):
        rosa.do("chat.send", text=f"Word {number}. " + "And so on and on and on. " * 8)
    tab(person, "Feed")
    expect(person.feed("Word 7.")).to_be_in_viewport()
    expect(strip).to_contain_text("Your turn: Keep or push?")
    strip.click()
    expect(option(card(person, "AK"), "Keep")).to_be_in_viewport()
    # One's own new roll is shown, wherever one was reading.
    bo.roll("3d1")
    expect(card(person, "3d1").locator(".outcome")).to_have_text("3")
    expect(card(person, "3d1")).to_be_in_viewport()


def test_a_referee_asks_for_what_can_be_rolled(somebody, host):
    """Without a skill there is nothing to ask; what a sheet lacks is picked by hand."""
    rosa, bo = a_table(host, "twilight2000", **SHEET)
    referee, player = at(somebody, rosa), at(somebody, bo, size=PHONE)
    part(referee, "More").get_by_role("button", name="Ask for a roll").click()
    dialog = referee.page.get_by_role("dialog", name="Ask for a roll")
    expect(dialog.get_by_role("button", name="Ask", exact=True)).to_be_disabled()
    expect(dialog.get_by_text("Tap what they are to roll.")).to_be_visible()
    dialog.get_by_role("button", name="Something else").click()
    expect(dialog.get_by_text("Still to say: Which skill")).to_be_visible()
    dialog.get_by_label("Which skill").select_option("Recon")
    expect(dialog.get_by_role("button", name="Ask", exact=True)).to_be_enabled()
    rosa.do("roll_request.create", who="all", draft=drafted({"roll": "skill"}), note="anything")
    tab(player, "Sheet")
    expect(player.seen("Pick what you roll.")).to_be_visible()
    expect(player.page.get_by_role("button", name="Roll it")).to_have_count(0)
    player.page.get_by_role("button", name="Pick it by hand").click()
    expect(player.seen("Your next roll answers this")).to_be_visible()


def test_a_search_looks_further_back_than_what_is_loaded(somebody, host):
    """What was said long ago is found, and the feed says how far it has looked."""
    rosa, _ = a_table(host, "dust", name="Vex")
    rosa.do("chat.send", text="The password is swordfish.")
    for number in range(130):
        rosa.do("chat.send", text=f"{number}")
    person = at(somebody, rosa)
    person.page.get_by_role("button", name="Search the feed").click()
    person.page.get_by_role("searchbox", name="Search the feed").fill("swordfish")
    expect(person.feed("swordfish")).to_be_visible()
    expect(person.seen("All of it was searched.")).to_be_visible()


def test_the_sheet_of_somebody_removed_is_handed_over(somebody, host):
    """Who removed whom is said, and the sheet finds a new owner."""
    rosa, bo = a_table(host, "twilight2000", **SHEET)
    mina = host.join(rosa.links["player"], name="Mina")
    person = at(somebody, rosa)
    rosa.do("seat.remove", seat=bo.seat)
    expect(person.feed("Bo was removed by Rosa")).to_be_visible()
    rosa.do("table.change", house={"jam_rule": "ammo"})
    expect(person.feed("house rules").locator(".chip")).to_contain_text("→")
    sheet = part(person, "Sheet")
    expect(sheet).to_contain_text("Bo is no longer at the table")
    sheet.get_by_label("Who takes the sheet").select_option("Mina")
    sheet.get_by_role("button", name="Hand over").click()
    expect(sheet).to_contain_text("played by Mina")
    assert [mina.seat] == [one["sheet"] for one in rosa.snapshot()["sheets"]]
