"""Every screen and every moment in all its ways: four sizes, both themes, two languages.

One picture a screen, made of sixteen. Sizes stand side by side; below each other stand English by
day and by night, then German. `./dev run tests.page.screenshots variants` makes them anew.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from rollwright.client import Server
from tests.page.evening import an_evening
from tests.page.moments import MOMENTS, lie, watching
from tests.page.people import AT_REST, resize, speak
from tests.page.recordings import SLOW
from tests.page.scenes import scene
from tests.page.walks import DIALOGS, LAST, SCREENS, Sitting

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "laptop": (1280, 720), "desktop": (1600, 1000)}
LANGUAGES = {"en": "en-GB", "de": "de-DE"}
THEMES = ("light", "dark")
ROW, GAP, QUALITY = 320, 6, 62
"""How tall a picture is in the sheet, how far they stand apart, and how well they are kept."""
WALKED = SCREENS | DIALOGS | LAST
STILL = """async () => {
  const asked = () => performance.getEntriesByType("resource").length;
  const seen = () => `${asked()} ${document.body.innerHTML}`;
  for (let last = ""; last !== seen();) {
    last = seen();
    await new Promise((done) => setTimeout(done, 120));
  }
}"""
NO_CARET = (
    "document.activeElement?.matches('input, textarea, select') && document.activeElement.blur()"
)
ANEW = {"just-roll": ".roll-button"}
"""What is done again in another language: a roll without a table is told once."""
Shots = dict[tuple[str, str, str], bytes]
"""Pictures by size, theme and language."""


def names() -> list[str]:
    """The files of all sheets."""
    return [f"{name}.webp" for name in (*WALKED, *(f"stage-{name}" for name in MOMENTS))]


def settled(page: Page) -> None:
    """Wait until all that was asked for is there, and nothing moves."""
    page.wait_for_function(AT_REST)
    page.evaluate(STILL)


def looks(
    page: Page, *, motion: str = "reduce", anew: str = ""
) -> Iterator[tuple[str, str, bytes]]:
    """A page by day and by night, in every language, and English again at the end."""
    for language, locale in LANGUAGES.items():
        speak(page, locale)
        if anew:
            page.locator(anew).click()
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion=motion)
            settled(page)
            page.evaluate(NO_CARET)
            yield (
                theme,
                language,
                page.screenshot(animations="disabled", caret="hide", timeout=SLOW),
            )
    speak(page, LANGUAGES["en"])


def screens(browser: Browser, address: str) -> Iterator[tuple[str, Shots]]:
    """All ways of every screen and dialog, from one evening."""
    with Server(address) as server:
        at = Sitting(browser, address, an_evening(server))
        for name, show in WALKED.items():
            shots: Shots = {}
            for size, both in SIZES.items():
                for person in at.people:
                    resize(person.page, both)
                for theme, language, shot in looks(show(at), anew=ANEW.get(name, "")):
                    shots[size, theme, language] = shot
            yield name, shots
        for person in at.people:
            person.context.close()


def moments(browser: Browser, address: str) -> Iterator[tuple[str, Shots]]:
    """All ways of every moment on the stage, with solid dice."""
    with Server(address) as server:
        for name, (game, play) in MOMENTS.items():
            with scene(server, game) as seat:
                play(seat)
                person = watching(browser, seat, size=SIZES["phone"], theme="light")
                shots: Shots = {}
                for size, both in SIZES.items():
                    resize(person.page, both)
                    lie(person.page)
                    for theme, language, shot in looks(person.page, motion="no-preference"):
                        shots[size, theme, language] = shot
                person.context.close()
            yield f"stage-{name}", shots


def sheet(shots: Shots) -> Image.Image:
    """Sixteen pictures as one."""
    wide = {size: round(width * ROW / height) for size, (width, height) in SIZES.items()}
    rows = list(product(LANGUAGES, THEMES))
    whole = (sum(wide.values()) + GAP * (len(wide) - 1), (ROW + GAP) * len(rows) - GAP)
    made = Image.new("RGB", whole, "#808080")
    for n, (language, theme) in enumerate(rows):
        left = 0
        for size, width in wide.items():
            small = Image.open(io.BytesIO(shots[size, theme, language])).convert("RGB")
            made.paste(
                small.resize((width, ROW), Image.Resampling.LANCZOS), (left, n * (ROW + GAP))
            )
            left += width + GAP
    return made


def variants(browser: Browser, solid: Browser, address: str, folder: Path) -> Iterator[Path]:
    """Make every sheet."""
    for source in (screens(browser, address), moments(solid, address)):
        for name, shots in source:
            path = folder / f"{name}.webp"
            sheet(shots).save(path, quality=QUALITY, method=6)
            yield path
