"""Moments of a roll on the stage, in every game, with dice that show what the story needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page

from rollwright.client import RollView, Server, Table
from tests.archive.make import SHEETS
from tests.drafts import drafted
from tests.page.evening import NOVAK
from tests.page.people import AT_REST, MOVING, Person

SOLID = "localStorage.setItem('rollwright.dice3d', 'true'); Math.random = () => 0.42"
LIE = "() => document.querySelector('.staged .die') && !document.querySelector('.staged :is([data-flying], .die-picture:not([data-solid]))')"  # fmt: skip # noqa: E501
BURST = {"roll": "attack", "weapon": "M249", "ammo_dice": 2, "modifier": -1}
SHOT = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 6,
        "targets": [{"name": "Guard"}, {"name": "Driver"}]}  # fmt: skip
GROUP = {"roll": "group", "members": [{"name": "Alice", "modifier": 2}, {"name": "Bodkin"},
                                      {"name": "Cray", "modifier": -1}]}  # fmt: skip
CHECK = {"roll": "check", "modifier": 5, "dc": 15, "advantages": 1, "rerolls": 1}
LUCK = {"roll": "roll", "ability": 5, "dl": "Hard"}


def seated(server: Server, game: str) -> tuple[Table, Table]:
    """A table of a game with a referee, a player with a character, and two who watch."""
    rosa = server.create_table(game, name="Rosa", title="Tonight")
    bo = server.join(rosa.links["player"], name="Bo")
    bo.do("sheet.create", values=NOVAK if game == "twilight2000" else SHEETS[game][0])
    for name in ("Mina", "Jonas"):
        server.join(rosa.links["player"], name=name)
    return rosa, bo


def thrown(seat: Table, fields: dict[str, Any], *faces: list[int]) -> RollView:
    """A roll with real dice that show this, throw by throw."""
    drafts = fields if "weapon" not in fields else None
    roll = (
        seat.roll(drafts, sheet=seat.seat, physical=True)
        if drafts
        else seat.roll(draft=drafted(fields), sheet=seat.seat, physical=True)
    )
    for one in faces:
        roll = seat.enter(roll, one)
    return roll


def push(seat: Table) -> RollView:
    """A burst that misses: keep, or push with its chance and its risk."""
    return thrown(seat, BURST, [3, 5, 2, 4])


def assign(seat: Table) -> RollView:
    """Hits in hand, and who is to have them."""
    return seat.choose(thrown(seat, SHOT, [8, 10, 6, 6, 4, 3, 2, 2]), "keep")


def group(seat: Table) -> RollView:
    """A Group Test: who can help, who needs it."""
    return thrown(seat, GROUP, [9], [3], [5])


def luck(seat: Table) -> RollView:
    """18 against Hard 20, and Luck to spend that makes it 20."""
    return thrown(seat, LUCK, [4, 9])


def pool(seat: Table) -> RollView:
    """A pool of d10s, read by a success number."""
    _, fields = SHEETS["dust"]
    started = seat.roll(draft=drafted(fields), sheet=seat.seat, physical=True)
    return seat.enter(started, [9, 8, 3, 10, 2, 6, 7, 4][: _dice(started)])


def check(seat: Table) -> RollView:
    """Two d20 with advantage, one of which counts, and a re-roll."""
    return thrown(seat, CHECK, [8, 4])


def jam(seat: Table) -> RollView:
    """A push that jams the weapon."""
    return seat.enter(seat.choose(push(seat), "push"), [1, 4, 1, 1])


def hit(seat: Table) -> RollView:
    """A push that hits."""
    return seat.enter(seat.choose(push(seat), "push"), [10, 7, 5, 3])


def critical(seat: Table) -> RollView:
    """A natural 20 that makes a success a critical one."""
    return thrown(seat, {"roll": "check", "modifier": 5, "dc": 15}, [20])


def _dice(roll: RollView) -> int:
    """How many dice a roll waits for."""
    after = roll.after or {}
    return len(after["dice"])


MOMENTS: dict[str, tuple[str, Callable[[Table], RollView]]] = {
    "push": ("twilight2000", push),
    "assign": ("twilight2000", assign),
    "group": ("kleptonomicon", group),
    "luck": ("ghostburn", luck),
    "pool": ("dust", pool),
    "check": ("edge20", check),
    "jam": ("twilight2000", jam),
    "critical": ("edge20", critical),
}
"""What is pictured on the stage, by the game in which it happens."""


def watching(browser: Browser, seat: Table, *, size: tuple[int, int], theme: str) -> Person:
    """Somebody on a seat, whose dice are solid, and who sees the stage."""
    how: dict[str, Any] = {**MOVING, "color_scheme": theme}
    person = Person(browser, str(seat.link).partition("t/")[0], size=size, **how)
    person.context.add_init_script(SOLID)
    person.page.goto(str(seat.move()))
    person.page.locator("html[data-dice3d=ready]").wait_for(state="attached")
    person.page.locator(".stage-pane").wait_for()
    person.page.evaluate("document.fonts.ready.then(() => true)")
    return person


def lie(page: Page) -> None:
    """Wait until all dice on the stage lie, and nothing moves."""
    page.wait_for_function(LIE)
    page.wait_for_function(AT_REST)
