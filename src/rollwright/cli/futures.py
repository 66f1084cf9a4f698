"""What the options of a choice lead to: where they differ, and which of them costs less."""

from __future__ import annotations

from typing import Any

from rollwright.ask.outcomes import COSTS
from rollwright.cli.paper import Paper, wrapped
from rollwright.cli.saying import field_said, fields_in
from rollwright.pictures.rows import all_measured

MOST_FIELDS = 4
ECHO = 4
"""The place of a field that tells nothing new."""


def future_said(futures: list[Any], number: int, page: Paper) -> list[str]:
    """The fields in which the options differ, for one of them."""
    if not futures:
        return []
    names = telling_fields(futures)
    wide = max(map(len, names), default=0)
    lines = []
    for name in names:
        text = field_said(futures[number].of(name), page.width - wide - 9).strip()
        lines.append(wrapped(f"       {name:<{wide}}  {text}", page.width, " " * 9))
    return lines


def telling_fields(futures: list[Any]) -> list[str]:
    """The fields in which the options differ, those first that tell most."""
    found = [name for name in fields_in(futures[0]) if len({dist.of(name) for dist in futures}) > 1]
    places = {name: _place(name, futures) for name in found}
    news = [name for name in found if places[name] < ECHO] or found
    return sorted(news, key=lambda name: places[name])[:MOST_FIELDS]


def _place(name: str, futures: list[Any]) -> int:
    """What is paid for certain, what may be paid, then the rest.

    A yes or no that is certain and costs nothing only repeats what was chosen.
    """
    parts = [dist.of(name) for dist in futures]
    certain = all(len(part) == 1 for part in parts)
    if name in COSTS:
        return 0 if certain else 1
    if certain and all(isinstance(part.outcomes[0], bool) for part in parts):
        return ECHO
    return 2 if certain else 3


def costs_said(names: list[str], futures: list[Any]) -> str:
    """Which option costs less, or what each costs more than the cheapest in that; or nothing."""
    prices = [_prices(dist) for dist in futures]
    dearer = [
        [COSTS[cost] for cost in mine if mine[cost] > min(other[cost] for other in prices)]
        for mine in prices
    ]
    if not any(dearer):
        return ""
    if cheap := [name for name, more in zip(names, dearer) if not more]:
        return f"{' or '.join(cheap)} costs less"
    said = [f"{name} costs more in {', '.join(more)}" for name, more in zip(names, dearer)]
    return "; ".join(said)


def _prices(dist: Any) -> dict[str, Any]:
    """What is paid on average, by the name of the field."""
    parts = {name: dist.of(name) for name in fields_in(dist) if name in COSTS}
    return {
        name: part.map(int).mean for name, part in parts.items() if all_paid(list(part.outcomes))
    }


def all_paid(values: list[Any]) -> bool:
    """Whether a cost was counted: yes or no, or a number."""
    return all(isinstance(value, bool) for value in values) or all_measured(values)
