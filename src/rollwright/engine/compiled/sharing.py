"""Which blocks change nothing that lives: ways through them share it instead of copying it.

A block is harmless if it only computes with numbers, plain lists, dicts and sets, and calls nothing
but functions that change none of them. That is looked at in its tree; which functions its names
mean, and that all that lives is plain, is looked at when it is run.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from types import FunctionType
from typing import NamedTuple

from rollwright.dice import Die, Pool
from rollwright.engine.compiled.source import walk

CALLED = {
    *("abs", "all", "any", "bool", "divmod", "float", "int", "len", "list", "max", "min"),
    *("range", "round", "set", "sorted", "str", "sum", "tuple", "dict", "frozenset", "repr"),
}
"""Functions of Python that change no number, list, dict or set that they are given."""
METHODS = {
    *("count", "index", "get", "keys", "values", "items", "copy", "where", "of", "between"),
    *("at_least", "count_at_least", "highest", "lowest", "join", "replaced"),
    *("union", "intersection", "difference", "isdisjoint", "issubset", "issuperset"),
}
"""Methods of lists, dicts, sets and hands that change nothing."""
STATEMENTS = (
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.If, ast.While, ast.For, ast.Pass),
    *(ast.Break, ast.Continue, ast.Return, ast.Delete),
)
EXPRESSIONS = (
    *(ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp),
    *(ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.JoinedStr),
    *(ast.FormattedValue, ast.Call, ast.Attribute, ast.Lambda, ast.Starred),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
FRESH = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.JoinedStr)
"""Expressions that give nothing that lived before."""


class HarmlessBlock(NamedTuple):
    """A block that changes nothing, if these names mean what they say."""

    called: tuple[str, ...]
    """Names of functions that are called."""
    added: frozenset[str]
    """Names that something is added to in place: these must be no lists."""


def find_harmless(body: Iterable[ast.stmt] | None, local: frozenset[str]) -> HarmlessBlock | None:
    """Look at the statements of a block; None if they may change what lives."""
    if body is None:
        return None
    called: set[str] = set()
    added: set[str] = set()
    aliases: set[str] = set()
    for st in body:
        for node in walk(st):
            if isinstance(node, (ast.stmt, ast.expr)) and not _is_harmless(node):
                return None
            if isinstance(node, ast.Call):
                name = _call_name(node.func, local)
                if name is None:
                    return None
                called.add(name)
            elif isinstance(node, ast.AugAssign):
                assert isinstance(node.target, ast.Name)
                added.add(node.target.id)
            elif isinstance(node, ast.Assign) and not isinstance(node.value, FRESH):
                if not _is_live(node.value):
                    aliases |= {n.id for t in node.targets for n in walk(t) if _stores(n)}  # type: ignore[attr-defined]
            elif isinstance(node, (ast.For, ast.AnnAssign)):
                aliases |= {n.id for n in walk(node.target) if _stores(n)}  # type: ignore[attr-defined]
    if not added.isdisjoint(aliases):
        return None
    return HarmlessBlock(tuple(sorted(called - {""})), frozenset(added))


def _is_harmless(node: ast.stmt | ast.expr) -> bool:
    if isinstance(node, (ast.Subscript, ast.Attribute)):
        return isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.AugAssign):
        return isinstance(node.target, ast.Name)
    return isinstance(node, (*STATEMENTS, *EXPRESSIONS))


def _call_name(function: ast.expr, local: frozenset[str]) -> str | None:
    """The name of a function that has to be looked up; empty for what changes nothing."""
    if isinstance(function, ast.Name):
        if function.id[0] == ".":
            return ""
        return None if function.id in local else function.id
    if isinstance(function, ast.Attribute) and function.attr in METHODS:
        return ""
    return None


def _is_live(node: ast.expr) -> bool:
    """Whether it is what lived at the beginning, under its own names."""
    return isinstance(node, ast.Name) and node.id == ".live"


def _stores(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def is_harmless(called: Iterable[str], function: FunctionType) -> bool:
    """Whether names mean functions that change nothing, where a function uses them."""
    from rollwright import rules
    from rollwright.engine.steps import Rule

    words = {rules.roll, rules.choose, rules.spend}
    scope = function.__globals__
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for name in called:
        if name in cells:
            try:
                value = cells[name].cell_contents
            except ValueError:  # it has no value yet
                return False
        else:
            value = scope[name] if name in scope else getattr(builtins, name, None)
        if isinstance(value, Rule) or value is Die or value is Pool:
            continue
        try:
            if value in words:
                continue
        except TypeError:
            return False
        if name not in CALLED or value is not getattr(builtins, name):
            return False
    return True
