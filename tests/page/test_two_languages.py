"""A table of two languages: each reads it in their own, and both mean the same skills."""

import pytest
from playwright.sync_api import expect

from tests.gates import but

GAMES = {
    "dust": ("Drive", "Fahren"),
    "kleptonomicon": ("Sneaking", "Schleichen"),
    "edge20": ("Blades", "Klingen"),
    "ghostburn": ("Persuade", "Überreden"),
    "twilight2000": ("recon", "Aufklärung"),
}


def sitting(somebody, seat, language):
    """Somebody who reads in a language, on a seat."""
    person = somebody(locale=language)
    person.page.goto(str(seat.move()))
    person.page.locator(".stage-pane").wait_for()
    return person


@pytest.mark.parametrize("game", but(GAMES, "ghostburn"))
def test_a_german_referee_asks_and_an_english_player_rolls(somebody, host, game):
    """Starters mean the same whoever takes them: one ask is found on both sheets, called as each
    reader calls it.
    """
    english, german = GAMES[game]
    leads = host.create_table(game, name="Rosa")
    seats = [host.join(leads.links["player"], name=name) for name in ("Bo", "Cy")]
    starter = host.game(game)["card"]["starters"][0]["values"]
    for seat, name in zip(seats, ("Ilse", "Ada"), strict=True):
        seat.do("sheet.create", values={**starter, "name": name})
    rosa, person = sitting(somebody, leads, "de-DE"), sitting(somebody, seats[1], "en-GB")
    expect(person.page.locator(".sheet-pane")).to_contain_text(english, ignore_case=True)
    rosa.page.locator(".seat-ask").click()
    dialog = rosa.page.get_by_role("dialog")
    common = dialog.locator(".ask-common").get_by_role("button", name=german)
    expect(common).to_have_count(1)
    common.click()
    dialog.locator(".button.main").click()
    asked = person.page.locator(".ask.notice")
    expect(asked).to_contain_text(english, ignore_case=True)
    asked.locator(".button.main").click()
    for reader, said in ((person, english), (rosa, german)):
        card = reader.page.locator(".roll-card.staged")
        expect(card.locator(".roll-title")).to_contain_text(said, ignore_case=True)
        assert not reader.page.locator(".wrong").count()
