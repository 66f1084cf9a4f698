"""How quick the page is in a real browser: first load, dice after a click, odds while dragging."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.forms import slowest
from benchmarks.load.joining import filled
from benchmarks.load.servers import table
from benchmarks.measuring import Settings
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.tables import markdown_table, text_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
HEAD = ("what", "", "median", "p95", "bar", "ok?")
FIRST_LOAD, DICE, ODDS, JOIN, FORM = 60_000, 100.0, 50.0, 2_000.0, 2.0
FLAT, SOLID = 1000 / 58, 1000 / 30
"""Milliseconds of a frame: 60 a second as a browser without a screen counts them, and 30."""
SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
CLICKS = 30
DRAGGED = {
    "twilight2000": ("attack", "Twilight: 2000, ammo dice"),
    "dust": ("roll", "Dust, dice"),
    "kleptonomicon": ("test", "Kleptonomicon, Modifier"),
    "edge20": ("check", "edge20, rerolls"),
    "ghostburn": ("roll", "GHOST/BURN, Difficulty Level"),
}
"""By game the roll and the control that is dragged or tapped through all its steps."""

CLOCKS = (ROOT / "benchmarks" / "page_clocks.js").read_text("utf-8")


class Times(NamedTuple):
    """What was measured of one thing, in milliseconds, and what it may take."""

    name: str
    samples: list[float]
    bar: float
    bound: str = "p95"

    @property
    def p95(self) -> float:
        """What 19 of 20 stay below."""
        return quantiles(self.samples, n=20)[-1] if len(self.samples) > 1 else self.samples[0]

    @property
    def ok(self) -> bool:
        """Whether the bar is met."""
        found = {"p95": self.p95, "median": median(self.samples), "mean": mean(self.samples)}
        return found[self.bound] < self.bar

    @property
    def row(self) -> tuple[str, ...]:
        """A line of the table."""
        said = f"{self.bar:,.0f} ms" + ("" if self.bound == "p95" else f", {self.bound}")
        middle = mean(self.samples) if self.bound == "mean" else median(self.samples)
        shown = (f"{middle:.1f}", f"{self.p95:.1f}")
        return (self.name, "", *shown, said, "ok" if self.ok else "MISS")


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether the bars are met."""
    from rollwright.server.routes.site import FOLDER

    if not (FOLDER / "sizes.json").exists():
        print("The page is not built; ./dev page builds it, and says what keeps it from that.")
        return False
    sizes = json.loads((FOLDER / "sizes.json").read_text("utf-8"))
    clicks = CLICKS if settings.most > 3 else 5
    found = [*_at_a_table(clicks), *_rolling(clicks // 2), *_forms(clicks), _joining()]
    loads = {"first page, script": sizes["first"], "table, script": sizes["table"]}
    rows = [_load_row(name, size) for name, size in loads.items()]
    rows += [times.row for times in found]
    print(text_table(HEAD, rows))
    taken = {times.name: times.samples for times in found}
    save_json("page", {"unit": "milliseconds", "bytes": loads, "times": taken})
    refresh_page("page", f"{markdown_table(HEAD, rows)}\n\n{when_and_where()}")
    return sizes["table"] < FIRST_LOAD and all(times.ok for times in found)


def _load_row(name: str, size: int) -> tuple[str, ...]:
    bar = f"{FIRST_LOAD / 1000:.0f} kB"
    return (name, "", f"{size / 1000:.1f} kB", "", bar, "ok" if size < FIRST_LOAD else "MISS")


def _at_a_table(clicks: int) -> Iterator[Times]:
    from rollwright.client import Server as Asked

    with TemporaryDirectory() as folder, table(f"sqlite:///{folder}/page.sqlite") as server:
        address = f"http://127.0.0.1:{server.port}"
        with browsing() as browser, Asked(address) as asked:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            ana = asked.create_table("twilight2000", name="Ana")
            yield Times("click to dice, at a table", _clicked(page, str(ana.link), clicks), DICE)
            for game, (roll, name) in DRAGGED.items():
                page.goto(f"{address}/roll?game={game}&roll={roll}")
                page.locator(".chance:not([data-waits]) strong").first.wait_for()
                page.wait_for_load_state("networkidle")
                yield Times(f"a step to its odds: {name}", _clock(page, "odds()"), ODDS)


def _rolling(rolls: int) -> Iterator[Times]:
    """How long frames take while six dice roll, flat and in three dimensions without a card.

    What a frame draws too much fills the card's memory, and shows after some seven rolls only.
    """
    with TemporaryDirectory() as folder, table(f"sqlite:///{folder}/page.sqlite") as server:
        address = f"http://127.0.0.1:{server.port}/roll?dice=6d6"
        for name, solid, bar in (("flat", "false", FLAT), ("in 3D, in software", "true", SOLID)):
            with browsing(*SOFTWARE) as browser:
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.add_init_script(f"localStorage.setItem('rollwright.dice3d', '{solid}')")
                page.goto(address)
                page.locator(".roll-button:enabled").wait_for()
                page.wait_for_load_state("networkidle")
                _clock(page, "frames(2)")
                found = [time for _ in range(rolls) for time in _clock(page, "frames(1.2)")]
            yield Times(f"a frame while six dice roll, {name}", found, bar, bound="mean")


def _forms(times: int) -> Iterator[Times]:
    """Of each game the form that takes the server longest."""
    for name, found in slowest(times * 3):
        yield Times(f"a form in the server: {name}", found, FORM, bound="median")


def _clicked(page: Page, link: str, clicks: int) -> list[float]:
    page.goto(link)
    page.locator(".roll-button:enabled").wait_for()
    page.wait_for_load_state("networkidle")
    _clock(page, "dice(3)")  # so that everything is fetched and compiled
    return _clock(page, f"dice({clicks})")


def _clock(page: Page, name: str) -> list[float]:
    """The milliseconds that a clock in the page took."""
    page.evaluate(CLOCKS)
    found: list[float] = page.evaluate(f"clocks.{name}")
    return found


def _joining() -> Times:
    """From opening the address of a table with 10,000 events to its feed in sight."""
    with TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/long.sqlite"
        with table(address, "--synchronous=normal") as server:
            made = filled(server)
            with browsing() as browser:
                times = [_joined(browser, server.port, made) for _ in range(5)]
    return Times("joining a table of 10,000 events", times, JOIN, bound="median")


def _joined(browser: Browser, port: int, made: dict[str, Any]) -> float:
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{port}/t/{made['number']}#{made['token']}", wait_until="commit")
    page.evaluate(CLOCKS)
    found: float = page.evaluate("clocks.feed()")
    page.close()
    return found


@contextmanager
def browsing(*options: str) -> Iterator[Browser]:
    """Chromium without a window."""
    from playwright.sync_api import sync_playwright
    from tests.browsers import CHROMIUM

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", *options]
        )
        yield browser
        browser.close()
