"""What a referee asks for: read in the own language, fit for the sheet, kept with the roll."""

import re

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.drafts import drafted
from tests.gates import first
from tests.page.people import PHONE, TABLET
from tests.page.playing import part

CLIMB = {"roll": "skill", "skill_name": "mobility"}
WORDS = "climb the wall before they see you"


@pytest.fixture
def wall(somebody):
    """Rosa the referee by a program and in a browser, and Cy with a sheet in German."""
    rosa, cy = somebody(), somebody(locale="de-DE")
    rosa.open_table("Twilight: 2000", "Rosa")
    cy.page.goto(rosa.link())
    cy.page.get_by_label("Dein Name").fill("Cy")
    cy.page.get_by_role("button", name="Hinsetzen").click()
    expect(rosa.feed("Cy sits down")).to_be_visible()
    cy.page.locator(".stage-pane").wait_for()
    cy.seat().do("sheet.create", values={"name": "Vex", "AGL": "B"})
    return rosa, cy, rosa.seat()


def test_an_ask_is_read_in_the_own_language_and_its_words_stay(wall):
    """The skill as the German book has it; what the referee said stands on the card of the roll."""
    rosa, cy, host = wall
    host.do("roll_request.create", who=["s2"], draft=drafted(CLIMB), note=WORDS)
    asked = cy.page.locator(".ask.notice")
    expect(asked).to_contain_text("Beweglichkeit")
    expect(asked).not_to_contain_text("mobility")
    asked.get_by_role("button", name="Würfeln").click()
    card = rosa.page.locator(".roll-card.staged")
    expect(card).to_contain_text(f"Rosa: “{WORDS}”")
    expect(rosa.page.locator(".feed-line").filter(has_text=f"“{WORDS}”")).to_be_attached()
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


def test_a_skill_that_somebody_lacks_is_said_before_they_are_asked(somebody, server):
    """The referee reads who rolls without it; whoever is asked reads it too, and is not refused."""
    rosa, bo = somebody(), somebody()
    rosa.open_table("d20 with edges", "Rosa")
    bo.join(rosa.link(), "Bo")
    expect(rosa.feed("Bo sits down")).to_be_visible()
    with Server(server.address) as api:
        table, told = bo.first_table()
        sheet = {"name": "Kit", "skills": [{"name": "Fight", "modifier": 4}]}
        api.table(f"{bo.address}t/{table}#{told['token']}").do("sheet.create", values=sheet)
    part(rosa, "More").get_by_role("button", name="Ask for a roll").click()
    dialog = rosa.page.get_by_role("dialog", name="Ask for a roll")
    dialog.get_by_role("button", name="Something else").click()
    dialog.get_by_label("Skill").fill("Stealth")
    expect(dialog).to_contain_text("Kit has no Stealth and rolls without it.")
    assert [] == rosa.barriers()
    dialog.get_by_role("button", name="Ask", exact=True).click()
    asked = bo.page.locator(".ask.notice")
    expect(asked).to_contain_text("You have no Stealth: you roll without it.")
    expect(asked.locator(".ask-odds")).to_be_visible()
    asked.get_by_role("button", name="Roll it").click()
    expect(asked).to_have_count(0)
    expect(bo.page.locator(".roll-card.staged")).to_contain_text("Kit")


def test_a_second_stat_is_asked_for_beside_the_first(somebody, server):
    """DUST R2: a tapped stat goes with another; those asked read what has that chance."""
    with Server(server.address) as api:
        host = api.create_table("dust", name="Rosa")
        bo = api.join(host.links["player"], name="Bo")
        stats = [{"name": "Wits", "rating": 3}, {"name": "Drive", "rating": 4}]
        bo.do("sheet.create", values={"name": "Jory", "stats": stats})
        rosa, player = somebody(size=PHONE), somebody()
        rosa.page.goto(str(host.move()))
        player.page.goto(str(bo.move()))
        part(rosa, "More").get_by_role("button", name="Ask for a roll").click()
        dialog = rosa.page.get_by_role("dialog", name="Ask for a roll")
        dialog.get_by_role("button", name="Wits").click()
        expect(dialog.get_by_label("Attribute")).to_have_count(0)
        dialog.get_by_label("Ability").select_option(label="Drive")
        expect(dialog.get_by_role("button", name="Wits")).to_have_attribute("aria-pressed", "true")
        dialog.get_by_role("button", name="Ask", exact=True).click()
        asked = player.page.locator(".ask.notice")
        expect(asked).to_contain_text("Pool roll: Wits + Drive")
        expect(asked.locator(".ask-odds")).to_have_text(re.compile(r"^\d+(\.\d)? % to succeed"))
        asked.get_by_role("button", name="Roll it").click()
        expect(player.page.locator(".staged .die")).to_have_count(7)


SIZES = {"phone": PHONE, "tablet": TABLET, "laptop": (1280, 720)}
HIT = """button => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


@pytest.fixture
def lacking(somebody, server):
    """Bo with a sheet of Dust, asked for what is not on it; a browser of a size sits there."""
    with Server(server.address) as api:
        rosa = api.create_table("dust", name="Rosa")
        bo = api.join(rosa.links["player"], name="Bo")
        stats = [{"name": "Brawn", "rating": 3}, {"name": "Wits", "rating": 2}]
        bo.do("sheet.create", values={"name": "Jory", "stats": stats})
        rosa.do(
            "roll_request.create",
            who="all",
            draft={"roll": "roll", "pick": {"attribute": "Stealth"}},
        )

        def seated(size):
            person = somebody(size=size)
            person.page.goto(str(bo.move()))
            return person

        yield seated


def in_reach(button):
    """Whether a button is in sight, and a tap at its middle meets it and nothing else."""
    expect(button).to_be_in_viewport(ratio=1)
    assert button.evaluate(HIT)


@pytest.mark.parametrize("size", first(SIZES.values()), ids=SIZES)
def test_what_is_picked_by_hand_can_be_rolled(lacking, size):
    """The note about the ask stands in the panel, and the button is where it always is."""
    person = lacking(size)
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


@pytest.mark.parametrize("size", first(SIZES.values()), ids=SIZES)
def test_a_roll_laid_on_the_sheet_says_which_ask_it_answers(lacking, size):
    """What is picked by hand may be picked on the sheet: the note stands there too."""
    person = lacking(size)
    asked = person.page.locator(".ask.notice")
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


def test_whoever_is_out_reads_that_and_not_that_their_sheet_lacks_it(wall):
    """The reason is the one of the rules; the referee reads it before anybody is asked."""
    rosa, cy, host = wall
    host.do("sheet.change", sheet="s2", values={"incapacitated": True})
    part(rosa, "More").get_by_role("button", name="Ask for a roll").click()
    dialog = rosa.page.get_by_role("dialog", name="Ask for a roll")
    dialog.get_by_role("button", name="Something else").click()
    dialog.get_by_role("combobox", name="Which skill").select_option("Mobility")
    expect(dialog).to_contain_text("Vex cannot roll this now: Vex is out.")
    host.do("roll_request.create", who=["s2"], draft=drafted(CLIMB))
    asked = cy.page.locator(".ask.notice")
    said = "Das kannst du jetzt nicht würfeln: Vex ist außer Gefecht."
    expect(asked.get_by_role("alert")).to_have_text(said)
    host.do("sheet.change", sheet="s2", values={"incapacitated": False})
    expect(asked.get_by_role("alert")).to_have_count(0)
    expect(asked.get_by_role("button", name="Würfeln")).to_be_visible()


def test_whoever_is_asked_alone_says_no_with_one_tap(wall):
    """The referee does not wait any longer, and reads why."""
    rosa, cy, host = wall
    host.do("roll_request.create", who=["s2"], draft=drafted(CLIMB))
    expect(rosa.seen("waiting for Vex")).to_be_visible()
    asked = cy.page.locator(".ask.notice")
    asked.get_by_role("button", name="Jetzt nicht").click()
    expect(asked).to_have_count(0)
    expect(rosa.seen("waiting for Vex")).to_have_count(0)
    expect(rosa.feed("Jetzt nicht: ")).to_be_visible()
    host.do("roll_request.create", who="all", draft=drafted(CLIMB))
    expect(asked.get_by_role("button", name="Würfeln")).to_be_visible()
    expect(asked.get_by_role("button", name="Jetzt nicht")).to_have_count(0)


def test_a_roll_that_may_not_be_pushed_is_asked_for_in_four_taps(somebody, server):
    """Recon, never push, ask: the asked see the odds of that, nobody is asked whether to push,
    and what all have answered is gone from the stage by itself.
    """
    with Server(server.address) as api:
        host = api.create_table("twilight2000", name="Rosa")
        bo = api.join(host.links["player"], name="Bo")
        bo.do("sheet.create", values={"name": "Vex", "INT": "C", "recon": "C"})
        rosa, player = somebody(), somebody(size=PHONE)
        rosa.page.goto(str(host.move()))
        player.page.goto(str(bo.move()))
        stage = rosa.page.locator(".stage-pane")
        stage.get_by_role("button", name="Ask …").click()
        dialog = rosa.page.get_by_role("dialog", name="Ask for a roll")
        expect(dialog.get_by_role("combobox")).to_have_count(0)
        dialog.get_by_role("button", name="Recon", exact=True).click()
        dialog.get_by_text("Never push").click()
        dialog.get_by_role("button", name="Ask", exact=True).click()
        expect(stage.locator(".asks")).to_contain_text("waiting for Vex")
        asked = player.page.locator(".ask.notice")
        expect(asked.locator(".ask-odds")).to_contain_text("if you never push")
        asked.get_by_role("button", name="Real dice").click()
        faces = player.page.get_by_role("group", name="Faces of real dice")
        for face in ("3", "4"):
            faces.get_by_role("button", name=face, exact=True).click()
        faces.get_by_role("button", name="Enter").click()
        expect(player.page.locator(".roll-card.staged .outcome")).to_contain_text("Failure")
        expect(player.page.get_by_role("group", name="Your choice")).to_have_count(0)
        expect(stage.locator(".asks")).to_have_count(0)
