"""The sheet is the panel: its place on the screen, its keys, and dice that people throw themselves.

What it says and does is looked at in web/tests/sheet.test.tsx, and what lies on the stage in
current_roll.test.tsx there.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.gates import thorough
from tests.page.people import DESKTOP, PHONE, TABLET
from tests.page.playing import at, part

RIFLE = {"name": "AK", "rounds": 30, "rate_of_fire": 5, "spares": 1}
NOVAK = {"name": "Novak", "AGL": "B", "INT": "B", "recon": "C", "weapons": [RIFLE]}
SABLE = {
    "name": "Sable", "luck_points": 1,
    "abilities": [{"name": "Presence", "score": 5}],
    "skills": [{"name": "Persuade", "ability": "Presence", "bonus": 2, "favored": True}],
}  # fmt: skip
LARGE = "size => document.documentElement.style.setProperty('--text-size', size)"
STANDS = "([one, other]) => one.getBoundingClientRect().bottom <= other.getBoundingClientRect().top"
BACK = "() => void setTimeout(() => history.back())"
LINES = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
}"""


def a_table(host, game, *sheets):
    """A table with a referee, and a player for every sheet."""
    rosa = host.create_table(game, name="Rosa")
    seats = [host.join(rosa.links["player"], name=name) for name in ("Bo", "Cy")[: len(sheets)]]
    for seat, values in zip(seats, sheets, strict=True):
        seat.do("sheet.create", values=values)
    return rosa, *seats


def row(sheet, name):
    """A row of the sheet, or the button of a thing on it."""
    return sheet.get_by_role("button", name=re.compile(f"^Roll with {name}"))


def test_a_sheet_is_played_with_on_a_phone(somebody, host):
    """A roll is laid out in sight, however large the text is, and Back closes what is open."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = somebody(size=PHONE)
    before = f"{person.address}api/v1"  # any place to come from
    person.page.goto(before)
    person.page.goto(str(bo.move()))
    a_chance_stands_on_one_line(person)
    a_roll_is_laid_out_and_made(person)
    the_roll_button_stands_above_the_tabs_however_large_the_text_is(person)
    back_closes_what_is_open_before_it_leaves_the_table(person)
    person.page.evaluate(BACK)
    person.page.wait_for_url(before)


def a_chance_stands_on_one_line(person):
    """Though the button of a weapon has little room."""
    chance = row(part(person, "Sheet"), "AK: Attack").locator("b")
    expect(chance).to_contain_text("%")
    assert 1 == chance.evaluate(LINES)


def a_roll_is_laid_out_and_made(person):
    """Its chance is the button's; what was tapped is not asked again; Roll is one tap away."""
    sheet = part(person, "Sheet")
    row(sheet, "Recon").click()
    laid = sheet.locator(".laid")
    expect(laid.get_by_role("heading", name="Skill roll: recon")).to_be_visible()
    expect(laid.locator(".dock .chance strong")).to_have_text("69 %")
    laid.get_by_role("group", name="Modifier").get_by_role("radio", name="+1").check(force=True)
    expect(laid.locator(".dock .chance strong")).not_to_have_text("69 %")
    assert [] == person.barriers()
    laid.get_by_role("button", name="Roll", exact=True).click()
    expect(person.page.locator(".stage-pane .roll-card")).to_contain_text("Novak")
    expect(laid).to_have_count(0)


@thorough
@pytest.mark.parametrize("size", [TABLET, DESKTOP], ids=["tablet", "desktop"])
def test_a_roll_is_laid_out_on_wide_screens_too(somebody, host, size):
    """As on a phone."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    a_roll_is_laid_out_and_made(at(somebody, bo, size=size))


def the_roll_button_stands_above_the_tabs_however_large_the_text_is(person):
    """Text at 200 %: Roll is in sight at once, what is asked scrolls above it."""
    person.page.evaluate(LARGE, "2")
    sheet = part(person, "Sheet")
    row(sheet, "Recon").click()
    laid = sheet.locator(".laid")
    expect(laid.locator(".dock .chance strong")).to_contain_text("%")
    button = laid.get_by_role("button", name="Roll", exact=True)
    ends = [button.element_handle(), person.page.locator("nav.tabs").element_handle()]
    assert person.page.evaluate(STANDS, ends)
    more = laid.get_by_role("group", name="Modifier")
    more.scroll_into_view_if_needed()
    expect(more).to_be_in_viewport()
    assert person.page.evaluate(STANDS, ends)
    person.page.evaluate(LARGE, "1")


def back_closes_what_is_open_before_it_leaves_the_table(person):
    """A roll, then the sheet; a dialog; and nothing that was closed by hand is in the way."""
    page, sheet = person.page, part(person, "Sheet")
    expect(sheet.locator(".laid h3")).to_be_visible()
    page.evaluate(BACK)
    expect(sheet.locator(".laid")).to_have_count(0)
    expect(sheet).to_be_visible()
    page.evaluate(BACK)
    expect(page.get_by_role("region", name="Stage", exact=True)).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate(BACK)
    expect(page.get_by_role("dialog")).to_have_count(0)
    part(person, "Sheet")
    row(sheet, "Recon").click()
    sheet.get_by_role("button", name="Put this roll away").click()
    expect(sheet.locator(".laid")).to_have_count(0)
    page.evaluate(BACK)
    expect(page.get_by_role("region", name="Stage", exact=True)).to_be_visible()


def test_a_sheet_is_played_with_at_a_desk(somebody, host):
    """With keys alone, with large letters, and with room for the words of every button."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    bo.roll("3d6", note="a long word about why it is rolled")
    person = at(somebody, bo)
    a_wide_screen_has_no_tab_for_what_is_in_sight(person)
    a_roll_on_the_sheet_is_made_with_keys_alone(person)
    fields_are_changed_in_place(person)


def a_wide_screen_has_no_tab_for_what_is_in_sight(person):
    """The stage is always there; large letters in the feed go on in the next line."""
    expect(person.page.locator("nav .tab-sheet")).to_be_visible()
    expect(person.page.locator("nav .tab-stage")).to_be_hidden()
    person.page.evaluate(LARGE, "2")
    line = person.page.locator(".feed-item .feed-line-who").last
    expect(line).to_be_attached()
    assert line.evaluate("line => line.scrollWidth <= line.clientWidth + 1")
    person.page.evaluate(LARGE, "1")


def a_roll_on_the_sheet_is_made_with_keys_alone(person):
    """Enter lays it out and says what lies there; Escape puts it away."""
    sheet = part(person, "Sheet")
    row(sheet, "Recon").focus()
    person.page.keyboard.press("Enter")
    heading = sheet.locator(".laid").get_by_role("heading", name="Skill roll: recon")
    expect(heading).to_be_focused()
    person.page.keyboard.press("Escape")
    expect(sheet.locator(".laid")).to_have_count(0)
    row(sheet, "Recon").press("Enter")
    expect(sheet.locator(".laid .roll-button")).to_be_enabled()
    person.page.keyboard.press("Control+Enter")
    expect(person.page.locator(".stage-pane .roll-card")).to_contain_text("recon")


def fields_are_changed_in_place(person):
    """No button is cut off while they are."""
    sheet = part(person, "Sheet")
    sheet.get_by_role("button", name="Change", exact=True).click()
    expect(sheet.get_by_role("combobox", name="Recon")).to_be_visible()
    done = sheet.get_by_role("button", name="Done", exact=True)
    assert done.evaluate("button => button.scrollWidth <= button.clientWidth"), "it is cut off"
    assert [] == person.barriers()
    done.click()
    expect(row(sheet, "Recon C")).to_be_visible()


def test_choices_with_a_shape_and_throws_of_ones_own_have_no_barrier_on_a_phone(somebody, host):
    """Luck on a ladder, people in a group, bullets on places, and dice that one throws oneself."""
    person = somebody(size=PHONE)
    for seat, shape in (on_a_ladder(host), in_a_group(host), bullets(host)):
        person.page.goto(str(seat.move()))
        expect(person.page.locator(f".staged {shape}").first).to_be_visible()
        expect(person.page.locator(".staged [data-waits]")).to_have_count(0)
        assert [] == person.barriers()
    whoever_answers_reads_the_chance_as_the_dice_lie(person, host)


def on_a_ladder(host):
    """23 is a Fade against Severe 26, and three more reach it (GHOST R8, R20)."""
    _, bo = a_table(host, "ghostburn", SABLE)
    hard = {"roll": "roll", "pick": {"skill": "Persuade"}, "set": {"dl": "Severe"}}
    bo.enter(bo.roll(draft=hard, sheet=bo.seat, physical=True), [8, 8])
    return bo, ".ladder"


def in_a_group(host):
    """Quill can help Pim."""
    _, bo, cy = a_table(host, "kleptonomicon", {"name": "Quill"}, {"name": "Pim"})
    members = [{"name": f"@{seat.seat}", "modifier": more} for seat, more in ((bo, 2), (cy, 1))]
    roll = bo.roll(draft={"roll": "group", "set": {"members": members}}, physical=True)
    bo.enter(bo.enter(roll, [9]), [3])
    return bo, ".party .member"


def bullets(host):
    """Two bullets for two foes."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    foes = [{"name": "Guard", "capacity": 4}, {"name": "Driver", "capacity": 4}]
    shot = {"roll": "attack", "pick": {"weapon": "AK"}, "set": {"ammo_dice": 2, "targets": foes}}
    bo.enter(bo.roll(draft=shot, sheet=bo.seat, physical=True), [10, 6, 6])
    return bo, ".assign"


def whoever_answers_reads_the_chance_as_the_dice_lie(person, host):
    """DUST R16: what the table counts of the roll as it stands, whatever the first side threw."""
    _, bo, cy = a_table(host, "dust", {"name": "Jax"}, {"name": "Mara"})
    sides = {"actor": {"pool": 5}, "defender": {"name": f"@{cy.seat}", "pool": 5}}
    roll = bo.roll(draft={"roll": "opposing", "set": sides}, sheet=bo.seat, each=True)
    person.page.goto(str(cy.move()))
    own = person.page.get_by_role("group", name="Your throw")
    expect(own).to_contain_text("As the dice lie:")
    said = re.search(r"As the dice lie: [<>]?([\d.]+) % for Jax", own.inner_text())
    assert abs(float(said[1]) / 100 - cy.advise(roll)["value"]["number"]) < 0.006
    assert [] == person.barriers()


def test_everybody_throws_their_own_dice(somebody, host):
    """Where somebody who sits here has a part in the roll; nobody waits for who is not there."""
    _, bo, cy = a_table(host, "kleptonomicon", {"name": "Quill"}, {"name": "Pim"})
    person, there = at(somebody, bo), at(somebody, cy, size=PHONE)
    expect(person.page.locator(".seat[data-here]").filter(has_text="Cy")).to_be_visible()
    whoever_sits_there_throws_their_own_dice(person, there)
    there.context.close()
    expect(person.page.locator(".seat[data-here]").filter(has_text="Cy")).to_have_count(0)
    dice_of_whoever_is_away_are_thrown(person)


def group_test(person):
    """A Group Test laid out on Bo's sheet."""
    sheet = part(person, "Sheet")
    sheet.locator(".other-rolls").get_by_role("button", name="Group Test").click()
    laid = sheet.locator(".laid")
    expect(laid.get_by_role("checkbox", name="Everybody throws their own dice")).to_be_checked()
    return laid.get_by_role("button", name="Roll", exact=True)


def whoever_sits_there_throws_their_own_dice(person, there):
    """The roll waits for Cy's throw, and gives Cy one button."""
    group_test(person).click()
    waits = person.page.locator(".stage-pane").get_by_role("group", name="Waiting for a throw")
    expect(waits).to_contain_text("Waits for Cy's throw.")
    expect(waits.get_by_role("button", name="Throw for Cy")).to_be_visible()
    own = there.page.get_by_role("group", name="Your throw")
    expect(own).to_contain_text("d10")
    expect(own).to_contain_text("As the dice lie:")
    own.get_by_role("button", name="Throw your dice").click()
    expect(own).to_have_count(0)
    expect(waits).to_have_count(0)
    expect(person.page.locator(".tray-whose").filter(has_text="Pim").first).to_be_visible()


def dice_of_whoever_is_away_are_thrown(person):
    """Though they have a seat."""
    rolls = person.page.locator(".feed-item.is-roll")
    expect(rolls).to_have_count(1)
    group_test(person).click()
    expect(rolls).to_have_count(2)
    stage = person.page.locator(".stage-pane")
    expect(stage.locator(".tray-whose").filter(has_text="Pim").first).to_be_visible()
    expect(stage.get_by_role("group", name="Waiting for a throw")).to_have_count(0)
