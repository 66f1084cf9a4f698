"""Distributions in a notebook: a picture and a table, or what each field comes to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rollwright.exact.text import heading
from rollwright.pictures.charts import CHANCE, said
from rollwright.pictures.distributions import pictured
from rollwright.pictures.outcomes import field_said, fields_in, is_compound
from rollwright.pictures.rows import outcome_said
from rollwright.pictures.svg import svg

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
