"""What fresh eyes missed on the stage: what dice mean, who is shot at, what is asked of whom."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.archive.make import SHEETS
from tests.drafts import drafted
from tests.gates import first
from tests.page.moments import group, push, seated
from tests.page.people import PHONE, speak, wait_until
from tests.page.playing import at, card, panel, pick, roll, tab
from tests.page.test_watching import LAPTOP

SIZES = (PHONE, LAPTOP)


@pytest.fixture
def fight(host):
    """Bo has hit Ilse, who is played by Cy, with two bullets to give out; Rosa is the referee."""
    rosa, bo = seated(host, "twilight2000")
    cy = host.join(rosa.links["player"], name="Cy")
    cy.do("sheet.create", values={**SHEETS["twilight2000"][0], "name": "Ilse"})
    foes = [{"name": f"@{cy.seat}"}, {"name": "Guard"}]
    shot = {"roll": "attack", "weapon": "M249", "ammo_dice": 3, "targets": foes}
    roll = bo.roll(draft=drafted(shot), sheet=bo.seat, physical=True)
    return rosa, bo, cy, bo.enter(roll, [8, 10, 6, 6, 2])


def strike(bo, roll):
    """Give a bullet to the first hit and one to the guard: Ilse's head, the guard's torso."""
    return bo.enter(bo.choose(bo.choose(roll, "keep"), "+1 damage; hit Guard"), [6, 3])


PLAYS = {
    "twilight2000": {"en-GB": "if you never push", "de-DE": "wenn du nie strapazierst"},
    "ghostburn": {"fr-FR": "si tu gardes ta Chance"},
}


def test_the_play_of_a_chance_is_a_condition_and_no_order(somebody):
    """Under the chance stands "if you never push"; the order is only where one gives it."""
    person = somebody()
    for game, plays in PLAYS.items():
        person.page.goto(f"{person.address}roll?game={game}")
        for locale, said in plays.items():
            speak(person.page, locale)
            expect(person.page.locator(".dock .chance-play")).to_have_text(said)


BEST = {"en-GB": "with best play", "de-DE": "bei bestem Spiel", "fr-FR": "en jouant au mieux"}


def test_best_play_is_a_condition_too(somebody):
    """The page's own words say it, in the reader's language."""
    person = somebody()
    person.page.goto(f"{person.address}explore?game=ghostburn&policy=best")
    for locale, said in BEST.items():
        speak(person.page, locale)
        expect(person.page.locator(".chance-play")).to_have_text(said)


def test_a_hit_tells_each_fact_once(somebody, fight):
    """What waits for a word is no chip as well, and the whole story is a tap away; how it went
    comes into sight, though ten dice and the question lie there.
    """
    _, bo, cy, roll = fight
    person = at(somebody, cy, size=LAPTOP)
    mine = card(person, "M249")
    strike(bo, roll)
    expect(mine.locator(".outcome")).to_be_in_viewport(ratio=1)
    expect(mine.get_by_role("button", name="Let it happen")).to_be_in_viewport(ratio=1)
    expect(mine.get_by_text(re.compile(r"would change Ilse: \d+ damage"))).to_have_count(1)
    seen = mine.inner_text()
    assert 1 == seen.count("5 damage"), seen
    assert [] == person.barriers()
    mine.get_by_text("In words").click()
    expect(mine.locator(".told p")).to_contain_text("Ilse head")


def test_a_newcomer_is_told_how_to_roll_though_others_have(somebody, host):
    """Rolls from before one had a sheet show nobody how it is done now."""
    rosa, bo = seated(host, "twilight2000")
    bo.choose(push(bo), "keep")
    cy = host.join(rosa.links["player"], name="Cy")
    cy.do("sheet.create", values={**SHEETS["twilight2000"][0], "name": "Ilse"})
    person = at(somebody, cy)
    expect(person.seen("Ilse is ready")).to_be_visible()


CUT = """(where) => [...document.querySelectorAll(where)]
  .filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)"""
LABELS = ".die-word, .die-tag, .strip-bars[data-words] small"
ROLLS = {
    "twilight2000": {"roll": "attack", "attribute": "B", "skill": "C", "ammo_dice": 6},
    "dust": {"roll": "roll", "pool": 8},
    "kleptonomicon": {"roll": "test", "advantages": 2},
    "edge20": {"roll": "check", "dc": 15, "modifier": 5, "advantages": 1},
    "ghostburn": {"roll": "roll", "ability": 5},
}


@pytest.mark.parametrize("game", first(ROLLS))
def test_no_label_of_a_die_or_a_bar_is_cut_off_on_a_phone(somebody, game):
    """Ammo dice are no "amm…", and a critical success no "Critical …", in three languages."""
    person = somebody(size=(320, 700))
    fields = dict(ROLLS[game])
    kind = fields.pop("roll")
    said = quote(json.dumps(fields))
    person.page.goto(f"{person.address}roll?game={game}&roll={kind}&with={said}")
    for number, locale in enumerate(BEST, 1):
        speak(person.page, locale)
        expect(person.page.locator(".dock .chance strong")).not_to_have_text("–")
        person.page.locator(".roll-button").click()
        expect(person.page.locator(".play")).to_have_count(number)
        expect(person.page.locator(".play .die").first).to_be_visible()
        assert [] == person.page.evaluate(CUT, LABELS), locale


def test_all_of_the_ask_is_in_sight_on_a_laptop_and_a_skill_is_said_once(somebody, host):
    """At 1280 by 720 nothing is below the fold; a tap on Recon needs no menu of skills."""
    rosa, _ = seated(host, "twilight2000")
    referee = at(somebody, rosa, size=LAPTOP)
    referee.page.locator(".stage-pane").get_by_role("button", name="Ask …").click()
    dialog = referee.page.get_by_role("dialog", name="Ask for a roll")
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
    expect(dialog.get_by_role("button", name="Ask", exact=True)).to_be_enabled()
    recon.click()
    expect(recon).to_have_attribute("aria-pressed", "false")
    expect(menu).to_be_hidden()
    other.click()
    expect(menu.locator("option:checked")).to_have_text("–")
    menu.select_option("Stamina")
    expect(menu).to_be_visible()
    assert [] == referee.barriers()


class Held:
    """Questions that name a sheet are held back until they are let go."""

    def __init__(self, page, path):
        self.routes = []
        self.is_open = False
        page.route(path, self.hold)

    def hold(self, route):
        if self.is_open or not route.request.post_data_json.get("sheet"):
            route.continue_()
        else:
            self.routes.append(route)

    def let_go(self):
        self.is_open = True
        for route in self.routes:
            route.continue_()


def answered_parts(page):
    """Which parts of odds the server has answered, from now on."""
    heard = set()

    def hear(request):
        if request.url.endswith("/preview"):
            heard.update(request.post_data_json["parts"])

    page.on("requestfinished", hear)
    return heard


def test_a_sheet_that_comes_is_not_rolled_with_what_counted_without_it(somebody, host):
    """Until its form has come there is no button to press in vain, and nothing is refused."""
    rosa, _ = seated(host, "twilight2000")
    cy = host.join(rosa.links["player"], name="Cy")
    person = somebody()
    answered = answered_parts(person.page)
    person.page.goto(str(cy.move()))
    tab(person, "Roll")
    button = person.page.locator(".roll-pane .roll-button")
    expect(button).to_be_enabled()
    # What was asked while there was no sheet is answered before one comes.
    wait_until(person.page, lambda: {"odds", "more", "plays"} <= answered)
    refused = []
    person.page.on("response", lambda got: got.status >= 400 and refused.append(got.url))
    forms = Held(person.page, "**/form")
    cy.do("sheet.create", values={**SHEETS["twilight2000"][0], "name": "Ilse"})
    expect(person.seen("Ilse is ready")).to_be_visible()
    expect(button).to_be_disabled()
    wait_until(person.page, lambda: forms.routes)
    forms.let_go()
    expect(button).to_be_enabled()
    button.click()
    expect(person.page.locator(".stage-pane .roll-card")).to_have_count(1)
    assert [] == refused


def test_what_was_taken_back_is_not_rolled_while_the_form_is_late(somebody, host):
    """Whoever is quicker than the answer rolls what stands there, not what stood there before."""
    _, bo = seated(host, "edge20")
    person = at(somebody, bo)
    place = panel(person, "Check")
    pick(place, "Advantage", "Advantage")
    chance = place.locator(".dock .chance strong")
    expect(chance).to_have_text(re.compile("%"))
    before = chance.text_content()
    forms = Held(person.page, "**/form")
    pick(place, "DC", "20")
    pick(place, "Advantage", "Neither")
    wait_until(person.page, lambda: forms.routes)
    expect(chance).not_to_have_text(before)
    roll(place)
    forms.let_go()
    (started,) = [one for one in bo.events() if one["kind"] == "roll.started"]
    assert started["body"]["what"]["request"]["advantages"] == 0


def test_nobody_is_fetched_back_to_the_sheet_they_have_just_taken(somebody, host):
    """Whoever goes on to the roll panel while the server still writes stays there."""
    rosa, _ = seated(host, "twilight2000")
    cy = host.join(rosa.links["player"], name="Cy")
    person = somebody()
    heard = []
    person.page.on(
        "websocket", lambda line: line.on("framereceived", lambda one: heard.append(str(one)))
    )
    person.page.goto(str(cy.move()))
    starter = person.page.locator(".next-step .starter").first
    expect(starter).to_be_visible()
    starter.evaluate("one => (one.click(), document.querySelector('.tab-roll').click())")
    expect(person.seen("is ready")).to_be_visible()
    made = next(n for n, one in enumerate(heard) if "sheet.created" in one)
    wait_until(person.page, lambda: any('"ack"' in one for one in heard[made:]))
    page = person.page.locator(".table-page")
    later = "one => new Promise((done) => setTimeout(() => done(one.dataset.left)))"
    assert "roll" == page.evaluate(later)


def test_to_give_nothing_away_is_in_sight_beside_all_who_need_help(somebody, host):
    """Three people, their dice, what helping each is worth, and keeping it, on one screen."""
    _, bo = seated(host, "kleptonomicon")
    group(bo)
    mine = card(at(somebody, bo, size=(1440, 900)), "Group Test")
    expect(mine.locator(".option-worth")).to_have_count(3)
    for choice in mine.locator(".option").all():
        expect(choice).to_be_in_viewport(ratio=1)


def test_dice_that_give_nothing_are_dim_while_bullets_are_dealt_out(somebody, fight):
    """The two bullets are bright, the third ammo die is not."""
    _, bo, _, roll = fight
    bo.choose(roll, "keep")
    mine = card(at(somebody, bo), "M249")
    expect(mine.locator(".assign")).to_be_visible()
    shown = mine.locator(".die[data-role=ammo] .die-picture")
    seen = [float(one.evaluate("one => getComputedStyle(one).opacity")) for one in shown.all()]
    assert seen[0] == seen[1] == 1 > seen[2]


BROKEN = """() => {
  const broken = [];
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (!text.parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}]{4,}/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
}"""


@pytest.mark.parametrize(
    "game", first(["kleptonomicon", *(g for g in ROLLS if g != "kleptonomicon")])
)
def test_no_word_of_a_form_is_broken_into_pieces_on_a_phone(somebody, game):
    """ "Advantages" stood in five pieces, one below the other."""
    person = somebody(size=(320, 700))
    person.page.goto(f"{person.address}roll?game={game}&roll={ROLLS[game]['roll']}")
    expect(person.page.locator(".dock .chance strong")).not_to_have_text("–")
    assert [] == person.page.evaluate(BROKEN)
