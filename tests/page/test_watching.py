"""Everybody watches the same moment: where a roll stands, what may be chosen, whose call it is.

What is written there, for whom, and that a secret reaches nobody, is in web/tests
(`current_roll.test.tsx`, `coming.test.tsx`): here it is in sight.
"""

import pytest
from playwright.sync_api import expect

from tests.gates import first, thorough
from tests.page.moments import push, seated
from tests.page.people import PHONE, TABLET, resize
from tests.page.playing import at, at_link

LAPTOP = (1280, 720)
SIZES = (LAPTOP, PHONE)


def test_who_watches_has_all_of_a_choice_in_sight(somebody, host):
    """On a laptop and a phone; on a tablet the feed stands beside the stage, and no empty sheet."""
    rosa, bo = seated(host, "twilight2000")
    push(bo)
    rosa.do("chat.send", text="The gates are shut.")
    watcher = at_link(somebody, rosa.links["spectator"], watches=True)
    theirs = watcher.page.locator(".stage-pane .roll-card")
    expect(theirs.locator(".option-worth")).to_have_count(2)
    for size in SIZES:
        resize(watcher.page, size)
        for part in (".felt-tray", ".standing", ".options"):
            expect(theirs.locator(part)).to_be_in_viewport(ratio=1)
        expect(theirs.get_by_text("Waiting for Bo: Keep or push?")).to_be_visible()
        expect(watcher.page.locator(".seats-strip [data-turn]")).to_contain_text("Bo decides")
    resize(watcher.page, TABLET)
    beside = watcher.page.get_by_role("region", name="Feed", exact=True)
    expect(beside.get_by_text("The gates are shut.")).to_be_visible()
    expect(watcher.page.locator(".pane:visible")).to_have_count(2)
    assert [] == watcher.barriers()


def test_a_newcomer_sees_the_moment_before_the_next_step(somebody, host):
    """An open roll is in sight at once; who one will be stands below it, and stays there."""
    rosa, bo = seated(host, "twilight2000")
    rolled = push(bo)
    mina = host.join(rosa.links["player"], name="Milo")
    watcher = at(somebody, mina, size=PHONE)
    stage = watcher.page.locator(".stage-pane")
    expect(stage.locator(".options")).to_be_in_viewport(ratio=1)
    expect(stage.get_by_text("Who will you be?")).to_be_attached()
    bo.choose(rolled, "keep")
    expect(stage.locator(".outcome")).to_be_in_viewport(ratio=1)
    later = stage.locator(".roll-card ~ .next-step")
    expect(later).to_contain_text("Who will you be?")


def test_while_bullets_are_dealt_out_the_end_is_in_sight(somebody, host):
    """Before and after the best way was taken; dice that give nothing are dim."""
    _, bo = seated(host, "twilight2000")
    foes = [{"name": name} for name in ("Guard", "Driver", "Cook", "Captain", "Gunner")]
    shot = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 6, "targets": foes}
    roll = bo.enter(bo.roll(shot, physical=True), [8, 10, 6, 6, 4, 3, 2, 2])
    bo.choose(roll, "keep")
    person = at(somebody, bo)
    deal = person.page.get_by_role("group", name="Deal them out")
    done = deal.get_by_role("button", name="Done")
    expect(deal.get_by_role("status")).to_have_text("2 left to give")
    shown = person.page.locator(".stage-pane .die[data-role=ammo] .die-picture")
    seen = [float(one.evaluate("one => getComputedStyle(one).opacity")) for one in shown.all()]
    assert seen[0] == seen[1] == 1 > max(seen[2:])
    expect(deal.locator(".place[data-held]")).to_have_count(0)
    for size in (*SIZES, TABLET):
        resize(person.page, size)
        expect(done).to_be_in_viewport(ratio=1)
    deal.get_by_role("button", name="The best way").click()
    expect(deal.get_by_role("status")).to_have_text("0 left to give")
    expect(deal.locator(".assign-worth")).to_contain_text("Nothing is better.")
    for size in (*SIZES, TABLET):
        resize(person.page, size)
        expect(done).to_be_in_viewport(ratio=1)
    assert [] == person.barriers()
    done.click()
    expect(deal).to_have_count(0)


TURNS = ([7, 2, 3, 4, 5, 9], [9, 8, 3, 2, 1, 5], [4, 4, 2, 6, 7, 3], [2, 3, 4, 5, 6, 8],
         [2, 3, 4, 5, 2, 3], [8, 9, 2, 2, 3, 4])  # fmt: skip
TASK = {"roll": "extended", "pool": 6, "target": 9, "limit": 6, "adrenaline": 1}


@pytest.mark.parametrize("size", first([PHONE, LAPTOP]), ids=["phone", "laptop"])
def test_of_a_roll_of_many_turns_the_newest_and_what_is_next_are_in_sight(somebody, host, size):
    """Earlier throws are lines; the last one, the decision and at the end the verdict fit below."""
    _, bo = seated(host, "dust")
    roll = bo.roll(TASK, sheet=bo.seat, physical=True)
    person = at(somebody, bo, size=size)
    staged = person.page.locator(".stage-pane .roll-card")
    for number, faces in enumerate(TURNS):
        roll = bo.enter(bo.choose(roll, roll.after["options"][0]["option"]), faces)
        newest = staged.locator(".tray-throw:not([data-earlier])").last
        expect(newest).to_contain_text(f"Turn {number + 1}")
        expect(newest).to_be_in_viewport(ratio=1)
        if roll.waits_for == "choice":
            expect(staged.locator(".option-worth")).not_to_have_count(0)
            for seen in (".standing", ".option-worth >> nth=0"):
                expect(staged.locator(seen)).to_be_in_viewport(ratio=1)
    expect(staged.locator(".outcome")).to_be_in_viewport(ratio=1)
    expect(staged.locator(".tray-throw[data-earlier]")).to_have_count(5)
    earlier = staged.locator(".tray-throw[data-earlier]").last
    assert newest.locator(".die-picture").first.bounding_box()["height"] > 40
    assert earlier.bounding_box()["height"] < 40
    assert [] == person.barriers()


@thorough
def test_a_spectator_of_plain_dice_finds_the_feed_beside_the_stage_too(somebody, host):
    """On a tablet what happens stands beside the stage, not an empty sheet."""
    rosa = host.create_table("", name="Rosa")
    rosa.do("chat.send", text="The gates are shut.")
    watcher = at_link(somebody, rosa.links["spectator"], watches=True, size=TABLET)
    beside = watcher.page.get_by_role("region", name="Feed", exact=True)
    expect(beside.get_by_text("The gates are shut.")).to_be_visible()
    expect(watcher.page.locator(".pane:visible")).to_have_count(2)


def test_the_referee_asks_from_the_stage_for_what_stands_on_the_sheets(somebody, host):
    """Ask, Recon, Ask: three taps, with the button in sight all the time, on a phone too. At 1280
    by 720 nothing is below the fold, and a tap on Recon needs no menu of skills.
    """
    rosa, _ = seated(host, "twilight2000")
    referee = at(somebody, rosa, size=LAPTOP)
    referee.page.locator(".stage-pane").get_by_role("button", name="Ask …").click()
    dialog = referee.page.get_by_role("dialog", name="Ask for a roll")
    often = dialog.get_by_role("group", name="What").get_by_role("button")
    expect(often).to_have_count(12 + 1)  # and something else
    ask = dialog.get_by_role("button", name="Ask", exact=True)
    recon = dialog.get_by_role("button", name="Recon", exact=True)
    menu = dialog.get_by_role("combobox", name="Which skill")
    expect(menu).to_be_hidden()
    other = dialog.get_by_role("button", name="Something else")
    other.click()
    expect(menu).to_be_in_viewport(ratio=1)
    for name in ("Modifier", "If there is a choice", "Who sees it"):
        expect(dialog.get_by_role("group", name=name)).to_be_in_viewport(ratio=1)
    recon.click()
    expect(menu).to_have_count(0)
    expect(ask).to_be_enabled()
    recon.click()
    expect(recon).to_have_attribute("aria-pressed", "false")
    expect(menu).to_be_hidden()
    other.click()
    expect(menu.locator("option:checked")).to_have_text("–")
    menu.select_option("Stamina")
    expect(menu).to_be_visible()
    for size in SIZES:
        resize(referee.page, size)
        expect(recon).to_be_in_viewport(ratio=1)
    recon.click()
    expect(recon).to_have_attribute("aria-pressed", "true")
    for size in SIZES:
        resize(referee.page, size)
        expect(ask).to_be_in_viewport(ratio=1)
        assert [] == referee.barriers()
    ask.click()
    expect(dialog).to_have_count(0)
    expect(referee.page.locator(".stage-pane .asks")).to_contain_text("Recon", ignore_case=True)


NAMED = {"dust": "Wits", "edge20": "Marksmanship", "ghostburn": "Firearms"}
NAMED |= {"kleptonomicon": "Sneaking"}


@thorough
@pytest.mark.parametrize(("game", "name"), NAMED.items(), ids=NAMED)
def test_what_stands_on_a_sheet_can_be_asked_for_in_every_game(somebody, host, game, name):
    """A tap on the name, and whoever is asked rolls it with their own numbers."""
    rosa, bo = seated(host, game)
    referee, player = at(somebody, rosa), at(somebody, bo)
    referee.page.locator(".stage-pane").get_by_role("button", name="Ask …").click()
    dialog = referee.page.get_by_role("dialog", name="Ask for a roll")
    dialog.get_by_role("button", name=name, exact=True).click()
    dialog.get_by_role("button", name="Ask", exact=True).click()
    expect(dialog).to_have_count(0)
    player.page.locator(".ask-bar").get_by_role("button", name="Roll it").click()
    expect(player.page.locator(".stage-pane .roll-card")).to_contain_text(name)
