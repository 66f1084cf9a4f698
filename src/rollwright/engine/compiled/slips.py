"""Slips that can be seen in the source of a rule, and that would be counted without a word."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from rollwright.engine.compiled.refusal import CannotCompile
from rollwright.engine.compiled.source import tree_of
from rollwright.errors import Misuse

COROUTINE = 0x80
"""The flag of the code of an async function."""
SIGNS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def refuse_slips_of(code: CodeType, scope: dict[str, Any]) -> None:
    """Look at the source of a function, if it is to be had."""
    try:
        tree = tree_of(code, scope)
    except CannotCompile:
        return
    refuse_slips(tree, scope)


def refuse_slips(tree: ast.AsyncFunctionDef, scope: dict[str, Any]) -> None:
    """Refuse async functions that are called and not awaited, and equal dice told apart."""
    for node in ast.walk(tree):
        for call in _thrown_away(node):
            if isinstance(call.func, ast.Name) and _is_async(scope.get(call.func.id)):
                name = call.func.id
                raise Misuse(
                    f"line {call.lineno}: {name}(…) is an async function that is called and not "
                    f"awaited, so nothing happens: write `await {name}(…)`"
                )
    _refuse_order(tree)


def _is_async(value: object) -> bool:
    return isinstance(value, FunctionType) and bool(value.__code__.co_flags & COROUTINE)


def _thrown_away(node: ast.AST) -> Iterator[ast.Call]:
    """Yield calls whose result is left lying, or is taken for what it is not."""
    found: list[ast.expr] = []
    if isinstance(node, ast.Expr):
        found = [node.value]
    elif isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        found = [node.test]
    elif isinstance(node, ast.BoolOp):
        found = node.values
    elif isinstance(node, ast.UnaryOp):
        found = [node.operand]
    elif isinstance(node, ast.Compare):
        found = [node.left, *node.comparators]
    elif isinstance(node, ast.BinOp):
        found = [node.left, node.right]
    for each in found:
        if isinstance(each, ast.Call):
            yield each


def _refuse_order(tree: ast.AsyncFunctionDef) -> None:
    """Refuse dice of one throw that are given names, and told apart by which is which."""
    groups = [names for node in ast.walk(tree) for names in _unpacked(node)]
    if not groups:
        return
    stored = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    for names in groups:
        mine = {name for name in names if stored[name] == 1}
        for node in ast.walk(tree):
            pair = _compared(node, mine) or _weighed(node, mine)
            if pair is not None:
                one, other = pair
                raise Misuse(
                    f"line {node.lineno}: {one} and {other} are dice of one throw, which come "  # type: ignore[attr-defined]
                    f"sorted, lowest first: roll them one after the other "
                    f"({one} = sum(await roll(…))) if each is one of its own, or say "
                    f"`{', '.join(names)} = sorted(await roll(…))` if that is meant"
                )


def _unpacked(node: ast.AST) -> Iterator[list[str]]:
    """Yield the names that dice of a throw are given, `a, b = await roll(2 * D6)`."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Await):
        return
    call = node.value.value
    if not isinstance(call, ast.Call):
        return
    word = call.func.attr if isinstance(call.func, ast.Attribute) else call.func
    if word != "roll" and not (isinstance(word, ast.Name) and word.id == "roll"):
        return
    for target in node.targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            names = [each.id for each in target.elts if isinstance(each, ast.Name)]
            if len(names) > 1:
                yield names


def _compared(node: ast.AST, names: set[str]) -> tuple[str, str] | None:
    """Two of the dice of which it is asked which is higher."""
    if not isinstance(node, ast.Compare):
        return None
    sides = [node.left, *node.comparators]
    for one, sign, other in zip(sides, node.ops, sides[1:], strict=False):
        named = isinstance(one, ast.Name) and isinstance(other, ast.Name) and (one.id, other.id)
        if named and isinstance(sign, SIGNS) and names.issuperset(named):
            return named
    return None


def _weighed(node: ast.AST, names: set[str]) -> tuple[str, str] | None:
    """Two of the dice that are added up, one of them so many times."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub)):
        return None
    sides = [_times(node.left), _times(node.right)]
    found = [side for side in sides if side is not None and side[0] in names]
    if len(found) == 2 and found[0][1] != found[1][1]:
        return found[0][0], found[1][0]
    return None


def _times(node: ast.expr) -> tuple[str, object] | None:
    """A name, and the number that it is multiplied by."""
    if isinstance(node, ast.Name):
        return node.id, 1
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, ast.Name) and isinstance(other, ast.Constant):
                return one.id, other.value
    return None
