"""Outcomes as people read them: rows that fit a page, and each field in a line of words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from rollwright.exact.fields import field_names
from rollwright.i18n.locale import in_words
from rollwright.pictures.charts import CHANCE, format_number, format_value
from rollwright.ranks import words_beside

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.exact import Dist

MOST_ROWS = 24
STEPS = (1, 2, 5)


class OutcomeRow(NamedTuple):
    """One outcome, or a range of them, with its weight."""

    label: str
    weight: int
    first: Outcome = None
    """The lowest outcome of the row, where outcomes are numbers."""
    last: Outcome = None
    """The highest outcome of the row, where it is a range of numbers."""


View = Literal["each", "at_least", "at_most"]
"""Chance in a row: that of each outcome, of it or more, of it or less."""


def apply_view(
    rows: Sequence[OutcomeRow], weights: Sequence[int], view: View
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Labels and weights of rows: each by itself, with all above it, or with all below it.

    >>> rows = [OutcomeRow("1–2", 2, 1, 2), OutcomeRow("3", 1, 3, 3)]
    >>> apply_view(rows, [2, 1], "at_least"), apply_view(rows, [2, 1], "at_most")
    ((('1', '3'), (3, 1)), (('2', '3'), (2, 3)))
    """
    if view == "each":
        return tuple(row.label for row in rows), tuple(weights)
    if view == "at_most":
        ends = [row.label if row.last is None else format_field(row.last) for row in rows]
        return tuple(ends), tuple(accumulate(weights))
    starts = [row.label if row.first is None else format_field(row.first) for row in rows]
    return tuple(starts), tuple(accumulate(reversed(weights)))[::-1]


class Weights(Protocol):
    """Outcomes with their weights, as a distribution has them."""

    def items(self) -> list[tuple[Outcome, int]]:
        """Each outcome with its weight, in order."""
        ...


def format_field(value: object) -> str:
    """A value of an outcome as people say it."""
    if value is True or value is False:
        return in_words("yes" if value else "no")
    if value is None or value == "":
        return "–"
    if isinstance(value, tuple) and not has_words(value):
        return ", ".join(map(format_field, value)) if value else "–"
    return str(value)


def has_words(value: object) -> bool:
    """Whether a value of several parts says by itself how it is shown."""
    return "__str__" in {name for kind in type(value).__mro__[:-2] for name in vars(kind)}


def is_number(value: object) -> bool:
    """Check whether a value can be on an axis."""
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def all_numbers(values: Sequence[object]) -> bool:
    """Whether outcomes are numbers throughout."""
    return all(is_number(value) for value in values)


def has_mean(values: Sequence[object]) -> bool:
    """Whether a mean makes sense: numbers throughout, none of them beyond the others by name."""
    return all_numbers(values) and not any(has_words(value) for value in values)


def has_order(values: Sequence[object]) -> bool:
    """Whether outcomes have an order of their own: numbers, or words with ranks."""
    return all_numbers(values) or all(words_beside(value) for value in values)


def rows_of(dist: Weights, most: int = MOST_ROWS) -> list[OutcomeRow]:
    """The outcomes in order; many numbers in ranges, of many others the likeliest."""
    items = dist.items()
    if all_numbers([outcome for outcome, _ in items]):
        if len(items) <= most:
            return [OutcomeRow(format_field(o), weight, o, o) for o, weight in items]
        return _numbers(items, most)
    if len(items) <= most:
        return [OutcomeRow(format_outcome(outcome), weight) for outcome, weight in items]
    likeliest = sorted(items, key=lambda item: -item[1])
    rest = sum(weight for _, weight in likeliest[most - 1 :])
    shown = [
        OutcomeRow(format_outcome(outcome), weight) for outcome, weight in likeliest[: most - 1]
    ]
    return [*shown, OutcomeRow(in_words("rows.others", n=len(items) - most + 1), rest)]


def format_outcome(outcome: Outcome) -> str:
    """Return the label of a row; an outcome that is None was not counted."""
    return in_words("odds.uncounted") if outcome is None else format_field(outcome)


def _numbers(items: list[tuple[Outcome, int]], most: int) -> list[OutcomeRow]:
    """Ranges; numbers with words of their own, which lie beyond the others, stay for themselves."""
    named = [OutcomeRow(format_field(o), weight, o, o) for o, weight in items if has_words(o)]
    plain = [item for item in items if not has_words(item[0])]
    rows = _ranges(plain, most - len(named)) if plain else []
    return sorted([*named, *rows], key=lambda row: row.first)


def _ranges(items: list[tuple[Outcome, int]], most: int) -> list[OutcomeRow]:
    """Ranges of one width; the tails that hardly ever happen have rows of their own."""
    low, high = _bulk(items, sum(weight for _, weight in items))
    width = _width(high - low + 1, max(most - 2, 2))
    start, end = low // width * width, (high // width + 1) * width
    lowest, highest = items[0][0], items[-1][0]
    rows = []
    if lowest < start:
        below = in_words("rows.below", n=format_field(start))
        rows.append(OutcomeRow(below, _weight(items, lowest, start), lowest, start - 1))
    for first in range(start, end, width):
        low, high = max(first, lowest), min(first + width - 1, highest)
        label = format_field(low) if low == high else f"{format_field(low)}–{format_field(high)}"
        rows.append(OutcomeRow(label, _weight(items, first, first + width), low, high))
    if highest >= end:
        above = in_words("rows.from", n=format_field(end))
        rows.append(OutcomeRow(above, _weight(items, end, highest + 1), end, highest))
    return rows


def _weight(items: list[tuple[Outcome, int]], low: Outcome, end: Outcome) -> int:
    return sum(weight for outcome, weight in items if low <= outcome < end)


def _bulk(items: list[tuple[Outcome, int]], total: int) -> tuple[Outcome, Outcome]:
    """Return the range that leaves out a thousandth at each end."""
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


def _width(span: Outcome, most: int) -> int:
    power = 0
    while True:
        for step in STEPS:
            width: int = step * 10**power
            if int(-(-span // width)) + 1 <= most:
                return width
        power += 1


MOST_VALUES = 4
MOST_LISTED = 8
"""Values of a number that are listed; one with more is described by its range."""


def fields_in(dist: Dist[Outcome]) -> tuple[str, ...]:
    """The names of the fields that all outcomes have; empty for plain numbers."""
    example = next(iter(dist))
    return field_names(example) if hasattr(example, "_fields") else ()


def is_compound(dist: Dist[Outcome]) -> bool:
    """Whether outcomes are shown field by field, since they have no words of their own."""
    return bool(fields_in(dist)) and not has_words(next(iter(dist)))


def has_values(part: Dist[Outcome]) -> bool:
    """Whether a field was counted at all: one that is None throughout was left out."""
    return any(outcome is not None for outcome in part.outcomes)


def explain_missing(outcome: Outcome, names: Sequence[str]) -> str:
    """The fields that were left out, each with the option that would have them counted."""
    needs = outcome.counted_with() if hasattr(outcome, "counted_with") else {}
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(needs.get(name, ""), []).append(name)
    return ", ".join(
        _unmet(", ".join(alike), need.replace("_", "-")) for need, alike in groups.items()
    )


def _unmet(names: str, need: str) -> str:
    return in_words("odds.give", names=names, option=f"--{need}") if need else names


def describe_field(dist: Dist[Outcome], room: int = 76, view: View = "each") -> str:
    """Describe the distribution of one field in the width there is."""
    outcomes = dist.outcomes
    if not has_values(dist):
        return in_words("odds.uncounted")
    if len(outcomes) == 1:
        return in_words("odds.always", value=format_field(outcomes[0]))
    if all(isinstance(outcome, bool) for outcome in outcomes):
        return f"{format_value(dist.p(True), CHANCE):>7}"
    start = in_words("odds.mean", n=format_number(dist.counted_mean)) if has_mean(outcomes) else ""
    if view != "each" and has_order(outcomes) and len(outcomes) <= MOST_LISTED:
        return _reach_chances(dist, start, room, view)
    if all_numbers(outcomes) and len(outcomes) > MOST_LISTED:
        low, high = dist.quantile("1/10"), dist.quantile("9/10")
        span = in_words("odds.span", low=format_field(low), high=format_field(high))
        return f"{start}   {span}" if start else span
    return _likeliest_values(dist, start, room)


def _reach_chances(dist: Dist[Outcome], start: str, room: int, view: View) -> str:
    """How likely each value or more is, or each or less; as many as there is room for."""
    rows = rows_of(dist, len(dist))
    labels, weights = apply_view(rows, [row.weight for row in rows], view)
    ids = {"at_least": "rows.from", "at_most": "rows.to"}
    found = [
        f"{in_words(ids[view], n=label)}: {_share(weight, dist)}"
        for label, weight in zip(labels, weights, strict=True)
        if weight < dist.total - dist.lost
    ]
    text = "   ".join([*([start] if start else []), *found])
    while len(text) > room and len(found) > 1:
        found.pop()
        text = "   ".join([*([start] if start else []), *found, "…"])
    return text


def _likeliest_values(dist: Dist[Outcome], start: str, room: int) -> str:
    """The likeliest values, as many as there is room for, and how much the others make."""
    likeliest = sorted(dist.items(), key=lambda item: -item[1])
    text = ""
    for count in range(min(len(likeliest), MOST_VALUES), 0, -1):
        text = "   ".join([*([start] if start else []), *_values(dist, likeliest, count)])
        if len(text) <= room:
            break
    return text


def _values(dist: Dist[Outcome], likeliest: list[tuple[Outcome, int]], count: int) -> list[str]:
    """So many of the values, in order where they have one, and the rest together."""
    shown, rest = likeliest[:count], likeliest[count:]
    if has_order(dist.outcomes):
        shown = sorted(shown)
    words = [f"{format_field(outcome)}: {_share(weight, dist)}" for outcome, weight in shown]
    if rest:
        share = _share(sum(w for _, w in rest), dist)
        words.append(in_words("odds.rest", n=len(rest), share=share))
    return words


def _share(weight: int, dist: Dist[Outcome]) -> str:
    return format_value(Fraction(weight, dist.total), CHANCE)
