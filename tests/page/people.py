"""Somebody with a browser of their own: opens tables, joins them, and minds what goes wrong."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page, Request, expect

from rollwright.client import Server, Table
from rollwright.kit.games import find_game, own_games
from tests.durations import spent

PHONE, TABLET, LAPTOP, DESKTOP = (360, 740), (768, 1024), (1024, 768), (1280, 800)
ALWAYS = {"Stage": 760, "Feed": 1180}
"""From what width on a part of the table is in sight whatever else is, and has no tab."""
MOVING = {"reduced_motion": "no-preference"}
"""Somebody whose dice tumble. All others see them lie at once, for a fifth less of
everything that a browser costs."""
KEEPING = {"service_workers": "allow"}
"""Somebody whose browser keeps the page for when there is no network, as everybody's does. That
fetches all of it a second time in every new browser, which is a fifth of what a test costs: so
only in evenings, and where the network goes."""
PATIENCE = 1000 * int(os.environ.get("ROLLWRIGHT_TEST_PATIENCE", "60"))
"""Milliseconds that nothing here takes, however slow or busy the machine is."""
expect.set_options(timeout=PATIENCE)
LISTENING = """
window.heard = [];
new MutationObserver(() => {
  const said = document.getElementById("announcements")?.textContent;
  if (said && said !== heard.at(-1)) heard.push(said);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
TIMELESS = """
window.timeless = [];
const later = window.setTimeout;
window.setTimeout = (what, after, ...more) => {
  if (![7000, 8000, 12000].includes(after)) return later(what, after, ...more);
  timeless.push(after);
};
"""
"""What is told in passing stays until it is put away, and nobody takes a line for dead that is only
slow: on a busy machine the page's own clock would decide what a test sees. That both come to pass
in their time is shown in web/tests, in announcer.test.tsx and table_socket.test.ts."""
NEXT_HEARD = """text => {
  const found = heard.findIndex((said) => said.includes(text));
  heard.splice(0, Math.max(found, 0));
  return found >= 0;
}"""
AT_REST = """() => !document.querySelector("[data-waits], [data-flying]")
  && document.getAnimations().every((moving) => moving.playState !== "running"
    || moving.effect.getComputedTiming().endTime === Infinity)"""
LOOK = """async ({ inside, ...options }) => {
  const only = { resultTypes: ["violations"], ...options };
  const { violations } = await axe.run(inside || document, only);
  return violations.flatMap((rule) => rule.nodes.map((node) =>
    `${rule.id}: ${node.html.slice(0, 200)}`));
}"""
SPEAK = """([code, language]) => {
  Object.defineProperty(navigator, "languages", { value: [code, language], configurable: true });
  dispatchEvent(new Event("languagechange"));
}"""
KEEP = """([name, table, known]) => {
  const all = JSON.parse(localStorage.getItem(name) ?? "{}");
  localStorage.setItem(name, JSON.stringify({ ...all, [table]: known }));
}"""
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def _told(how: Any, cause: str) -> Any:
    """A method whose cost is taken down."""

    def measured(*positional: Any, **more: Any) -> Any:
        with spent(cause):
            return how(*positional, **more)

    return measured


Page.goto = _told(Page.goto, "loading a page")  # type: ignore[method-assign]
Page.reload = _told(Page.reload, "loading a page")  # type: ignore[method-assign]
Browser.new_context = _told(Browser.new_context, "a browser profile")  # type: ignore[method-assign]


def wait_until(page: Page, happened: Callable[[], object]) -> None:
    """Wait for something that the page makes happen in this process."""
    for _ in range(PATIENCE // 20):
        if happened():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it did not come to pass")


def draw(page: Page) -> None:
    """Wait until the page has drawn what it knows by now."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def await_answer(page: Page, request: Request) -> None:
    """Wait until a request is over, answered or given up, and what came of it is drawn."""
    if response := request.response():
        response.finished()
    draw(page)


def seen(page: Page, text: str, *, exact: bool = False) -> Locator:
    """Words in sight: never the same words again where a moment later they are only read out."""
    return page.get_by_text(text, exact=exact).and_(page.locator(":not(#announcements)"))


def speak(page: Page, locale: str) -> None:
    """Let the browser prefer a language from now on: the page follows in place, for the price of
    its words instead of a page.
    """
    page.evaluate(SPEAK, [locale, locale[:2]])
    page.locator(f"html[lang={locale[:2]}]").wait_for(state="attached")


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give a page another size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})


def width(page: Page) -> int:
    """How wide a page is."""
    assert page.viewport_size is not None
    return page.viewport_size["width"]


def tab(page: Page, name: str) -> None:
    """Go to a part of the table by its tab, where the page is too narrow to show it anyhow."""
    page.locator("nav.tabs").wait_for()
    if width(page) < ALWAYS.get(name, math.inf):
        page.locator(f"nav .tab-{name.lower()}").click()


def barriers(page: Page, *rules: str, inside: str = "") -> list[str]:
    """What axe finds once the page has come to rest: each rule with the place breaking it.

    `inside` is for parts of a page that is not ours.
    """
    page.wait_for_function(AT_REST)
    with spent("looking for barriers"):
        return _found_by_axe(page, *rules, inside=inside)


def _found_by_axe(page: Page, *rules: str, inside: str) -> list[str]:
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE.read_text("utf-8"))
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found: list[str] = page.evaluate(LOOK, {"inside": inside, **only})
    return found


class Person:
    """One browser profile with one page, and everything it complained about."""

    def __init__(self, browser: Browser, address: str, **how: Any) -> None:
        width, height = how.pop("size", DESKTOP)
        usual = {"locale": "en-GB", "color_scheme": "light", "reduced_motion": "reduce"}
        how = usual | {"service_workers": "block"} | how
        self.context = browser.new_context(viewport={"width": width, "height": height}, **how)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(LISTENING)
        self.context.add_init_script(TIMELESS)
        self.address = address
        self.complaints: list[str] = []
        self.program: Server | None = None
        self.page = self.new_page()

    def new_page(self) -> Page:
        """Another page of the same browser profile."""
        page = self.context.new_page()
        page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        return page

    def open_table(self, game: str, name: str) -> None:
        """Sit as the referee of a new table of a game, by its title.

        The browser knows of it what it would know had it been opened by hand, which costs a
        page more.
        """
        titles = {"": "Free dice"} | {own: find_game(own).title for own in own_games()}
        [chosen] = [own for own, title in titles.items() if game in title]
        with spent("opening a table"), Server(self.address) as server:
            made = server.create_table(chosen, name=name)
            assert made.device is not None
            handed = str(made.link._replace(seed=made.device.seed))
            token, _, seed = handed.partition("#")[2].partition(".")
            known: dict[str, Any] = {"token": token, "seed": seed, "seat": made.seat}
            links = {role: str(link).partition("#")[2] for role, link in made.links.items()}
            known |= {"game": chosen, "title": "", "at": time.time_ns() // 10**6, "links": links}
        self.page.goto(f"{self.address}health")  # anything from there: the page is not needed
        self.page.evaluate(KEEP, [self._name_of_tables, made.id, known])
        self.page.goto(f"{self.address}t/{made.id}")
        self.page.get_by_role("region", name="Stage", exact=True).wait_for()

    def open_table_by_hand(self, game: str, name: str) -> None:
        """Open a table of a game, by its title, on the first page, and sit there as its referee."""
        self.page.goto(self.address)
        self.page.get_by_role("radio", name=game).check()
        self.open_table_as_it_is(name)

    def open_table_as_it_is(self, name: str) -> None:
        """Open a table with whatever is chosen on the first page."""
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Open the table").click()
        self.page.get_by_role("region", name="Stage", exact=True).wait_for()

    def join(self, link: str, name: str) -> None:
        """Follow a link, say a name, and sit down."""
        self.page.goto(link)
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Sit down").click()

    @property
    def _name_of_tables(self) -> str:
        return f"rollwright{urlsplit(self.address).path.rstrip('/')}.tables"

    @property
    def tables(self) -> dict[str, Any]:
        """The tables this browser knows, with the tokens it made."""
        found: dict[str, Any] = self.page.evaluate(
            "name => JSON.parse(localStorage.getItem(name) ?? '{}')", self._name_of_tables
        )
        return found

    def first_table(self) -> tuple[str, dict[str, Any]]:
        """The table this browser has joined, once it knows: others may hear of it before."""
        stored = "name => localStorage.getItem(name)"
        self.page.wait_for_function(stored, arg=self._name_of_tables)
        return next(iter(self.tables.items()))

    def seat(self) -> Table:
        """The seat of this browser for a program, which signs with its key.

        Once the browser has signed something itself, it protests against what others sign so.
        """
        [(table, known)] = self.tables.items()
        seed = f".{known['seed']}" if "seed" in known else ""
        if self.program is None:
            self.program = program = Server(self.address)
            self.context.on("close", lambda _: program.close())
        return self.program.table(f"{self.address}t/{table}#{known['token']}{seed}")

    def link(self, role: str = "player") -> str:
        """The link for a role to the table that this browser has made."""
        [(table, known)] = self.tables.items()
        return f"{self.address}t/{table}#{known['links'][role]}"

    def barriers(self, *, inside: str = "") -> list[str]:
        """What axe finds on the page."""
        return barriers(self.page, inside=inside)

    def seen(self, text: str, *, exact: bool = False) -> Locator:
        """Words in sight, anywhere on the page."""
        return seen(self.page, text, exact=exact)

    def hears(self, text: str) -> None:
        """What a screen reader reads out, now or since what was heard last."""
        wait_until(self.page, lambda: self.page.evaluate(NEXT_HEARD, text))

    def feed(self, text: str) -> Locator:
        """What the feed says of something; on a phone it is brought into sight."""
        tab(self.page, "Feed")
        return self.page.locator(".feed-item", has_text=text)
