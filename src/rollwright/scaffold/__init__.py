"""A game to begin with: a folder with rules, card, words and a test, which works as it is."""

from __future__ import annotations

import re
from pathlib import Path

from rollwright.errors import BadField
from rollwright.kit.games import list_games
from rollwright.kit.registration import GAME_API

NAME = re.compile(r"[a-z][a-z0-9_]*[a-z0-9]")
TEMPLATE = Path(__file__).parent / "template"
PLACES = {
    "pyproject.toml.txt": "pyproject.toml",
    "readme.md.txt": "README.md",
    "init.py.txt": "{name}/__init__.py",
    "rules.py.txt": "{name}/rules.py",
    "sheet.py.txt": "{name}/sheet.py",
    "card.py.txt": "{name}/card.py",
    "test_game.py.txt": "tests/test_{name}.py",
}
"""By the file of the template where it comes to lie; none is code of Rollwright's own."""
PLACES |= {f"words/{one.name}": f"{{name}}/words/{one.name}" for one in TEMPLATE.glob("words/*")}


def write_game(name: str, into: Path) -> Path:
    """Write the folder of a new game into another; whatever is there already is left alone."""
    check_name(name)
    if name in list_games():
        raise BadField("name", f"there is a game {name!r} already", would_do="another name")
    folder = into / name
    if folder.exists():
        raise BadField("name", f"{folder} is there already", would_do="another name or --into")
    for source, place in PLACES.items():
        file = folder / place.format(name=name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(template(source, name), "utf-8", newline="\n")
    return folder


def check_name(name: str) -> None:
    """Refuse what cannot be the name of a package."""
    if not NAME.fullmatch(name):
        would_do = "small letters, digits and _, such as night_ferry"
        raise BadField("name", f"{name[:40]!r} is no name of a package", would_do=would_do)


def template(source: str, name: str) -> str:
    """A file of a new game, with the game's name in it."""
    return _insert_name((TEMPLATE / source).read_text("utf-8"), name)


def _insert_name(text: str, name: str) -> str:
    """The text of a template with the name of a game, in each way that it is written."""
    said = name.replace("_", " ").title()
    ways = {
        "my_game": name,
        "my-game": name.replace("_", "-"),
        "My Game": said,
        "MyGame": said.replace(" ", ""),
        "MYGAME": name.replace("_", "").upper()[:8],
        "GAME_API": str(GAME_API),
    }
    for way, instead in ways.items():
        text = text.replace(way, instead)
    return text
