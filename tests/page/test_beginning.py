"""Beginning to play: a newcomer's taps until the first roll, starters, copies, and known things."""

import pytest
from playwright.sync_api import expect

from tests.gates import first
from tests.page.people import PHONE

TAPS = """
addEventListener("pointerdown", () =>
  sessionStorage.setItem("taps", 1 + Number(sessionStorage.getItem("taps"))), true);
"""
MOST_TAPS = 6
GAMES = {
    "twilight2000": "Twilight: 2000",
    "dust": "A Thousand Miles of Dust",
    "kleptonomicon": "Kleptonomicon",
    "edge20": "d20 with edges",
    "ghostburn": "GHOST/BURN",
}


@pytest.mark.parametrize("title", first(GAMES.values()), ids=GAMES)
def test_a_newcomer_rolls_from_a_sheet_within_six_taps(somebody, title):
    """From the link to dice on the table: name, sit down, a starter, a row of the sheet, roll."""
    rosa, bo = somebody(), somebody(size=PHONE)
    rosa.open_table(title, "Rosa")
    bo.context.add_init_script(TAPS)
    bo.page.goto(rosa.link())
    bo.page.get_by_label("Your name").click()
    bo.page.keyboard.type("Bo")
    bo.page.get_by_role("button", name="Sit down").click()
    bo.page.locator(".next-step .starter").first.click()
    bo.page.locator(".sheet-pane").get_by_role("button", name="Roll with").first.click()
    bo.page.locator(".roll-button:enabled").click()
    expect(bo.page.locator(".roll-card")).to_be_visible()

    assert MOST_TAPS >= int(bo.page.evaluate("sessionStorage.getItem('taps')"))
    assert [] == bo.barriers()


def test_a_starter_comes_with_a_name_and_nobody_has_it_twice(somebody):
    """The second who takes the same one is called as they are; a copy has what the other has."""
    rosa, bo, cy = somebody(), somebody(), somebody()
    rosa.open_table("GHOST/BURN", "Rosa")
    bo.join(rosa.link(), "Bo")
    bo.page.locator(".next-step").get_by_role("button", name="Kestrel").click()
    expect(bo.page.locator(".sheet-pane").get_by_text("Smartgun")).to_be_visible()
    cy.join(rosa.link(), "Cy")
    step = cy.page.locator(".next-step")
    expect(step.get_by_role("button", name="Sable")).to_be_visible()
    expect(step.get_by_role("button", name="Kestrel")).to_have_count(0)
    step.get_by_role("button", name="Make one of your own").click()
    pane = cy.page.locator(".sheet-pane")
    expect(pane.get_by_role("button", name="Sable")).to_be_hidden()  # the stage offers it already
    pane.get_by_label("Name of the character").fill("Kite")
    pane.get_by_text("Copy somebody at the table").click()
    pane.get_by_role("button", name="Kestrel").click()
    expect(pane.get_by_role("heading", name="Kite")).to_be_attached()
    expect(pane.get_by_text("Smartgun")).to_be_visible()


def test_what_stands_on_a_starter_is_in_the_language_of_whoever_takes_it(somebody):
    """Skills have their German names, and the sheet is a legal one."""
    rosa, uwe = somebody(), somebody(locale="de-DE")
    rosa.open_table("GHOST/BURN", "Rosa")
    uwe.page.goto(rosa.link())
    uwe.page.get_by_label("Dein Name").fill("Uwe")
    uwe.page.get_by_role("button", name="Hinsetzen").click()
    uwe.page.locator(".next-step .starter", has_text="Sable").click()
    expect(uwe.page.locator(".sheet-pane").get_by_text("Überreden").first).to_be_visible()
    expect(uwe.page.locator(".sheet-pane").get_by_text("Persuade")).to_have_count(0)


def test_a_weapon_is_picked_from_those_that_are_known(somebody):
    """And nobody meets fourteen fields: the odd ones are folded away."""
    rosa, bo = somebody(), somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    bo.join(rosa.link(), "Bo")
    bo.page.locator(".next-step").get_by_role("button", name="Kasia Nowak").click()
    pane = bo.page.locator(".sheet-pane")
    pane.get_by_role("button", name="Add to: Weapons").click()
    dialog = bo.page.get_by_role("dialog")
    expect(dialog.get_by_text("All other fields")).to_be_visible()
    assert 1 <= dialog.locator(".form > :not(details):visible").count() <= 6
    assert [] == bo.barriers()
    dialog.get_by_role("button", name="M249").click()
    dialog.get_by_role("button", name="Save").click()
    expect(pane.get_by_text("M249").first).to_be_visible()
