"""The workbench in a real browser: to the first odds, to new odds after a key, beside CPython."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.load.servers import table
from benchmarks.measuring import Settings
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.suites.page import HEAD, Times, browsing
from benchmarks.tables import markdown_table, text_table

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

FIRST, SECOND, KEY, RATIO, SCRIPT = 15_000.0, 5_000.0, 150.0, 4.0, 80_000
KEYS = 20
SIZES = Path(__file__).parents[2] / "src" / "rollwright" / "server" / "page" / "sizes.json"
WATCH = """() => {
  const host = document.querySelector(".editor");
  window.taken = [];
  let pressed = 0;
  host.shadowRoot.addEventListener("keydown", () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    if (pressed && document.querySelector(".output-name")?.textContent !== window.named) {
      window.named = document.querySelector(".output-name")?.textContent;
      taken.push(performance.now() - pressed);
      pressed = 0;
    }
  }).observe(document.querySelector(".workbench-results"),
    { subtree: true, childList: true, characterData: true });
  window.named = document.querySelector(".output-name")?.textContent;
}"""
WORK = """
from time import perf_counter
import rollwright as rw
def counted():
    begun = perf_counter()
    for more in range(20):
        rw.odds(f"4d6kh3+{more}d8")
    return perf_counter() - begun
best = min(counted() for _ in range(5))
"""
"""Counts the same odds in either Python; what it takes is measured by that Python itself."""


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether the bars are met."""
    if not SIZES.exists():
        print("The page is not built; ./dev page builds it, and says what keeps it from that.")
        return False
    sizes = json.loads(SIZES.read_text("utf-8"))
    visits = 3 if settings.most > 3 else 1
    found, ratio = _measured(visits)
    rows = [_row("script before Python", f"{sizes['workbench'] / 1000:.1f} kB", "80 kB", True)]
    rows += [_row("the editor, afterwards", f"{sizes['editor'] / 1000:.1f} kB", "", True)]
    rows += [_row("Python, packed", f"{sizes['python'] / 1e6:.1f} MB", "", True)]
    rows += [times.row for times in found]
    rows.append(_row("counting, beside CPython", f"{ratio:.1f}×", f"{RATIO:.0f}×", ratio <= RATIO))
    print(text_table(HEAD, rows))
    taken = {times.name: times.samples for times in found}
    save_json("workbench", {"unit": "milliseconds", "times": taken, "ratio": ratio})
    refresh_page("workbench", f"{markdown_table(HEAD, rows)}\n\n{when_and_where()}")
    within = sizes["workbench"] < SCRIPT and ratio <= RATIO
    return within and all(times.ok for times in found)


def _row(name: str, shown: str, bar: str, ok: bool) -> tuple[str, ...]:
    return (name, "", shown, "", bar, ("ok" if ok else "MISS") if bar else "")


def _measured(visits: int) -> tuple[list[Times], float]:
    with TemporaryDirectory() as folder, table(f"sqlite:///{folder}/page.sqlite") as server:
        address = f"http://127.0.0.1:{server.port}/workbench"
        with browsing() as browser:
            pairs = [_visited(browser.new_context(), address) for _ in range(visits)]
            page = browser.new_page()
            page.goto(address)
            _odds(page)
            keys = list(_keys(page))
            ratio = median(_ratio(page) for _ in range(3))
    first, second = zip(*pairs, strict=True)
    return [
        Times("first visit to first odds, two cores busy", list(first), FIRST, bound="median"),
        Times("second visit, offline", list(second), SECOND, bound="median"),
        Times("a key to new odds of 4d6kh3", keys, KEY, bound="median"),
    ], ratio


def _odds(page: Page) -> None:
    page.locator(".output svg").first.wait_for(timeout=120_000)
    page.locator(".cm-content").wait_for(timeout=120_000)


@contextmanager
def _busy() -> Iterator[None]:
    """Two cores have something else to do."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def _visited(context: BrowserContext, address: str) -> tuple[float, float]:
    """Milliseconds to the first odds: in a new browser on a machine that does much else, and in
    the same browser without a network.
    """
    page = context.new_page()
    with _busy():
        first = _visit(page, address)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    _odds(page)
    context.set_offline(True)
    second = _visit(page, address)
    context.close()
    return first, second


def _visit(page: Page, address: str) -> float:
    begun = perf_counter()
    page.goto(address)
    page.locator(".output svg").first.wait_for(timeout=120_000)
    return 1000 * (perf_counter() - begun)


def _keys(page: Page) -> Iterator[float]:
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+Home")
    page.evaluate(WATCH)
    for _ in range(KEYS):
        for key in ("1", "Backspace"):
            count = page.evaluate("taken.length")
            page.keyboard.press(key)
            page.wait_for_function("count => taken.length > count", arg=count)
            page.wait_for_timeout(200)
    yield from page.evaluate("taken")


def _ratio(page: Page) -> float:
    """How much longer the browser's Python takes than this one, in turns."""
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(f"{WORK}\nf'took {{best}}'\n")
    said = page.locator(".output-text", has_text="took")
    said.wait_for(timeout=120_000)
    names: dict[str, float] = {}
    exec(WORK, names)
    page.keyboard.press("ControlOrMeta+a")
    taken = float(said.inner_text().split()[-1].strip("'"))
    page.keyboard.insert_text("2d6")
    said.wait_for(state="detached", timeout=120_000)
    return taken / names["best"]
