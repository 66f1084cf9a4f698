"""Distributions as pictures and tables: one alone, or several side by side."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from rollwright.i18n.locale import in_words
from rollwright.pictures.charts import (
    CHANCE,
    Bars,
    Lines,
    Series,
    TextTable,
    format_number,
    format_value,
)
from rollwright.pictures.outcomes import (
    OutcomeRow,
    View,
    all_numbers,
    apply_view,
    format_field,
    format_outcome,
    has_mean,
    rows_of,
)

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.exact import Dist

MOST_COLUMNS = 60
MOST_POINTS = 400
MOST_GROUPS = 9
"""Beyond so many outcomes, several rolls are drawn as curves instead of bars in groups."""


def picture_distribution(
    dist: Dist[Outcome], title: str = "", *, x_name: str = "", view: View = "each"
) -> Bars | Lines:
    """One distribution as bars, or as a curve where it has very many numbers."""
    if len(dist) <= MOST_COLUMNS or not all_numbers(dist.outcomes):
        return distribution(dist, title, x_name=x_name, view=view)
    rows = rows_of(dist, MOST_POINTS)
    inside = rows[1:-1] if len(dist) > MOST_POINTS else _likely(rows, dist.total)
    shown = Fraction(sum(row.weight for row in inside), dist.total)
    note = in_words("odds.shown", summary=summary(dist), share=format_value(shown, CHANCE))
    labels, weights = apply_view(rows, [row.weight for row in rows], view)
    first = rows.index(inside[0])
    here = slice(first, first + len(inside))
    values = tuple(Fraction(weight, dist.total) for weight in weights[here])
    return Lines(title, labels[here], (Series("", values),), note, x_name=x_name)


def _likely(rows: list[OutcomeRow], total: int) -> list[OutcomeRow]:
    """The rows without the far ends, where next to nothing happens."""
    likely = [n for n, row in enumerate(rows) if 20_000 * row.weight > total]
    return rows[likely[0] : likely[-1] + 1] if likely else rows


def distribution(
    dist: Dist[Outcome],
    title: str = "",
    *,
    most: int = MOST_COLUMNS,
    x_name: str = "",
    view: View = "each",
) -> Bars:
    """One distribution as bars; many numbers are gathered into ranges."""
    rows = rows_of(dist, most)
    labels, weights = apply_view(rows, [row.weight for row in rows], view)
    values = tuple(Fraction(weight, dist.total) for weight in weights)
    return Bars(title, labels, (Series(title, values),), summary(dist), x_name=x_name)


def picture_comparison(
    dists: Mapping[str, Dist[Outcome]],
    title: str = "",
    *,
    most: int = MOST_COLUMNS,
    x_name: str = "",
    view: View = "each",
) -> Bars | Lines:
    """Several distributions over the same outcomes, as bars in groups or as curves."""
    labels, columns = together(dists, most, view)
    series = tuple(
        Series(name, tuple(Fraction(w, dists[name].total) for w in weights))
        for name, weights in columns.items()
    )
    shape = Bars if len(labels) <= MOST_GROUPS else Lines
    return shape(title, labels, series, x_name=x_name)


def together(
    dists: Mapping[str, Dist[Outcome]], most: int, view: View = "each"
) -> tuple[tuple[str, ...], dict[str, tuple[int, ...]]]:
    """Rows that fit all the distributions, and the weight of each of them in every row."""
    mixture: dict[Outcome, int] = {}
    for dist in dists.values():
        for outcome, weight in dist.items():
            share = 10**9 * weight // dist.total + 1
            mixture[outcome] = mixture.get(outcome, 0) + share
    rows = rows_of(_MixedOutcomes(mixture), most)
    found: dict[str, list[int]] = {name: [0] * len(rows) for name in dists}
    places = _Places(rows, all_numbers(list(mixture)))
    for name, dist in dists.items():
        for outcome, weight in dist.items():
            found[name][places.of(outcome)] += weight
    labels = apply_view(rows, [0] * len(rows), view)[0]
    return labels, {name: apply_view(rows, weights, view)[1] for name, weights in found.items()}


class _MixedOutcomes:
    """All the outcomes of several distributions, in order."""

    def __init__(self, weights: dict[Outcome, int]) -> None:
        self.weights = weights

    def items(self) -> list[tuple[Outcome, int]]:
        try:
            return sorted(self.weights.items())
        except TypeError:
            return list(self.weights.items())


class _Places:
    """Which row an outcome belongs to."""

    def __init__(self, rows: list[OutcomeRow], numbers: bool) -> None:
        self.firsts = [row.first for row in rows] if numbers else []
        self.names = {row.label: number for number, row in enumerate(rows)}
        self.last = len(rows) - 1

    def of(self, outcome: Outcome) -> int:
        from bisect import bisect

        if self.firsts:
            return max(bisect(self.firsts, outcome) - 1, 0)
        return self.names.get(format_outcome(outcome), self.last)


def summary(dist: Dist[Outcome]) -> str:
    """Mean and spread of a distribution of numbers; empty for others."""
    if not has_mean(dist.outcomes):
        return ""
    deviation = format_number(sqrt(dist.counted_variance))
    return in_words("odds.summary", mean=format_number(dist.counted_mean), deviation=deviation)


def table_of(dist: Dist[Outcome], names: tuple[str, ...] = (), view: View = "each") -> TextTable:
    """Return every outcome with its exact weight, its fields in columns of their own.

    In another view, the chance of it or more, or it or less, is beside its own.
    """
    head = names or ("outcome",)
    rows = [
        (*_cells(outcome, head), str(weight), str(dist.total), f"{weight / dist.total:.10g}")
        for outcome, weight in dist.items()
    ]
    titles = (*head, "weight", "total", "chance")
    if view != "each":
        each = rows_of(dist, len(dist))
        sums = apply_view(each, [row.weight for row in each], view)[1]
        rows = [(*row, f"{sum / dist.total:.10g}") for row, sum in zip(rows, sums, strict=True)]
        titles = (*titles, view)
    return TextTable(titles, tuple(rows), left=len(head))


def _cells(outcome: Outcome, head: tuple[str, ...]) -> list[str]:
    if len(head) == 1:
        return [format_field(outcome)]
    return [format_field(part) for part in outcome]
