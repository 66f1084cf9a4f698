"""Everybody watches the same moment: where a roll stands, what may be chosen, whose call it is."""

import pytest
from playwright.sync_api import expect

from tests.gates import first, first_row
from tests.page.moments import push, seated
from tests.page.people import DESKTOP, PHONE, TABLET, resize
from tests.page.playing import at, at_link
from tests.page.test_secrets import Ear

LAPTOP = (1280, 720)
ASKED = "/advice"
SIZES = (LAPTOP, PHONE)


def test_who_watches_has_all_of_a_choice_in_sight(somebody, host):
    """On a laptop and a phone; that it is the same for all is shown in web/tests."""
    rosa, bo = seated(host, "twilight2000")
    push(bo)
    watcher = at_link(somebody, rosa.links["spectator"], watches=True)
    theirs = watcher.page.locator(".stage-pane .roll-card")
    expect(theirs.locator(".option-worth")).to_have_count(2)
    for size in SIZES:
        resize(watcher.page, size)
        for part in (".felt-tray", ".standing", ".options"):
            expect(theirs.locator(part)).to_be_in_viewport(ratio=1)
        expect(theirs.get_by_text("Waiting for Bo: Keep or push?")).to_be_visible()
        expect(watcher.page.locator(".seats-strip [data-turn]")).to_contain_text("Bo decides")
    assert [] == watcher.barriers()


def test_who_watches_is_not_asked_again_after_a_reload(somebody, host):
    """The table is there again at once; the link opened anew asks whether to sit down."""
    rosa, _ = seated(host, "twilight2000")
    link = rosa.links["spectator"]
    watcher = at_link(somebody, link, watches=True)
    watcher.page.reload()
    stage = watcher.page.get_by_role("region", name="Stage", exact=True)
    door = watcher.page.get_by_role("button", name="Just watch")
    expect(stage.or_(door).first).to_be_visible()
    expect(door).to_have_count(0)
    again = watcher.new_page()
    again.goto(str(link))
    expect(again.get_by_role("button", name="Just watch")).to_be_visible()
    expect(again.get_by_role("button", name="Sit down")).to_be_visible()


def test_of_a_secret_roll_others_get_and_ask_nothing(somebody, host):
    """Whoever may not see a roll receives no option, no chance, no standing, and asks for none."""
    rosa, bo = seated(host, "twilight2000")
    mina = host.join(rosa.links["player"], name="Milo")
    watchers = [somebody(), somebody()]
    ears = [Ear(person) for person in watchers]
    asked = []
    for person, link in zip(watchers, (mina.link, rosa.links["spectator"]), strict=True):
        person.page.on("request", lambda request: asked.append(request.url))
        person.page.goto(str(link))
    watchers[1].page.get_by_role("button", name="Just watch").click()
    burst = {"roll": "attack", "pick": {"weapon": "M249"}, "set": {"ammo_dice": 2}}
    started = bo.roll(draft=burst, sheet=bo.seat, physical=True, visibility="private")
    bo.enter(started, [3, 5, 2, 4])
    for person, ear in zip(watchers, ears, strict=True):
        expect(person.page.locator(".stage-pane .veiled")).to_be_visible()
        rosa.do("chat.send", text="And now the weather.")
        expect(person.feed("And now the weather.").first).to_be_visible()
        expect(person.page.locator(".decision")).to_have_count(0)
        heard = "".join(ear.heard)
        told = [one for one in ('"options"', '"standing"', '"faces"') if one in heard]
        assert [] == told
    assert [] == [url for url in asked if ASKED in url]


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


def test_a_reload_shows_the_same_choice(somebody, host):
    """Whoever comes back has the options as they were, and presses one of them."""
    _, bo = seated(host, "twilight2000")
    push(bo)
    person = at(somebody, bo)
    options = person.page.locator(".stage-pane .options button")
    for again in (False, True):
        if again:
            person.page.reload()
        expect(options).to_contain_text(["Keep", "Push"])
    options.first.click()
    expect(person.page.locator(".stage-pane .outcome")).to_be_visible()


def test_dealing_out_begins_with_nothing_given_and_its_end_in_sight(somebody, host):
    """Nobody's bullets lie anywhere before they are put there; the best way is one tap."""
    _, bo = seated(host, "twilight2000")
    foes = [{"name": name} for name in ("Guard", "Driver", "Cook", "Captain", "Gunner")]
    shot = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 6, "targets": foes}
    roll = bo.enter(bo.roll(shot, physical=True), [8, 10, 6, 6, 4, 3, 2, 2])
    bo.choose(roll, "keep")
    person = at(somebody, bo)
    deal = person.page.get_by_role("group", name="Deal them out")
    done = deal.get_by_role("button", name="Done")
    expect(deal.get_by_role("status")).to_have_text("2 left to give")
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


@pytest.mark.parametrize("game", first(["twilight2000", ""]), ids=["game", "free dice"])
def test_a_spectator_finds_the_feed_beside_the_stage(somebody, host, game):
    """On a tablet what happens stands beside the stage, not an empty sheet."""
    rosa = host.create_table(game, name="Rosa")
    rosa.do("chat.send", text="The gates are shut.")
    watcher = at_link(somebody, rosa.links["spectator"], watches=True, size=TABLET)
    beside = watcher.page.get_by_role("region", name="Feed", exact=True)
    expect(beside.get_by_text("The gates are shut.")).to_be_visible()
    expect(watcher.page.locator(".pane:visible")).to_have_count(2)


def test_a_spectator_reads_the_sheets_that_all_may_see(somebody, host):
    """The characters at the table lie there to be read, one in front; nothing can be changed."""
    rosa, _ = seated(host, "twilight2000")
    mina = host.join(rosa.links["player"], name="Cy")
    mina.do("sheet.create", values={"name": "Kasia"})
    watcher = at_link(somebody, rosa.links["spectator"], watches=True, size=DESKTOP)
    sheet = watcher.page.get_by_role("region", name="Sheet", exact=True)
    expect(sheet.get_by_role("heading", name="Sgt. Novak")).to_be_visible()
    sheet.get_by_role("tab", name="Kasia").click()
    expect(sheet.get_by_role("heading", name="Kasia")).to_be_visible()
    expect(sheet.get_by_role("button", name="Change")).to_have_count(0)
    expect(watcher.page.get_by_role("region", name="Feed", exact=True)).to_be_visible()
    assert [] == watcher.barriers()


def test_the_referee_asks_from_the_stage_for_what_stands_on_the_sheets(somebody, host):
    """Ask, Recon, Ask: three taps, with the button in sight all the time, on a phone too."""
    rosa, bo = seated(host, "twilight2000")
    referee, player = at(somebody, rosa), at(somebody, bo)
    referee.page.locator(".stage-pane").get_by_role("button", name="Ask …").click()
    dialog = referee.page.get_by_role("dialog", name="Ask for a roll")
    often = dialog.get_by_role("group", name="What").get_by_role("button")
    expect(often).to_have_count(12 + 1)  # and something else
    ask = dialog.get_by_role("button", name="Ask", exact=True)
    recon = dialog.get_by_role("button", name="Recon", exact=True)
    for size in SIZES:
        resize(referee.page, size)
        expect(recon).to_be_in_viewport(ratio=1)
    recon.click()
    expect(recon).to_have_attribute("aria-pressed", "true")
    expect(ask).to_be_enabled()
    for size in SIZES:
        resize(referee.page, size)
        expect(ask).to_be_in_viewport(ratio=1)
        assert [] == referee.barriers()
    ask.click()
    expect(dialog).to_have_count(0)
    expect(player.seen("Rosa asks you to roll: Skill: recon")).to_be_visible()
    expect(player.page.locator(".seat-ask")).to_have_count(0)


NAMED = {"dust": "Wits", "edge20": "Marksmanship", "ghostburn": "Firearms"}
NAMED |= {"kleptonomicon": "Sneaking"}


@pytest.mark.parametrize(("game", "name"), first_row(NAMED.items()), ids=NAMED)
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
