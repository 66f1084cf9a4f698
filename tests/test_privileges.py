"""Nothing outside the games' folders knows a game: no name in logic, and no word of its rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game, own_games

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "rollwright"
PAGE = ROOT / "web" / "src"
NAMES = re.compile("|".join(own_games()), re.IGNORECASE)
SURFACES = ("kit", "ask", "cli", "table", "server", "client", "discord", "mcp", "words", "pictures")
TEXTS = (".json", ".toml", ".md", ".txt", ".in", ".html", ".svg")
COMMON = 2
"""A field that so many games have is nobody's own."""

EXAMPLES = {
    ("server/routes/endpoints.py", "SKILL"): "examples of requests in the API's document",
    ("server/routes/endpoints.py", "NAME"): "an example of a name in the API's document",
    ("server/routes/endpoints.py", "OPERATIONS"): "examples of bodies in the API's document",
}
"""Where a game is named in text that the program shows: by module and what is defined there."""


def outside() -> list[Path]:
    """Every module of ours that does not belong to a game."""
    found = [path for path in SOURCE.rglob("*.py") if SOURCE / "games" not in path.parents]
    assert len(found) > 150
    return sorted(found)


def bare(path: Path) -> ast.Module:
    """A module without its docstrings and notes."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [part for part in body if not _is_text(part)]
            node.body = kept or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def texts(path: Path) -> Iterator[tuple[str, str]]:
    """Every other text in a module, with the name of what it helps to define."""
    for node in bare(path).body:
        target = getattr(node, "targets", [getattr(node, "target", node)])[0]
        name = getattr(target, "id", getattr(target, "name", ""))
        for inner in ast.walk(node):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                yield name, inner.value


@pytest.mark.long
def test_no_module_outside_knows_a_game_by_name():
    """In code there are only examples: of the API's document and of help texts, all listed."""
    found = set()
    for path in outside():
        module = path.relative_to(SOURCE).as_posix()
        for name, text in texts(path):
            if NAMES.search(text):
                found.add((module, name))
    assert set(EXAMPLES) == found


HELP = {"command.ask", "refusal.what", "refusal.which_game"}
"""The messages of the command line that show with a game what may be typed."""


def test_nothing_else_outside_knows_a_game_by_name():
    """Words, templates and settings of the package name one in an example of help alone."""
    found = set()
    for path in sorted(SOURCE.rglob("*.*")):
        place = path.relative_to(SOURCE)
        if path.is_file() and path.suffix in TEXTS and not {"games", "page"} & set(place.parts):
            lines = path.read_text("utf-8").splitlines()
            found |= {(place.as_posix(), *_id_of(line)) for line in lines if NAMES.search(line)}
    catalogs = [f"cli/words/{path.name}" for path in (SOURCE / "cli" / "words").glob("*.json")]
    assert {(catalog, id) for catalog in catalogs for id in HELP} == found


def _id_of(line: str) -> list[str]:
    """The id of a message in a line of a catalog."""
    return re.findall(r'^\s*"([\w.]+)":', line)


def test_no_code_outside_imports_a_game():
    """A game is looked up by its name, never imported."""
    pattern = re.compile(rf"games\.({NAMES.pattern})")
    assert [] == [path for path in outside() if any(map(pattern.search, imported(path)))]


def imported(path: Path) -> Iterator[str]:
    """Every name that a module imports, anywhere in it, with where it comes from."""
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if "games" in text else ():
        if isinstance(node, ast.Import | ast.ImportFrom):
            source = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            yield from (f"{source}{name.name}" for name in node.names)


def test_the_page_names_no_game():
    """Neither in code nor in comments, words or styles."""
    files = [path for path in PAGE.rglob("*.*") if path.is_file()]
    assert len(files) > 100
    assert [] == [path.name for path in files if NAMES.search(path.read_text("utf-8"))]


def own_fields() -> set[str]:
    """The fields of requests, sheets and outcomes that only one game has, as it writes them."""
    by_game: dict[str, set[str]] = {}
    for name in own_games():
        game = find_game(name)
        kinds = [*game.requests.values(), game.house, game.sheet]
        found = {field for kind in kinds for field in fields_of(kind)}
        found |= {field for kind in game.requests.values() for field in kind.outcome._fields}
        by_game[name] = found
    every = [field for found in by_game.values() for field in found]
    return {field for field in every if every.count(field) < COMMON and "_" in field}


@pytest.mark.parametrize("room", SURFACES)
def test_no_surface_lists_a_field_of_a_game(room):
    """`rate_of_fire`, `ammo_dice` and their like are written in their game's folder alone."""
    fields = own_fields()
    assert {"rate_of_fire", "ammo_dice", "adrenaline_spent", "luck_points"} <= fields
    for path in sorted((SOURCE / room).rglob("*.py")):
        assert set() == {text for _, text in texts(path)} & fields, path


WORDS = re.compile(r"\b(ammo|adrenaline|luck point|jam(med)?|push(es|ed)?|edges?|bullets?)\b", re.I)


def test_the_page_decides_nothing_by_a_word_of_a_game():
    """No text or pattern in its code is such a word, but for signs that any game may use."""
    found = {}
    for path in PAGE.rglob("*.ts*"):
        if path.parent.name == "i18n" or path.name == "shapes.ts":
            continue
        bare = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.S)
        texts = re.findall(r"""["'`]([^"'`\n]*)["'`]|/\^?\(?([\w|?-]+)\)?\$?/""", bare)
        words = {word for pair in texts for word in pair if word and WORDS.fullmatch(word)}
        words |= {m.group(0) for m in re.finditer(r"/\^?\([^/\n]*\)/", bare) if WORDS.search(m[0])}
        if words:
            found[path.name] = words
    assert {"marks.ts": {"bullet"}, "SeatStyle.tsx": {"bullet"}} == found
