"""What a referee asks for: whoever is asked reads it in their own words, and it stays with the roll."""

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.drafts import drafted

CLIMB = {"roll": "skill", "skill_name": "mobility"}
WORDS = "climb the wall before they see you"


@pytest.fixture
def wall(somebody, server):
    """Rosa the referee by a program and in a browser, and Cy with a sheet in German."""
    rosa, cy = somebody(), somebody(locale="de-DE")
    rosa.open_table("Twilight: 2000", "Rosa")
    cy.page.goto(rosa.link())
    cy.page.get_by_label("Dein Name").fill("Cy")
    cy.page.get_by_role("button", name="Hinsetzen").click()
    expect(rosa.feed("Cy sits down")).to_be_visible()
    with Server(server.address) as api:

        def of(person):
            table, told = next(iter(person.tables.items()))
            return api.table(f"{person.address}t/{table}#{told['token']}")

        of(cy).do("sheet.make", values={"name": "Vex", "AGL": "B"})
        yield rosa, cy, of(rosa)


def test_an_ask_is_read_in_the_own_language_and_its_words_stay(wall):
    """The skill as the German book has it; what the referee said stands on the card of the roll."""
    rosa, cy, host = wall
    host.do("ask.make", who=["s2"], draft=drafted(CLIMB), note=WORDS)
    asked = cy.page.locator(".ask.notice")
    expect(asked).to_contain_text("Beweglichkeit")
    expect(asked).not_to_contain_text("mobility")
    asked.get_by_role("button", name="Würfeln").click()
    card = rosa.page.locator(".roll-card.staged")
    expect(card).to_contain_text(f"Rosa: “{WORDS}”")
    rosa.page.reload()
    expect(card).to_contain_text(f"Rosa: “{WORDS}”")


def test_an_open_roll_is_let_go_and_not_undone(wall):
    """Only what works is offered: undoing is for what has ended."""
    rosa, _, host = wall
    host.roll(request={"roll": "skill", "attribute": "B"}, physical=True)
    card = rosa.page.locator(".roll-card.staged")
    card.get_by_role("button", name="More about this roll").click()
    expect(card.get_by_role("menuitem", name="Give up this roll")).to_be_visible()
    expect(card.get_by_role("menuitem", name="Undo")).to_have_count(0)
