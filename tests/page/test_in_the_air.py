"""While dice are in the air nothing on the page tells what they will show; then all of it does.

The clock stands still and is moved by hand, so that dice are in the air for as long as a test
looks at the page.
"""

import sqlite3
from collections import Counter
from contextlib import closing

import pytest
from playwright.sync_api import expect

from rollwright.dice import Die, Pool
from tests.gates import but, first
from tests.loaded import LoadedTable
from tests.page.moments import BURST, MOMENTS, seated, thrown
from tests.page.people import DESKTOP, MOVING, PHONE
from tests.page.test_sound import HEARD
from tests.page.test_sound import LISTENING as SOUNDS

A_MOMENT, LONG = 120, 4000
"""Milliseconds: some pictures of dice that fly, and more than any of them needs to land."""
SHOWN = """() => [
  document.body.innerText,
  ...[...document.querySelectorAll("[aria-label]")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => one.getAttribute("aria-label")),
  ...heard,
].join("\\n")"""
FLYING = ".staged [data-flying]"
SKILL = {"roll": "skill", "attribute": "B"}
HIDDEN = """hidden => {
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def sitting(somebody, seat, *, size=DESKTOP):
    """Somebody on a seat, whose clock stands still once the table is there."""
    person = somebody(size=size, **MOVING)
    person.context.add_init_script(SOUNDS)
    person.page.clock.install()
    person.page.goto(str(seat.move()))
    person.page.locator(".sheet-pane .roll-row", has_text="%").first.wait_for(state="attached")
    stop(person)
    return person


def stop(person):
    """Let no time pass but by hand."""
    person.page.clock.pause_at(person.page.evaluate("Date.now()") + LONG)


def shown(person):
    """Every line that can be read on the page, and that was read out, with how often."""
    return Counter(person.page.evaluate(SHOWN).splitlines())


def fly(person):
    """Dice have been thrown, and are in the air; some time passes."""
    expect(person.page.locator(FLYING).first).to_be_attached()
    for _ in range(3):
        person.page.clock.run_for(A_MOMENT)
    expect(person.page.locator(FLYING).first).to_be_attached()


def follows(person):
    """What is written below the dice, and how wide the last of them is."""
    found = person.page.locator(".staged > :is(.outcome, .told, .decision, .effects, .added)")
    die = person.page.locator(".staged .die:last-child .die-picture").last
    return [one.is_visible() for one in found.all()], die.bounding_box()["width"]


def land(person):
    """The dice lie, and what follows from that is done."""
    person.page.clock.run_for(LONG)
    expect(person.page.locator("[data-flying]")).to_have_count(0)
    person.page.clock.run_for(A_MOMENT * 3)


@pytest.mark.parametrize("size", first([PHONE, DESKTOP]), ids=["phone", "desktop"])
def test_nothing_tells_a_result_before_the_dice_have_landed(somebody, host, server, size):
    """At one table, roll after roll: each is told when its dice lie, and not before."""
    rosa, bo = seated(host, "twilight2000")
    roll = bo.choose(thrown(bo, BURST, [3, 5, 2, 4]), "push")
    person = sitting(somebody, bo, size=size)
    what_others_do_meanwhile_is_shown_at_once(rosa, bo, person, roll)
    that_nothing_is_to_be_gained_is_told_when_the_dice_lie(bo, person)
    a_choice_and_its_advice_come_when_the_dice_lie(bo, person)
    whoever_looks_elsewhere_is_told_at_once(bo, person)
    dice_that_come_of_dice_are_thrown_one_after_the_other(bo, person, server)
    who_wants_no_motion_is_told_at_once(bo, person)


def what_others_do_meanwhile_is_shown_at_once(rosa, bo, person, roll):
    """A 7 and a 10 hit with M249 (T2K R22), and the rounds of the ammo dice are gone: the feed,
    the verdict, the sheet, what is read out and what is heard all wait for the dice. Words, and
    changes of the same sheet by hand, do not; at the end the sheet is true.
    """
    page = person.page
    before = shown(person)
    sheet = page.locator(".sheet-pane").text_content()
    feed = page.locator(".feed-item.is-roll").text_content()
    bo.enter(roll, [10, 7, 5, 3])
    fly(person)
    said = "\n".join(shown(person) - before)
    for word in ("Hit", "damage", "shows 10", "5 rounds", "success"):
        assert word not in said
    assert sheet == page.locator(".sheet-pane").text_content()
    assert "rolling" in page.locator(".feed-item.is-roll").text_content() != feed
    assert 0 == page.evaluate(HEARD, "createOscillator")
    assert page.evaluate(HEARD, "createBufferSource") > 0
    rosa.do("chat.send", text="Meanwhile, it rains.")
    rosa.do("sheet.change", sheet=bo.seat, values={"name": "Lt. Novak"})
    expect(page.locator(".feed-item", has_text="Meanwhile, it rains.")).to_be_attached()
    expect(page.locator(".sheet-pane")).to_contain_text("Lt. Novak")
    expect(page.locator(FLYING).first).to_be_attached()
    all_has_its_room(person)
    expect(page.locator(".staged .outcome")).to_contain_text("Hit")
    expect(page.locator(".feed-item.is-roll")).to_contain_text("Hit")
    expect(page.locator(".sheet-pane .paper")).to_contain_text("Lt. Novak")
    assert sheet != page.locator(".sheet-pane").text_content()
    assert page.evaluate(HEARD, "createOscillator") > 0
    person.hears("Hit")


def that_nothing_is_to_be_gained_is_told_when_the_dice_lie(bo, person):
    """One success is enough, so that no push makes it better (T2K R12): it is kept unasked."""
    before = shown(person)
    roll = bo.roll({**SKILL, "skill": "B"}, sheet=bo.seat, physical=True, policy="ask")
    bo.enter(roll, [7, 3])
    fly(person)
    said = "\n".join(shown(person) - before)
    assert "Nothing more to gain" not in said
    assert "success" not in said.lower()
    land(person)
    expect(person.seen("Nothing more to gain").last).to_be_visible()


def a_choice_and_its_advice_come_when_the_dice_lie(bo, person):
    """What may be chosen, and what that is worth, tells how the dice fell."""
    before = shown(person)
    bo.enter(bo.roll(SKILL, sheet=bo.seat, physical=True), [3])
    fly(person)
    assert "Push" not in "\n".join(shown(person) - before)
    person.page.keyboard.press("c")
    person.page.clock.run_for(A_MOMENT)
    assert not person.page.evaluate("!!document.activeElement.closest('.decision')")
    all_has_its_room(person)
    expect(person.page.get_by_role("button", name="Push")).to_be_visible()
    person.hears("Your turn to choose")


def whoever_looks_elsewhere_is_told_at_once(bo, person):
    """In a tab that is not in front dice would never land: then they lie."""
    bo.enter(bo.roll(SKILL, sheet=bo.seat, physical=True, policy="ask"), [7])
    fly(person)
    person.page.evaluate(HIDDEN, True)
    expect(person.page.locator(".feed-item.is-roll").last).to_contain_text("Success")
    person.page.evaluate(HIDDEN, False)
    land(person)


def dice_that_come_of_dice_are_thrown_one_after_the_other(bo, person, server):
    """That a 6 explodes is seen on the 6 first, and not on a second die beside it in the air."""
    with closing(sqlite3.connect(server.folder / "tables.sqlite", timeout=60)) as file:
        [[secret]] = file.execute("select secret from tables where id = ?", [bo.id])
    one = Pool([Die(6)])
    LoadedTable(bo, secret).load(bo, (one, (6,)), (one, (3,)))
    assert [6, 3] == [
        face
        for event in bo.do("roll.start", expression="d6!").events
        if event["kind"] == "roll.thrown"
        for face in event["body"]["faces"]
    ]
    fly(person)
    staged = person.page.locator(".staged")
    expect(staged.locator(".die")).to_have_count(1)
    expect(staged.locator(".die svg[role=img]")).to_have_accessible_name("d6 is rolling")
    # The first lands after some eight tenths of a second, and the second takes off.
    person.page.clock.run_for(A_MOMENT * 6)
    expect(staged.locator(".die")).to_have_count(2)
    line = person.page.locator(".feed-item.is-roll").last
    assert "9" not in line.inner_text().splitlines()
    assert ["d6 shows 6", "d6 is rolling"] == [
        die.get_attribute("aria-label") for die in staged.locator("svg[role=img]").all()
    ]
    land(person)
    expect(staged.locator(".outcome")).to_have_text("9")


def who_wants_no_motion_is_told_at_once(bo, person):
    """Nothing is in the air, so nothing waits."""
    person.page.emulate_media(reduced_motion="reduce")
    bo.enter(bo.roll(SKILL, sheet=bo.seat, physical=True, policy="ask"), [8])
    expect(person.page.locator(".staged .outcome")).to_contain_text("Success")
    expect(person.page.locator(".feed-item.is-roll").last).to_contain_text("Success")


@pytest.mark.parametrize("moment", but([name for name in MOMENTS if name != "jam"], "group"))
def test_whatever_comes_of_dice_has_its_room_and_is_not_seen(somebody, host, moment):
    """In every game: sentence, verdict, effects and choice come when the dice lie, and the dice
    are as large then as before. (A jam takes two throws, one after the other.)
    """
    game, play = MOMENTS[moment]
    _, bo = seated(host, game)
    person = sitting(somebody, bo)
    play(bo)
    fly(person)
    all_has_its_room(person)


def all_has_its_room(person):
    """What comes below the dice comes when they lie, and they stay as large as they were."""
    expect(person.page.locator(".staged [data-waits]")).to_have_count(0)  # advice is there
    seen, before = follows(person)
    assert not any(seen)
    land(person)
    seen, after = follows(person)
    assert any(seen)
    assert before == pytest.approx(after, abs=1)


def test_a_roll_without_a_table_waits_for_its_dice_too(somebody):
    """Just roll: the sum of 2d6, in words and read out, when they lie."""
    ana = somebody(**MOVING)
    ana.page.clock.install()
    ana.page.goto(f"{ana.address}roll")
    expect(ana.page.locator(".chance:not([data-waits]) strong").first).to_be_visible()
    stop(ana)
    ana.page.locator(".roll-button").click()
    told = ana.page.locator(".play .told")
    expect(told).to_be_attached()
    expect(ana.page.locator(".play [data-flying]").first).to_be_attached()
    ana.page.clock.run_for(A_MOMENT * 3)
    expect(told).to_be_hidden()
    assert told.text_content() not in ana.page.evaluate(SHOWN)
    ana.page.clock.run_for(LONG)
    expect(told).to_be_visible()
    ana.hears(told.text_content())


def test_the_trial_on_the_first_page_waits_for_its_dice(somebody):
    """How the push went is told when its dice lie."""
    ana = somebody(**MOVING)
    ana.page.clock.install()
    ana.page.goto(ana.address)
    trial = ana.page.get_by_role("region", name="Try it")
    push = trial.get_by_role("button", name="Push")
    expect(push).to_be_visible()
    stop(ana)
    push.click()
    expect(trial.locator("[data-flying]").first).to_be_attached()
    ana.page.clock.run_for(A_MOMENT * 3)
    expect(trial.locator(".outcome")).to_be_hidden()
    said = trial.locator(".outcome strong").text_content()
    assert said not in ana.page.evaluate(SHOWN)
    ana.page.clock.run_for(LONG)
    expect(trial.locator(".outcome")).to_be_visible()
