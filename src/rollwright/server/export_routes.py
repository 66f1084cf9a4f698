"""A table to take away: its log, its history and its numbers, each as a seat may see it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from rollwright.server.entry import Entry, address_of, entered
from rollwright.server.room import BATCH
from rollwright.server.wire import JSON, encoded
from rollwright.table.events import Event
from rollwright.table.views import seen

COSTLY = 5
"""What reads a whole log counts as so many requests."""
LATEST = 253_402_300_799_000
"""The last second of the year 9999: a calendar has no later one."""

View = dict[str, Any]
Views = list[View]


async def log(request: Request) -> Response:
    """The log, fit to be checked offline."""
    entry = await entered(request, cost=COSTLY)
    return LogSent(entry, address_of(request))


async def history_markdown(request: Request) -> Response:
    """What happened, to be read."""
    from rollwright.table.history import history_markdown as told

    kind = "text/markdown; charset=utf-8"
    return await _written(
        request, "history.md", kind, lambda views: told(map(_in_time, views)).encode()
    )


async def history_csv(request: Request) -> Response:
    """The rolls, for a spreadsheet."""
    from rollwright.table.history import history_csv as told

    kind = "text/csv; charset=utf-8"
    return await _written(
        request, "history.csv", kind, lambda views: told(map(_in_time, views)).encode()
    )


async def statistics(request: Request) -> Response:
    """Observed against expected, for each seat."""
    from rollwright.table.statistics import statistics as counted

    return await _written(request, "", JSON, lambda views: encoded(counted(views).to_plain()))


class LogSent(StreamingResponse):
    """The log sent piece by piece, so that a long one is never in memory as a whole."""

    def __init__(self, entry: Entry, address: str) -> None:
        self._places = entry.hall.limits.exports
        self._address = address
        self._places.take(address)
        super().__init__(_log(entry), 200, _headers(entry, "log.json"), JSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, as slowly as it is read."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._places.leave(self._address)


async def _log(entry: Entry) -> AsyncIterator[bytes]:
    from rollwright.table.logs import export

    seat = entry.seat.id if entry.seat else ""
    handover = entry.room.handover if entry.seat and entry.seat.is_referee else ""
    piece = encoded(export(entry.room.table, [], seat, handover)).removesuffix(b"]}")
    last, head = 0, entry.state.head
    while last < head and (events := await entry.room.events_after(last, min(BATCH, head - last))):
        yield piece + encoded(_seen(entry, events))[1:-1]
        last, piece = events[-1].seq, b","
    yield b"]}" if last else piece + b"]}"


async def _written(
    request: Request, name: str, kind: str, write: Callable[[Views], bytes]
) -> Response:
    """Something made from the whole log, one at a time; the writing itself holds up nobody."""
    entry = await entered(request, cost=COSTLY)
    with entry.hall.limits.exports.place(address_of(request)):
        async with entry.hall.exporting:
            events = await _all_events(entry)
            made = await asyncio.to_thread(write, _seen(entry, events))
    return Response(made, 200, _headers(entry, name), kind)


def _headers(entry: Entry, name: str) -> dict[str, str]:
    headers = {"cache-control": "no-store"}
    if name:
        file = f"table-{entry.room.table}-{name}"
        headers["content-disposition"] = f'attachment; filename="{file}"'
    return headers


async def _all_events(entry: Entry) -> list[Event]:
    """The log up to the head that the state has at the end."""
    events: list[Event] = []
    while len(events) < entry.state.head:
        more = await entry.room.events_after(len(events), BATCH)
        if not more:
            break
        events += more
    return events


def _seen(entry: Entry, events: Iterable[Event]) -> Views:
    """Events as the seat sees them now."""
    seat = entry.state.seats.get(entry.seat.id) if entry.seat else None
    return [seen(event, seat, entry.state) for event in events]


def _in_time(view: View) -> View:
    """The event at a time that a calendar has, whatever a log says that came from elsewhere."""
    return view if 0 <= view["at"] <= LATEST else {**view, "at": LATEST}


TABLE = "/tables/{table}"

routes = [
    Route(TABLE + "/log.json", log, methods=["GET"]),
    Route(TABLE + "/history.md", history_markdown, methods=["GET"]),
    Route(TABLE + "/history.csv", history_csv, methods=["GET"]),
    Route(TABLE + "/statistics", statistics, methods=["GET"]),
]
