"""A table to take away: its log, its history and its numbers, each as a seat may see it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright.server.entry import Entry, entered
from rollwright.server.room import BATCH
from rollwright.server.wire import JSON, encoded
from rollwright.table.events import Event
from rollwright.table.views import seen

COSTLY = 5
"""What reads a whole log counts as so many requests."""

Views = list[dict[str, Any]]


async def log(request: Request) -> Response:
    """The log, fit to be checked offline."""
    from rollwright.table.logs import export

    entry = await entered(request, cost=COSTLY)
    seat = entry.seat.id if entry.seat else ""
    return await _written(
        entry, "log.json", JSON, lambda views: encoded(export(entry.room.table, views, seat))
    )


async def history_markdown(request: Request) -> Response:
    """What happened, to be read."""
    from rollwright.table.history import history_markdown as told

    entry = await entered(request, cost=COSTLY)
    kind = "text/markdown; charset=utf-8"
    return await _written(entry, "history.md", kind, lambda views: told(views).encode())


async def history_csv(request: Request) -> Response:
    """The rolls, for a spreadsheet."""
    from rollwright.table.history import history_csv as told

    entry = await entered(request, cost=COSTLY)
    kind = "text/csv; charset=utf-8"
    return await _written(entry, "history.csv", kind, lambda views: told(views).encode())


async def statistics(request: Request) -> Response:
    """Observed against expected, for each seat."""
    from rollwright.table.statistics import statistics as counted

    entry = await entered(request, cost=COSTLY)
    return await _written(entry, "", JSON, lambda views: encoded(counted(views).to_plain()))


async def _written(entry: Entry, name: str, kind: str, write: Callable[[Views], bytes]) -> Response:
    """Something made from the whole log; the writing itself holds up nobody."""
    events = await _all_events(entry)
    seat = entry.state.seats.get(entry.seat.id) if entry.seat else None
    views = [seen(event, seat, entry.state) for event in events]
    headers = {"cache-control": "no-store"}
    if name:
        file = f"table-{entry.room.table}-{name}"
        headers["content-disposition"] = f'attachment; filename="{file}"'
    return Response(await asyncio.to_thread(write, views), 200, headers, kind)


async def _all_events(entry: Entry) -> list[Event]:
    """The log up to the head that the state has at the end."""
    events: list[Event] = []
    while len(events) < entry.state.head:
        more = await entry.room.events_after(len(events), BATCH)
        if not more:
            break
        events += more
    return events


TABLE = "/tables/{table}"

routes = [
    Route(TABLE + "/log.json", log, methods=["GET"]),
    Route(TABLE + "/history.md", history_markdown, methods=["GET"]),
    Route(TABLE + "/history.csv", history_csv, methods=["GET"]),
    Route(TABLE + "/statistics", statistics, methods=["GET"]),
]
