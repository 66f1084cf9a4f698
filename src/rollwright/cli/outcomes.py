"""Odds in the terminal: the outcomes as bars or with their fractions, or their fields in lines.

It knows nothing of options, so that `rollwright odds 4d6kh3` is shown without loading them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rollwright.cli.paper import Paper, paper, show, wrapped
from rollwright.pictures.charts import CHANCE, said
from rollwright.pictures.distributions import distribution, summary
from rollwright.pictures.outcomes import field_said, fields_in, is_compound, is_counted
from rollwright.pictures.rows import MOST_ROWS, all_numbers, value_said
from rollwright.pictures.tables import Table
from rollwright.pictures.terminal import drawn

if TYPE_CHECKING:
    from rollwright.exact import Dist

MORE = 'More: --of FIELD for one of them, --where "EVENT" for a chance.'


def print_odds(
    dist: Dist[Any],
    heading: str,
    names: tuple[str, ...] = (),
    *,
    show_all: bool = False,
    exact: bool = False,
) -> None:
    """All outcomes under a heading: field by field, or as bars, or with their fractions."""
    page = paper()
    show(page.bold(wrapped(heading, page.width)), page)
    if is_compound(dist):
        show("\n".join(fields_said(dist, page.width)), page)
        show(wrapped(MORE, page.width), page)
    else:
        if spread := summary(dist):
            show(spread, page)
        if names:
            show(", ".join(names) + ":", page)
        picture = distribution(dist, most=len(dist) if show_all else MOST_ROWS)
        show(_exact(dist, page) if exact else drawn(picture, page), page)
    show_lost(dist, page)


def fields_said(dist: Dist[Any], width: int) -> list[str]:
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
        from rollwright.ask.events import uncounted_said

        words = uncounted_said(next(iter(dist)), uncounted)
        lines.append(wrapped(f"  not counted here: {words}", width, "    "))
    return lines


def _exact(dist: Dist[Any], page: Paper) -> str:
    """Every outcome with its fraction, and the chance to reach it where there is an order."""
    rows = []
    numbers = all_numbers(dist.outcomes)
    reach = dist.at_least_table() if numbers else {}
    for outcome, weight in dist.items():
        row = (value_said(outcome), said(weight / dist.total, CHANCE), f"{weight}/{dist.total}")
        rows.append((*row, said(reach[outcome], CHANCE)) if numbers else row)
    head = ("outcome", "chance", "exactly", "at least")[: 4 if numbers else 3]
    return Table(head, tuple(rows), left=0 if numbers else 1).text(page.width)


def show_lost(dist: Dist[Any], page: Paper) -> None:
    """What a stated bound cut off, if it did."""
    if dist.lost:
        share = said(dist.lost / dist.total, CHANCE)
        show(f"Cut off by a stated bound: {share}; chances are at least what is shown.", page)
