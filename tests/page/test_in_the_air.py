"""While dice are in the air nothing on the page tells what they will show; then all of it does.

The clock stands still and is moved by hand, so that dice are in the air for as long as a test
looks at the page.
"""

import sqlite3
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


def sitting(somebody, seat, *, size=DESKTOP, settings=""):
    """Somebody on a seat, whose clock stands still once the table is there."""
    person = somebody(size=size, **MOVING)
    person.context.add_init_script(f"{SOUNDS}{settings}")
    person.page.clock.install()
    person.page.goto(str(seat.move()))
    person.page.locator(".sheet-pane .roll-row", has_text="%").first.wait_for(state="attached")
    person.page.clock.pause_at(person.page.evaluate("Date.now()") + LONG)
    return person


def shown(person):
    """Everything that can be read on the page, and everything that was read out."""
    return person.page.evaluate(SHOWN)


def fly(person):
    """Dice have been thrown, and are in the air; some time passes."""
    expect(person.page.locator(FLYING).first).to_be_attached()
    for _ in range(3):
        person.page.clock.run_for(A_MOMENT)
    expect(person.page.locator(FLYING).first).to_be_attached()


def land(person):
    """The dice lie, and what follows from that is done."""
    person.page.clock.run_for(LONG)
    expect(person.page.locator("[data-flying]")).to_have_count(0)
    person.page.clock.run_for(A_MOMENT * 3)


@pytest.mark.parametrize("size", first([PHONE, DESKTOP]), ids=["phone", "desktop"])
def test_nothing_tells_a_result_before_the_dice_have_landed(somebody, host, size):
    """A 7 and a 10 hit with M249 (T2K R22), and the rounds of the ammo dice are gone: the feed,
    the verdict, the sheet, what is read out and what is heard all wait for the dice.
    """
    _, bo = seated(host, "twilight2000")
    roll = bo.choose(thrown(bo, BURST, [3, 5, 2, 4]), "push")
    person = sitting(somebody, bo, size=size)
    sheet = person.page.locator(".sheet-pane").text_content()
    feed = person.page.locator(".feed-item.is-roll").text_content()
    bo.enter(roll, [10, 7, 5, 3])
    fly(person)
    for word in ("Hit", "damage", "shows 10", "5 rounds", "success"):
        assert word not in shown(person)
    assert sheet == person.page.locator(".sheet-pane").text_content()
    assert "rolling" in person.page.locator(".feed-item.is-roll").text_content() != feed
    assert 0 == person.page.evaluate(HEARD, "createOscillator")
    assert person.page.evaluate(HEARD, "createBufferSource") > 0
    land(person)
    expect(person.page.locator(".staged .outcome")).to_contain_text("Hit")
    expect(person.page.locator(".feed-item.is-roll")).to_contain_text("Hit")
    assert sheet != person.page.locator(".sheet-pane").text_content()
    assert person.page.evaluate(HEARD, "createOscillator") > 0
    person.hears("Hit")


def test_that_nothing_is_to_be_gained_is_told_when_the_dice_lie(somebody, host):
    """One success is enough, so that no push makes it better (T2K R12): it is kept unasked."""
    _, bo = seated(host, "twilight2000")
    roll = bo.roll({**SKILL, "skill": "B"}, sheet=bo.seat, physical=True, policy="ask")
    person = sitting(somebody, bo)
    bo.enter(roll, [7, 3])
    fly(person)
    assert "Nothing more to gain" not in shown(person)
    assert "success" not in shown(person).lower()
    land(person)
    expect(person.seen("Nothing more to gain")).to_be_visible()


def test_a_choice_and_its_advice_come_when_the_dice_lie(somebody, host):
    """What may be chosen, and what that is worth, tells how the dice fell."""
    _, bo = seated(host, "twilight2000")
    roll = bo.roll(SKILL, sheet=bo.seat, physical=True)
    person = sitting(somebody, bo)
    bo.enter(roll, [3])
    fly(person)
    assert "Push" not in shown(person)
    person.page.keyboard.press("c")
    person.page.clock.run_for(A_MOMENT)
    assert not person.page.evaluate("!!document.activeElement.closest('.decision')")
    land(person)
    expect(person.page.get_by_role("button", name="Push")).to_be_visible()
    person.hears("Your turn to choose")


@pytest.mark.parametrize(
    "moment", but([name for name in MOMENTS if name != "jam"], "push", "group")
)
def test_whatever_comes_of_dice_has_its_room_and_is_not_seen(somebody, host, moment):
    """In every game: sentence, verdict, effects and choice come when the dice lie, and the dice
    are as large then as before. (A jam takes two throws, one after the other.)
    """
    game, play = MOMENTS[moment]
    _, bo = seated(host, game)
    person = sitting(somebody, bo)
    play(bo)
    fly(person)
    found = person.page.locator(".staged > :is(.outcome, .told, .decision, .effects, .added)")
    expect(person.page.locator(".staged [data-waits]")).to_have_count(0)  # advice is there
    assert not any(one.is_visible() for one in found.all())
    place = ".staged .die:last-child .die-picture"
    before = person.page.locator(place).last.bounding_box()
    land(person)
    assert any(one.is_visible() for one in found.all())
    after = person.page.locator(place).last.bounding_box()
    assert before["width"] == pytest.approx(after["width"], abs=1)


def test_what_others_do_meanwhile_is_shown_at_once(somebody, host):
    """Words, and changes of the same sheet by hand, do not wait; at the end the sheet is true."""
    rosa, bo = seated(host, "twilight2000")
    roll = bo.choose(thrown(bo, BURST, [3, 5, 2, 4]), "push")
    person = sitting(somebody, bo)
    bo.enter(roll, [10, 7, 5, 3])
    fly(person)
    rosa.do("chat.send", text="Meanwhile, it rains.")
    rosa.do("sheet.change", sheet=bo.seat, values={"name": "Lt. Novak"})
    expect(person.seen("Meanwhile, it rains.")).to_be_visible()
    expect(person.page.locator(".sheet-pane")).to_contain_text("Lt. Novak")
    expect(person.page.locator(FLYING).first).to_be_attached()
    land(person)
    expect(person.page.locator(".sheet-pane .paper")).to_contain_text("Lt. Novak")
    expect(person.page.locator(".staged .outcome")).to_contain_text("Hit")


def test_dice_that_come_of_dice_are_thrown_one_after_the_other(somebody, host, server):
    """That a 6 explodes is seen on the 6 first, and not on a second die beside it in the air."""
    _, bo = seated(host, "twilight2000")
    person = sitting(somebody, bo)
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
    expect(person.page.locator(".staged .die")).to_have_count(1)
    expect(person.page.locator(".staged .die svg[role=img]")).to_have_accessible_name(
        "d6 is rolling"
    )
    # The first lands after some eight tenths of a second, and the second takes off.
    person.page.clock.run_for(A_MOMENT * 6)
    expect(person.page.locator(".staged .die")).to_have_count(2)
    assert "9" not in person.page.locator(".feed-item.is-roll").inner_text().splitlines()
    assert ["d6 shows 6", "d6 is rolling"] == [
        die.get_attribute("aria-label")
        for die in person.page.locator(".staged svg[role=img]").all()
    ]
    land(person)
    expect(person.page.locator(".staged .outcome")).to_have_text("9")


def test_who_wants_no_motion_is_told_at_once(somebody, host):
    """Nothing is in the air, so nothing waits."""
    _, bo = seated(host, "twilight2000")
    roll = bo.roll(SKILL, sheet=bo.seat, physical=True, policy="ask")
    person = sitting(somebody, bo, settings="localStorage.setItem('rollwright.motion', 'none');")
    bo.enter(roll, [7])
    expect(person.page.locator(".staged .outcome")).to_be_visible()
    expect(person.page.locator(".feed-item.is-roll")).to_contain_text("Success")


def test_whoever_looks_elsewhere_is_told_at_once(somebody, host):
    """In a tab that is not in front dice would never land: then they lie."""
    _, bo = seated(host, "twilight2000")
    roll = bo.roll(SKILL, sheet=bo.seat, physical=True, policy="ask")
    person = sitting(somebody, bo)
    bo.enter(roll, [7])
    fly(person)
    person.page.evaluate(
        """() => {
          Object.defineProperty(document, "hidden", { get: () => true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    expect(person.page.locator(".feed-item.is-roll")).to_contain_text("Success")


def test_a_roll_without_a_table_waits_for_its_dice_too(somebody):
    """Just roll: the sum of 2d6, in words and read out, when they lie."""
    ana = somebody(**MOVING)
    ana.page.clock.install()
    ana.page.goto(f"{ana.address}roll")
    button = ana.page.locator(".roll-button")
    expect(ana.page.locator(".chance:not([data-waits]) strong").first).to_be_visible()
    ana.page.clock.pause_at(ana.page.evaluate("Date.now()") + LONG)
    button.click()
    told = ana.page.locator(".play .told")
    expect(told).to_be_attached()
    expect(ana.page.locator(".play [data-flying]").first).to_be_attached()
    ana.page.clock.run_for(A_MOMENT * 3)
    expect(told).to_be_hidden()
    assert told.text_content() not in shown(ana)
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
    ana.page.clock.pause_at(ana.page.evaluate("Date.now()") + LONG)
    push.click()
    expect(trial.locator("[data-flying]").first).to_be_attached()
    ana.page.clock.run_for(A_MOMENT * 3)
    expect(trial.locator(".outcome")).to_be_hidden()
    said = trial.locator(".outcome strong").text_content()
    assert said not in shown(ana)
    ana.page.clock.run_for(LONG)
    expect(trial.locator(".outcome")).to_be_visible()
