"""A stream overlay in a browser: its address, and a picture of it with what shines through.

`./dev run tests.page.overlays` makes the pictures of the documentation anew.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from rollwright.client import Server
from tests.page.conftest import made
from tests.page.moments import hit, push, seated
from tests.page.people import AT_REST, Person

FOLDER = Path(__file__).parents[2] / "docs" / "pictures" / "streams"
PICTURES = ("choice.webp", "verdict.webp")
SIZE = (960, 540)
LONG = 3600
"""Seconds that nothing here takes."""


def address(link: str, *, stay: int = LONG) -> str:
    """The overlay that belongs to a link to a table."""
    start, _, rest = link.partition("t/")
    return f"{start}overlay?stay={stay}#{rest.replace('#', '.')}"


def over(page: Page, link: str, *, stay: int = LONG) -> None:
    """Open the overlay and wait until it follows the table: its socket was told to begin."""
    with page.expect_websocket() as opened:
        page.goto(address(link, stay=stay))
    with opened.value.expect_event("framereceived"):
        pass


def seen_through(page: Page) -> Image.Image:
    """The page as streaming software takes it: with an alpha of its own."""
    page.wait_for_function(AT_REST)
    return Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")


def pictures(browser: Browser, server: Server, folder: Path) -> Iterator[Path]:
    """A choice and a verdict as they lie over a video, on a chequered ground."""
    for name, play in zip(PICTURES, (push, hit), strict=True):
        rosa, bo = seated(server, "twilight2000")
        person = Person(browser, "", size=SIZE, color_scheme="dark")
        over(person.page, str(rosa.links["spectator"]))
        play(bo)
        expect(person.page.locator(".option-worth, .odds-line").first).to_be_visible()
        person.page.evaluate("document.fonts.ready.then(() => true)")
        yield _kept(seen_through(person.page), folder / name)
        person.context.close()


def _kept(picture: Image.Image, path: Path) -> Path:
    ground = Image.new("RGBA", picture.size, "#8d9299")
    square = Image.new("RGBA", (20, 20), "#a6abb1")
    for x in range(0, picture.width, 20):
        for y in range(x // 20 % 2 * 20, picture.height, 40):
            ground.paste(square, (x, y))
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.alpha_composite(ground, picture).convert("RGB").save(path, quality=80)
    return path


def _made(browser: Browser, host: str) -> Iterator[Path]:
    with Server(host) as server:
        yield from pictures(browser, server, FOLDER)


if __name__ == "__main__":
    sys.exit(made(_made))
