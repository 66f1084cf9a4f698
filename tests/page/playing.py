"""What people do at a table, by the controls they see: the words of the session tests."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from rollwright.client import Table
from tests import nursery
from tests.page import people
from tests.page.people import Person, wait_until

NEWEST: dict[str, str] = {}
"""The newest roll at each table that was made with `roll`."""


def tab(person: Person, name: str) -> None:
    """Go to a part of the table, if it is not in sight anyhow."""
    people.tab(person.page, name)


def at(somebody: Callable[..., Person], seat: Table, **how: Any) -> Person:
    """Somebody whose browser sits on a seat."""
    return at_link(somebody, seat.move(), **how)


def at_link(
    somebody: Callable[..., Person], link: object, *, watches: bool = False, **how: Any
) -> Person:
    """Somebody who opens a link to the table; who comes by the spectators' link just watches."""
    person = somebody(**how)
    person.page.goto(str(link))
    if watches:
        person.page.get_by_role("button", name="Just watch").click()
    expect(person.page.get_by_role("region", name="Stage", exact=True)).to_be_visible()
    return person


def part(person: Person, name: str) -> Locator:
    """A part of the table, brought into sight: Stage, Sheet, Roll, Feed or More."""
    tab(person, name)
    return person.page.get_by_role("region", name=name, exact=True)


def around(person: Person, name: str) -> Locator:
    """Open one of the entries of the referee's side, or of everybody's; its dialog."""
    part(person, "More").get_by_role("button", name=name, exact=True).click()
    return person.page.get_by_role("dialog", name=name)


def close(dialog: Locator) -> None:
    """Put a dialog away."""
    dialog.get_by_role("button", name="Close", exact=True).click()
    expect(dialog).to_have_count(0)


def watch(person: Person, link: str) -> None:
    """Follow the spectators' link and just watch: there is nothing to roll with."""
    person.page.goto(link)
    person.page.get_by_role("button", name="Just watch").click()
    tabs = person.page.get_by_role("navigation", name="Parts of the table")
    tabs.wait_for()
    expect(tabs.get_by_role("button", name="Roll")).to_have_count(0)


def only_watches(person: Person, text: str, waits: str) -> None:
    """A spectator reads for whom a roll waits, and can neither decide nor enter anything."""
    found = card(person, text)
    expect(found.get_by_text(waits)).to_be_visible()
    for name in ("Your choice", "Faces of real dice"):
        expect(found.get_by_role("group", name=name)).to_have_count(0)
    expect(found.get_by_role("button", name="Take back")).to_have_count(0)


def asked(person: Person) -> Locator:
    """What the referee asks of somebody, in sight wherever they are."""
    return person.page.get_by_role("region", name="Asked of you")


def make_sheet(person: Person, name: str) -> Locator:
    """Make one's own character; the sheet."""
    sheet = part(person, "Sheet")
    sheet.get_by_label("Name of the character").fill(name)
    sheet.get_by_role("button", name="Make the sheet").click()
    expect(sheet.get_by_role("article")).to_be_visible()
    return sheet


def add_thing(person: Person, what: str, *, folded: bool = False, **fields: str | int) -> None:
    """Add something to a list on the sheet, with its fields typed in; of many some are folded."""
    part(person, "Sheet").get_by_role("button", name=f"Add to: {what}").click()
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save", exact=True).wait_for()
    others = dialog.get_by_text("All other fields")
    expect(others).to_have_count(int(folded))
    if folded:
        others.click()
    for name, value in fields.items():
        dialog.get_by_label(name.replace("_", " ").capitalize(), exact=True).fill(str(value))
        dialog.get_by_label(name.replace("_", " ").capitalize(), exact=True).blur()
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog).to_have_count(0)


def panel(person: Person, kind: str) -> Locator:
    """The roll panel with a kind of roll picked."""
    found = part(person, "Roll")
    found.get_by_role("group", name="Kinds of rolls").get_by_role(
        "button", name=kind, exact=True
    ).click()
    return found


def pick(place: Locator, group: str, name: str) -> None:
    """Tap one of several, by how it begins."""
    beginning = re.compile(rf"^{re.escape(name)}" + r"(?!\d)" * name.isdigit())
    found = place.get_by_role("group", name=group, exact=True).first
    take(found.get_by_role("radio", name=beginning))


def take(radio: Locator) -> None:
    """Tap what stands beside a radio button, as people do, where it is not on already."""
    if not radio.is_checked():
        radio.locator("xpath=ancestor::label").click()
    expect(radio).to_be_checked()


def options(place: Locator, *, way: str = "Open", own_dice: bool = False) -> None:
    """Say how it is rolled: who sees it, and whose dice are thrown."""
    box = place.locator("details.roll-options")
    if not box.evaluate("box => box.open"):
        place.get_by_text("How it is rolled").click()
    take(place.get_by_role("group", name="Who sees it").get_by_role("radio", name=way))
    place.get_by_role("checkbox", name="My own dice").set_checked(own_dice)


def odds(place: Locator | Page) -> Locator:
    """The chance that stands beside the button."""
    return place.locator(".dock .chance strong")


def roll(place: Locator) -> None:
    """Press the button; the new roll comes onto one's own stage, in the place of what was there."""
    there = place.page.locator(".stage-pane .roll-card")
    before = [one.get_attribute("data-roll") for one in there.all()]
    place.get_by_role("button", name=re.compile("^(Roll|Enter faces)$")).last.click()
    for name in before:
        expect(there).not_to_have_attribute("data-roll", name or "")
    expect(there).to_have_count(1)
    NEWEST[urlsplit(place.page.url).path] = there.get_attribute("data-roll") or ""


def card(person: Person, text: str) -> Locator:
    """The roll on the stage, which says something; one that has settled is `reopened`.

    Only once the newest of all has come to this browser too: an older one may say the same.
    """
    if newest := NEWEST.get(urlsplit(person.page.url).path):
        there = person.page.locator(f"[data-roll={newest}], #item-{newest}")
        expect(there.first).to_be_attached()
    tab(person, "Stage")
    staged = person.page.locator(".stage-pane .roll-card", has_text=text)
    expect(staged.first).to_be_attached()
    return staged


def reopened(person: Person, text: str) -> Locator:
    """A roll that has settled, opened in the feed by a tap on its line."""
    tab(person, "Feed")
    item = person.page.locator(".feed-item.is-roll", has_text=text).last
    item.locator(".feed-line").click()
    return item.locator(".roll-card")


def edited(person: Person, who: str, name: str, said: str) -> None:
    """The newest edit of a sheet says so; several in a row become one line, which is opened."""
    found = person.feed(f"{who} changed").filter(has_text=name).last
    closed = found.locator(".feed-line[aria-expanded=false]")
    told = found.locator(".line").last.filter(has_text=said)

    def is_told() -> bool:
        closed.evaluate_all("lines => lines.forEach((line) => line.click())")  # if it is there
        return told.count() > 0

    wait_until(person.page, is_told)


def enter(place: Locator, *faces: int) -> None:
    """Type the faces of real dice in, one tap a die."""
    group = place.get_by_role("group", name="Faces of real dice")
    for face in faces:
        group.get_by_role("button", name=str(face), exact=True).click()
    group.get_by_role("button", name="Enter").click()


def labelled(place: Locator | Page, *said: str) -> None:
    """What a screen reader says of every die in a place."""
    dice = place.locator(".die svg[role=img]")
    expect(dice).to_have_count(len(said))
    for number, label in enumerate(said):
        expect(dice.nth(number)).to_have_attribute("aria-label", label)


def option(place: Locator, said: str) -> Locator:
    """A way to go on, on the card of a roll."""
    choice = place.get_by_role("group", name="Your choice")
    return choice.get_by_role("button", name=re.compile(f"^{re.escape(said)}"))


def let_happen(place: Locator) -> None:
    """What somebody else's roll would do to one's own sheet: one tap lets it."""
    place.get_by_role("button", name="Let it happen").click()
    expect(place.get_by_text("let it happen.")).to_be_visible()


def about_roll(place: Locator, what: str) -> None:
    """Do something with a roll from its menu."""
    place.get_by_role("button", name="More about this roll").click()
    place.get_by_role("menuitem", name=what).click()


def end_session(person: Person) -> None:
    """The referee ends the session, and means it."""
    more = part(person, "More")
    more.get_by_role("button", name="End the session").click()
    more.get_by_role("button", name="Yes, end it").click()


def export(person: Person, name: str, folder: Path) -> Path:
    """Fetch a file of the table as anybody there can."""
    dialog = around(person, "Export and delete")
    with person.page.expect_download() as download:
        dialog.get_by_role("button", name=name).click()
    found = folder / download.value.suggested_filename
    download.value.save_as(found)
    close(dialog)
    return found


def true_log(path: Path) -> list[dict[str, Any]]:
    """The events of an exported log, which `rollwright verify` must find true."""
    command = [sys.executable, "-m", "rollwright", "verify", str(path)]
    verified = nursery.run(command)
    assert (0, "") == (verified.returncode, verified.stderr), verified.stdout
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["events"]
    return found


ALL_TRUE = "True: chain, signatures, dice and rules"


def says_true(person: Person, headline: str = ALL_TRUE) -> None:
    """The Verify screen, reached from the table, finds nothing wrong; and back again."""
    table = person.page.url
    part(person, "More").get_by_role("link", name="Verify").click()
    expect(person.page.get_by_role("heading", name=headline)).to_be_visible(
        timeout=60_000  # Python comes first
    )
    expect(person.page.locator(".checked-by [data-good=false]")).to_have_count(0)
    person.page.goto(table)
    expect(person.page.get_by_role("region", name="Stage", exact=True)).to_be_visible()
