"""The stage: the current roll in the middle, what has settled in lines beside it."""

import re

import pytest
from playwright.sync_api import expect

from tests.drafts import drafted
from tests.page.people import MOVING, PHONE, TABLET
from tests.page.playing import card, option, reopened, tab
from tests.page.test_moment import ATTACK, SHEET, a_table, at, attack, host

__all__ = ["host"]
WHOLE = """line => {
  const box = line.getBoundingClientRect();
  const feed = line.closest('.feed-scroll').getBoundingClientRect();
  return box.top >= feed.top - 1 && box.bottom <= feed.bottom + 1;
}"""


def lines(person):
    """Rolls as lines of the feed."""
    return person.page.locator(".feed-item.is-roll .feed-line")


def test_the_stage_shows_what_waits_and_the_feed_what_has_settled(somebody, host):
    """Somebody else's open choice stays on the stage while others roll; one's own roll takes it."""
    rosa, bo = a_table(host, "twilight2000", **SHEET)
    person, watcher = at(somebody, bo), at(somebody, rosa)
    attack(bo)
    staged = watcher.page.locator(".stage-pane .roll-card")
    expect(staged).to_contain_text("Novak")
    expect(staged).to_contain_text("played by Bo")
    expect(watcher.page.locator(".seat[data-turn]")).to_contain_text("Bo decides")
    rosa.roll("3d1")
    expect(staged).to_contain_text("3d1")
    strip = watcher.page.locator(".stage-pane .waiting-strip")
    expect(strip).to_contain_text("Bo has to choose: Keep or push?")
    strip.click()
    expect(staged).to_contain_text("Novak")
    option(card(person, "AK"), "Keep").click()
    expect(lines(person).last).to_contain_text("Miss")
    expect(staged.locator(".outcome")).to_contain_text("Miss")


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_who_decides_is_written_on_their_seat(somebody, host, size):
    """While dice tumble too, and where the seat has moved to the front."""
    rosa, bo = a_table(host, "twilight2000", **SHEET)
    watcher = at(somebody, rosa, size=size, **MOVING)
    expect(watcher.page.locator(".seat")).to_have_count(2)
    attack(bo)
    said = watcher.page.locator(".seat[data-turn] b")
    expect(said).to_have_text("Bo decides")
    assert said.bounding_box()["width"] > 40
    watcher.page.evaluate("document.documentElement.style.setProperty('--text-size', '2')")
    assert said.bounding_box()["width"] > 40


def test_ten_settled_rolls_fit_on_a_phone(somebody, host):
    """Each is one line with who, what, how it went and when; a tap opens the whole of it."""
    _, bo = a_table(host, "dust", name="Vex")
    for number in range(1, 13):
        bo.roll(f"{number}d1")
    person = at(somebody, bo, size=PHONE)
    tab(person, "Feed")
    expect(lines(person)).to_have_count(12)
    expect(lines(person).last).to_be_in_viewport()
    whole = [line.evaluate(WHOLE) for line in lines(person).all()]
    assert sum(whole) >= 10
    ends = person.page.locator(".feed .ago").evaluate_all(
        "all => all.map((one) => Math.round(one.getBoundingClientRect().right))"
    )
    assert 1 == len(set(ends))
    expect(reopened(person, "7d1").locator(".die")).to_have_count(7)


def test_a_burst_of_edits_is_one_line(somebody, host):
    """By one person on one sheet; it opens into each of them, and another's edit is apart."""
    rosa, bo = a_table(host, "twilight2000", **SHEET)
    person = at(somebody, rosa)
    for stress in (1, 2, 3, 4):
        bo.do("sheet.change", sheet=bo.seat, values={"stress": stress})
    rosa.do("sheet.change", sheet=bo.seat, values={"stress": 0})
    burst = person.feed("Bo changed Novak: 4 edits")
    expect(burst).to_be_visible()
    expect(person.feed("Rosa changed the sheet of Novak")).to_contain_text("Stress 4 → 0")
    expect(person.feed("Bo changed")).to_have_count(1)
    burst.locator(".feed-line").click()
    expect(burst.locator(".line")).to_have_count(4)
    expect(burst.locator(".line").last).to_contain_text("Stress 3 → 4")


def test_best_is_what_gains_something(somebody, host):
    """Two options that are both certain are no best; that it does not matter is said."""
    _, bo = a_table(host, "edge20", name="Oriel")
    check = {"roll": "check", "modifier": 5, "dc": 15, "advantages": 1, "rerolls": 1}
    bo.enter(bo.roll(check, physical=True), [11, 4])
    person = at(somebody, bo)
    mine = card(person, "Check")
    expect(mine.locator(".standing")).to_have_text("16 against DC 15: success")
    expect(option(mine, "Keep")).to_contain_text("100 %")
    expect(option(mine, "Re-roll lower")).to_contain_text("100 %")
    expect(mine.locator(".why")).to_contain_text("it does not matter")
    expect(mine.get_by_text("best", exact=True)).to_have_count(0)


def test_a_die_that_is_not_used_says_so_and_nothing_else(somebody, host):
    """With advantage a 1 beside the better die glows for nobody, and is read as discarded."""
    _, bo = a_table(host, "edge20", name="Oriel")
    check = {"roll": "check", "modifier": 5, "dc": 15, "advantages": 1}
    bo.enter(bo.roll(check, physical=True), [17, 1])
    mine = card(at(somebody, bo), "Check")
    used, unused = mine.locator(".die").all()
    expect(used.locator(".die-tag")).to_have_text("counts")
    expect(unused.locator(".die-tag")).to_have_text("discarded")
    expect(unused).to_have_attribute("data-tone", "plain")
    expect(unused.locator("svg[role=img]")).to_have_attribute(
        "aria-label", "d20 shows 1, does not count"
    )


def test_a_push_shows_its_risk_and_what_becomes_of_each_die(somebody, host):
    """The chance and the jam at one size, the jam hatched, the price in a person's words."""
    _, bo = a_table(host, "twilight2000", **SHEET)
    started = bo.roll(draft=drafted(ATTACK), sheet=bo.seat, physical=True)
    bo.enter(started, [2, 3, 6, 4, 4, 5, 3])
    mine = card(at(somebody, bo), "AK")
    push, keep = option(mine, "Push"), option(mine, "Keep")
    expect(push.locator(".risk")).to_have_text(re.compile(r"^1 in \d+ jams$"))
    expect(push.locator(".bar .bar-risk")).to_have_count(1)
    expect(keep.locator(".bar .bar-risk")).to_have_count(0)
    expect(keep.locator(".safe")).to_have_text("cannot jam")
    expect(push.locator(".option-costs")).to_contain_text(re.compile("about .* of reliability"))
    expect(keep).not_to_contain_text("reliability")
    tags = mine.locator(".die-tag").all_inner_texts()
    assert {"re-rolls", "stays"} == set(tags)
    assert len(tags) == mine.locator(".die").count()


def test_a_jam_can_be_cleared_from_the_stage(somebody, host):
    """What the weapon is there for now is a tap away, for whoever fired it, until it is done."""
    rosa, bo = a_table(host, "twilight2000", **SHEET)
    person, watcher = at(somebody, bo), at(somebody, rosa)
    started = bo.roll(draft=drafted(ATTACK), sheet=bo.seat, physical=True)
    roll = bo.choose(bo.enter(started, [2, 3, 6, 4, 4, 5, 3]), "push")
    bo.enter(roll, [1, 1, 1, 2, 2, 2])
    clear = person.page.locator(".staged").get_by_role("button", name="Clear a jam: AK")
    expect(clear).to_be_visible()
    expect(watcher.page.locator(".staged .outcome")).to_contain_text("jammed", ignore_case=True)
    expect(watcher.page.locator(".staged .onward")).to_have_count(0)
    clear.click()
    laid = person.page.get_by_role("heading", name="Clear a jam")
    expect(laid.last).to_be_visible()
    bo.do("sheet.effect", sheet=bo.seat, kind="clear", target="AK")
    expect(clear).to_have_count(0)


@pytest.mark.parametrize(("faces", "rests"), [([3, 9], "17 against Hard 20: Fade")])
def test_a_choice_says_where_one_stands(somebody, host, faces, rests):
    """Result, level and grade, before what can be done about it."""
    _, bo = a_table(host, "ghostburn", name="Nix")
    roll = {"roll": "roll", "ability": 5, "dl": "Hard"}
    bo.enter(bo.roll(roll, physical=True), faces)
    mine = card(at(somebody, bo), "Skill roll")
    expect(mine.locator(".standing")).to_have_text(rests)


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_a_sum_is_written_out_under_the_dice(somebody, host, size):
    """What was thrown, what is added by name, and what that makes; with Luck once it is spent."""
    skills = [{"name": "Persuade", "ability": "Presence", "bonus": 2}]
    abilities = [{"name": "Presence", "score": 3}]
    _, bo = a_table(
        host, "ghostburn", name="Nix", luck_points=1, abilities=abilities, skills=skills
    )
    draft = {"roll": "roll", "pick": {"skill": "Persuade"}, "set": {"dl": "Hard"}}
    roll = bo.enter(bo.roll(draft=draft, sheet=bo.seat, physical=True), [4, 9])
    person = at(somebody, bo, size=size)
    added = person.page.locator(".staged .added")
    expect(added.locator(".added-term")).to_have_text(["4 + 9", "Presence +3", "skill +2"])
    expect(added.locator("b")).to_have_text("= 18")
    bo.choose(roll, "bonus")
    expect(added.locator(".added-term").last).to_have_text("luck +2")
    expect(added.locator("b")).to_have_text("= 20")
    assert [] == person.barriers()


def test_the_roller_is_named_once_beside_the_dice(somebody, host):
    """In the head and at the own dice; the title names the other side alone."""
    rosa, bo = a_table(host, "dust", name="Jax")
    cy = host.join(rosa.links["player"], name="Cy")
    cy.do("sheet.make", values={"name": "Mara"})
    sides = {"actor": {"pool": 2}, "defender": {"name": f"@{cy.seat}", "pool": 2}}
    roll = bo.roll(draft={"roll": "opposing", "set": sides}, sheet=bo.seat, physical=True)
    roll = bo.enter(bo.enter(roll, [9, 8]), [2, 3])
    mine = card(at(somebody, bo), "Opposing roll")
    expect(mine.locator(".roll-title")).to_have_text("Opposing roll against Mara")
    expect(mine.locator(".roll-who")).to_have_text("Jax")
    expect(mine.locator(".tray-whose")).to_have_text(["Jax", "Mara"])


def test_a_task_that_is_done_says_what_was_gathered_and_needed(somebody, host):
    """DUST R15: 7 where 4 are needed; on the sheet it grew from 0, and is not called "before"."""
    task = {"name": "lock", "target": 4, "limit": 3}
    stats = [{"name": "Wits", "rating": 8}]
    _, bo = a_table(host, "dust", name="Mags", stats=stats, tasks=[task])
    draft = {"roll": "extended", "pick": {"task": "lock", "attribute": "Wits", "ability": ""}}
    bo.enter(bo.roll(draft=draft, sheet=bo.seat, physical=True), [9, 8, 7, 7, 6, 6, 10, 2])
    mine = card(at(somebody, bo), "Extended roll")
    expect(mine.locator(".outcome-more")).to_have_text("7 gathered, 4 needed")
    expect(mine.locator(".changes")).to_contain_text("Successes gathered 0 → 7")
    expect(mine).not_to_contain_text("before")


TASK = {"roll": "extended", "pool": 4, "target": 14, "limit": 6, "adrenaline": 2}


@pytest.mark.parametrize(
    ("limit", "rests"),
    [(6, "0 of 14 · 6 turns left · 2 Adrenaline"), (None, "0 of 14 · 2 Adrenaline")],
)
def test_a_task_that_asks_about_adrenaline_stands_on_the_stage(somebody, host, limit, rests):
    """DUST R15: how far it has come, with or without a limit; and what may be done about it."""
    _, bo = a_table(host, "dust", name="Mags", adrenaline=2)
    bo.roll({**TASK, "limit": limit}, physical=True)
    mine = card(at(somebody, bo), "Extended roll")
    expect(mine.locator(".standing")).to_have_text(rests)
    expect(mine.locator(".option")).not_to_have_count(0)
    expect(mine).not_to_contain_text("option.")


def test_bullets_are_dealt_out_on_the_targets(somebody, host):
    """No list of combinations: each target is a box that takes them, and all must be given."""
    _, bo = a_table(host, "twilight2000", **SHEET)
    foes = [{"name": "Guard"}, {"name": "Driver"}]
    shot = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 6, "targets": foes}
    roll = bo.enter(bo.roll(shot, physical=True), [8, 10, 6, 6, 4, 3, 2, 2])
    bo.choose(roll, "keep")
    person = at(somebody, bo, size=PHONE)
    mine = card(person, "Attack")
    deal = mine.get_by_role("group", name="Deal them out")
    expect(deal.locator(".place")).to_have_count(3)
    assert mine.locator(".option").count() <= 1
    expect(deal.get_by_role("status")).to_have_text("2 left to give")
    expect(deal.get_by_role("button", name="Done")).to_be_in_viewport(ratio=1)
    deal.get_by_role("button", name="Driver: one more").click()
    deal.get_by_role("button", name="Driver: one more").click()
    deal.get_by_role("button", name="Done").click()
    expect(deal).to_have_count(0)


def test_bullets_without_a_target_are_told(somebody, host):
    """T2K R23: two ammo sixes and nobody named whom they hit: the result says what they are for,
    and the story that they were thrown.
    """
    _, bo = a_table(host, "twilight2000", **SHEET)
    shot = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 3}
    bo.choose(bo.enter(bo.roll(shot, physical=True), [8, 4, 6, 6, 2]), "keep")
    mine = card(at(somebody, bo), "Attack")
    expect(mine.locator(".outcome")).to_contain_text("2 bullets to spend: each 1 more damage")
    expect(mine.locator(".told")).to_contain_text("2 ammo sixes")


def test_every_part_is_a_tap_away_on_a_phone(somebody, host):
    """Stage, sheet, feed and more, and the button to roll between them."""
    _, bo = a_table(host, "twilight2000", **SHEET)
    person = at(somebody, bo, size=PHONE)
    tabs = person.page.get_by_role("navigation", name="Parts of the table")
    for name in ("Sheet", "Roll", "Feed", "More", "Stage"):
        tabs.get_by_role("button", name=name).click()
        expect(person.page.get_by_role("region", name=name, exact=True)).to_be_visible()
        expect(person.page.locator(".pane:visible")).to_have_count(1)


IN_SIGHT = """() => {
  const parts = document.querySelector("nav[aria-label='Parts of the table']");
  const floor = parts.getBoundingClientRect().top;
  const dice = [...document.querySelectorAll(".staged .die-picture")];
  return dice.length && dice.every((die) => die.getBoundingClientRect().bottom <= floor);
}"""


def test_a_phone_on_its_side_shows_whose_roll_it_is_and_the_dice(somebody, host):
    """740 by 360: nothing to scroll before the dice, and the choices right below them."""
    _, bo = a_table(host, "twilight2000", **SHEET)
    started = bo.roll(draft=drafted(ATTACK), sheet=bo.seat, physical=True)
    bo.enter(started, [2, 3, 6, 4, 4, 5, 3])
    person = at(somebody, bo, size=(740, 360))
    expect(card(person, "Attack").locator(".roll-who")).to_be_in_viewport()
    person.page.wait_for_function(IN_SIGHT)
    option(card(person, "Attack"), "Keep").click()
    expect(person.page.locator(".staged .outcome")).to_be_visible()
    assert [] == person.barriers()
