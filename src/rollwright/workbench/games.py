"""Games at the workbench: requests as code to be changed, and packages to be installed."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rollwright.errors import BadField, UnknownName
from rollwright.i18n.messages import Message
from rollwright.kit.games import Game, find_game, from_plain
from rollwright.kit.requests import Request, to_plain
from rollwright.scaffold import check_name, template
from rollwright.workbench import prelude, texts
from rollwright.workbench.problems import HOME
from rollwright.workbench.programs import Loaded, load
from rollwright.workbench.rules import NAME

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.workbench.kinds import CodeQuery, Package
    from rollwright.workbench.shapes import CodeAnswer, PackageAnswer

WIDTH = 88


def code(question: CodeQuery, budget: Budget) -> CodeAnswer:
    """A request of a game as a program."""
    return {"text": code_for(question.request)}


def code_for(plain: Mapping[str, Any]) -> str:
    """A request of a game, or dice, as a program that can be changed.

    >>> print(code_for({"expression": "4d6kh3"}))
    4d6kh3
    <BLANKLINE>
    """
    if "expression" in plain:
        return f"{plain['expression']}\n"
    request = from_plain(plain)
    game = find_game(request.game)
    name = request.roll if request.roll.isidentifier() and request.roll != "game" else "request"
    if game.package == NAME:
        call = _call_here(game, request)
        return f"{call}\nrw.roll({call})\n" if game.name == NAME else _code_of(game, name, call)
    found = f'game = find_game("{game.name}")\n'
    return found + _code_of(
        game, name, _call("game.request", request, [_format_value(request.roll)])
    )


def _code_of(game: Game, name: str, call: str) -> str:
    """A request under a name, with its odds, what to do, and a roll."""
    advice = f"rw.advise({name})\n" if game.policies and game.goals else ""
    return f"{name} = {call}\n\nrw.odds({name})\n{advice}rw.roll({name})\n"


def _call_here(game: Game, request: Request) -> str:
    """A rule or a request of the program itself, as it is called there."""
    called = request.roll if game.name == NAME else type(request).__name__
    return _call(called, request, [])


def _call(called: str, request: Request, first: list[str]) -> str:
    """A call with the fields that were said, in one line if it fits."""
    held = {name: one for name, one in to_plain(request).items() if name not in ("game", "roll")}
    given = [*first, *(f"{name}={_format_value(one)}" for name, one in held.items())]
    short = f"{called}({', '.join(given)})"
    if len(short) <= WIDTH:
        return short
    lines = "".join(f"    {one},\n" for one in given)
    return f"{called}(\n{lines})"


def _format_value(held: Any) -> str:
    """A value as Python writes it, with the quotation marks of the rest."""
    if isinstance(held, str):
        text = repr(held)
        return f'"{text[1:-1]}"' if text[0] == "'" and '"' not in text else text
    if isinstance(held, list):
        return f"[{', '.join(map(_format_value, held))}]"
    if isinstance(held, dict):
        pairs = [f"{_format_value(name)}: {_format_value(one)}" for name, one in held.items()]
        return f"{{{', '.join(pairs)}}}"
    return repr(held)


def package(question: Package, budget: Budget) -> PackageAnswer:
    """The game of a program as a folder that can be installed."""
    name, files = package_of(load(question.text, budget), question.game or "")
    return {
        "name": name,
        "files": [{"path": path, "content": text} for path, text in files.items()],
    }


def package_of(loaded: Loaded, name: str = "") -> tuple[str, dict[str, str]]:
    """Return the name and the files of a game's folder: the named one's, or the first one's."""
    if loaded.problems:
        raise BadField("text", Message("package.wrong", {}, HOME))
    if not loaded.games:
        would_do = "game = Game(…)"
        raise BadField("text", Message("package.none", {}, HOME), would_do=would_do)
    known = {game.name: game for game in loaded.games}
    if name and name not in known:
        raise UnknownName("game", name, known)
    game = known[name] if name else loaded.games[0]
    check_name(game.name)
    held = [name for name, one in vars(loaded.module).items() if one is game]
    kept = f"\n\ngame = {held[0]}\n" if "game" not in held else ""
    return game.name, {
        "pyproject.toml": template("pyproject.toml.txt", game.name),
        "README.md": _readme(game),
        f"{game.name}/__init__.py": module_text(loaded.text) + kept,
        f"tests/test_{game.name}.py": TEST.format(name=game.name, title=game.title),
    }


TEST = '''\
"""What is known of {title}."""

from rollwright.gamecheck import check
from rollwright.kit import add_game

from {name} import game

add_game(game)


def test_the_game_is_sound():
    """All that `rollwright check {name}` looks at."""
    report = check(game)
    assert [] == report.faults
    assert [] == report.omissions
'''


def _readme(game: Game) -> str:
    return (
        f"# {game.title}\n\n{game.summary}\n\n"
        "A game for Rollwright: rules once, then rolled, counted, advised on and played at "
        "tables.\n\n"
        f"    pip install -e .[test]\n    rollwright check {game.name}\n    pytest\n"
    )


def module_text(text: texts.ProgramText) -> str:
    """The Python of a program as a module: with imports for its words, without what it shows."""
    tree = ast.parse(text.python)
    lines = text.python.split("\n")
    first = 1 if ast.get_docstring(tree) is not None else 0
    shows = [node for node in tree.body[first:] if isinstance(node, ast.Expr)]
    for node in shows:
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            lines[number - 1] = ""
    kept = [node for node in tree.body if node not in shows]
    place = _after_opening(tree)
    opening, rest = "\n".join(lines[:place]).strip(), "\n".join(lines[place:]).strip("\n")
    imports = "\n".join(_imports(ast.Module(kept, [])))
    return "\n\n".join(part for part in (opening, imports, rest) if part) + "\n"


def _after_opening(tree: ast.Module) -> int:
    """Return the line after the docstring and what must come before all imports."""
    end = 0
    for place, node in enumerate(tree.body):
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if is_future or (place == 0 and ast.get_docstring(tree) is not None):
            end = node.end_lineno or node.lineno
    return end


def _imports(tree: ast.Module) -> Iterator[str]:
    """Imports for the words that a program has without one."""
    named = {node.id: node.ctx for node in ast.walk(tree) if isinstance(node, ast.Name)}
    own = {name for node in tree.body for name in _assigned_names(node)}
    homes: dict[str, list[str]] = {}
    for name in sorted(set(named) - own - set(vars(builtins))):
        if (home := prelude.home_of(name)) is not None:
            homes.setdefault(home, []).append(name)
    for home, names in sorted(homes.items()):
        yield (
            "import rollwright as rw" if home == "rw" else f"from {home} import {', '.join(names)}"
        )


def _assigned_names(node: ast.AST) -> Iterator[str]:
    """The names that a statement gives something to."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    else:
        stores = (one for one in ast.walk(node) if isinstance(one, ast.Name))
        yield from (one.id for one in stores if isinstance(one.ctx, ast.Store))
