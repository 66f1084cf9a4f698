"""The moment of a decision and of a result: what is decided is seen, and what came is found.

What is said where somebody was quicker, or a sheet has changed meanwhile, is looked at in
web/tests/moment.test.tsx.
"""

import re

from playwright.sync_api import expect

from tests.drafts import drafted
from tests.page.people import PHONE
from tests.page.playing import at, card, option, tab

ATTACK = {"roll": "attack", "weapon": "AK", "ammo_dice": 6}
SHEET = {"name": "Novak", "AGL": "C", "weapons": [{"name": "AK", "rounds": 30, "rate_of_fire": 6}]}
MANY = 130
"""More words than a page is told of at first."""


def test_dice_choice_and_what_others_say_are_all_found_on_a_phone(somebody, host):
    """An attack that missed waits for Bo, long after somebody has said the password."""
    rosa = host.create_table("twilight2000", name="Rosa")
    bo = host.join(rosa.links["player"], name="Bo")
    bo.do("sheet.create", values=SHEET)
    rosa.do("chat.send", text="The password is swordfish.")
    for number in range(MANY):
        rosa.do("chat.send", text=f"{number}")
    started = bo.roll(draft=drafted(ATTACK), sheet=bo.seat, physical=True)
    bo.enter(started, [2, 3, 2, 1, 4, 5, 3])
    person = at(somebody, bo, size=PHONE)
    dice_and_choice_are_both_in_sight(person)
    the_newest_result_and_the_open_question_are_both_found(person, rosa, bo)
    a_search_looks_further_back_than_what_is_loaded(person)


def dice_and_choice_are_both_in_sight(person):
    """Seven dice, two options and their odds: one decides with the dice before one's eyes."""
    mine = card(person, "AK")
    expect(mine.locator(".option-worth")).to_have_count(2)
    for what in (".felt-tray", ".options"):
        expect(mine.locator(what)).to_be_in_viewport(ratio=1)
    costs = mine.locator(".option-costs").all()
    kept, pushed = (re.findall(r"[a-z]{5,}", cost.inner_text()) for cost in costs)
    assert ["rounds", "fired"] == kept  # what an option cannot cost it does not name
    assert {*kept} < {*pushed}


def the_newest_result_and_the_open_question_are_both_found(person, rosa, bo):
    """What others say lands below an open roll; a strip leads back to the question."""
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


def a_search_looks_further_back_than_what_is_loaded(person):
    """What was said long ago is found, and the feed says how far it has looked."""
    expect(person.page.locator(".feed-item", has_text="swordfish")).to_have_count(0)
    tab(person, "Feed")
    person.page.get_by_role("button", name="Search the feed").click()
    person.page.get_by_role("searchbox", name="Search the feed").fill("swordfish")
    expect(person.feed("swordfish")).to_be_visible()
    expect(person.seen("All of it was searched.")).to_be_visible()
