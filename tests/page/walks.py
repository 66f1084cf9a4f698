"""Every screen and dialog of the page, and the way to it from an evening at a table."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Browser, Page

from rollwright.client import Table
from tests.page.evening import Evening
from tests.page.people import ALWAYS, Person, tab, width


class Sitting:
    """Two browsers at an evening's table: the referee's and a player's."""

    def __init__(self, browser: Browser, address: str, evening: Evening) -> None:
        self.address = address
        self.evening = evening
        self.referee = self._seated(browser, evening.referee)
        self.player = self._seated(browser, evening.players[0])
        self.guest = Person(browser, address)

    def _seated(self, browser: Browser, seat: Table) -> Person:
        person = Person(browser, self.address)
        person.page.goto(str(seat.move()))
        person.page.locator(".feed-item").first.wait_for()
        return person

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody with a browser."""
        return (self.referee, self.player, self.guest)


def start(at: Sitting) -> Page:
    """The first page."""
    page = at.guest.page
    page.goto(at.address)
    page.get_by_role("radio", name="Twilight: 2000").check()
    page.get_by_label("Your name").fill("Rosa")
    page.evaluate("scrollTo(0, 0)")
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
    page.locator(".decision .why").wait_for(state="attached")  # on a phone it is tucked away
    in_sight = ".felt-tray" if width(page) < ALWAYS["Stage"] else ".roll-foot"
    page.locator(f".stage-pane .roll-card {in_sight}").last.scroll_into_view_if_needed()
    return page


def roll(at: Sitting) -> Page:
    """The roll panel with its odds."""
    page = _at_the_table(at.player, at)
    tab(page, "Roll")
    pane = page.locator(".roll-pane")
    pane.get_by_role("button", name="Attack", exact=True).click()
    pane.locator("input[type=range]").first.fill("3")
    pane.locator(".chance:not([data-waits]) strong").last.wait_for()
    return page


def sheet(at: Sitting) -> Page:
    """A character's sheet."""
    page = _at_the_table(at.player, at)
    tab(page, "Sheet")
    page.locator(".paper").wait_for()
    page.get_by_role("heading", name="Weapons").scroll_into_view_if_needed()
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
    page.get_by_role("dialog").get_by_role("button", name="Stamina").click()
    return page


def fair(at: Sitting) -> Page:
    """Why a roll can be trusted."""
    page = _at_the_table(at.player, at)
    page.get_by_role("button", name="Verified").last.click()
    page.locator(".fair-step span").first.wait_for()
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
    page.goto(f"{at.address}explore?game=dust")
    page.get_by_role("button", name="Heat map").click()
    page.locator(".chart-cell").first.wait_for()
    return page


def just_roll(at: Sitting) -> Page:
    """Rolling without a table."""
    page = at.guest.page
    page.goto(f"{at.address}roll?game=dust&roll=roll")
    page.locator(".chance:not([data-waits]) strong").first.wait_for()
    page.locator(".roll-button").click()
    page.locator(".told").first.wait_for()
    return page


def verify(at: Sitting) -> Page:
    """A whole log, checked in the browser."""
    page = at.guest.page
    page.goto(f"{at.address}verify")
    log = {"name": "log.json", "mimeType": "application/json"}
    held = json.dumps(at.evening.referee.log()).encode()
    page.locator("input[type=file]").set_input_files([{**log, "buffer": held}])
    at.guest.seen("rolls replayed by their rules").wait_for(timeout=60_000)
    return page


def settings(at: Sitting) -> Page:
    """Light or dark, size of text, motion, language, keys."""
    page = at.guest.page
    page.goto(at.address)
    page.get_by_role("button", name="Settings").click()
    return page


def _at_the_table(person: Person, at: Sitting) -> Page:
    """The table with its stage in front, and nothing in front of that."""
    page = person.page
    place = f"{at.address}t/{at.evening.referee.id}"
    if page.url != place:
        page.goto(place)
    while (front := page.locator("dialog[open], [role=menu]")).count():
        front.last.locator("button").first.press("Escape")
    page.locator(".feed-item").first.wait_for(state="attached")
    tab(page, "Roll")
    tab(page, "Stage")
    page.locator(".stage-pane .roll-card").wait_for()
    return page


SCREENS: dict[str, Callable[[Sitting], Page]] = {
    show.__name__.replace("_", "-"): show
    for show in (
        start, join, table, roll, sheet, referee, ask, fair, statistics, explore, just_roll,
        verify, settings,
    )
}  # fmt: skip


def characters(at: Sitting) -> Page:
    """The referee's characters."""
    return _beside(at.referee, at, "Non-player characters")


def links(at: Sitting) -> Page:
    """Links into the table."""
    return _beside(at.referee, at, "Links and seats")


def house(at: Sitting) -> Page:
    """House rules."""
    return _beside(at.referee, at, "House rules")


def export(at: Sitting) -> Page:
    """Export and delete."""
    return _beside(at.referee, at, "Export and delete")


def seat(at: Sitting) -> Page:
    """What can be done with a seat."""
    page = referee(at)
    page.get_by_role("button", name="What can be done with Bo's seat").click()
    page.get_by_role("dialog").get_by_label("Name", exact=True).wait_for()
    return page


def menu(at: Sitting) -> Page:
    """What else can be done with a roll."""
    page = _at_the_table(at.player, at)
    page.get_by_role("button", name="More about this roll").last.click()
    page.get_by_role("menu").wait_for()
    return page


def odds(at: Sitting) -> Page:
    """The odds a roll had."""
    page = _at_the_table(at.player, at)
    tab(page, "Feed")
    line = page.locator(".feed-line[aria-expanded]:has([data-tone]:not([data-tone=even]))").last
    if line.get_attribute("aria-expanded") == "false":
        line.click()
    done = page.locator(".feed .roll-card:has(.outcome)").last
    done.scroll_into_view_if_needed()
    # Whoever has looked at many rolls asks with a tap.
    done.evaluate(
        "card => card.querySelector('button[aria-label=\"What were the odds?\"]')?.click()"
    )
    done.locator(".odds-line:not(.skeleton)").wait_for()
    return page


def filtered(at: Sitting) -> Page:
    """The feed with its filters open."""
    page = _at_the_table(at.player, at)
    tab(page, "Feed")
    page.get_by_role("button", name="Search the feed").click()
    page.get_by_role("button", name="Filter").click()
    return page


def shut_door(at: Sitting) -> Page:
    """A link that opens nothing."""
    page = at.guest.page
    page.goto("about:blank")
    page.goto(f"{at.address}t/aaaaaaaaaaaa#{'x' * 43}")
    page.get_by_role("heading", name="The door is shut").wait_for()
    return page


def _beside(person: Person, at: Sitting, name: str) -> Page:
    page = _at_the_table(person, at)
    tab(page, "More")
    around = page.get_by_role("region", name="Around the table")
    around.get_by_role("button", name=name).click()
    page.get_by_role("dialog").wait_for()
    return page


DIALOGS: dict[str, Callable[[Sitting], Page]] = {
    show.__name__.replace("_", "-"): show
    for show in (characters, links, house, export, seat, menu, odds, filtered, shut_door)
}
"""What is walked through but not pictured."""


def newcomer(at: Sitting) -> Page:
    """Somebody who has just come in: whom to be, and what to do next."""
    page = at.guest.page
    if not page.locator(".next-step").count():
        join(at)
        page.get_by_role("button", name="Sit down").click()
    tab(page, "Stage")
    page.locator(".next-step .starter").first.wait_for()
    return page


def invite(at: Sitting) -> Page:
    """A table that was opened just now, and the link that brings the others."""
    page = at.guest.page
    if not page.locator(".feed-invite").count():
        at.guest.open_table("GHOST/BURN", "Tess")
    tab(page, "Stage")
    page.locator(".feed-invite").wait_for()
    return page


def recap(at: Sitting) -> Page:
    """The evening looked back on, once it is over."""
    page = at.referee.page
    if not page.locator("dialog .recap").count():
        at.evening.referee.do("session.end")
        page.goto(f"{at.address}t/{at.evening.referee.id}")
        page.get_by_role("button", name="Look back").click()
        page.locator("dialog .lucks").wait_for()
    return page


LAST: dict[str, Callable[[Sitting], Page]] = {
    show.__name__: show for show in (newcomer, invite, recap)
}
"""What changes the evening on the way to it, and so comes after all others."""
