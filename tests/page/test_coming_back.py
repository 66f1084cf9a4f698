"""Coming back: one's tables by name, and an evening that can be looked back on and shared."""

from playwright.sync_api import expect

from tests.page.people import PHONE
from tests.page.test_coming import named_table
from tests.page.test_sheet_panel import SABLE, a_table, at, host
from tests.server.guests import Guest

__all__ = ["host"]


def test_tables_are_told_apart_and_stand_first(somebody):
    """By name, game, as whom and when; first on the first page, and listed where they verify."""
    rosa, bo = somebody(), somebody(size=PHONE)
    named_table(rosa, "Sobieski's Ferry", "Rosa")
    bo.join(rosa.link(), "Bo")
    bo.page.locator(".next-step").get_by_role("button", name="Ines Diaz").click()
    bo.page.locator(".sheet-pane").get_by_text("M16A2").first.wait_for()
    [table] = bo.tables
    bo.page.goto(bo.address)
    told = bo.page.get_by_role("link", name="Sobieski's Ferry")
    for words in ("Twilight: 2000", "you play Ines Diaz", "Session 1", "today"):
        expect(told).to_contain_text(words)
    regions = bo.page.locator(".start-side > *").evaluate_all(
        "all => all.map(one => one.innerText)"
    )
    assert regions[0].startswith("Your tables")
    assert [] == bo.barriers()
    bo.page.goto(f"{bo.address}verify")
    listed = bo.page.get_by_role("button", name="Sobieski's Ferry")
    expect(listed).to_contain_text("Twilight: 2000")
    assert table not in listed.inner_text()


def test_an_evening_is_looked_back_on_and_shared(somebody):
    """Its sum, everybody's luck and what waits, for players too; as text it is for the chat."""
    rosa = somebody(permissions=["clipboard-read", "clipboard-write"])
    bo = somebody(size=PHONE)
    named_table(rosa, "Sobieski's Ferry", "Rosa")
    bo.join(rosa.link(), "Bo")
    bo.page.locator(".next-step").get_by_role("button", name="Ines Diaz").click()
    bo.page.locator(".sheet-pane").get_by_text("M16A2").first.wait_for()
    [(table, known)] = bo.tables.items()
    seat = Guest(bo.address.rstrip("/"), table, known["token"])
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "B"}
    seat.does("roll.start", request=skill, physical=True)
    seat.does("roll.enter", roll="r1", faces=[7])
    rosa.page.get_by_role("button", name="More", exact=True).click()
    rosa.page.get_by_role("button", name="End the session").click()
    rosa.page.get_by_role("button", name="Yes").click()
    for person in (rosa, bo):
        front = person.page.locator(".tab-table, .tab-stage")
        if front.is_visible():  # on a phone one part of the table is in front
            front.click()
        over = person.page.get_by_role("region", name="Session 1 is over")
        expect(over).to_contain_text("1 roll, 1 die")
        expect(over.locator(".lucks")).to_contain_text("Ines Diaz")
        assert [] == person.barriers()
        over.get_by_role("button", name="Close").click()
        expect(over.locator(".recap")).to_have_count(0)
        over.get_by_role("button", name="Look back").click()
        evening = person.page.get_by_role("dialog", name="Sobieski's Ferry")
        expect(evening).to_contain_text("1 roll, 1 die")
        expect(evening).to_contain_text("The luck of the evening")
        expect(evening.locator(".lucks")).to_contain_text("Ines Diaz")
        assert [] == person.barriers()
    rosa.page.get_by_role("button", name="Share the evening").click()
    text = rosa.page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("Sobieski's Ferry\nSession 1,")
    assert "Ines Diaz: " in text


def test_an_evening_that_ends_lies_on_every_stage(somebody, host):
    """For spectators too, however sheets change with it; a number or a choice is said once."""
    other = {"name": "Deceive", "ability": "Presence", "bonus": 1}
    rosa, bo = a_table(host, "ghostburn", SABLE | {"skills": [*SABLE["skills"], other]})
    watcher = at(somebody, host.join(rosa.links["spectator"], name="Eve"), size=PHONE)
    player = at(somebody, bo, size=PHONE)
    rolls = (("Persuade", "keep"), ("Deceive", "keep"), ("Persuade", "bonus"))
    for skill, chosen in rolls:
        draft = {"roll": "roll", "pick": {"skill": skill}, "set": {"dl": "Severe"}}
        roll = bo.enter(bo.roll(draft=draft, sheet=bo.seat, physical=True), [8, 8])
        bo.choose(roll, chosen)
    assert 3 == len(rosa.recap()["choices"])
    rosa.do("session.end")
    for person in (watcher, player):
        over = person.page.get_by_role("region", name="Session 1 is over")
        expect(over.locator(".facts dt", has_text="Keep the Luck")).to_have_count(1)
        expect(over.locator(".facts div", has_text="Keep the Luck").locator("dd")).to_have_text("2")
        spent = over.locator(".facts dt", has_text="Luck Point spent")
        expect(spent).to_have_text("Luck Point spent")  # by choice: none was to be expected
        assert [] == person.barriers()
        over.get_by_role("button", name="Close").click()
        expect(over.locator(".recap")).to_have_count(0)
        expect(over.get_by_role("button", name="Look back")).to_be_visible()
    late = at(somebody, bo, size=PHONE)
    over = late.page.get_by_role("region", name="Session 1 is over")
    expect(over.get_by_role("button", name="Look back")).to_be_visible()
    expect(over.locator(".recap")).to_have_count(0)
    bo.roll("3d1")
    expect(over).to_have_count(0)
