"""Pictures of every screen, on a phone and a desktop, light and dark.

`./dev run tests.page.screenshots` makes those of the documentation anew.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from rollwright.client import Server, Table
from tests.page.evening import Evening, an_evening
from tests.page.people import DESKTOP, PHONE, Person

FOLDER = Path(__file__).parents[2] / "docs" / "pictures" / "table"
SIZES = {"phone": PHONE, "desktop": DESKTOP}
THEMES = ("light", "dark")
LIMIT = 150_000
"""Bytes that no picture may have."""


class Sitting:
    """Two browsers at an evening's table: the referee's and a player's."""

    def __init__(self, browser: Browser, address: str, evening: Evening) -> None:
        self.address = address
        self.evening = evening
        self.referee = self._seated(browser, evening.referee)
        self.player = self._seated(browser, evening.players[0])
        self.guest = Person(browser, address, reduced_motion="reduce")

    def _seated(self, browser: Browser, seat: Table) -> Person:
        person = Person(browser, self.address, reduced_motion="reduce")
        person.page.goto(str(seat.link))
        person.page.locator(".feed-item").first.wait_for()
        return person

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody with a browser."""
        return (self.referee, self.player, self.guest)


def tab(page: Page, name: str) -> None:
    """Go to a part of the table, on whatever it is shown."""
    button = page.locator(f"nav .tab-{name.lower()}")
    if button.is_visible():
        button.click()


def start(at: Sitting) -> Page:
    """The first page."""
    page = at.guest.page
    page.goto(at.address)
    page.get_by_role("radio", name="Twilight: 2000").check()
    page.get_by_label("Your name").fill("Rosa")
    return page


def join(at: Sitting) -> Page:
    """What the link in the chat opens."""
    page = at.guest.page
    page.goto("about:blank")
    page.goto(str(at.evening.referee.links["player"]))
    page.get_by_label("Your name").fill("Tess")
    return page


def table(at: Sitting) -> Page:
    """The table, where a choice waits for the player."""
    page = _at_the_table(at.player, at)
    page.locator(".option .option-worth").first.wait_for()
    return page


def roll(at: Sitting) -> Page:
    """The roll panel with its odds."""
    page = _at_the_table(at.player, at)
    tab(page, "Roll")
    page.locator(".roll-pane .odds-bars, .roll-pane .chart, .roll-pane svg").first.wait_for()
    return page


def sheet(at: Sitting) -> Page:
    """A character's sheet."""
    page = _at_the_table(at.player, at)
    tab(page, "Sheet")
    page.locator(".paper").wait_for()
    return page


def referee(at: Sitting) -> Page:
    """The referee's side: people, asks, characters, links, sessions."""
    page = _at_the_table(at.referee, at)
    tab(page, "More")
    page.get_by_role("heading", name="At the table").wait_for()
    return page


def ask(at: Sitting) -> Page:
    """The referee asks for a roll."""
    page = referee(at)
    page.get_by_role("button", name="Ask for a roll").click()
    page.get_by_role("combobox", name="Skill name").select_option("stamina")
    return page


def fair(at: Sitting) -> Page:
    """Why a roll can be trusted."""
    page = _at_the_table(at.player, at)
    page.get_by_role("button", name="Verified").last.click()
    page.locator(".fair-step").first.wait_for()
    return page


def statistics(at: Sitting) -> Page:
    """Are my dice bad?"""
    page = referee(at)
    page.get_by_role("button", name="Are my dice bad?").click()
    page.get_by_role("combobox", name="Whose dice").select_option("")
    page.locator(".seen-table").first.wait_for()
    return page


def explore(at: Sitting) -> Page:
    """What if: odds without rolling."""
    page = at.guest.page
    page.goto(f"{at.address}explore")
    page.locator("main svg").first.wait_for()
    return page


def just_roll(at: Sitting) -> Page:
    """Rolling without a table."""
    page = at.guest.page
    page.goto(f"{at.address}roll")
    page.locator(".roll-button").wait_for()
    return page


def verify(at: Sitting) -> Page:
    """A whole log, checked in the browser."""
    page = at.guest.page
    page.goto(f"{at.address}verify")
    log = {"name": "log.json", "mimeType": "application/json"}
    held = json.dumps(at.evening.referee.log()).encode()
    page.locator("input[type=file]").set_input_files([{**log, "buffer": held}])
    page.get_by_text("rolls replayed by their rules").wait_for()
    return page


def settings(at: Sitting) -> Page:
    """Light or dark, size of text, motion, language, keys."""
    page = at.guest.page
    page.goto(at.address)
    page.get_by_role("button", name="Settings").click()
    return page


def _at_the_table(person: Person, at: Sitting) -> Page:
    """The table as it is after a fresh start, with its feed in front."""
    page = person.page
    page.goto(f"{at.address}t/{at.evening.referee.id}")
    page.locator(".feed-item").first.wait_for()
    tab(page, "Table")
    return page


SCREENS: dict[str, Callable[[Sitting], Page]] = {
    show.__name__.replace("_", "-"): show
    for show in (
        start, join, table, roll, sheet, referee, ask, fair, statistics, explore, just_roll,
        verify, settings,
    )
}  # fmt: skip


def pictures(browser: Browser, address: str, folder: Path) -> Iterator[Path]:
    """Take every picture, one after the other."""
    with Server(address) as server:
        at = Sitting(browser, address, an_evening(server))
        for name, show in SCREENS.items():
            for size, (width, height) in SIZES.items():
                for person in at.people:
                    person.page.set_viewport_size({"width": width, "height": height})
                page = show(at)
                page.wait_for_load_state("networkidle")
                for theme in THEMES:
                    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                    path = folder / f"{name}-{size}-{theme}.png"
                    path.write_bytes(page.screenshot(animations="disabled", caret="hide"))
                    yield path
        for person in at.people:
            person.context.close()


def main() -> int:
    """Make the pictures of the documentation anew."""
    from tests.page.conftest import CHROMIUM, Serving

    FOLDER.mkdir(parents=True, exist_ok=True)
    serving = Serving(Path(tempfile.mkdtemp())).begin()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox"]
            )
            for path in pictures(browser, serving.address, FOLDER):
                print(f"{path.stat().st_size / 1000:6.1f} kB  {path.name}")
            browser.close()
    finally:
        serving.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
