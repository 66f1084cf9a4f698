"""A game's folder from outside is the same game on the page: every text, every box.

The page is drawn with our game and with the copy of its folder that somebody else has installed;
all that is written and all places are equal, in English and in German.
"""

import contextlib

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.archive.make import SHEETS
from tests.drafts import drafted
from tests.gates import but
from tests.page.conftest import Serving
from tests.page.people import AT_REST, speak
from tests.page.walks import tab
from tests.twins.packages import GAMES, TWINS, alike, install

MANY, TRIES = 100, 120
"""How much there is to see at least, and how often somebody looks until all has come."""
LANGUAGES = ("en-GB", "de-DE")
TIMES = "for (const time of document.querySelectorAll('time')) time.textContent = '12:00';"
DRAWN = """() => [...document.querySelectorAll('body *')].flatMap((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  if (width < 2 || height < 2 || element.closest('.game-picker')) return [];
  const own = [...element.childNodes].filter((node) => node.nodeType === 3);
  const said = own.map((node) => node.textContent).join('');
  const style = getComputedStyle(element);
  const box = [x, y, width, height].map(Math.round).join(' ');
  const named = ['aria-label', 'placeholder', 'title', 'd'].map((name) =>
    element.tagName === 'TIME' ? '' : element.getAttribute(name) ?? '').join('|');
  const held = element.matches('input, select, textarea') ? element.value : '';
  const look = [style.color, style.backgroundColor].join(' ');
  return [[element.tagName, said.trim(), held, named, box, look].join(' ~ ')];
})"""


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server that has the twins installed."""
    folder = tmp_path_factory.mktemp("twins")
    server = Serving(folder, path=install(folder / "site")).begin()
    yield server
    server.end()


def drawn(page):
    """Everything in sight: what it is, what it says, where it stands and in which colours."""
    page.wait_for_function(AT_REST)
    page.evaluate(TIMES)
    return page.evaluate(DRAWN)


def compare(game, pages):
    """Both pages are drawn alike, once all that was asked for is there."""

    def same():
        seen = dict(zip((game, TWINS[game]), map(drawn, pages)))
        assert len(seen[game]) > MANY
        alike(game, seen.get)

    for _ in range(TRIES):
        with contextlib.suppress(AssertionError):
            return same()
        pages[0].wait_for_timeout(500)
    return same()


def in_both(game, pages):
    """Both pages are drawn alike in one language and in the other."""
    for locale in LANGUAGES:
        for page in pages:
            speak(page, locale)
        compare(game, pages)


def a_table(address, game, name):
    """A table with a sheet and a roll of it with real dice, all 1s; the player's seat."""
    values, draft = SHEETS[game]
    with Server(address) as server:
        rosa = server.create_table(name, name="Rosa")
        bo = server.join(rosa.links["player"], name="Bo")
        bo.do("sheet.create", values=values)
        roll = bo.roll(draft=drafted(draft), sheet=bo.seat, physical=True)
        for _ in range(2):
            if roll.waits_for == "throw":
                roll = bo.enter(roll, [1] * len(roll.after["dice"]))
        return str(bo.move())


@pytest.mark.parametrize("game", but(GAMES, "edge20"))
def test_the_page_is_drawn_alike(somebody, serving, game):
    """Panel, sheet, roll card, decision and Explore, in English and then in German."""
    address = serving.address
    people = [somebody(address=address) for _ in range(2)]
    pages = [person.page for person in people]
    for page, name in zip(pages, (game, TWINS[game])):
        page.goto(a_table(address, game, name))
        expect(page.locator(".sheet-pane .paper")).to_be_visible()
        expect(page.locator(".roll-card .die").first).to_be_visible()
    in_both(game, pages)
    for page in pages:
        tab(page, "Roll")
        expect(page.locator(".roll-button")).to_be_visible()
    in_both(game, pages)
    for page, name in zip(pages, (game, TWINS[game])):
        page.goto(f"{address}explore?game={name}")
        expect(page.locator(".chart-line, .chart-bar, .chart-cell").first).to_be_visible()
    in_both(game, pages)
