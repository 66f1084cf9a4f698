"""Outcomes with fields in words: what each field comes to, in a line."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rollwright.exact.fields import field_names
from rollwright.exact.text import heading
from rollwright.pictures.charts import CHANCE, said
from rollwright.pictures.distributions import number_said, pictured
from rollwright.pictures.rows import (
    all_measured,
    all_numbers,
    has_order,
    has_words,
    outcome_said,
    value_said,
)
from rollwright.pictures.svg import svg

MOST_VALUES = 4
MOST_LISTED = 8
"""A number with more values than this is told by its range."""


def fields_in(dist: Any) -> tuple[str, ...]:
    """The names of the fields that all outcomes have; empty for plain numbers."""
    example = next(iter(dist))
    return field_names(example) if hasattr(example, "_fields") else ()


def is_compound(dist: Any) -> bool:
    """Whether outcomes are shown field by field, since they have no words of their own."""
    return bool(fields_in(dist)) and not has_words(next(iter(dist)))


def is_counted(part: Any) -> bool:
    """Whether a field was counted at all: one that is None throughout was left out."""
    return any(outcome is not None for outcome in part.outcomes)


def counted_with(outcome: Any) -> dict[str, str]:
    """What has to be given so that fields are counted, where the outcome says so."""
    needs = getattr(outcome, "counted_with", None)
    return needs() if callable(needs) else {}


def field_said(dist: Any, room: int = 76) -> str:
    """What one field comes to, in as many words as there is room for."""
    outcomes = dist.outcomes
    if not is_counted(dist):
        return "not counted"
    if len(outcomes) == 1:
        return f"always {value_said(outcomes[0])}"
    if all(isinstance(outcome, bool) for outcome in outcomes):
        return f"{said(dist.p(True), CHANCE):>7}"
    start = f"mean {number_said(dist.mean)}" if all_measured(outcomes) else ""
    if all_numbers(outcomes) and len(outcomes) > MOST_LISTED:
        low, high = dist.quantile("1/10"), dist.quantile("9/10")
        span = f"in 80 % of cases from {value_said(low)} to {value_said(high)}"
        return f"{start}   {span}" if start else span
    return _listed(dist, start, room)


def _listed(dist: Any, start: str, room: int) -> str:
    """The likeliest values, as many as there is room for, and how much the others make."""
    likeliest = sorted(dist.items(), key=lambda item: -item[1])
    text = ""
    for count in range(min(len(likeliest), MOST_VALUES), 0, -1):
        text = "   ".join([*([start] if start else []), *_values(dist, likeliest, count)])
        if len(text) <= room:
            break
    return text


def _values(dist: Any, likeliest: list[tuple[Any, int]], count: int) -> list[str]:
    """So many of the values, in order where they have one, and the rest together."""
    shown, rest = likeliest[:count], likeliest[count:]
    if has_order(dist.outcomes):
        shown = sorted(shown)
    words = [f"{value_said(outcome)}: {_share(weight, dist)}" for outcome, weight in shown]
    if rest:
        words.append(f"and {len(rest)} more: {_share(sum(w for _, w in rest), dist)}")
    return words


def _share(weight: int, dist: Any) -> str:
    from fractions import Fraction

    return said(Fraction(weight, dist.total), CHANCE)


MOST_ROWS = 100
LEFT = ' style="text-align:left"'


def shown(dist: Any) -> str:
    """The distribution as HTML, without scripts."""
    if is_compound(dist):
        return _fields(dist)
    return svg(pictured(dist)) + _outcomes(dist)


def _fields(dist: Any) -> str:
    """A row for each field, said as the command line says it."""
    from html import escape

    rows = [
        f"<tr><th{LEFT}>{escape(name)}</th><td{LEFT}>{escape(field_said(dist.of(name)).strip())}</td></tr>"
        for name in fields_in(dist)
    ]
    head = f"<tr><th{LEFT}>field</th><th{LEFT}>what it comes to</th></tr>"
    note = f"<p>{escape('.of(name)')} shows one field, with its picture.</p>"
    return _table(dist, [head, *rows]) + note


def _outcomes(dist: Any) -> str:
    """A row for each outcome, as many as can be read."""
    from html import escape

    items = dist.items()
    rows = ["<tr><th>outcome</th><th>chance</th></tr>"]
    for outcome, weight in items[:MOST_ROWS]:
        share = said(Fraction(weight, dist.total), CHANCE)
        rows.append(f"<tr><td>{escape(outcome_said(outcome))}</td><td>{share}</td></tr>")
    if len(items) > MOST_ROWS:
        rows.append(f'<tr><td colspan="2">… {len(items) - MOST_ROWS} more</td></tr>')
    return _table(dist, rows)


def _table(dist: Any, rows: list[str]) -> str:
    from html import escape

    return f"<table><caption>{escape(heading(dist))}</caption>{''.join(rows)}</table>"
