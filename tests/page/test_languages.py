"""The page in a third language, and in one that shows what is not translated."""

import json
import re

from hatch_build import WEB
from playwright.sync_api import expect

from rollwright.i18n.catalogs import ACCENTED
from tests.i18n.pseudo import codes, leftovers
from tests.page.people import draw, speak, wait_until

FRENCH = json.loads((WEB / "src" / "i18n" / "fr.json").read_text("utf-8"))
NAMES = "English Deutsch Français Rollwright GHOST BURN"
"""Languages as they call themselves, and what has a name of its own."""


def test_words_that_come_late_are_waited_for(somebody):
    """French that takes its time: the game is asked for in French, never in English before it."""
    odile = somebody(locale="fr-FR")
    asked, held = [], []
    odile.page.on("request", lambda one: "/api/v1/games/" in one.url and asked.append(one.url))
    odile.context.route(re.compile(r"/assets/fr-\w+\.js"), lambda route: held.append(route))
    odile.page.goto(f"{odile.address}roll?game=ghostburn")
    wait_until(odile.page, lambda: held)
    draw(odile.page)  # whoever would not wait has asked by now
    asked.append("French")
    held[0].continue_()
    expect(odile.page.locator(".roll-button")).to_have_text("Lancer")
    assert asked[0] == "French"
    assert all("language=fr" in url for url in asked[1:])
    page_and_game_are_in_french(odile)


def page_and_game_are_in_french(odile):
    """What is asked and what is told, the words of the game as well."""
    expect(odile.page.get_by_role("heading", name="Juste lancer")).to_be_visible()
    expect(odile.page.locator("main").get_by_text("Niveau de difficulté").first).to_be_visible()
    odile.page.locator(".roll-button").click()
    expect(odile.page.locator(".play .told")).to_contain_text("sur les dés font")


def test_a_language_that_changes_is_followed_in_place(somebody):
    """The page, its games and what can be tried speak German from now on, without a reload."""
    ana = somebody()
    ana.page.goto(ana.address)
    push = ana.page.locator(".trial-option").last
    expect(push).to_contain_text("1 in 11 jams")
    ana.page.get_by_role("radio", name="GHOST/BURN").check()
    ana.seen("House rules and more").click()
    rules = ana.page.locator(".house-list")
    expect(rules).to_contain_text("Difficulty Level in the open")
    speak(ana.page, "de-DE")
    expect(push).to_contain_text("1 von 11 klemmt")
    expect(ana.page.get_by_role("radio", name="Zwei Stufenwürfel")).to_be_visible()
    expect(rules).to_contain_text("Offener Schwierigkeitsgrad")  # though another game is on trial
    expect(rules).not_to_contain_text("the GM tells it")
    speak(ana.page, "en-GB")
    expect(push).to_contain_text("1 in 11 jams")


def accented(said):
    """What the page says, with accents; placeholders stay."""
    if isinstance(said, dict):
        return {form: accented(text) for form, text in said.items()}
    parts = re.split(r"(\{\w+\})", said)
    return "".join(part if part.startswith("{") else part.translate(ACCENTED) for part in parts)


def in_pseudo(route):
    """The same question, to be answered in the pseudo-language."""
    asked = route.request
    body = asked.post_data
    route.continue_(
        url=asked.url.replace("language=fr", "language=en-XA"),
        headers={**asked.headers, "accept-language": "en-XA"},
        post_data=body and body.replace('"language":"fr"', '"language":"en-XA"'),
    )


def test_nothing_on_the_page_escapes_translation(somebody):
    """French is swapped for English with accents: what has none was never a word of the page."""
    person = somebody(locale="fr-FR")
    words = json.dumps({**{key: accented(text) for key, text in english().items()}})
    script = f"export default {words};"
    person.context.route(
        re.compile(r"/assets/fr-\w+\.js"),
        lambda route: route.fulfill(body=script, content_type="text/javascript"),
    )
    person.context.route(re.compile("/api/v1/"), in_pseudo)
    person.page.goto(f"{person.address}roll?game=ghostburn")
    expect(person.page.locator(".roll-button")).to_have_text("Roll".translate(ACCENTED))
    person.page.locator(".roll-button").click()
    expect(person.page.locator(".play .told")).to_contain_text("[")
    shown = person.page.locator("main").inner_text()
    assert [] == leftovers(shown, *codes(), NAMES)


def english():
    """What the page says in English, by the keys of every language."""
    said = {}
    for path in sorted((WEB / "src" / "i18n").glob("en*.ts")):
        source = path.read_text("utf-8")
        for key, text in re.findall(
            r'^  "([\w.-]+)": ("(?:[^"\\]|\\.)*"|\{.*?\}),?$', source, re.M
        ):
            said[key] = json.loads(re.sub(r"(\w+): \"", r'"\1": "', text))
    return {key: said[key] for key in FRENCH if key in said}
