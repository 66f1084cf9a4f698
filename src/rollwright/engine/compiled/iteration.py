"""How functions go over things: the items of a `for` with an await in it, and the order of sets.

A set has no order, or one that is another in the next process, so what comes of it is left to
chance. Where the source of a function lists a set, goes over one or writes it down, what it takes
is looked at when it is there: a set of more than one is refused.
"""

from __future__ import annotations

import ast
import itertools
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable
from copy import deepcopy
from fractions import Fraction
from gc import get_referents
from itertools import pairwise
from types import GeneratorType
from typing import Any, NoReturn

from rollwright.engine.compiled.blocks import SCOPES
from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.source import fill_places, walk
from rollwright.engine.inspection import LISTS, METHODS, PICKS
from rollwright.errors import Misuse
from rollwright.hands import Hand

UNBOUND: Any = type(
    "Unbound", (), {"__repr__": lambda _: "unbound", "__reduce__": lambda _: "UNBOUND"}
)()
"""A marker for a local variable without a value."""

SLICED = {tuple, str, bytes, range}
"""Kinds of which what is left is a slice."""
LISTED = {
    itertools.combinations,
    itertools.combinations_with_replacement,
    itertools.permutations,
    itertools.product,
}
"""Iterators over what was given when they were made: no later change can be seen through them."""
_table: OrderedDict[Any, Any] = OrderedDict()
VIEWS: dict[type, str] = {
    **{type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"},
    **{type(_table.keys()): "keys", type(_table.values()): "values", type(_table.items()): "items"},
}
"""Views of dicts, each with what is seen of an entry."""
MOST_ITEMS = 100_000


def iterate(items: Any, line: int) -> tuple[Any, int]:
    """Return the rest of the items and -1; or a list and 0, the place in it."""
    kind = type(items)
    if kind in SLICED:
        return items, -1
    if kind is Hand:
        return items.readings, -1
    if isinstance(items, list):
        return items, 0
    if isinstance(items, tuple):
        return tuple(items), -1
    if isinstance(items, (set, frozenset)):
        if len(items) > 1 and not all([type(one) is int and 0 <= one < 8 for one in items]):
            refuse_set(line)
        return ItemSequence(items, line), 0  # such small numbers always lie in their order
    if isinstance(items, dict):
        return ItemSequence(items, line), 0
    if kind in VIEWS:
        return ItemSequence(get_referents(items)[0], line, VIEWS[kind]), 0
    if kind in LISTED:
        return tuple(itertools.islice(items, MOST_ITEMS)), -1
    if isinstance(items, GeneratorType):
        raise CannotCompile(
            "a generator cannot be gone over around an await", line, "make a list of it"
        )
    return Lookahead(iter(items)), -1


def refuse_set(line: int) -> NoReturn:
    """Refuse to go over a set."""
    raise Misuse(
        f"line {line} goes over a set, which has no order, so what comes of it is left to "
        "chance: go over sorted(…)"
    )


class ItemSequence:
    """A dict or a set as a row of what it held at first, each entry with its value by now."""

    __slots__ = ("table", "line", "what", "keys")

    def __init__(self, table: Any, line: int, what: str = "keys") -> None:
        self.table = table
        self.line = line
        self.what = what
        self.keys = tuple(table)

    def __len__(self) -> int:
        """How many entries there are; other ones are refused, as Python does it."""
        if len(self.table) != len(self.keys):
            kind = "dictionary" if isinstance(self.table, dict) else "Set"
            raise RuntimeError(f"{kind} changed size during iteration")
        if tuple(self.table) != self.keys:
            raise CannotCompile(
                "what is gone over is given other entries meanwhile", self.line, "go over list(…)"
            )
        return len(self.keys)

    def __getitem__(self, place: int) -> Any:
        key = self.keys[place]
        if self.what == "keys":
            return key
        value = self.table[key]
        return value if self.what == "values" else (key, value)


class Lookahead:
    """An iterator with an await in its loop, as a row of what is left of it.

    No place is counted in it: one that goes round comes back to where it was.
    """

    __slots__ = ("iterator", "item")

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator
        self.item: Any = UNBOUND

    def __bool__(self) -> bool:
        """Whether there is a next item, which is fetched once."""
        if self.item is UNBOUND:
            for item in self.iterator:
                self.item = item
                break
        return self.item is not UNBOUND

    def __getitem__(self, which: int | slice) -> Any:
        """The next item by 0, and what is left after it by a slice."""
        if isinstance(which, slice):
            self.item = UNBOUND
            return self
        return self.item


# --- the order of sets ---

ORDERLESS = {"sum", "any", "all", "len", "set", "frozenset", "Counter", *PICKS}
"""Functions to which the order of what they are given does not matter."""
NO_SETS = {"sorted", "list", "tuple", "range", "zip", "enumerate", "reversed", "len"}
"""Functions of Python that never give a set."""


def watch_sets(tree: ast.AsyncFunctionDef, others: Container[str]) -> ast.AsyncFunctionDef:
    """Return the function with everything looked at of which the order comes to light.

    These names are none of Python's own there.
    """
    watching = _Watching({name for name in NO_SETS if name not in others})
    made = deepcopy(tree)
    made.body = [watching.visit(statement) for statement in made.body]
    return made


class _Watching(ast.NodeTransformer):
    def __init__(self, no_sets: set[str]) -> None:
        self._no_sets = no_sets

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, SCOPES) else super().visit(node)

    def _watch(self, node: ast.expr) -> ast.expr:
        if isinstance(node, (ast.Constant, ast.Tuple, ast.List, ast.ListComp, ast.GeneratorExp)):
            return node
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in self._no_sets:
            return node
        line = ast.Constant(node.lineno)
        made = ast.Call(ast.Name(".ordered", ast.Load()), [node, line], [])
        ast.copy_location(made, node)
        return fill_places(made)

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        if not any(isinstance(each, ast.Await) for each in walk(node)):
            node.iter = self._watch(node.iter)  # one with an await goes over it by itself
        return node

    def _watch_comprehension(self, node: Any) -> Any:
        self.generic_visit(node)
        if not isinstance(node, ast.SetComp):
            for each in node.generators:
                each.iter = self._watch(each.iter)
        return node

    visit_ListComp = visit_DictComp = visit_GeneratorExp = _watch_comprehension

    def visit_Call(self, node: ast.Call) -> ast.Call:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        keyed = any(one.arg == "key" for one in node.keywords)
        has_no_order = name in ORDERLESS and isinstance(node.func, ast.Name) and not keyed
        first = node.args[0] if len(node.args) == 1 else None
        if has_no_order and isinstance(first, (ast.GeneratorExp, ast.ListComp)):
            self.generic_visit(first)  # whose items are put in order, or added up
            return node
        if has_no_order and isinstance(first, (ast.Tuple, ast.List)):
            self._visit_items(first)
            return node
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and name == "pop" and not node.args:
            node.func.value = self._watch(node.func.value)
        elif name in PICKS and keyed:
            self._watch_key(node, name)
        elif name in LISTS or name in METHODS:
            node.args = [
                each if isinstance(each, ast.Starred) else self._watch(each) for each in node.args
            ]
        return node

    def _watch_key(self, node: ast.Call, name: str) -> None:
        """Have it looked at whether the order decides between items with equal keys."""
        (key,) = [one.value for one in node.keywords if one.arg == "key"]
        if len(node.args) == 1 and isinstance(key, (ast.Lambda, ast.Name, ast.Attribute)):
            values = [node.args[0], deepcopy(key), ast.Constant(name), ast.Constant(node.lineno)]
            made = ast.Call(ast.Name(".untied", ast.Load()), values, [])
            ast.copy_location(made, node)
            node.args = [fill_places(made)]

    def _visit_items(self, node: Any) -> Any:
        """Visit what is put together in no order: sets may be listed in it."""
        for place, each in enumerate(node.elts):
            is_listed = isinstance(each, ast.Starred)
            node.elts[place] = self.generic_visit(each) if is_listed else self.visit(each)
        return node

    visit_Set = _visit_items

    def visit_Starred(self, node: ast.Starred) -> ast.Starred:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = self._watch(node.value)
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.FormattedValue:
        self.generic_visit(node)
        node.value = self._watch(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        if any(isinstance(each, (ast.Tuple, ast.List)) for each in node.targets):
            node.value = self._watch(node.value)
        return node


def check_order(items: Any, line: int) -> Any:
    """Return what has an order; that of numbers in a set is the same in every process."""
    if isinstance(items, (set, frozenset)) and len(items) > 1 and not _are_numbers(items):
        refuse_set(line)
    return items


def check_ties(items: Any, key: Callable[[Any], Any], name: str, line: int) -> Any:
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
