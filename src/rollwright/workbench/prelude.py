"""The words that a program has without an import: those of rules, dice, odds and games."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

HOMES: dict[str, tuple[str, ...]] = {
    "fractions": ("Fraction",),
    "functools": ("cache", "partial"),
    "itertools": ("combinations", "product"),
    "typing": ("Annotated", "Literal", "NamedTuple"),
    "rollwright.exact": (),
    "rollwright.kit": (),
    "rollwright.rules": (),
    "rollwright": (
        *("D4", "D6", "D8", "D10", "D12", "D20", "D100", "Die", "Pool", "Dist"),
        *("Situation", "best", "sweep", "value_lost", "value_of"),
    ),
}
"""By module its words, all that it offers where none are named. Later ones win: in a program
`roll` is what a rule awaits, and `rw.roll` throws dice."""


@cache
def words() -> dict[str, Any]:
    """Return every word with its value."""
    found: dict[str, Any] = {"rw": import_module("rollwright")}
    for home, names in HOMES.items():
        module = import_module(home)
        found |= {name: getattr(module, name) for name in names or module.__all__}
    return found


def home_of(word: str) -> str | None:
    """The module that a word comes from; `rw` for the library as a whole."""
    if word == "rw":
        return word
    for home, names in reversed(HOMES.items()):
        if word in (names or import_module(home).__all__):
            return home
    return None
