"""Outcomes as rows that fit a page: in order, and gathered into ranges where there are many."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

MOST_ROWS = 24
STEPS = (1, 2, 5)


class Row(NamedTuple):
    """One outcome, or a range of them, with its weight."""

    label: str
    weight: int
    first: Any = None
    """The lowest outcome of the row, where outcomes are numbers."""


def value_said(value: Any) -> str:
    """A value of an outcome as people say it."""
    if value is True or value is False:
        return "yes" if value else "no"
    if value is None or value == "":
        return "–"
    if isinstance(value, tuple) and not has_words(value):
        return ", ".join(map(value_said, value)) if value else "–"
    return str(value)


def has_words(value: Any) -> bool:
    """Whether a value of several parts says by itself how it is shown."""
    return "__str__" in {name for kind in type(value).__mro__[:-2] for name in vars(kind)}


def is_number(value: Any) -> bool:
    """Whether a value can stand on an axis."""
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def all_numbers(values: Sequence[Any]) -> bool:
    """Whether outcomes are numbers throughout."""
    return all(is_number(value) for value in values)


def rows_of(dist: Any, most: int = MOST_ROWS) -> list[Row]:
    """The outcomes in order; many numbers in ranges, of many others the likeliest."""
    items = dist.items()
    if all_numbers([outcome for outcome, _ in items]):
        if len(items) <= most:
            return [Row(value_said(outcome), weight, outcome) for outcome, weight in items]
        return _ranges(items, most)
    if len(items) <= most:
        return [Row(value_said(outcome), weight) for outcome, weight in items]
    likeliest = sorted(items, key=lambda item: -item[1])
    rest = sum(weight for _, weight in likeliest[most - 1 :])
    shown = [Row(value_said(outcome), weight) for outcome, weight in likeliest[: most - 1]]
    return [*shown, Row(f"{len(items) - most + 1} others", rest)]


def _ranges(items: list[tuple[Any, int]], most: int) -> list[Row]:
    """Ranges of one width; the tails that hardly ever happen join the outermost ones."""
    low, high = _bulk(items, sum(weight for _, weight in items))
    width = _width(high - low + 1, most)
    places: dict[Any, list[tuple[Any, int]]] = {}
    for outcome, weight in items:
        place = min(max(outcome, low), high) // width
        places.setdefault(place, []).append((outcome, weight))
    lowest, highest = items[0][0], items[-1][0]
    return [
        _range(max(place * width, lowest), min(place * width + width - 1, highest), part)
        for place, part in sorted(places.items())
    ]


def _range(low: Any, high: Any, part: list[tuple[Any, int]]) -> Row:
    first, last = min(low, part[0][0]), max(high, part[-1][0])
    weight = sum(weight for _, weight in part)
    label = value_said(first) if first == last else f"{value_said(first)}–{value_said(last)}"
    return Row(label, weight, first)


def _bulk(items: list[tuple[Any, int]], total: int) -> tuple[Any, Any]:
    """Where all but a thousandth at each end lies."""
    below, low, high = 0, items[0][0], items[-1][0]
    for outcome, weight in items:
        if 1000 * (below + weight) > total:
            low = outcome
            break
        below += weight
    above = 0
    for outcome, weight in reversed(items):
        if 1000 * (above + weight) > total:
            high = outcome
            break
        above += weight
    return low, high


def _width(span: Any, most: int) -> int:
    power = 0
    while True:
        for step in STEPS:
            width: int = step * 10**power
            if int(-(-span // width)) + 1 <= most:
                return width
        power += 1
