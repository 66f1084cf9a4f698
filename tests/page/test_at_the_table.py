"""What people do at the table, in two browsers at once.

What each tap sends, and what is shown of it, is looked at step by step in
web/tests/at_the_table.test.tsx.
"""

import re

from playwright.sync_api import expect

from tests.drafts import drafted
from tests.page.people import PHONE
from tests.page.playing import at


def tab(person, name):
    """Go to a part of the table."""
    tabs = person.page.get_by_role("navigation")
    tabs.get_by_role("button", name=re.compile(f"^{name}")).click()


def enter(person, *faces):
    """Type the faces of real dice in."""
    for face in faces:
        person.page.get_by_role("group", name="Faces").get_by_role(
            "button", name=str(face), exact=True
        ).click()
    person.page.get_by_role("button", name="Enter").click()


def start(person, what):
    """Send a command as the person who sits at this browser."""
    person.seat().do(**what)


def physical(**fields):
    """A skill roll with real dice, filled in from Bo's sheet: one D8."""
    asked = {"roll": "skill", "skill_name": "recon"}
    return {"do": "roll.start", "sheet": "s2", "draft": drafted(asked), "physical": True, **fields}


def test_real_dice_are_typed_taken_back_pushed_and_paid_for_before_two_browsers(somebody, host):
    """An ask is answered by a tap, and the choice outlives a reload; both see what it cost."""
    table = host.create_table("twilight2000", name="Rosa")
    player = host.join(table.links["player"], name="Bo")
    player.do("sheet.create", values={"name": "Novak"})
    rosa, bo = at(somebody, table), at(somebody, player, size=PHONE)
    table.do("roll_request.create", who=[player.seat], draft=physical()["draft"])
    bo.page.get_by_role("button", name="Real dice").click()
    enter(bo, 3)
    bo.page.get_by_role("button", name="Take back").click()
    expect(rosa.page.locator(".tray-throw[data-taken]")).to_have_count(1)
    enter(bo, 3)
    expect(rosa.seen("Waiting for Bo: Keep or push?")).to_be_visible()
    bo.page.reload()
    push = bo.page.get_by_role("button", name="Push")
    expect(push).to_contain_text("best")
    push.click()
    enter(bo, 1)
    for person in (rosa, bo):
        expect(person.page.locator(".roll-card .changes")).to_have_text("Stress 0 → 1")
    tab(bo, "Sheet")
    expect(bo.page.get_by_role("group", name="Stress: 1 of 5")).to_be_visible()
    bo.page.get_by_role("button", name="Damage: set to 2").click()
    expect(rosa.feed("Bo changed the sheet of Novak")).to_contain_text("Damage 0 → 2")
    rosa.page.get_by_role("button", name="Undo this change").click()
    expect(bo.page.get_by_role("group", name="Damage: 0 of 5")).to_be_visible()
