"""The sheet is the panel: rows with their chance, rolls that lie on it; and a roll's choices."""

import re

import pytest
from playwright.sync_api import expect

from tests.drafts import drafted
from tests.gates import first
from tests.page.people import DESKTOP, PHONE, TABLET, resize
from tests.page.playing import at, option, part

RIFLE = {"name": "AK", "rounds": 30, "rate_of_fire": 5, "spares": 1}
NOVAK = {"name": "Novak", "AGL": "B", "INT": "B", "recon": "C", "weapons": [RIFLE]}
SABLE = {
    "name": "Sable", "luck_points": 1,
    "abilities": [{"name": "Presence", "score": 5}],
    "skills": [{"name": "Persuade", "ability": "Presence", "bonus": 2, "favored": True}],
}  # fmt: skip

MAGS = {
    "name": "Mags", "adrenaline": 1,
    "stats": [{"name": "Reflexes", "rating": 4}, {"name": "Drive", "rating": 3}],
    "tasks": [{"name": "Hotwire", "target": 4}],
}  # fmt: skip


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


@pytest.mark.parametrize(
    "size", first([PHONE, TABLET, DESKTOP]), ids=["phone", "tablet", "desktop"]
)
def test_a_row_lays_its_roll_out_on_the_sheet(somebody, host, size):
    """Its chance is the button's; what was tapped is not asked again; Roll is one tap away."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = at(somebody, bo, size=size)
    sheet = part(person, "Sheet")
    recon = row(sheet, "Recon")
    expect(recon.locator("b")).to_have_text("69 %")
    expect(sheet.get_by_text("Chances: if you never push")).to_be_visible()
    recon.click()
    laid = sheet.locator(".laid")
    expect(laid.get_by_role("heading", name="Skill roll: recon")).to_be_visible()
    expect(laid.locator(".dock .chance strong")).to_have_text("69 %")
    expect(laid.get_by_role("group", name="Which skill")).to_have_count(0)
    laid.get_by_role("group", name="Modifier").get_by_role("radio", name="+1").check(force=True)
    expect(laid.locator(".dock .chance strong")).not_to_have_text("69 %")
    assert [] == person.barriers()
    laid.get_by_role("button", name="Roll", exact=True).click()
    expect(person.page.locator(".stage-pane .roll-card")).to_contain_text("Novak")
    expect(laid).to_have_count(0)


STANDS = "([one, other]) => one.getBoundingClientRect().bottom <= other.getBoundingClientRect().top"


def test_the_roll_button_stands_above_the_tabs_however_large_the_text_is(somebody, host):
    """Text at 200 % on a phone: Roll is in sight at once, what is asked scrolls above it."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = at(somebody, bo, size=PHONE)
    person.page.evaluate("document.documentElement.style.setProperty('--text-size', '2')")
    sheet = part(person, "Sheet")
    row(sheet, "Recon").click()
    laid = sheet.locator(".laid")
    expect(laid.locator(".dock .chance strong")).to_have_text("69 %")
    button = laid.get_by_role("button", name="Roll", exact=True)
    ends = [button.element_handle(), person.page.locator("nav.tabs").element_handle()]
    assert person.page.evaluate(STANDS, ends)
    more = laid.get_by_role("group", name="Modifier")
    more.scroll_into_view_if_needed()
    expect(more).to_be_in_viewport()
    assert person.page.evaluate(STANDS, ends)
    button.click()
    expect(person.page.locator(".stage-pane .roll-card")).to_contain_text("Novak")


BACK = "() => void setTimeout(() => history.back())"


def test_back_closes_what_is_open_before_it_leaves_the_table(somebody, host):
    """A roll, then the sheet; a dialog; and nothing that was closed by hand is in the way."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = somebody(size=PHONE)
    person.page.goto(person.address)
    person.page.goto(str(bo.move()))
    page, sheet = person.page, part(person, "Sheet")
    row(sheet, "Recon").click()
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
    page.evaluate(BACK)
    page.wait_for_url(person.address)


def test_a_roll_on_the_sheet_is_made_with_keys_alone(somebody, host):
    """Enter lays it out and says what lies there; Escape puts it away."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = at(somebody, bo)
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


def test_what_is_done_with_a_thing_stands_on_it(somebody, host):
    """A weapon fires or is reloaded where it stands; jammed, its button clears the jam."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = at(somebody, bo)
    sheet = part(person, "Sheet")
    expect(row(sheet, "AK: Attack")).to_be_visible()
    expect(sheet.get_by_role("button", name="Reload")).to_be_visible()
    bo.do("sheet.change", sheet=bo.seat, values={"weapons": [RIFLE | {"jammed": True}]})
    row(sheet, "AK: Clear a jam").click()
    expect(sheet.locator(".laid h3")).to_contain_text("Clear")
    worn = RIFLE | {"jammed": True, "reliability": 3}
    bo.do("sheet.change", sheet=bo.seat, values={"weapons": [worn], "spare_parts": 1})
    expect(row(sheet, "AK: Clear a jam")).to_be_visible()
    row(sheet, "AK: Repair").click()
    expect(sheet.locator(".laid h3")).to_contain_text("Repair")
    broken = {"weapons": [worn | {"reliability": 0}]}
    bo.do("sheet.change", sheet=bo.seat, values=broken)
    expect(row(sheet, "AK: Clear a jam")).to_have_count(0)
    expect(row(sheet, "AK: Repair")).to_be_visible()


LINES = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
}"""


def test_a_chance_stands_on_one_line(somebody, host):
    """On a phone too, where the button of a weapon has little room."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = at(somebody, bo, size=PHONE)
    chance = row(part(person, "Sheet"), "AK: Attack").locator("b")
    expect(chance).to_contain_text("%")
    assert 1 == chance.evaluate(LINES)


def test_every_other_kind_of_roll_begins_on_the_sheet_too(somebody, host):
    """What no row begins stands at its end; questions about many rolls belong to Explore."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = at(somebody, bo)
    others = part(person, "Sheet").locator(".other-rolls")
    others.get_by_role("button", name="Opposed").click()
    expect(person.page.locator(".laid h3")).to_contain_text("Opposed")
    expect(others.get_by_role("button", name="Until empty")).to_have_count(0)


def test_what_a_tap_leaves_open_is_asked_on_the_sheet(somebody, host):
    """A pool is two stats, or now and then one alone (DUST R2): the second is picked there."""
    _, bo = a_table(host, "dust", MAGS)
    sheet = part(at(somebody, bo, size=PHONE), "Sheet")
    row(sheet, "Drive").click()
    laid = sheet.locator(".laid")
    expect(laid.locator(".laid-dice .die")).to_have_count(3)
    expect(laid.get_by_role("group", name="Attribute", exact=True)).to_have_count(0)
    laid.get_by_role("combobox", name="Ability").select_option(label="Reflexes · 4")
    expect(laid.get_by_role("heading", name="Drive + Reflexes")).to_be_visible()
    expect(laid.locator(".laid-dice .die")).to_have_count(7)


def test_no_room_is_kept_for_dice_that_are_not_thrown_yet(somebody, host):
    """A task that begins with a choice shows its name and what is asked, without an empty felt."""
    _, bo = a_table(host, "dust", MAGS)
    sheet = part(at(somebody, bo, size=PHONE), "Sheet")
    row(sheet, "Hotwire").or_(
        sheet.get_by_role("button", name=re.compile("Extended"))
    ).first.click()
    laid = sheet.locator(".laid")
    expect(laid.get_by_role("heading", name="Hotwire")).to_be_visible()
    expect(laid.locator(".laid-dice")).to_have_count(0)


def test_options_that_leave_something_else_are_not_called_alike(somebody, host):
    """A failure with doubles: the point taken or left is the same failure, not the same result."""
    _, bo = a_table(host, "dust", MAGS)
    fields = {"roll": "roll", "attribute": "Reflexes", "doubles": "ask"}
    thrown = bo.roll(draft=drafted(fields), sheet=bo.seat, physical=True)
    bo.enter(thrown, [9, 9, 1, 1])
    why = at(somebody, bo).page.locator(".stage-pane .why")
    expect(why).to_have_text("Nothing here makes it “to succeed”: what differs is the rest.")


def test_favourites_stand_on_the_sheet(somebody, host):
    """A roll that is kept is a tap away there, with its chance where a row has the same."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = at(somebody, bo)
    sheet = part(person, "Sheet")
    row(sheet, "Recon").click()
    expect(sheet.locator(".laid .roll-button")).to_be_enabled()
    sheet.get_by_role("button", name="Favourite").click()
    kept = sheet.get_by_role("list", name="Rolls kept on this sheet")
    sheet.get_by_role("button", name="Put this roll away").click()
    kept.get_by_role("button", name="recon").click()
    expect(sheet.locator(".laid h3")).to_contain_text("recon")


def test_fields_are_changed_in_place(somebody, host):
    """A sheet is played with until somebody wants to change it, all of it in one sitting."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    person = at(somebody, bo)
    sheet = part(person, "Sheet")
    expect(sheet.get_by_role("combobox", name="Recon")).to_have_count(0)
    sheet.get_by_role("button", name="Change", exact=True).click()
    sheet.get_by_role("combobox", name="Recon").select_option("A")
    done = sheet.get_by_role("button", name="Done", exact=True)
    assert done.evaluate("button => button.scrollWidth <= button.clientWidth"), "it is cut off"
    done.click()
    expect(row(sheet, "Recon A")).to_be_visible()
    expect(row(sheet, "Recon A").locator("b")).not_to_have_text("69 %")
    assert [] == person.barriers()


def test_luck_is_seen_on_a_ladder(somebody, host):
    """GHOST R8, R20: 23 is a Fade against Severe 26, and three more reach it."""
    _, bo = a_table(host, "ghostburn", SABLE)
    hard = {"roll": "roll", "pick": {"skill": "Persuade"}, "set": {"dl": "Severe"}}
    bo.enter(bo.roll(draft=hard, sheet=bo.seat, physical=True), [8, 8])
    person = at(somebody, bo, size=DESKTOP)
    ladder = person.page.locator(".ladder")
    expect(ladder.locator(".ladder-at")).to_have_text(["23", "26"])
    expect(ladder.locator(".rung")).to_have_text(["Easy8", "Moderate14", "Hard20", "Severe26"])
    expect(ladder).to_have_attribute("aria-label", re.compile(r"23 now \(Hard\)"))
    expect(ladder.locator("[data-reached]")).to_have_text("26")
    resize(person.page, PHONE)
    expect(ladder).to_be_visible()
    assert [] == person.barriers()


def test_a_group_test_shows_who_can_help_and_who_needs_it(somebody, host):
    """Scores and Advantages left stand beside the characters; the button beside whom it helps."""
    _, bo, cy = a_table(host, "kleptonomicon", {"name": "Quill"}, {"name": "Pim"})
    members = [{"name": f"@{seat.seat}", "modifier": more} for seat, more in ((bo, 2), (cy, 1))]
    roll = bo.roll(draft={"roll": "group", "set": {"members": members}}, physical=True)
    for faces in ([9], [3]):
        roll = bo.enter(roll, faces)
    person = at(somebody, bo, size=DESKTOP)
    gives = person.page.get_by_role("region", name="Can help")
    takes = person.page.get_by_role("region", name="Needs help")
    expect(gives.locator(".member")).to_contain_text("Quill")
    expect(gives.locator(".member")).to_contain_text("11")
    expect(gives.locator(".member")).to_contain_text("2 left to give")
    expect(takes.locator(".member strong")).to_have_text("Pim")
    expect(takes.locator(".member-score")).to_have_text("4")
    resize(person.page, PHONE)
    expect(takes).to_be_visible()
    assert [] == person.barriers()
    takes.get_by_role("button", name="Give").click()
    expect(person.page.locator(".party")).to_have_count(0)


def test_bullets_are_dealt_out_by_what_each_place_is_worth(somebody, host):
    """T2K R23: another hit does the weapon's damage, one more on the first hit only 1."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    foes = [{"name": "Guard", "capacity": 4}, {"name": "Driver", "capacity": 4}]
    shot = {"roll": "attack", "pick": {"weapon": "AK"}, "set": {"ammo_dice": 2, "targets": foes}}
    bo.enter(bo.roll(draft=shot, sheet=bo.seat, physical=True), [10, 6, 6])
    person = at(somebody, bo)
    dealt = person.page.locator(".assign")
    expect(dealt.locator(".assign-worth")).to_contain_text("The best way is worth")
    for _ in range(2):
        dealt.get_by_role("button", name="First hit, Guard: harder: one more").click()
    expect(dealt.locator(".assign-worth")).to_contain_text("As it lies:")
    expect(dealt.locator(".assign-worth")).to_contain_text("The best way is worth")
    dealt.get_by_role("button", name="Start over").click()
    worth = dealt.locator(".place-worth")
    expect(worth).to_have_count(3)
    expect(worth.and_(dealt.locator("[data-best]"))).to_have_count(2)
    dealt.get_by_role("button", name="Guard: one more").press("Enter")
    dealt.get_by_role("button", name="Driver: one more").press("Enter")
    expect(dealt.locator(".assign-worth")).to_contain_text("Nothing is better.")
    assert [] == person.barriers()
    dealt.get_by_role("button", name="Done").click()
    expect(person.page.locator(".assign")).to_have_count(0)


def promised(button):
    """The damage that stands beside a button, which is what comes of it at best."""
    about = button.page.locator(f"#{button.get_attribute('aria-describedby')}")
    return re.search(r"(\d+) damage", about.inner_text())[1]


@pytest.mark.parametrize("size", first([PHONE, DESKTOP]), ids=["phone", "desktop"])
def test_each_bullet_is_worth_what_stands_beside_its_button(somebody, host, size):
    """T2K R23: one more on an extra hit raises it by 1, another hit does the weapon's damage.

    Base damage 3, a hit with 3 successes (5 damage) and four bullets: four hits more are
    5 + 4 * 3 = 17, and each bullet that raises a hit instead of buying one costs 2 of that.
    """
    _, bo = a_table(host, "twilight2000", NOVAK)
    shot = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 6, "base_damage": 3,
            "targets": [{"name": "Guard"}, {"name": "Driver"}]}  # fmt: skip
    roll = bo.enter(bo.roll(shot, sheet=bo.seat, physical=True), [8, 10, 6, 6, 6, 6, 2, 2])
    bo.choose(roll, "keep")
    person = at(somebody, bo, size=size)
    dealt = person.page.locator(".assign")
    on = dealt.get_by_role("button", name="A hit, Driver: one more")
    another = dealt.get_by_role("button", name="Another: A hit, Driver")
    harder = dealt.get_by_role("button", name="First hit, Guard: harder: one more")
    expect(dealt.locator(".place-worth").first).to_be_visible()
    assert ("17", "15") == (promised(on), promised(harder))
    on.click()
    assert ("15", "17") == (promised(on), promised(another))
    expect(dealt.locator(".place-worth[data-best]", has_text="15")).to_have_count(0)
    on.click()
    expect(dealt.locator(".assign-worth")).to_contain_text("From here at best: 15 damage")
    harder.click()
    harder.click()
    expect(dealt.locator(".assign-worth")).to_contain_text("As it lies: 11 damage")
    expect(dealt.get_by_role("button", name="Another: First hit")).to_have_count(0)
    assert [] == person.barriers()


def test_whoever_sits_there_throws_their_own_dice(somebody, host):
    """The roll waits for Cy's throw, and gives Cy one button."""
    _, bo, cy = a_table(host, "kleptonomicon", {"name": "Quill"}, {"name": "Pim"})
    first, second = at(somebody, bo), at(somebody, cy, size=PHONE)
    members = [{"name": f"@{seat.seat}", "modifier": 1} for seat in (bo, cy)]
    bo.roll(draft={"roll": "group", "set": {"members": members}}, each=True)
    waits = first.page.locator(".stage-pane").get_by_role("group", name="Waiting for a throw")
    expect(waits).to_contain_text("Waits for Cy's throw.")
    expect(waits.get_by_role("button", name="Throw for Cy")).to_be_visible()
    own = second.page.get_by_role("group", name="Your throw")
    expect(own).to_contain_text("You roll with +1. d10")
    expect(own).to_contain_text("As the dice lie:")
    assert [] == second.barriers()
    own.get_by_role("button", name="Throw your dice").click()
    expect(own).to_have_count(0)
    expect(waits).to_have_count(0)
    expect(first.page.locator(".tray-whose").filter(has_text="Pim").first).to_be_visible()


def test_whoever_answers_reads_the_chance_as_the_dice_lie(somebody, host):
    """DUST R16: what the table counts of the roll as it stands, whatever the first side threw."""
    _, bo, cy = a_table(host, "dust", {"name": "Jax"}, {"name": "Mara"})
    person = at(somebody, cy, size=PHONE)
    sides = {"actor": {"pool": 5}, "defender": {"name": f"@{cy.seat}", "pool": 5}}
    roll = bo.roll(draft={"roll": "opposing", "set": sides}, sheet=bo.seat, each=True)
    own = person.page.get_by_role("group", name="Your throw")
    expect(own).to_contain_text("As the dice lie:")
    said = re.search(r"As the dice lie: [<>]?([\d.]+) % for Jax", own.inner_text())
    assert abs(float(said[1]) / 100 - cy.advise(roll)["value"]["number"]) < 0.006


def test_the_panel_offers_that_everybody_throws(somebody, host):
    """Where somebody who sits here has a part in the roll; else nothing of it is said."""
    _, bo, cy = a_table(host, "kleptonomicon", {"name": "Quill"}, {"name": "Pim"})
    person = at(somebody, bo)
    sheet = part(person, "Sheet")
    sheet.locator(".other-rolls").get_by_role("button", name="Group Test").click()
    laid = sheet.locator(".laid")
    laid.locator(".control").first.wait_for()
    expect(laid.get_by_role("checkbox", name="Everybody throws their own dice")).to_be_visible()
    expect(laid.get_by_role("checkbox", name="Everybody throws their own dice")).to_be_checked()
    there = at(somebody, cy)
    expect(person.page.locator(".seat[data-here]").filter(has_text="Cy")).to_be_visible()
    laid.get_by_role("button", name="Roll", exact=True).click()
    expect(person.page.locator(".stage-pane")).to_contain_text("Waits for Cy's throw.")
    there.page.get_by_role("button", name="Throw your dice").click()
    expect(person.page.locator(".stage-pane")).not_to_contain_text("Waits for Cy's throw.")


def test_dice_of_whoever_is_away_are_thrown(somebody, host):
    """Nobody waits for somebody who is not connected, though they have a seat."""
    _, bo, _ = a_table(host, "kleptonomicon", {"name": "Quill"}, {"name": "Pim"})
    person = at(somebody, bo)
    sheet = part(person, "Sheet")
    sheet.locator(".other-rolls").get_by_role("button", name="Group Test").click()
    laid = sheet.locator(".laid")
    laid.locator(".control").first.wait_for()
    laid.get_by_role("button", name="Roll", exact=True).click()
    expect(person.page.locator(".tray-whose").filter(has_text="Pim").first).to_be_visible()


def test_a_wide_screen_has_no_tab_for_what_is_in_sight(somebody, host):
    """The stage is always there; large letters in the feed go on in the next line."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    bo.roll("3d6", note="a long word about why it is rolled")
    person = at(somebody, bo, size=(1280, 800))
    expect(person.page.locator("nav .tab-sheet")).to_be_visible()
    expect(person.page.locator("nav .tab-stage")).to_be_hidden()
    person.page.evaluate("document.documentElement.style.setProperty('--text-size', '2')")
    line = person.page.locator(".feed-item .feed-line-who").last
    expect(line).to_be_attached()
    assert line.evaluate("line => line.scrollWidth <= line.clientWidth + 1")


def test_options_of_a_push_stand_as_they_did(somebody, host):
    """A choice without a shape of its own has its options, and no ladder and no party."""
    _, bo = a_table(host, "twilight2000", NOVAK)
    recon = {"roll": "skill", "pick": {"skill_name": "recon"}}
    bo.enter(bo.roll(draft=recon, sheet=bo.seat, physical=True), [2, 3])
    person = at(somebody, bo)
    expect(option(person.page.locator(".stage-pane"), "Push")).to_be_visible()
    expect(person.page.locator(".ladder, .party, .assign")).to_have_count(0)
