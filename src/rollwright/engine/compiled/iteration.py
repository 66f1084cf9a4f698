"""The items of a `for` with an await in it: the rest, or a list and the place in it."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from gc import get_referents
from types import GeneratorType
from typing import Any, NoReturn

from rollwright.engine.compiled.refusal import CannotCompile
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
        return Entries(items, line), 0  # such small numbers always lie in their order
    if isinstance(items, dict):
        return Entries(items, line), 0
    if kind in VIEWS:
        return Entries(get_referents(items)[0], line, VIEWS[kind]), 0
    if kind in LISTED:
        return tuple(itertools.islice(items, MOST_ITEMS)), -1
    if isinstance(items, GeneratorType):
        raise CannotCompile(
            "a generator cannot be gone over around an await", line, "make a list of it"
        )
    return Lookahead(iter(items)), 0


def refuse_set(line: int) -> NoReturn:
    """Refuse to go over a set."""
    raise Misuse(
        f"line {line} goes over a set, which has no order, so what comes of it is left to "
        "chance: go over sorted(…)"
    )


class Entries:
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
    """An iterator with an await in its loop, as a row whose next item is fetched when asked for."""

    __slots__ = ("iterator", "place", "item")

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator
        self.place = -1
        self.item: Any = None

    def __len__(self) -> int:
        """One more than the place asked for where there is a next item."""
        for item in self.iterator:
            self.item = item
            self.place += 1
            return self.place + 1
        return 0

    def __getitem__(self, place: int) -> Any:
        item, self.item = self.item, None
        return item
