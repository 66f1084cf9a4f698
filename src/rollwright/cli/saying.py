"""What the commands say: headings, fields of outcomes in a line each, fractions and percents."""

from __future__ import annotations

from typing import Any

from rollwright.ask.numbers import fraction, percent, worth_said
from rollwright.ask.outcomes import uncounted_said
from rollwright.cli.paper import wrapped
from rollwright.pictures.outcomes import field_said, fields_in, is_compound, is_counted
from rollwright.pictures.rows import value_said

__all__ = [
    "field_said",
    "fields_in",
    "fields_said",
    "fraction",
    "is_compound",
    "percent",
    "uncounted_said",
    "worth_said",
]


def fields_said(dist: Any, width: int) -> list[str]:
    """One line for each field that can differ; what is always the same is said at the end."""
    parts = {name: dist.of(name) for name in fields_in(dist)}
    open_ones = [name for name, part in parts.items() if len(part) > 1]
    wide = max(map(len, open_ones), default=0)
    lines = [
        wrapped(f"  {name:<{wide}}  {field_said(parts[name], width - wide - 4)}", width, "    ")
        for name in open_ones
    ]
    sure = [
        f"{name} {value_said(part.outcomes[0])}"
        for name, part in parts.items()
        if len(part) == 1 and is_counted(part)
    ]
    if sure:
        lines.append(wrapped(f"  always: {', '.join(sure)}", width, "    "))
    uncounted = [name for name, part in parts.items() if not is_counted(part)]
    if uncounted:
        words = uncounted_said(next(iter(dist)), uncounted)
        lines.append(wrapped(f"  not counted here: {words}", width, "    "))
    return lines
