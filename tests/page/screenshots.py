"""Pictures of every screen and of the stage, on a phone and a desktop, light and dark.

`./dev run tests.page.screenshots` makes those of the documentation anew; with `screens`, `stage`,
`recordings`, `variants` or `workbench` after it, only these.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from rollwright.client import Server
from tests.browsers import SOFTWARE, launched
from tests.page.evening import an_evening
from tests.page.moments import MOMENTS, lie, watching
from tests.page.people import DESKTOP, PHONE, Person
from tests.page.recordings import SLOW, STRIPS, recordings
from tests.page.scenes import scene
from tests.page.variants import variants
from tests.page.walks import SCREENS, Sitting

FOLDER = Path(__file__).parents[2] / "docs" / "pictures" / "table"
STAGE = FOLDER.parent / "stage"
VARIANTS = FOLDER.parent / "variants"
WORKBENCH = FOLDER.parent / "workbench"
SIZES = {"phone": PHONE, "desktop": DESKTOP}
STAGED = {"phone": (390, 844), "desktop": (1440, 900)}
"""The sizes in which the stage is pictured."""
QUALITY = 80
THEMES = ("light", "dark")
LIMIT = 150_000
"""Bytes that no picture may have."""


def named(screen: str, size: str, theme: str) -> str:
    """The file of a picture."""
    return f"{screen}-{size}-{theme}.webp"


def names() -> list[str]:
    """The files of all pictures."""
    return [named(*place) for place in product(SCREENS, SIZES, THEMES)]


def staged() -> list[str]:
    """The files of the stage: moments, rows of pictures, and the recording."""
    moments = [f"{'-'.join(place)}.webp" for place in product(MOMENTS, STAGED, THEMES)]
    return [*moments, *(f"row-{name}.webp" for name in STRIPS), "recording.webp"]


def stage_pictures(browser: Browser, server: Server, folder: Path) -> Iterator[Path]:
    """Take a picture of every moment on the stage, with solid dice."""
    for name, (game, play) in MOMENTS.items():
        with scene(server, game) as seat:
            play(seat)
            for size, theme in product(STAGED, THEMES):
                person = watching(browser, seat, size=STAGED[size], theme=theme)
                lie(person.page)
                path = folder / f"{name}-{size}-{theme}.webp"
                shot = person.page.screenshot(animations="disabled", caret="hide", timeout=SLOW)
                _save(shot, path)
                person.context.close()
                yield path


def benched() -> list[str]:
    """The files of the workbench."""
    return [named("workbench", *place) for place in product(SIZES, THEMES)]


def workbench_pictures(browser: Browser, address: str, folder: Path) -> Iterator[Path]:
    """Take the workbench with a worked mechanic on it."""
    for size, theme in product(SIZES, THEMES):
        person = Person(browser, address, size=SIZES[size], color_scheme=theme)
        person.page.goto(f"{address}workbench")
        person.page.locator(".output svg").first.wait_for()
        person.page.get_by_role("button", name="Gallery").click()
        person.page.get_by_role("button", name="How many dice?").first.click()
        person.page.locator(".rule-shown, .output").nth(1).wait_for()
        person.page.locator(".cm-content").wait_for()
        path = folder / named("workbench", size, theme)
        _save(person.page.screenshot(animations="disabled", caret="hide"), path)
        person.context.close()
        yield path


def _save(shot: bytes, path: Path) -> None:
    Image.open(io.BytesIO(shot)).convert("RGB").save(path, quality=QUALITY, method=6)


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
                    path = folder / named(name, size, theme)
                    page.evaluate("document.activeElement?.blur()")
                    shot = page.screenshot(animations="disabled", caret="hide")
                    _save(shot, path)
                    yield path
        for person in at.people:
            person.context.close()


def chosen_ones(browser: Browser, address: str, *chosen: str) -> Iterator[Path]:
    """The pictures of these parts, or all; what moves is drawn with dice in 3D."""
    solid = launched(browser.browser_type, *SOFTWARE)
    with Server(address) as server:
        parts = {
            "screens": lambda: pictures(browser, address, FOLDER),
            "stage": lambda: stage_pictures(solid, server, STAGE),
            "recordings": lambda: recordings(solid, server, STAGE),
            "variants": lambda: variants(browser, solid, address, VARIANTS),
            "workbench": lambda: workbench_pictures(browser, address, WORKBENCH),
        }
        for name in chosen or parts:
            yield from parts[name]()
    solid.close()


def main(*chosen: str) -> int:
    """Make the pictures of the documentation anew: all, or some of its parts."""
    from tests.page.conftest import made

    for folder in (FOLDER, STAGE, VARIANTS, WORKBENCH):
        folder.mkdir(parents=True, exist_ok=True)
    return made(lambda browser, address: chosen_ones(browser, address, *chosen))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
