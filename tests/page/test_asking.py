"""What a referee asks for, in real browsers: read in the own language, and in reach on a phone.

What is asked, read, answered and put off otherwise is in web/tests/asking.test.tsx.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.drafts import drafted
from tests.gates import first
from tests.page.people import PHONE, TABLET
from tests.page.playing import at, part

CLIMB = {"roll": "skill", "skill_name": "mobility"}


def test_an_ask_is_read_in_the_own_language(somebody, host):
    """The skill as the German book has it; the reason of the rules too, while one is out."""
    rosa = host.create_table("twilight2000", name="Rosa")
    cy = host.join(rosa.links["player"], name="Cy")
    cy.do("sheet.create", values={"name": "Vex", "AGL": "B"})
    rosa.do("roll_request.create", who=[cy.seat], draft=drafted(CLIMB))
    page = somebody(locale="de-DE").page
    page.goto(str(cy.move()))
    asked = page.locator(".ask.notice")
    expect(asked).to_contain_text("Beweglichkeit")
    expect(asked).not_to_contain_text("mobility")
    expect(asked.get_by_role("button", name="Würfeln")).to_be_visible()
    expect(asked.get_by_role("button", name="Jetzt nicht")).to_be_visible()
    rosa.do("sheet.change", sheet=cy.seat, values={"incapacitated": True})
    said = "Das kannst du jetzt nicht würfeln: Vex ist außer Gefecht."
    expect(asked.get_by_role("alert")).to_have_text(said)


SIZES = {"phone": PHONE, "tablet": TABLET, "laptop": (1280, 720)}
HIT = """button => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def in_reach(button):
    """Whether a button is in sight, and a tap at its middle meets it and nothing else."""
    expect(button).to_be_in_viewport(ratio=1)
    assert button.evaluate(HIT)


@pytest.mark.parametrize("size", first(SIZES.values()), ids=SIZES)
def test_what_is_picked_by_hand_can_be_rolled(somebody, host, size):
    """In the panel or on the sheet: it says there which ask the next roll answers, and the button
    is where it always is.
    """
    rosa = host.create_table("dust", name="Rosa")
    bo = host.join(rosa.links["player"], name="Bo")
    stats = [{"name": "Brawn", "rating": 3}, {"name": "Wits", "rating": 2}]
    bo.do("sheet.create", values={"name": "Jory", "stats": stats})
    stealth = {"roll": "roll", "pick": {"attribute": "Stealth"}}
    rosa.do("roll_request.create", who="all", draft=stealth)
    person = at(somebody, bo, size=size)
    asked = person.page.locator(".ask.notice")
    expect(asked).to_contain_text("Your sheet does not have this")
    asked.get_by_role("button", name="Pick it by hand").click()
    pane = person.page.get_by_role("region", name="Roll", exact=True)
    note = pane.get_by_text("Your next roll answers this.")
    expect(note).to_be_in_viewport(ratio=1)
    button = pane.get_by_role("button", name="Roll", exact=True)
    in_reach(button)
    pane.get_by_role("radio", name="Wits").check(force=True)
    expect(pane.locator(".dock-why")).to_have_count(0)
    in_reach(button)
    button.click()
    expect(asked).to_have_count(0)
    expect(person.page.locator(".roll-card.staged")).to_contain_text("Jory")
    expect(note).to_have_count(0)

    rosa.do("roll_request.create", who="all", draft=stealth)
    asked.get_by_role("button", name="Pick it by hand").click()
    sheet = part(person, "Sheet")
    sheet.get_by_role("button", name=re.compile("^Roll with Wits")).click()
    laid = sheet.locator(".laid")
    expect(laid.get_by_text("Your next roll answers this.")).to_be_in_viewport(ratio=1)
    expect(laid.locator(".dock .chance strong")).not_to_have_text("–")
    button = laid.get_by_role("button", name="Roll", exact=True)
    in_reach(button)
    button.click()
    expect(asked).to_have_count(0)
