"""Distributions as data that a page shows as it is: rows, at least and at most, mean and spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, cast

from rollwright.exact.text import digits, outcome_to_json
from rollwright.i18n.locale import in_words
from rollwright.pictures.charts import CHANCE, HeatMap, TextTable, format_number
from rollwright.pictures.distributions import (
    picture_comparison,
    picture_distribution,
    summary,
    table_of,
    together,
)
from rollwright.pictures.outcomes import (
    OutcomeRow,
    View,
    apply_view,
    fields_in,
    format_outcome,
    has_mean,
    has_order,
    has_values,
    has_words,
    rows_of,
)
from rollwright.pictures.svg import svg
from rollwright.pictures.terminal import format_bound_note
from rollwright.queries.measures import field_heading, number, percent, row_data
from rollwright.queries.odds import duels

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.exact import Dist
    from rollwright.jsonable import Json
    from rollwright.queries.schemas import Amount, Distribution, OddsRow, ShareData
    from rollwright.workbench.shapes import DistributionDrawn, FieldCompared, Joint

MOST_ROWS, MOST_LISTED = 200, 2_000
"""Rows of a table that is read, and lines of one that is saved; beyond them there are ranges."""
MOST_FIELDS, MOST_CELLS = 12, 400
LONGEST_LABEL = 80


def parts_of(dist: Dist[Outcome]) -> dict[str, Dist[Outcome]]:
    """The distribution of each field of the outcome; of one without fields the whole."""
    names = fields_in(dist)
    if not names or has_words(next(iter(dist))):
        return {"": dist}
    parts = {name: dist.of(name) for name in names[:MOST_FIELDS]}
    return {name: part for name, part in parts.items() if has_values(part)} or {"": dist}


def with_picture(
    name: str, dist: Dist[Outcome], view: View = "each", title: str = ""
) -> DistributionDrawn:
    """Return a distribution with its picture."""
    shown = distribution(name, dist)
    title = title or (shown["title"] if name else "")
    ordered = view if has_order(dist.outcomes) else "each"
    picture = picture_distribution(dist, title, view=ordered)
    return {**shown, "svg": svg(picture), "csv": _csv(dist, view=ordered)}


def distribution(name: str, dist: Dist[Outcome]) -> Distribution:
    """Return a distribution as data."""
    outcomes = dist.outcomes
    more = {
        "rows": _rows(dist),
        "summary": summary(dist),
        "cut": format_bound_note(Fraction(dist.lost, dist.total)) if dist.lost else "",
    }
    shown = cast("Distribution", {**field_heading(name, dist), **more})
    if shown["kind"] == "number":
        shown["median"] = outcome_to_json(dist.median)
    if has_mean(outcomes):
        shown["mean"] = amount(dist.counted_mean)
        deviation = sqrt(dist.counted_variance)
        shown["spread"] = {
            "number": deviation,
            "said": format_number(deviation),
            "variance": number(dist.counted_variance)["exact"],
        }
    elif shown["kind"] == "yes":
        shown["chance"] = {**number(dist.p(True)), "said": percent(dist.p(True))}
    return shown


def amount(exact: Fraction | int) -> Amount:
    """A number exactly, nearly and in words."""
    return {**number(exact), "said": format_number(Fraction(exact))}


def share(weight: int, total: int) -> ShareData:
    """A part of all that can come."""
    part = Fraction(weight, total)
    return {"weight": digits(weight), "share": float(part), "said": percent(part)}


def _rows(dist: Dist[Outcome]) -> list[OddsRow]:
    rows, total = rows_of(dist, MOST_ROWS), dist.total
    shown = [_row(row, total) for row in rows]
    if has_order(dist.outcomes):
        weights = [row.weight for row in rows]
        above, below = (
            apply_view(rows, weights, "at_least")[1],
            apply_view(rows, weights, "at_most")[1],
        )
        for row, more, less in zip(shown, above, below, strict=True):
            row["at_least"], row["at_most"] = share(more, total), share(less, total)
    return shown


def _row(row: OutcomeRow, total: int) -> OddsRow:
    said = percent(Fraction(row.weight, total))
    return cast("OddsRow", {**row_data(row, total), "said": said})


def _csv(dist: Dist[Outcome], names: tuple[str, ...] = (), view: View = "each") -> str:
    """Every outcome with its exact weight; where they are too many, ranges of them."""
    if len(dist) <= MOST_LISTED:
        return table_of(dist, names, view).csv()
    rows = [
        (row.label, digits(row.weight), digits(dist.total), f"{row.weight / dist.total:.10g}")
        for row in rows_of(dist, MOST_LISTED)
    ]
    return TextTable(("outcome", "weight", "total", "chance"), tuple(rows)).csv()


def joint_of(dist: Dist[Outcome]) -> Joint | None:
    """The first two fields together, where there are two and the table can be read."""
    names = list(parts_of(dist))
    if len(names) < 2:
        return None
    both = dist.of(*names[:2])
    down, across = dist.of(names[0]).outcomes, dist.of(names[1]).outcomes
    if len(down) * len(across) > MOST_CELLS:
        return None
    weights = {tuple(pair): weight for pair, weight in both.items()}
    cells = [[weights.get((one, other), 0) for other in across] for one in down]
    columns, rows = [*map(format_outcome, across)], [*map(format_outcome, down)]
    shares = tuple(tuple(Fraction(cell, dist.total) for cell in row) for row in cells)
    titles = [name.replace("_", " ") for name in names[:2]]
    grid = HeatMap(
        " × ".join(titles), titles[1], titles[0], tuple(columns), tuple(rows), shares, unit=CHANCE
    )
    return {
        "across": titles[1],
        "down": titles[0],
        "columns": columns,
        "rows": rows,
        "cells": [[share(cell, dist.total) for cell in row] for row in cells],
        "total": digits(dist.total),
        "svg": svg(grid),
        "csv": _csv(both, (names[0], names[1])),
    }


def side_by_side(dists: Mapping[str, Dist[Outcome]], view: View = "each") -> list[FieldCompared]:
    """Several distributions, compared in each field that all of them have."""
    parts = {name: parts_of(dist) for name, dist in dists.items()}
    first, *others = parts.values()
    shared = [name for name in first if all(name in other for other in others)]
    if not shared:
        return [_compare_field("", dists, view)]
    return [
        _compare_field(field, {name: parts[name][field] for name in dists}, view)
        for field in shared
    ]


def _compare_field(field: str, dists: Mapping[str, Dist[Outcome]], view: View) -> FieldCompared:
    ordered = view if all(has_order(dist.outcomes) for dist in dists.values()) else "each"
    title = field.replace("_", " ")
    labels, columns = together(dists, MOST_ROWS, ordered)
    shares = [
        [share(columns[name][row], dist.total) for name, dist in dists.items()]
        for row in range(len(labels))
    ]
    return {
        "name": field,
        "title": title or in_words("column.result"),
        "rolls": [distribution(name, dist) for name, dist in dists.items()],
        "labels": list(labels),
        "shares": shares,
        "duels": [
            {
                "first": one,
                "second": other,
                "less": number(found.less),
                "equal": number(found.equal),
                "greater": number(found.greater),
            }
            for one, other, found in duels(dists)
        ],
        "svg": svg(picture_comparison(dists, title, view=ordered)),
        "csv": _compared_csv(labels, columns, dists),
    }


def _compared_csv(
    labels: Sequence[str],
    columns: Mapping[str, Sequence[int]],
    dists: Mapping[str, Dist[Outcome]],
) -> str:
    rows = [
        (label, *(f"{columns[name][row] / dists[name].total:.10g}" for name in dists))
        for row, label in enumerate(labels)
    ]
    return TextTable(("outcome", *dists), tuple(rows)).csv()


def plain(held: object) -> Json:
    """A value as JSON holds it; what it cannot hold as it is said."""
    if held is None or isinstance(held, str | int | bool):
        return cast("Json", held)
    return str(held)
