"""Coming back: one's tables by name, and an evening that can be looked back on and shared."""

import pytest
from playwright.sync_api import expect

from tests.page.people import PHONE, tab
from tests.page.playing import at
from tests.page.test_coming import named_table
from tests.page.test_sheet_panel import SABLE, a_table


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
    seat = bo.seat()
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "B"}
    seat.enter(seat.roll(skill, physical=True), [7])
    rosa.page.get_by_role("button", name="More", exact=True).click()
    rosa.page.get_by_role("button", name="End the session").click()
    rosa.page.get_by_role("button", name="Yes").click()
    for person in (rosa, bo):
        tab(person.page, "Stage")
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


@pytest.mark.parametrize("keeps", [True, False], ids=["kept", "given up"])
def test_rolls_that_are_open_as_a_session_ends(somebody, host, keeps):
    """They are given up with it and told so, unless the referee keeps them for the next one."""
    rosa, bo = a_table(host, "twilight2000", {"name": "Karl Brandt"})
    skill = {"roll": "skill", "attribute": "B", "skill": "C"}
    bo.enter(bo.roll(skill, physical=True), [2, 3])
    page = at(somebody, rosa).page
    tab(page, "More")
    page.get_by_role("button", name="End the session").click()
    keep = page.get_by_role("switch", name="1 roll is still open: keep it for the next session")
    expect(keep).not_to_be_checked()
    keep.set_checked(keeps)
    page.get_by_role("button", name="Yes, end it").click()
    tab(page, "Stage")
    over = page.get_by_role("region", name="Session 1 is over")
    told = "left open" if keeps else "given up"
    expect(over).to_contain_text(f"1 roll {told}, 1 after the dice were seen")
    assert keeps == (bo.snapshot()["rolls"] != {})


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
        expect(over.locator(".recap-chosen")).to_have_text(
            "Chosen: “Keep the Luck” 2 times, “Spend Luck: +3” once."
        )
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


def test_numbers_of_an_evening_say_of_which_rolls_they_are(somebody, host):
    """All that was paid and went well; what was to be expected stands beside its own rolls.

    Whom the bullets were put on is no number; a weapon that is jammed waits for the next time.
    """
    jammed = {"name": "AK", "jammed": True}
    rosa, bo = a_table(host, "twilight2000", {"name": "Ines", "weapons": [jammed]})
    attack = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "C"}
    short = {**attack, "rounds": 60, "ammo_dice": 2, "targets": [{"name": "Olek", "capacity": 5}]}
    two = [{"name": name, "capacity": 5} for name in ("Olek", "Ursa")]
    long = {**attack, "rounds": 60, "ammo_dice": 12, "rate_of_fire": 12, "targets": two}
    first = bo.enter(bo.roll(short, physical=True), [6, 2, 6, 2])
    first = bo.choose(first, "keep")
    bo.do("roll.choose", roll=first.id, puts={"Olek": [1]})
    bo.enter(first, [3, 3])
    second = bo.enter(bo.roll(long, physical=True), [1, 2, *[2] * 12])
    bo.choose(second, "keep")
    rosa.do("session.end")
    player = at(somebody, bo)
    over = player.page.get_by_role("region", name="Session 1 is over")
    over.get_by_role("button", name="Look back").click()
    evening = player.page.get_by_role("dialog")
    rounds = evening.locator(".facts div", has_text="rounds")
    expect(rounds.locator("dd")).to_have_text("34")
    expect(rounds).to_contain_text("9 in the only roll that could be counted, where 8 were")
    expect(evening.locator(".lucks")).to_contain_text(
        "1 of 2 rolls went well; of the only one that could be counted 1 did: an ordinary evening"
    )
    expect(evening.locator(".recap-chosen")).to_have_text("Chosen: “Keep” 2 times.")
    expect(evening.locator(".recap-waits")).to_contain_text("Ines AK: jammed")
    assert [] == player.barriers()
    player.page.goto(player.address)
    told = player.page.locator(".start-side").get_by_role("link").first
    expect(told).to_contain_text("Session 1 is over · today")


def test_luck_that_comes_to_nothing_has_no_sign(somebody, host):
    """A task that nobody could do took nothing from anybody's luck."""
    rosa, bo = a_table(host, "dust", {"name": "Ines"})
    task = {"game": "dust", "roll": "extended", "attribute": 2, "ability": 1, "target": 20}
    roll = bo.roll({**task, "limit": 1}, physical=True)
    bo.enter(roll, [2, 2, 2])
    rosa.do("session.end")
    player = at(somebody, bo)
    over = player.page.get_by_role("region", name="Session 1 is over")
    over.get_by_role("button", name="Look back").click()
    expect(player.page.get_by_role("dialog").locator(".luck-sum")).to_have_text("0")


def test_a_moment_of_the_evening_has_its_dice(somebody, host):
    """A botch (DUST R9) is remembered with the 1s that made it, drawn small and read as such."""
    rosa, bo = a_table(host, "dust", {"name": "Ines"})
    bo.enter(bo.roll({"game": "dust", "roll": "roll", "pool": 3}, physical=True), [1, 1, 4])
    rosa.do("session.end")
    player = at(somebody, bo, size=PHONE)
    over = player.page.get_by_role("region", name="Session 1 is over")
    over.get_by_role("button", name="Look back").click()
    moment = player.page.get_by_role("dialog").locator(".moment[data-kind=awful]")
    expect(moment.locator(".die")).to_have_count(3)
    ones = moment.get_by_role("img", name="d10 shows 1, a 1 that takes a success")
    expect(ones).to_have_count(2)
    assert [] == player.barriers()
