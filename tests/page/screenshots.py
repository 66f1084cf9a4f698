"""Pictures of every screen, on a phone and a desktop, light and dark.

`./dev run tests.page.screenshots` makes those of the documentation anew.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from rollwright.client import Server
from tests.page.evening import an_evening
from tests.page.people import DESKTOP, PHONE
from tests.page.pressing import pressed
from tests.page.walks import SCREENS, Sitting

FOLDER = Path(__file__).parents[2] / "docs" / "pictures" / "table"
SIZES = {"phone": PHONE, "desktop": DESKTOP}
THEMES = ("light", "dark")
LIMIT = 150_000
"""Bytes that no picture may have."""


def named(screen: str, size: str, theme: str) -> str:
    """The file of a picture."""
    return f"{screen}-{size}-{theme}.png"


def names() -> list[str]:
    """The files of all pictures."""
    return [named(*place) for place in product(SCREENS, SIZES, THEMES)]


def pictures(browser: Browser, address: str, folder: Path) -> Iterator[Path]:
    """Take every picture, one after the other."""
    with Server(address) as server:
        at = Sitting(browser, address, an_evening(server))
        blank = browser.new_page()
        for name, show in SCREENS.items():
            for size, (width, height) in SIZES.items():
                for person in at.people:
                    person.page.set_viewport_size({"width": width, "height": height})
                page = show(at)
                page.wait_for_load_state("networkidle")
                for theme in THEMES:
                    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                    path = folder / named(name, size, theme)
                    page.evaluate("document.activeElement?.blur()")
                    shot = page.screenshot(animations="disabled", caret="hide")
                    path.write_bytes(pressed(blank, shot))
                    yield path
        for context in (blank, *(person.context for person in at.people)):
            context.close()


def main() -> int:
    """Make the pictures of the documentation anew."""
    from tests.page.conftest import Serving, launched

    FOLDER.mkdir(parents=True, exist_ok=True)
    serving = Serving(Path(tempfile.mkdtemp())).begin()
    try:
        with sync_playwright() as playwright:
            browser = launched(playwright.chromium)
            for path in pictures(browser, serving.address, FOLDER):
                print(f"{path.stat().st_size / 1000:6.1f} kB  {path.name}")
            browser.close()
    finally:
        serving.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
