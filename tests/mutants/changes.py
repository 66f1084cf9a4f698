"""What is changed: every mutant of a module, and functions that are given a mutant's code."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

NO_RULES = {"__init__", "card", "drafts", "form", "forms", "gunnery", "paper", "questions"}
NO_RULES |= {"requests", "sheet", "starters", "story", "theme", "widgets"}
"""Modules of a game that show, ask and keep what the others compute."""
TABLE = "table"
"""The part of the project that is tried like a game: `rollwright.table`."""
DESCRIPTIONS = {"preset", "field", "switch", "Shows", "rulebook_of", "lru_cache", "_amounts"}
DESCRIPTIONS |= {"words_of"}
"""Calls that describe a field, a switch, a cache or words: limits and examples are no rules."""
KINDS = {
    "ReplaceBinaryOperator": {"Add_Sub", "Add_Mul", "Sub_Add", "Sub_Mul", "Mul_Add", "Mul_FloorDiv"}
    | {"FloorDiv_Mul", "FloorDiv_Mod", "Mod_FloorDiv", "Pow_Mul", "BitOr_BitAnd", "BitAnd_BitOr"},
    "ReplaceComparisonOperator": {"Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is"}
    | {"Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_LtE", "GtE_Gt", "GtE_Lt"},
    "ReplaceUnaryOperator": {"USub_UAdd", "Delete_USub", "Delete_Not"},
    "RemoveDecorator": set[str](),
}
"""Of operators that could become any other one, what they become: the border moves, or it turns."""


class Mutant(NamedTuple):
    """One change of one module."""

    module: str
    kind: str
    occurrence: int
    line: int

    @property
    def path(self) -> Path:
        return Path(self.module)

    def source(self) -> str:
        """The module with the change in it."""
        changed = mutate_code(self.path.read_text("utf-8"), _operator(self.kind), self.occurrence)
        assert changed is not None
        return str(changed)

    def __str__(self) -> str:
        before = self.path.read_text("utf-8").splitlines()
        after = self.source().splitlines()
        pairs = zip(before, after, strict=False)
        changed = next(((a, b) for a, b in pairs if a != b), ("", ""))
        told = "".join(f"\n    {sign} {text.strip()}" for sign, text in zip("-+", changed))
        return f"{self.module}:{self.line} {self.kind} {self.occurrence}{told}"


def _operator(kind: str) -> Any:
    return get_operator(f"core/{kind}")()


def kinds() -> Iterator[str]:
    """The kinds of change that are made."""
    for name in sorted(name.removeprefix("core/") for name in operator_names()):
        family, _, change = name.partition("_")
        if not get_operator(f"core/{name}").arguments() and change in KINDS.get(family, {change}):
            yield name


def folder_of(part: str) -> Path:
    """Where the modules of a game lie, or those of the table."""
    return Path("src/rollwright", *([TABLE] if part == TABLE else ["games", part]))


def modules_of(part: str) -> list[Path]:
    """The modules that compute the rules of a game, or what a table does and whether it is true."""
    found = folder_of(part).rglob("*.py")
    return sorted(path for path in found if path.stem not in NO_RULES)


def mutants_of(module: Path) -> Iterator[Mutant]:
    """Every change of a module in what it computes."""
    source = module.read_text("utf-8")
    nodes = list(ast_nodes(get_ast(source)))
    described = list(_described(ast.parse(source)))
    for kind in kinds():
        operator = _operator(kind)
        places = (place for node in nodes for place in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(places):
            mutant = Mutant(module.as_posix(), kind, occurrence, start[0])
            if not any(begin <= start < end for begin, end in described) and _is_code(mutant):
                yield mutant


def _is_code(mutant: Mutant) -> bool:
    """Whether it can be read: stars before arguments are no operators, `not a := b` is nothing."""
    if not any(kind in mutant.kind for kind in ("Pow", "Mul_", "AddNot")):
        return True
    try:
        return bool(ast.parse(mutant.source()))
    except SyntaxError:
        return False


def _described(tree: ast.AST) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where types, descriptions of fields and texts stand: none of them computes anything."""
    for node in ast.walk(tree):
        found: list[ast.AST | None] = [getattr(node, "annotation", None)]
        found.append(getattr(node, "returns", None))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found += [node] if node.func.id in DESCRIPTIONS else []
        if isinstance(node, ast.keyword) and node.arg == "strict":  # a guard against ourselves
            found.append(node.value)
        if isinstance(node, ast.FunctionDef) and node.name in ("__str__", "__repr__"):
            found += node.body
        for part in found:
            if isinstance(part, ast.expr | ast.stmt) and part.end_lineno and part.end_col_offset:
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)


class Around(NamedTuple):
    """The lines in which a mutant inside of a function lies."""

    function: range
    """Of the outermost function's body: what that has made so far may hold what was changed."""
    statement: range
    """Of the innermost statement; all of a function's for its own line, where defaults stand."""


def lines_around(mutant: Mutant) -> Around | None:
    """Where a mutant lies; None outside of functions."""
    inner: ast.AST = ast.parse(mutant.path.read_text("utf-8"))
    outermost = around = None
    while deeper := next((one for one in _statements(inner) if mutant.line in _lines(one)), None):
        inner = deeper
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            around = _lines(inner)
            outermost = outermost or range(inner.body[0].lineno, around.stop)
        elif around:
            head = range(inner.lineno, getattr(inner, "body", [inner])[0].lineno)
            around = head if mutant.line in head else _lines(inner)
    return Around(outermost, around) if outermost and around else None


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements directly below: those below an except or a case among them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from _statements(child)


def _lines(statement: ast.stmt) -> range:
    return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


def exchanged(before: CodeType, after: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The functions whose code differs, outermost first; None where it is not inside of one."""
    inner = [
        [part for part in code.co_consts if isinstance(part, CodeType)] for code in (before, after)
    ]
    if before.co_code != after.co_code or len(inner[0]) != len(inner[1]):
        return None
    rest = [
        [part for part in code.co_consts if not isinstance(part, CodeType)]
        for code in (before, after)
    ]
    if repr(rest[0]) != repr(rest[1]) or before.co_names != after.co_names:
        return None
    found = []
    for one, other in zip(*inner, strict=True):
        if one == other:
            continue
        if one.co_flags & 0x2:  # it has variables of its own, as functions do and classes do not
            found.append((one, other))
        elif (deeper := exchanged(one, other)) is None:
            return None
        else:
            found += deeper
    return found


Alive = dict[tuple[str, str, int], list[FunctionType]]
"""Functions by file, name and line."""


def alive(folder: Path) -> Alive:
    """The functions of this process that were made from the files of a folder."""
    gc.unfreeze()  # the tests hide what was imported from the search for garbage
    found: Alive = {}
    for function in gc.get_objects():
        if type(function) is FunctionType:
            code = function.__code__
            if code.co_filename.startswith(str(folder.resolve())):
                place = (code.co_filename, code.co_qualname, code.co_firstlineno)
                found.setdefault(place, []).append(function)
    gc.freeze()
    return found


def exchange(mutant: Mutant, functions: Alive) -> bool:
    """Give the functions of this process the mutant's code; False where that is not enough."""
    path = str(mutant.path.resolve())
    codes = [
        compile(source, path, "exec", dont_inherit=True)
        for source in (mutant.path.read_text("utf-8"), mutant.source())
    ]
    pairs = exchanged(*codes)
    if not pairs:
        return False
    for before, after in pairs:
        place = (path, before.co_qualname, before.co_firstlineno)
        made = [one for one in functions.get(place, ()) if one.__code__ == before]
        if not made or before.co_freevars != after.co_freevars:
            return False
        for function in made:
            function.__code__ = after
    return True
