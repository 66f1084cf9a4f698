"""What moves on the stage, as pictures in a row and as one that moves.

The page is real and so is the server; only the page's clock is ours, so that every picture is
taken at its moment, however long taking one takes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from rollwright.client import Server, Table
from tests.page.moments import BURST, SHOT, seated, thrown, watching

SIZE = (1120, 700)
STEP = 100
"""Milliseconds between two pictures of a recording."""
STRIP = (560, 350)
"""The size of one picture in a row."""
LIMIT = 600_000
"""Bytes that the recording may have."""
FILMED = """() => {
  const film = (window.film ??= new Map());
  const now = performance.now();
  for (const moving of document.getAnimations()) {
    if (!film.has(moving)) { film.set(moving, now); moving.pause(); }
    const end = moving.effect.getComputedTiming().endTime;
    moving.currentTime = Math.min(now - film.get(moving), end);
  }
}"""
SLOW = 300_000
"""Milliseconds that a picture may take: without a graphics card, dice in the air come first."""
THROWN = "count => document.querySelectorAll('.staged .die').length === count"
"""Whether so many dice are on the stage, moving or not."""


class Film:
    """Somebody's page, on a clock that moves only when told."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pictures: list[Image.Image] = []
        self.times: list[int] = []
        page.wait_for_timeout(1500)  # what comes late to a fresh page has come
        page.clock.install()
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))

    def wait(self, milliseconds: int) -> None:
        """Let time pass on the page, in steps: whatever moves is drawn once in each."""
        for begun in range(0, milliseconds, STEP):
            self.page.clock.fast_forward(min(STEP, milliseconds - begun))
            self.page.evaluate(FILMED)

    def take(self) -> Image.Image:
        """A picture of this moment."""
        shot = self.page.screenshot(animations="allow", caret="hide", timeout=SLOW)
        self.pictures.append(Image.open(io.BytesIO(shot)).convert("RGB"))
        return self.pictures[-1]

    def roll(self, milliseconds: int, *, every: int = STEP) -> None:
        """Let time pass, and take pictures all the while."""
        for _ in range(milliseconds // every):
            self.wait(every)
            self.take()
            self.times.append(every)

    def comes(self, what: str, arg: object = None) -> None:
        """Wait until the server's word has reached the page."""
        for _ in range(600):
            self.page.clock.run_for(1)
            if self.page.evaluate(what, arg):
                return
        raise AssertionError(f"it did not come: {what}")


def _strip(film: Film, times: Iterable[int]) -> list[Image.Image]:
    """Pictures after so many milliseconds each."""
    return [(film.wait(time), film.take())[1] for time in times]


def push(film: Film, seat: Table) -> list[Image.Image]:
    """The throw, the choice with its risk, the dice again, and what came of it."""
    roll = thrown(seat, BURST, [3, 5, 2, 4])
    film.comes(THROWN, 4)
    first = _strip(film, (320, 2600))
    seat.enter(seat.choose(roll, "push"), [10, 7, 5, 3])
    film.comes(THROWN, 8)
    return [*first, *_strip(film, (320, 2600))]


def jam(film: Film, seat: Table) -> list[Image.Image]:
    """A push whose 1s jam the weapon: the border snaps in."""
    roll = thrown(seat, BURST, [3, 5, 2, 4])
    film.comes(THROWN, 4)
    film.wait(2600)
    seat.enter(seat.choose(roll, "push"), [1, 4, 1, 1])
    film.comes(THROWN, 8)
    return _strip(film, (360, 1100, 120, 1400))


def critical(film: Film, seat: Table) -> list[Image.Image]:
    """A natural 20: rays open behind it."""
    thrown(seat, {"roll": "check", "modifier": 5, "dc": 15}, [20])
    film.comes(THROWN, 1)
    return _strip(film, (360, 900, 200, 1500))


def assign(film: Film, seat: Table) -> list[Image.Image]:
    """Bullets are dealt out on two targets."""
    seat.choose(thrown(seat, SHOT, [8, 10, 6, 6, 4, 3, 2, 2]), "keep")
    film.comes(THROWN, 8)
    pictures = _strip(film, (2600,))
    deal = film.page.get_by_role("group", name="Deal them out")
    for name in ("Guard: one more", "Driver: one more", "Done"):
        deal.get_by_role("button", name=name).click()
        if name == "Done":
            film.comes("() => !document.querySelector('[aria-label=\"Deal them out\"]')")
        pictures += _strip(film, (1200,))
    return pictures


STRIPS: dict[str, tuple[str, Callable[[Film, Table], list[Image.Image]]]] = {
    "push": ("twilight2000", push),
    "jam": ("twilight2000", jam),
    "critical": ("edge20", critical),
    "assignment": ("twilight2000", assign),
}
"""The rows of pictures, each with the game in which it happens."""


def evening(film: Film, seat: Table) -> None:
    """A burst that misses, the odds of a push, the push, and the hit."""
    film.roll(300)
    roll = thrown(seat, BURST, [3, 5, 2, 4])
    film.comes(THROWN, 4)
    film.roll(1500)
    film.roll(1600, every=400)
    seat.enter(seat.choose(roll, "push"), [10, 7, 5, 3])
    film.comes(THROWN, 8)
    film.roll(1500)
    film.roll(2000, every=400)


def _filming(browser: Browser, server: Server, game: str) -> tuple[Film, Table]:
    """A table of a game, filmed from the seat of its player."""
    _, bo = seated(server, game)
    return Film(watching(browser, bo, size=SIZE, theme="dark").page), bo


def recordings(browser: Browser, server: Server, folder: Path) -> Iterator[Path]:
    """Make every row of pictures, and the recording."""
    for name, (game, play) in STRIPS.items():
        film, seat = _filming(browser, server, game)
        yield _rowed(play(film, seat), folder / f"row-{name}.webp")
        film.page.context.close()
    film, seat = _filming(browser, server, "twilight2000")
    evening(film, seat)
    yield _moving(film, folder / "recording.webp")
    film.page.context.close()


def _rowed(pictures: list[Image.Image], path: Path) -> Path:
    """Four pictures as one, read like a page."""
    width, height = STRIP
    row = Image.new("RGB", (2 * width + 8, 2 * height + 8), "#000")
    for n, picture in enumerate(pictures):
        place = (n % 2 * (width + 8), n // 2 * (height + 8))
        row.paste(picture.resize(STRIP, Image.Resampling.LANCZOS), place)
    row.save(path, quality=78, method=6)
    return path


def _moving(film: Film, path: Path) -> Path:
    """One picture that moves, as good as it can be within the limit."""
    small = [picture.resize((800, 500), Image.Resampling.LANCZOS) for picture in film.pictures]
    times = [*film.times[:-1], 2500]
    for quality in (70, 55, 40, 25):
        small[0].save(
            path, save_all=True, append_images=small[1:], duration=times, loop=0,
            quality=quality, method=4, minimize_size=True,
        )  # fmt: skip
        if path.stat().st_size < LIMIT:
            return path
    raise AssertionError(f"{path.name} has {path.stat().st_size} bytes")
