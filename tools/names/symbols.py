"""Where symbols are defined in Python and TypeScript."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
SOURCES = {"rollwright": ROOT / "src/rollwright"}
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


class Definition(NamedTuple):
    """The place of a name where it is defined."""

    path: Path
    line: int
    column: int


@cache
def list_modules() -> dict[str, Path]:
    """Return every Python module whose names may be renamed, by its dotted name."""
    modules = {}
    for folder in SOURCES.values():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            modules[".".join(parts).removesuffix(".__init__")] = path
    return modules


@cache
def list_definitions(path: Path) -> dict[str, tuple[Definition, ...]]:
    """Return the definitions of a Python file, by `Class.method` and `function(parameter)`."""
    lines = path.read_text("utf-8").split("\n")
    places: dict[str, list[Definition]] = {}
    for name, line, offset in _names(ast.parse("\n".join(lines)).body, "", lines):
        text = lines[line - 1].encode()[:offset].decode()
        place = Definition(path, line - 1, len(text.encode("utf-16-le")) // 2)
        places.setdefault(name, []).append(place)
    return {name: tuple(found) for name, found in places.items()}


def _names(body: list[ast.stmt], outer: str, lines: list[str]) -> Iterator[tuple[str, int, int]]:
    for node in body:
        if isinstance(node, ast.ClassDef | FUNCTIONS):
            word = "class" if isinstance(node, ast.ClassDef) else "def"
            start = re.compile(rf"\b{word}\s+").search(lines[node.lineno - 1], node.col_offset)
            assert start
            yield (
                outer + node.name,
                node.lineno,
                len(lines[node.lineno - 1][: start.end()].encode()),
            )
            if isinstance(node, FUNCTIONS):
                arguments = node.args
                for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                    yield (
                        f"{outer}{node.name}({argument.arg})",
                        argument.lineno,
                        argument.col_offset,
                    )
            yield from _names(node.body, f"{outer}{node.name}.", lines)
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            for each in ast.walk(target) if isinstance(target, ast.AST) else ():
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    yield outer + each.id, each.lineno, each.col_offset
                elif isinstance(each, ast.Attribute) and ast.unparse(each.value) == "self":
                    column = (each.end_col_offset or 0) - len(each.attr.encode())
                    owner = outer.rpartition(".")[0].rpartition(".")[0]
                    yield f"{owner}.{each.attr}", each.end_lineno or each.lineno, column
        for field in ("body", "orelse", "finalbody"):
            yield from _names(getattr(node, field, []), outer, lines)
        for handler in getattr(node, "handlers", ()):
            yield from _names(handler.body, outer, lines)


def find_in_typescript(path: Path, name: str) -> Definition | None:
    """Return where a TypeScript file defines a name, or `Class.member`."""
    owner, _, member = name.rpartition(".")
    lines = path.read_text("utf-8").split("\n")
    pattern = rf"\b(?:function\*?|const|let|class|interface|type|enum)\s+({re.escape(member)})\b"
    begin = 0
    if owner:
        place = find_in_typescript(path, owner)
        if not place:
            return None
        begin = place.line + 1
        words = r"(?:private |public |protected |readonly |static |async |get |set |override )*"
        pattern = rf"^\s+{words}[*#]?({re.escape(member)})\b\s*[(:=?<!;]"
    for number, line in enumerate(lines[begin:], begin):
        if found := re.search(pattern, line):
            return Definition(path, number, len(line[: found.start(1)].encode("utf-16-le")) // 2)
    return None
