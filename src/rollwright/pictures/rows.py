"""Outcomes as rows that fit a page: in order, and gathered into ranges where there are many."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rollwright.ranks import words_beside

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


def all_measured(values: Sequence[Any]) -> bool:
    """Whether a mean makes sense: numbers throughout, none of them beyond the others by name."""
    return all_numbers(values) and not any(has_words(value) for value in values)


def has_order(values: Sequence[Any]) -> bool:
    """Whether outcomes have an order of their own: numbers, or words with ranks."""
    return all_numbers(values) or all(words_beside(value) for value in values)


def rows_of(dist: Any, most: int = MOST_ROWS) -> list[Row]:
    """The outcomes in order; many numbers in ranges, of many others the likeliest."""
    items = dist.items()
    if all_numbers([outcome for outcome, _ in items]):
        if len(items) <= most:
            return [Row(value_said(outcome), weight, outcome) for outcome, weight in items]
        return _numbers(items, most)
    if len(items) <= most:
        return [Row(outcome_said(outcome), weight) for outcome, weight in items]
    likeliest = sorted(items, key=lambda item: -item[1])
    rest = sum(weight for _, weight in likeliest[most - 1 :])
    shown = [Row(outcome_said(outcome), weight) for outcome, weight in likeliest[: most - 1]]
    return [*shown, Row(f"{len(items) - most + 1} others", rest)]


def outcome_said(outcome: Any) -> str:
    """What a row is called; an outcome that is None was not counted."""
    return "not counted" if outcome is None else value_said(outcome)


def _numbers(items: list[tuple[Any, int]], most: int) -> list[Row]:
    """Ranges; numbers with words of their own, which lie beyond the others, stay for themselves."""
    named = [Row(value_said(o), weight, o) for o, weight in items if has_words(o)]
    plain = [item for item in items if not has_words(item[0])]
    rows = _ranges(plain, most - len(named)) if plain else []
    return sorted([*named, *rows], key=lambda row: row.first)


def _ranges(items: list[tuple[Any, int]], most: int) -> list[Row]:
    """Ranges of one width; the tails that hardly ever happen have rows of their own."""
    low, high = _bulk(items, sum(weight for _, weight in items))
    width = _width(high - low + 1, max(most - 2, 2))
    start, end = low // width * width, (high // width + 1) * width
    lowest, highest = items[0][0], items[-1][0]
    rows = []
    if lowest < start:
        rows.append(Row(f"below {value_said(start)}", _weight(items, lowest, start), lowest))
    for first in range(start, end, width):
        low, high = max(first, lowest), min(first + width - 1, highest)
        label = value_said(low) if low == high else f"{value_said(low)}–{value_said(high)}"
        rows.append(Row(label, _weight(items, first, first + width), low))
    if highest >= end:
        rows.append(Row(f"{value_said(end)} or more", _weight(items, end, highest + 1), end))
    return rows


def _weight(items: list[tuple[Any, int]], low: Any, end: Any) -> int:
    return sum(weight for outcome, weight in items if low <= outcome < end)


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
