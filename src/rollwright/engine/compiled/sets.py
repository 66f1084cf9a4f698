"""Every way in which the order of a set comes to light, in a function that may have one.

A set has no order, or one that is another in the next process, so what comes of it is left to
chance. Where the source of a function lists a set, goes over one or writes it down, what it takes
is looked at when it is there: a set of more than one is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from copy import deepcopy
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rollwright.engine.compiled.blocks import SCOPES
from rollwright.engine.compiled.iteration import refuse_set
from rollwright.engine.outside import LISTS, METHODS, PICKS

ORDERLESS = {"sum", "any", "all", "len", "set", "frozenset", "Counter", *PICKS}


def watched_for_sets(tree: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
    """Return the function with everything looked at of which the order comes to light."""
    watching = _Watching()
    made = deepcopy(tree)
    made.body = [watching.visit(statement) for statement in made.body]
    return made


class _Watching(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, SCOPES) else super().visit(node)

    def _watched(self, node: ast.expr) -> ast.expr:
        if isinstance(node, (ast.Constant, ast.Tuple, ast.List, ast.ListComp, ast.GeneratorExp)):
            return node
        line = ast.Constant(node.lineno)
        made = ast.Call(ast.Name(".ordered", ast.Load()), [node, line], [])
        ast.copy_location(made, node)
        return ast.fix_missing_locations(made)

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        if not any(isinstance(each, ast.Await) for each in ast.walk(node)):
            node.iter = self._watched(node.iter)  # one with an await goes over it by itself
        return node

    def _comprehended(self, node: Any) -> Any:
        self.generic_visit(node)
        if not isinstance(node, ast.SetComp):
            for each in node.generators:
                each.iter = self._watched(each.iter)
        return node

    visit_ListComp = visit_DictComp = visit_GeneratorExp = _comprehended

    def visit_Call(self, node: ast.Call) -> ast.Call:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        keyed = any(one.arg == "key" for one in node.keywords)
        has_no_order = name in ORDERLESS and isinstance(node.func, ast.Name) and not keyed
        first = node.args[0] if len(node.args) == 1 else None
        if has_no_order and isinstance(first, (ast.GeneratorExp, ast.ListComp)):
            self.generic_visit(first)  # whose items are put in order, or added up
            return node
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and name == "pop" and not node.args:
            node.func.value = self._watched(node.func.value)
        elif name in PICKS and keyed:
            self._watch_key(node, name)
        elif name in LISTS or name in METHODS:
            node.args = [
                each if isinstance(each, ast.Starred) else self._watched(each) for each in node.args
            ]
        return node

    def _watch_key(self, node: ast.Call, name: str) -> None:
        """Have it looked at whether the order decides between items with equal keys."""
        (key,) = [one.value for one in node.keywords if one.arg == "key"]
        if len(node.args) == 1 and isinstance(key, (ast.Lambda, ast.Name, ast.Attribute)):
            values = [node.args[0], deepcopy(key), ast.Constant(name), ast.Constant(node.lineno)]
            made = ast.Call(ast.Name(".untied", ast.Load()), values, [])
            ast.copy_location(made, node)
            node.args = [ast.fix_missing_locations(made)]

    def visit_Starred(self, node: ast.Starred) -> ast.Starred:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = self._watched(node.value)
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.FormattedValue:
        self.generic_visit(node)
        node.value = self._watched(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        if any(isinstance(each, (ast.Tuple, ast.List)) for each in node.targets):
            node.value = self._watched(node.value)
        return node


def ordered(items: Any, line: int) -> Any:
    """Return what has an order; that of numbers in a set is the same in every process."""
    if isinstance(items, (set, frozenset)) and len(items) > 1 and not _are_numbers(items):
        refuse_set(line)
    return items


def untied(items: Any, key: Callable[[Any], Any], name: str, line: int) -> Any:
    """Return what has an order, or needs none since `min`, `max` or `sorted` go by this key."""
    if isinstance(items, (set, frozenset)) and len(items) > 1 and not _are_numbers(items):
        found = sorted([key(one) for one in items], reverse=name == "max")
        pairs = [*pairwise(found)] if name == "sorted" else [(found[0], found[1])]
        if any([one == other for one, other in pairs]):
            refuse_set(line)
    return items


def _are_numbers(items: Iterable[Any]) -> bool:
    """Whether all are numbers, or tuples of them, whose hashes are the same everywhere."""
    for one in items:
        if type(one) is tuple:
            if not _are_numbers(one):
                return False
        elif type(one) not in _NUMBERS:
            return False
    return True


_NUMBERS = {int, bool, float, Fraction}
