"""The log of a table as a file: everything that one seat may see, fit to be checked offline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rollwright import __version__
from rollwright.transcript import FORMAT

EVERYBODY = "everybody"


def export(
    table: str, events: Iterable[Mapping[str, Any]], seat: str = "", handover: str = ""
) -> dict[str, Any]:
    """The log as one JSON value, of events as the seat sees them; no seat is everybody.

    A referee's copy also has the `handover`: with it the table can be gone on with elsewhere.

    >>> export("abcdefgh2345", [], "s2")["for"]
    's2'
    """
    return {
        "format": FORMAT,
        "rollwright": __version__,
        "table": table,
        "for": seat or EVERYBODY,
        **({"handover": handover} if handover else {}),
        "events": [dict(event) for event in events],
    }


def is_log(plain: Any) -> bool:
    """Whether parsed JSON is meant to be a log of a table, and not a roll."""
    return isinstance(plain, dict) and "events" in plain and "answers" not in plain
