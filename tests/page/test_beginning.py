"""Beginning to play: a newcomer's taps until the first roll.

Starters, copies, and what is known already are looked at in web/tests/beginning.test.tsx.
"""

import pytest
from playwright.sync_api import expect

from tests.gates import first
from tests.page.people import DESKTOP, PHONE, resize

TAPS = """
addEventListener("pointerdown", () =>
  sessionStorage.setItem("taps", 1 + Number(sessionStorage.getItem("taps"))), true);
"""
MOST_TAPS = 6
GAMES = ("twilight2000", "dust", "kleptonomicon", "edge20", "ghostburn")


@pytest.mark.parametrize("game", first(GAMES))
def test_a_newcomer_rolls_from_a_sheet_within_six_taps(somebody, host, game):
    """From the link to dice on the table: name, sit down, a starter, a row of the sheet, roll."""
    bo = somebody(size=PHONE)
    bo.context.add_init_script(TAPS)
    bo.page.goto(str(host.create_table(game, name="Rosa").links["player"]))
    bo.page.get_by_label("Your name").click()
    bo.page.keyboard.type("Bo")
    bo.page.get_by_role("button", name="Sit down").click()
    starter = bo.page.locator(".next-step .starter").first
    resize(bo.page, DESKTOP)
    expect(starter).to_be_visible()
    expect(bo.page.locator(".make-sheet .starter").first).to_be_hidden()  # the stage offers it
    resize(bo.page, PHONE)
    starter.click()
    bo.page.locator(".sheet-pane").get_by_role("button", name="Roll with").first.click()
    bo.page.locator(".roll-button:enabled").click()
    expect(bo.page.locator(".roll-card")).to_be_visible()

    assert MOST_TAPS >= int(bo.page.evaluate("sessionStorage.getItem('taps')"))
    assert [] == bo.barriers()
