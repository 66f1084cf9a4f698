"""The packages: what each may import, how large one gets, and no way in a circle.

`docs/design.md` has the picture. A package may import what stands before it in the list here, and
nothing after it; what only a type checker reads does not count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"

LAYERS = [
    "i18n.messages",
    "errors budget ranks jsonable timeouts hooks",
    "i18n",
    "arithmetic dice readings",
    "exact",
    "source_files",
    "hands dice_order",
    "engine rules",
    "notation",
    "anydice",
    "pictures",
    "kit",
    "api",
    "game",
    "games demo",
    "gamecheck scaffold file_games",
    "table",
    "queries",
    "sweeps",
    "server.json_codec",
    "workers",
    "client",
    "discord",
    "mcp",
    "server.storage",
    "server.answers server.settings server.limits server.responses server.tokens",
    "server.live",
    "server.access server.middleware",
    "server.bans server.keys server.administration",
    "server.logs server.metrics server.maintenance",
    "server.routes",
    "server.app",
    "server.process server.listener server.network",
    "workbench",
    "cli",
]
"""From the ground up; packages in one line may import each other."""

LOOKED_UP = {
    ("i18n.messages", "i18n"): "a message finds its text when somebody reads it, not before",
    ("arithmetic", "exact"): "what is written with dice as with numbers is counted at once",
    ("engine", "kit"): "a stored roll names its game, which is looked up when it is read",
    ("engine", "notation"): "a stored roll may be of an expression",
    ("kit", "api"): "house rules are measured by counting, when somebody asks what they change",
    ("exact", "pictures"): "a notebook shows a distribution as a picture",
}
"""Imports against the order, all inside functions: each with its reason."""

MOST_MODULES = 20


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted((SOURCE / "rollwright").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def imported(name: str) -> tuple[tuple[str, bool], ...]:
    """What a module imports, and whether that happens inside a function."""
    return tuple(_imported(name))


def _imported(name: str) -> Iterator[tuple[str, bool]]:
    path = modules()[name]
    tree = ast.parse(path.read_text("utf-8"))
    top = {id(node) for node in tree.body}
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        inside = id(node) not in top
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, inside
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
                base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [base])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield (whole if whole in modules() else base), inside


def package_of(name: str) -> str:
    """Return the package a module belongs to: the longest name that is listed."""
    parts = name.split(".")[1:]
    for length in range(len(parts), 0, -1):
        package = ".".join(parts[:length])
        if package in PLACES:
            return package
    return ""


PLACES = {package: place for place, line in enumerate(LAYERS) for package in line.split()}


def test_every_module_belongs_to_a_package():
    """No module stands alone but the entry points and the packages themselves."""
    unplaced = {name for name in modules() if not package_of(name)}
    assert {"rollwright", "rollwright.__main__", "rollwright.server"} == unplaced


@pytest.mark.parametrize("name", sorted(modules()))
def test_a_package_imports_only_what_is_below_it(name):
    """Also inside functions, but for the few that are listed with a reason."""
    here = package_of(name)
    if not here:
        return
    for other, inside in imported(name):
        there = package_of(other) if other.startswith("rollwright") else ""
        if not there or PLACES[there] <= PLACES[here]:
            continue
        reached = (here, there, inside)
        assert reached in {(*pair, True) for pair in LOOKED_UP}, f"{name} imports {other}"


def test_every_exception_is_still_needed():
    """What is no longer looked up is no longer excused."""
    used = {
        (package_of(name), package_of(other))
        for name in modules()
        for other, _ in imported(name)
        if other.startswith("rollwright.")
    }
    assert set() == set(LOOKED_UP) - used


def test_nothing_imports_in_a_circle():
    """Not at the top of modules, nor inside functions but along the listed exceptions."""
    graph = {
        name: {
            other
            for other, _ in imported(name)
            if other in modules() and (package_of(name), package_of(other)) not in LOOKED_UP
        }
        for name in modules()
    }
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name not in done:
            for other in sorted(graph[name] - {name}):
                visit(other, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def test_no_package_is_a_heap():
    """A folder holds no more than so many modules; beyond that it is several packages."""
    folders = {path.parent for path in modules().values()}
    sizes = {str(folder.relative_to(SOURCE)): len(list(folder.glob("*.py"))) for folder in folders}
    assert {} == {name: size for name, size in sizes.items() if size > MOST_MODULES}


def test_each_package_has_one_row_in_the_picture():
    """The table in the design page names every package once, and none that is not there."""
    page = (ROOT / "docs" / "design.md").read_text("utf-8")
    table = page.partition("| package | what is in it |")[2].partition("\n\n")[0]
    named = [
        package
        for row in table.splitlines()[2:]
        for package in re.findall(r"`([^`]+)`", row.split("|")[1])
    ]
    assert len(set(named)) == len(named)
    packages = {
        path.parent.relative_to(SOURCE / "rollwright").as_posix() + "/"
        for path in modules().values()
        if path.name == "__init__.py" and "games" not in path.parts
    }
    missing = packages - set(named) - {"./", "server/", "cli/commands/"}
    assert {one for one in missing if "migrations" not in one} == set()
