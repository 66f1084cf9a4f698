"""One roll of each game at its table: the form that asks for it beside what lies on the felt.

`./dev run tests.page.one_roll` makes the pictures of `docs/layouts.md` anew that show the page as
it is. Those of the layouts made by hand were taken by the same lines on the page of that time.
"""

from __future__ import annotations

import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from rollwright.client import Server

FOLDER = Path(__file__).parents[2] / "docs" / "pictures" / "layouts"
SIZE = {"width": 1280, "height": 800}
LIMIT = 60_000
"""Bytes that no picture may have."""
ROLLS: dict[str, dict[str, Any]] = {
    "twilight2000": {"roll": "attack", "attribute": "B", "skill": "B", "ammo_dice": 2},
    "dust": {"roll": "roll", "attribute": 4, "ability": 3, "adrenaline": 3},
    "kleptonomicon": {"roll": "group", "members": [{"name": "Ada"}, {"name": "Bo"}]},
    "edge20": {"roll": "check", "modifier": 5, "rerolls": 1, "dc": 15},
    "ghostburn": {"roll": "roll", "ability": 8, "skill": [6], "luck": [4], "dl": "Hard"},
}
"""By game what is rolled."""
AT_REST = "() => !document.querySelector('.skeleton, [data-waits]')"
PATIENCE = 120_000
"""Milliseconds after which something is missing, however slow or busy the machine is."""
SMALLER = """async ([png, quality]) => {
  const answer = await fetch(`data:image/png;base64,${png}`);
  const picture = await createImageBitmap(await answer.blob());
  const canvas = Object.assign(document.createElement("canvas"), { width: 960, height: 600 });
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


def names() -> list[str]:
    """The files of all pictures."""
    return [f"{game}-{when}.webp" for game in ROLLS for when in ("before", "after")]


def faces_of(pool: list[list[Any]]) -> list[Any]:
    """Faces for dice, the same every time, of which some are good and some are not."""
    dice = [die["die"] for die, count in pool for _ in range(count)]
    return [
        (7 * number + 3) % die + 1 if isinstance(die, int) else die[number % len(die)]
        for number, die in enumerate(dice)
    ]


def pictures(browser: Browser, address: str, folder: Path, when: str) -> Iterator[Path]:
    """Take every picture, one after the other."""
    blank = browser.new_page()
    with Server(address) as server:
        for game, request in ROLLS.items():
            seat = server.create_table(game, name="Ada", title="One roll")
            rolled = seat.roll(request={"game": game, **request}, physical=True)
            if rolled.waits_for == "throw":
                seat.enter(rolled, faces_of(rolled.after["pool"]["pool"]))
            page = browser.new_page(viewport=SIZE, locale="en-GB", reduced_motion="reduce")
            page.goto(str(seat.move()))
            page.locator(".roll-card").first.wait_for()
            page.wait_for_load_state("networkidle")
            page.wait_for_function(AT_REST, timeout=PATIENCE)
            page.evaluate("document.fonts.ready.then(() => document.activeElement?.blur())")
            path = folder / f"{game}-{when}.webp"
            path.write_bytes(small(blank, page.screenshot(animations="disabled", caret="hide")))
            page.close()
            yield path
    blank.close()


def small(page: Page, png: bytes) -> bytes:
    """The picture on fewer pixels, as WebP, as good as fits."""
    for quality in (0.8, 0.65, 0.5):
        found = b64decode(page.evaluate(SMALLER, [b64encode(png).decode(), quality]))
        if len(found) <= LIMIT:
            break
    return found


def main(when: str = "after") -> int:
    """Make the pictures of the documentation anew."""
    from tests.page.conftest import made

    FOLDER.mkdir(parents=True, exist_ok=True)
    return made(lambda browser, address: pictures(browser, address, FOLDER, when))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
