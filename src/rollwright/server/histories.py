"""Histories and statistics of whole logs, made outside the event loop from what a seat may see.

The log goes to a counting process piece by piece, as it is read: it is never whole in memory here,
and there the memory is bounded. What is made of it comes back as bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import json

from rollwright.server.limits import Spent
from rollwright.table.views import seen

if TYPE_CHECKING:
    from rollwright.server.entry import Entry

SECONDS = 40.0
"""How long a long log may take."""
AT_ONCE = 400
"""Events that are read at once."""
TOGETHER = 25
"""Events that are written as JSON at once, since nobody is served meanwhile."""
LATEST = 253_402_300_799_000
"""The last second of the year 9999: a calendar has no later one."""

View = dict[str, Any]


async def written(entry: Entry, what: str, address: str, spent: Spent) -> bytes:
    """A history or the statistics of a table, as the seat may know them."""
    return await entry.hall.counting.work(
        {"ask": "tell", "what": what},
        entry.share,
        address=address,
        pieces=log_pieces(entry, spent),
        seconds=SECONDS,
        spent=spent,
    )


async def log_pieces(entry: Entry, spent: Spent) -> AsyncIterator[bytes]:
    """The log up to its head as a seat may see it: lists of events in JSON, one after the other."""
    last, head = 0, entry.state.head
    while last < head:
        events = await entry.room.events_after(last, min(AT_ONCE, head - last))
        if not events:
            return
        for start in range(0, len(events), TOGETHER):
            with spent:
                seat = entry.state.seats.get(entry.seat.id) if entry.seat else None
                some = events[start : start + TOGETHER]
                piece = json.encode([seen(event, seat, entry.state) for event in some])
            yield piece
            await asyncio.sleep(0)
        last = events[-1].seq


def told(question: Mapping[str, Any], pieces: list[bytes]) -> bytes:
    """What a counting process makes of a log: the other end of `written`."""
    return TOLD[question["what"]](_views(pieces))


def _views(pieces: list[bytes]) -> Iterator[View]:
    """The events in some pieces, which are let go one by one, without what nobody tells."""
    pieces.reverse()
    while pieces:
        for view in json.decode(pieces.pop()):
            yield _in_short(view)


def _in_short(view: View) -> View:
    kept = {name: view[name] for name in ("seq", "at", "kind", "open")}
    kept["at"] = view["at"] if 0 <= view["at"] <= LATEST else LATEST
    if "body" in view:
        body = view["body"]
        if (body.get("after") or {}).get("step") not in (None, "done"):
            body = {**body, "after": None}  # what was waited for then, with all its dice
        kept |= {"body": body, "texts": view["texts"]}
    return kept


def _markdown(views: Iterator[View]) -> bytes:
    from rollwright.table.history import history_markdown

    return history_markdown(views).encode()


def _csv(views: Iterator[View]) -> bytes:
    from rollwright.table.history import history_csv

    return history_csv(views).encode()


def _statistics(views: Iterator[View]) -> bytes:
    from rollwright.table.statistics import statistics

    return json.encode(statistics(views).to_plain())


TOLD: dict[str, Callable[[Iterator[View]], bytes]] = {
    "history.md": _markdown,
    "history.csv": _csv,
    "statistics": _statistics,
}
"""What can be made of a log."""
