"""What fresh eyes missed on the stage: what dice mean, who is shot at, what is asked of whom."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.archive.make import SHEETS
from tests.gates import first
from tests.page.moments import group, seated
from tests.page.people import speak, wait_until
from tests.page.playing import at, card, panel, pick, roll, tab

PLAYS = {
    "twilight2000": {"en-GB": "if you never push", "de-DE": "wenn du nie strapazierst"},
    "ghostburn": {"fr-FR": "si tu gardes ta Chance"},
}
BEST = {"en-GB": "with best play", "de-DE": "bei bestem Spiel", "fr-FR": "en jouant au mieux"}


@pytest.mark.parametrize("game", first(PLAYS))
def test_the_play_of_a_chance_is_a_condition_and_no_order(somebody, game):
    """Under the chance stands "if you never push", or "with best play" in the page's own words, in
    the reader's language; the order is only where one gives it.
    """
    person = somebody()
    person.page.goto(f"{person.address}roll?game={game}")
    for locale, said in PLAYS[game].items():
        speak(person.page, locale)
        expect(person.page.locator(".dock .chance-play")).to_have_text(said)
    person.page.goto(f"{person.address}explore?game=ghostburn&policy=best")
    for locale, said in BEST.items():
        speak(person.page, locale)
        expect(person.page.locator(".chance-play")).to_have_text(said)


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


BROKEN = """() => {
  const broken = [];
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode;
    const place = text.parentElement;
    if (!place.checkVisibility() || place.closest(".strip-bars")) continue; // bars hyphenate theirs
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


@pytest.mark.parametrize("game", first(ROLLS))
def test_no_label_of_a_die_or_a_bar_is_cut_off_on_a_phone_and_no_word_broken(somebody, game):
    """Ammo dice are no "amm…", and a critical success no "Critical …", in three languages;
    "Advantages" stood in five pieces, one below the other.
    """
    person = somebody(size=(320, 700))
    fields = dict(ROLLS[game])
    kind = fields.pop("roll")
    said = quote(json.dumps(fields))
    person.page.goto(f"{person.address}roll?game={game}&roll={kind}&with={said}")
    for number, locale in enumerate(BEST, 1):
        speak(person.page, locale)
        expect(person.page.locator(".dock .chance strong")).not_to_have_text("–")
        if locale == "en-GB":
            assert [] == person.page.evaluate(BROKEN)
        person.page.locator(".roll-button").click()
        expect(person.page.locator(".play")).to_have_count(number)
        expect(person.page.locator(".play .die").first).to_be_visible()
        assert [] == person.page.evaluate(CUT, LABELS), locale


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


def test_to_give_nothing_away_is_in_sight_beside_all_who_need_help(somebody, host):
    """Three people, their dice, what helping each is worth, and keeping it, on one screen."""
    _, bo = seated(host, "kleptonomicon")
    group(bo)
    mine = card(at(somebody, bo, size=(1440, 900)), "Group Test")
    expect(mine.locator(".option-worth")).to_have_count(3)
    for choice in mine.locator(".option").all():
        expect(choice).to_be_in_viewport(ratio=1)
