"""Coming back: an evening that can be looked back on and shared, and one's tables by name.

What is said of an evening, and when, is looked at in web/tests/looking_back.test.tsx.
"""

from playwright.sync_api import expect

from tests.page.people import PHONE
from tests.page.playing import at


def test_an_evening_is_looked_back_on_and_shared_and_its_table_stands_first(somebody, host):
    """On the stage of a phone, in its dialog, as a text; the first page leads back to it."""
    table = host.create_table("twilight2000", name="Rosa", title="Sobieski's Ferry")
    player = host.join(table.links["player"], name="Bo")
    player.do("sheet.create", values={"name": "Ines Diaz"})
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "B"}
    player.enter(player.roll(skill, physical=True), [7])
    bo = at(somebody, player, size=PHONE, permissions=["clipboard-read", "clipboard-write"])
    table.do("session.end")
    over = bo.page.get_by_role("region", name="Session 1 is over")
    expect(over).to_contain_text("1 roll, 1 die")
    expect(over.locator(".lucks")).to_contain_text("Ines Diaz")
    assert [] == bo.barriers()
    over.get_by_role("button", name="Close").click()
    over.get_by_role("button", name="Look back").click()
    evening = bo.page.get_by_role("dialog", name="Sobieski's Ferry")
    expect(evening).to_contain_text("1 roll, 1 die")
    assert [] == bo.barriers()
    evening.get_by_role("button", name="Share the evening").click()
    expect(bo.seen("copied").first).to_be_visible()
    text = bo.page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("Sobieski's Ferry\nSession 1,")
    assert "Ines Diaz: " in text
    its_table_stands_first(bo)


def its_table_stands_first(bo):
    """On the first page, above all else beside what can be tried."""
    bo.page.goto(bo.address)
    told = bo.page.get_by_role("link", name="Sobieski's Ferry")
    for words in ("Twilight: 2000", "you play Ines Diaz", "Session 1 is over", "today"):
        expect(told).to_contain_text(words)
    regions = bo.page.locator(".start-side > *").evaluate_all(
        "all => all.map(one => one.innerText)"
    )
    assert regions[0].startswith("Your tables")
    assert [] == bo.barriers()
