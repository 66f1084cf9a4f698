"""What the commands say: headings, fields of outcomes in a line each, fractions and percents."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rollwright.cli.paper import wrapped
from rollwright.exact.fields import field_names
from rollwright.pictures.charts import said
from rollwright.pictures.distributions import number_said
from rollwright.pictures.rows import all_numbers, has_words, value_said

MOST_VALUES = 4
MOST_LISTED = 8
"""A number with more values than this is told by its range."""


def percent(share: Any) -> str:
    """A chance as people say it."""
    return said(float(share), "%")


def fields_in(dist: Any) -> tuple[str, ...]:
    """The names of the fields that all outcomes have; empty for plain numbers."""
    example = next(iter(dist))
    return field_names(example) if hasattr(example, "_fields") else ()


def is_compound(dist: Any) -> bool:
    """Whether outcomes are shown field by field, since they have no words of their own."""
    return bool(fields_in(dist)) and not has_words(next(iter(dist)))


def fields_said(dist: Any, width: int) -> list[str]:
    """One line for each field that can differ; what is always the same is said at the end."""
    parts = {name: dist.of(name) for name in fields_in(dist)}
    open_ones = [name for name, part in parts.items() if len(part) > 1]
    wide = max(map(len, open_ones), default=0)
    lines = []
    for name in open_ones:
        line = f"  {name:<{wide}}  {field_said(parts[name], width - wide - 4)}"
        lines.append(line if len(line) <= width else line[: width - 1] + "…")
    sure = [f"{n} {value_said(p.outcomes[0])}" for n, p in parts.items() if len(p) == 1]
    return [*lines, wrapped(f"  always: {', '.join(sure)}", width, "    ")] if sure else lines


def field_said(dist: Any, room: int = 76) -> str:
    """What one field comes to, in as many words as there is room for."""
    outcomes = dist.outcomes
    if len(outcomes) == 1:
        return f"always {value_said(outcomes[0])}"
    if all(isinstance(outcome, bool) for outcome in outcomes):
        return f"{percent(dist.p(True)):>7}"
    start = f"mean {number_said(dist.mean)}" if all_numbers(outcomes) else ""
    if start and len(outcomes) > MOST_LISTED:
        low, high = dist.quantile("1/10"), dist.quantile("9/10")
        return f"{start}   in 80 % of cases from {value_said(low)} to {value_said(high)}"
    return _listed(dist, start, room)


def _listed(dist: Any, start: str, room: int) -> str:
    """The likeliest values, as many as there is room for, in order where they are numbers."""
    likeliest = sorted(dist.items(), key=lambda item: -item[1])[:MOST_VALUES]
    text = start
    for count in range(1, len(likeliest) + 1):
        shown = sorted(likeliest[:count]) if start else likeliest[:count]
        listed = "   ".join(f"{value_said(o)}: {percent(w / dist.total)}" for o, w in shown)
        longer = f"{start}   {listed}" if start else listed
        if len(longer) > room and count > 1:
            break
        text = longer
    return text


def fraction(value: Any) -> str:
    """A fraction in full, however long."""
    exact = Fraction(value)
    return str(exact.numerator) if exact.denominator == 1 else f"{exact}"


def worth_said(value: Fraction, chances: bool) -> str:
    """What something is worth: a chance where the goal is one, else a number."""
    return percent(value) if chances else number_said(value)
