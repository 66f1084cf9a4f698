"""Pictures of what each part of a card does on the page, of the game that its reference writes.

`./dev run tests.page.card_pictures` makes those of the documentation anew. The game is read from
`docs/reference/card.md` itself, so that the pictures show the code beside them.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

from rollwright.client import RollView, Server, Table
from tests.page.people import DESKTOP, PHONE, Person
from tests.page.pressing import pressed

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "reference" / "card.md"
FOLDER = DOCS / "pictures" / "card"
LIMIT = 60_000
"""Bytes that no picture may have."""

GAMES = {
    "lanterns": """
class Offering(Judging):
    assignment = Card.assignment


game = lanterns(Offering())
""",
    "lantern_tokens": """
game = lanterns(Judging(), "lantern_tokens")
""",
    "plain_lanterns": """
game = lanterns(Card(), "plain_lanterns")
""",
}
"""The game with options, with tokens in place of options, and with no card at all."""
TALL = (PHONE[0], 2 * PHONE[1])
NED = {
    "name": "Ned",
    "nerve": 2,
    "tools": [{"name": "spade"}, {"name": "pick", "dice": 2, "bent": True}],
}
DRAFT = {"roll": "search", "pick": {"tool": "spade"}, "set": {"place": "the cellar", "oil": 2}}


def installed(folder: Path) -> Path:
    """A folder with the game of the reference as a package that somebody has installed."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    wanted = [block for block in blocks if "class Dropped" not in block]
    for name, ending in GAMES.items():
        (folder / f"{name}_of_the_page.py").write_text("\n\n".join(wanted) + ending, "utf-8")
    entries = "".join(f"{name} = {name}_of_the_page:game\n" for name in GAMES)
    about = folder / "lantern_games-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lantern-games\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[rollwright.games]\n{entries}")
    return folder


class Lamplight:
    """A table of the game with its one player, in a browser the size of a phone."""

    def __init__(self, browser: Browser, server: Server, game: str, language: str) -> None:
        self.seat: Table = server.create_table(game, name="Ned", title="Under the mill")
        self.person = Person(browser, f"{server.address}/", size=TALL, locale=language)
        self.page: Page = self.person.page

    def sit(self) -> Page:
        """The table, as whoever has just sat down sees it."""
        self.page.goto(str(self.seat.move()))
        self.page.locator(".feed, .feed-item").first.wait_for(state="attached")
        return self.page

    def size(self, width: int, height: int) -> None:
        """Go on in a browser of another size."""
        self.page.set_viewport_size({"width": width, "height": height})

    def go(self, name: str) -> None:
        """Go to a part of the table."""
        self.page.locator(f"nav .tab-{name}").click()

    def stage(self, height: int = 560) -> None:
        """Go to the stage, on a phone that is no taller than what stands there."""
        self.size(TALL[0], height)
        self.go("stage")

    def search(self, *faces: int) -> RollView:
        """A search with dice that show this."""
        roll = self.seat.roll(draft=DRAFT, sheet=self.seat.seat, physical=True)
        return self.seat.enter(roll, list(faces))


def starters(at: Lamplight) -> Locator:
    """What is offered to whoever has no sheet yet."""
    at.sit()
    at.go("sheet")
    return at.page.locator("form.panel", has_text="A digger")


def sheet(at: Lamplight) -> Locator:
    """The sheet, widget by widget."""
    at.seat.do("sheet.create", values=NED)
    at.sit()
    at.go("sheet")
    return at.page.locator(".paper")


def form(at: Lamplight) -> Locator:
    """How a search is asked for, with what the sheet fills in."""
    at.go("roll")
    place = at.page.locator(".roll-scroll")
    place.get_by_text("dice, 5 and 6 are finds").wait_for()
    place.get_by_role("radio", name="spade").check(force=True)
    place.get_by_text("3 dice, 5 and 6 are finds").wait_for()
    return at.page.locator(".builder-controls")


def odds(at: Lamplight) -> Locator:
    """Goal, chance, price and what is drawn."""
    at.size(*DESKTOP)
    at.page.locator(".chance:not([data-waits]) strong").first.wait_for()
    return at.page.locator(".builder-odds")


def choice(at: Lamplight) -> Locator:
    """Where it stands, what is asked, and what each option leads to."""
    at.search(5, 2, 1)
    at.stage(680)
    at.page.locator(".option .option-worth").first.wait_for()
    return at.page.locator(".roll-card .decision").last


def lying(at: Lamplight) -> Locator:
    """Marks on faces, dice that stay and dice that are thrown again."""
    return at.page.locator(".roll-card .felt-tray").last


def ending(at: Lamplight) -> Locator:
    """Verdict, details, what was paid, and what is told."""
    at.page.get_by_role("button", name=re.compile("^Burn oil")).click()
    for face in ("6", "3"):
        group = at.page.get_by_role("group", name="Faces of real dice")
        group.get_by_role("button", name=face, exact=True).click()
    at.page.get_by_role("button", name="Enter").click()
    at.page.locator(".roll-card .told").wait_for()
    return at.page.locator(".roll-card").last


def tokens(at: Lamplight) -> Locator:
    """The same choice as something that is handed out."""
    at.seat.do("sheet.create", values=NED)
    at.search(5, 2, 1)
    at.sit()
    at.stage()
    return at.page.locator(".roll-card .decision").last


def default_sheet(at: Lamplight) -> Locator:
    """What a game without a card gets for a sheet."""
    at.seat.do("sheet.create", values=NED)
    at.sit()
    at.go("sheet")
    return at.page.locator(".paper")


def default_form(at: Lamplight) -> Locator:
    """What a game without a card gets for a form."""
    at.go("roll")
    at.page.locator(".builder-controls .control").first.wait_for()
    return at.page.locator(".builder-controls")


def default_ending(at: Lamplight) -> Locator:
    """What a game without a card says of a roll that has ended."""
    fields = {"game": "plain_lanterns", "roll": "search", "dice": 3}
    roll = at.seat.roll(request=fields, physical=True)
    at.seat.enter(roll, [5, 2, 1])
    at.stage()
    at.page.locator(".roll-card .told").wait_for()
    return at.page.locator(".roll-card").last


def words(at: Lamplight) -> Locator:
    """Dice with looks of their own, and all of it in another language."""
    fields = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "C"}
    roll = at.seat.roll(request={**fields, "ammo_dice": 2}, physical=True)
    at.seat.enter(roll, [3, 4, 6, 1])
    at.sit()
    at.stage(900)
    at.page.locator(".option .option-worth").first.wait_for()
    return at.page.locator(".roll-card").last


Show = Callable[[Lamplight], Locator]
PARTS: tuple[tuple[str, str, dict[str, Show]], ...] = (
    (
        "lanterns",
        "en-GB",
        {
            "starters": starters,
            "sheet": sheet,
            "form": form,
            "odds": odds,
            "choice": choice,
            "lying": lying,
            "ending": ending,
        },
    ),
    ("lantern_tokens", "en-GB", {"tokens": tokens}),
    ("twilight2000", "de-DE", {"words": words}),
    (
        "plain_lanterns",
        "en-GB",
        {
            "default-sheet": default_sheet,
            "default-form": default_form,
            "default-ending": default_ending,
        },
    ),
)


def names() -> list[str]:
    """The files of all pictures."""
    return [f"{name}.png" for _, _, parts in PARTS for name in parts]


def pictures(browser: Browser, address: str, folder: Path) -> Iterator[Path]:
    """Take every picture, one after the other."""
    blank = browser.new_page()
    with Server(address) as server:
        for game, language, parts in PARTS:
            at = Lamplight(browser, server, game, language)
            for name, show in parts.items():
                found = show(at)
                found.wait_for()
                at.page.evaluate("document.activeElement?.blur()")
                found.evaluate("shown => shown.scrollIntoView({ block: 'center' })")
                shot = found.screenshot(animations="disabled", caret="hide")
                path = folder / f"{name}.png"
                path.write_bytes(pressed(blank, shot))
                yield path
            at.person.context.close()
    blank.close()


def main() -> int:
    """Make the pictures of the documentation anew."""
    from tests.page.conftest import made

    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        site = installed(Path(folder))
        return made(lambda browser, address: pictures(browser, address, FOLDER), path=site)


if __name__ == "__main__":
    sys.exit(main())
