"""Code that tells dice of one throw apart by which of them comes first.

They lie in a hand lowest first, whichever was thrown first. So code that gives each of them a name,
or pairs them with others, means something else than it says, unless it would come to the same with
its names exchanged: `a, b = hand` and then `a == b`, `a + b` or `a == 6 or b == 6`. That is read in
the author's file, where some instruction of Python was made from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from types import CodeType
from typing import Any, NamedTuple

from rollwright.source_files import tree_of_file

ORDERLESS = {
    *("max", "min", "sum", "sorted", "set", "frozenset", "any", "all", "len", "abs", "Counter"),
    *("print", "format"),
}
"""Functions that do not tell what they are given apart by its order, or only show it."""
PAIRING = {"zip", "zip_longest"}
HIGHER = {"max", "min"}
_GOING_OVER = PAIRING | {"map"}


class Use(NamedTuple):
    """Uses of dice in some order."""

    line: int
    names: tuple[str, ...] = ()
    """The names that they are given."""
    callee: str = ""
    """The function that they are handed to."""
    adds: bool = False
    """Whether the order matters only if adding up does, as it does to words."""


def ordering(code: CodeType, instruction: int) -> Use | None:
    """Return what code does with the dice of a hand where their order could matter."""
    does = _instruction(code, instruction)
    if does.startswith("UNPACK_"):
        return _unpacking(code, instruction)
    if does == "CALL_FUNCTION_EX" or ("CALL" in does and not _GOING_OVER.isdisjoint(code.co_names)):
        return _handing_on(code, instruction)
    return None


def comparing(code: CodeType, instruction: int) -> Use | None:
    """Return how code compares hands: by itself, or by a call of `max` or `min` without a key."""
    does = _instruction(code, instruction)
    if does.startswith("COMPARE_"):
        return Use(code.co_firstlineno)
    if "CALL" in does and not HIGHER.isdisjoint(code.co_names):
        line, found = _at(code, instruction, (ast.Call,))
        call: Any = found and found[0]
        name = _name_of(call.func) if call else ""
        if name in HIGHER and "key" not in [one.arg for one in call.keywords]:
            return Use(line, callee=name)
    return None


def _instruction(code: CodeType, instruction: int) -> str:
    from opcode import opname

    return opname[code.co_code[instruction]] if instruction >= 0 else ""


def _unpacking(code: CodeType, instruction: int) -> Use | None:
    """Return the names that dice are given, unless exchanging them changes nothing."""
    line, found = _at(code, instruction, (ast.Tuple, ast.List))
    if not found:
        return Use(line)
    target: Any = found[0]
    names = tuple([each.id for each in target.elts if isinstance(each, ast.Name)])
    use = Use(line, names)
    scope = next(one for one in found if isinstance(one, _SCOPES))
    if len(names) < len(target.elts) or not _are_stored_once(scope, names):
        return use
    if _is_alike(scope, names, adds=False):
        return None
    return use._replace(adds=True) if _is_alike(scope, names, adds=True) else use


def _handing_on(code: CodeType, instruction: int) -> Use | None:
    """Return the function that a hand is handed to, if that is one to which its order matters."""
    line, found = _at(code, instruction, (ast.Call,))
    if not found:
        return None
    call: Any = found[0]
    name, args = _name_of(call.func), call.args
    if (name in PAIRING and len(args) > 1) or (name == "map" and len(args) > 2):
        return Use(line, callee=name)
    starred = len(args) == 1 and isinstance(args[0], ast.Starred)
    return Use(line, callee=name) if starred and name not in ORDERLESS else None


def _name_of(function: ast.expr) -> str:
    return getattr(function, "id", "") or getattr(function, "attr", "")


# --- where an instruction was made from ---

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)


def _at(code: CodeType, instruction: int, kinds: tuple[type, ...]) -> tuple[int, list[ast.AST]]:
    """The line of an instruction, and the node that it was made from with all that it stands in.

    The innermost comes first; there are none if its file is not to be had.
    """
    place = next(islice(code.co_positions(), instruction // 2, None), (None,) * 4)
    line = place[0] or code.co_firstlineno
    tree = tree_of_file(code.co_filename)
    if tree is None or None in place:
        return line, []
    return line, _path_to(tree, place, kinds)


def _path_to(node: ast.AST, place: Sequence[int | None], kinds: tuple[type, ...]) -> list[ast.AST]:
    for child in ast.iter_child_nodes(node):
        first, last = getattr(child, "lineno", None), getattr(child, "end_lineno", None)
        if first is not None and not first <= place[0] <= last:  # type: ignore[operator]
            continue
        found = _path_to(child, place, kinds)
        if not found and isinstance(child, kinds) and _place_of(child) == place:
            found = [child]
        if found:
            return [*found, node]
    return []


def _place_of(node: ast.AST) -> tuple[int, ...]:
    return (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)  # type: ignore[attr-defined]


# --- whether names may be exchanged ---


def _are_stored_once(scope: ast.AST, names: Sequence[str]) -> bool:
    stored: list[str] = []
    for node in ast.walk(scope):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stored.append(node.id)
        elif isinstance(node, ast.arg):
            stored.append(node.arg)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            stored += [*node.names, *node.names]
    return all(stored.count(name) == 1 for name in names)


def _is_alike(node: ast.AST, names: Sequence[str], *, adds: bool) -> bool:
    """Whether names are used only where exchanging them changes nothing."""
    if isinstance(node, ast.Name):
        return node.id not in names or isinstance(node.ctx, ast.Store)
    if isinstance(node, (ast.If, ast.IfExp)) and _says_equal(node.test, names):
        rest = node.orelse if isinstance(node.orelse, list) else [node.orelse]
        return all([_is_alike(child, names, adds=adds) for child in rest])
    if isinstance(node, ast.expr) and _mentions(node, names) and _is_symmetric(node, names, adds):
        return True
    return all([_is_alike(child, names, adds=adds) for child in ast.iter_child_nodes(node)])


def _says_equal(test: ast.expr, names: Sequence[str]) -> bool:
    """Whether a test holds only where all names are the same, so that any may be used."""
    if not isinstance(test, ast.Compare) or any(not isinstance(op, ast.Eq) for op in test.ops):
        return False
    sides = [test.left, *test.comparators]
    return {*names} <= {side.id for side in sides if isinstance(side, ast.Name)}


def _mentions(node: ast.AST, names: Sequence[str]) -> bool:
    return any(
        isinstance(one, ast.Name) and one.id in names and isinstance(one.ctx, ast.Load)
        for one in ast.walk(node)
    )


def _is_symmetric(node: ast.expr, names: Sequence[str], adds: bool) -> bool:
    """Whether an expression stays the same whichever two names are exchanged."""
    if any(isinstance(one, (ast.Await, ast.NamedExpr)) for one in ast.walk(node)):
        return False  # what is done first may change what comes after it
    plain = _NormalForm({}, adds).of(node)
    for one, other in pairwise(names):
        if _NormalForm({one: other, other: one}, adds).of(node) != plain:
            return False
    return True


class _NormalForm:
    """How an expression is written with other names, and with what has no order sorted."""

    def __init__(self, names: dict[str, str], adds: bool) -> None:
        self._names = names
        self._added = (ast.Add, ast.Mult, ast.BitOr, ast.BitAnd, ast.BitXor) if adds else ()

    def of(self, node: ast.AST) -> str:
        """The text, which is the same for expressions that come to the same."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id, node.id)
        if isinstance(node, ast.BinOp) and isinstance(node.op, self._added):
            return self._sort_texts(type(node.op).__name__, self._leaves(node, type(node.op)))
        if isinstance(node, ast.BoolOp) and all(map(_is_truth, node.values)):
            return self._sort_texts(type(node.op).__name__, node.values)
        if isinstance(node, ast.Compare):
            kinds = {type(op) for op in node.ops}
            if kinds == {ast.Eq} or (kinds == {ast.NotEq} and len(node.ops) == 1):
                return self._sort_texts(kinds.pop().__name__, [node.left, *node.comparators])
        if isinstance(node, ast.Set):
            return self._sort_texts("Set", node.elts)
        if isinstance(node, ast.Call):
            found = self._call_text(node)
            if found is not None:
                return found
        parts = [
            self.of(part) if isinstance(part, ast.AST) else repr(part)
            for _, value in ast.iter_fields(node)
            for part in (value if isinstance(value, list) else [value])
        ]
        return f"{type(node).__name__}({', '.join(parts)})"

    def _call_text(self, node: ast.Call) -> str | None:
        """A call of a function to which the order of what it is given does not matter."""
        function, args = node.func, node.args
        counted = function.value if isinstance(function, ast.Attribute) else None
        if isinstance(counted, (ast.Tuple, ast.List)) and function.attr == "count" and args:  # type: ignore[attr-defined]
            return f"{self._sort_texts('count', counted.elts)} {self.of(args[0])}"
        if not isinstance(function, ast.Name) or function.id not in ORDERLESS or node.keywords:
            return None
        if function.id == "abs" and len(args) == 1:
            (value,) = args
            if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub):
                return self._sort_texts("abs", [value.left, value.right])
        if function.id in HIGHER and len(args) > 1:
            return self._sort_texts(function.id, args)
        if function.id in ("print", "format", "abs") or len(args) != 1:
            return None
        (items,) = args
        if isinstance(items, (ast.Tuple, ast.List)):
            return self._sort_texts(function.id, items.elts)
        if isinstance(items, (ast.GeneratorExp, ast.ListComp)) and len(items.generators) == 1:
            first = items.generators[0]
            if isinstance(first.iter, (ast.Tuple, ast.List)):
                rest = [self.of(part) for part in (items.elt, first.target, *first.ifs)]
                return f"{self._sort_texts(function.id, first.iter.elts)} {rest}"
        return None

    def _leaves(self, node: ast.expr, kind: type) -> Iterator[ast.expr]:
        if isinstance(node, ast.BinOp) and type(node.op) is kind:
            yield from self._leaves(node.left, kind)
            yield from self._leaves(node.right, kind)
        else:
            yield node

    def _sort_texts(self, what: str, nodes: Sequence[ast.AST] | Iterator[ast.AST]) -> str:
        return f"{what}<{', '.join(sorted(map(self.of, nodes)))}>"


def _is_truth(node: ast.expr) -> bool:
    """Whether an expression is true or false and nothing else."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_truth, node.values))
    return isinstance(node, ast.Compare) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )
