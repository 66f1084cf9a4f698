"""A table to take away: its log, its history and its numbers, each as a seat may see it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from rollwright.server.access import Entry, address_of, entered
from rollwright.server.codec import decoded, encoded
from rollwright.server.limits import Spent
from rollwright.server.routes.questions import unless_left
from rollwright.server.wire import JSON
from rollwright.table.schemas import EventTold
from rollwright.table.visibility import seen

if TYPE_CHECKING:
    from rollwright.server.access import Entry


async def log(request: Request) -> Response:
    """The log, fit to be checked offline."""
    return LogSent(await entered(request), address_of(request))


async def history_markdown(request: Request) -> Response:
    """What happened, to be read."""
    return await _made(request, "history.md", "text/markdown; charset=utf-8")


async def history_csv(request: Request) -> Response:
    """The rolls, for a spreadsheet."""
    return await _made(request, "history.csv", "text/csv; charset=utf-8")


async def statistics(request: Request) -> Response:
    """Observed against expected, for each seat."""
    return await _made(request, "statistics", JSON)


class LogSent(StreamingResponse):
    """The log sent piece by piece, so that a long one is never in memory as a whole."""

    def __init__(self, entry: Entry, address: str) -> None:
        self._entry = entry
        self._address = address
        self._spent = Spent()
        entry.services.limits.exports.take(address)
        super().__init__(_log(entry, self._spent), 200, _headers(entry, "log.json"), JSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, as slowly as it is read; what was sent is charged."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._entry.services.limits.exports.leave(self._address)
            self._entry.charge(self._spent, self._address)


async def _log(entry: Entry, spent: Spent) -> AsyncIterator[bytes]:
    from rollwright.table.events import export

    seat = entry.seat.id if entry.seat else ""
    handover = entry.room.handover if entry.seat and entry.seat.is_referee else ""
    begun = encoded(export(entry.room.table, [], seat, handover)).removesuffix(b"]}")
    async for piece in log_pieces(entry, spent):
        spent.sent += len(piece)
        yield begun + piece[1:-1]
        begun = b","
    yield b"]}" if begun == b"," else begun + b"]}"


async def _made(request: Request, what: str, kind: str) -> Response:
    """Something made from the whole log, in a process where that holds up nobody."""
    entry, address, spent = await entered(request), address_of(request), Spent()
    try:
        with entry.services.limits.exports.place(address):
            made = await unless_left(request, written(entry, what, address, spent))
        spent.sent += len(made)
    finally:
        entry.charge(spent, address)
    return Response(made, 200, _headers(entry, what if "." in what else ""), kind)


def _headers(entry: Entry, name: str) -> dict[str, str]:
    headers = {"cache-control": "no-store"}
    if name:
        file = f"table-{entry.room.table}-{name}"
        headers["content-disposition"] = f'attachment; filename="{file}"'
    return headers


TABLE = "/tables/{table}"

routes = [
    Route(TABLE + "/log.json", log, methods=["GET"]),
    Route(TABLE + "/history.md", history_markdown, methods=["GET"]),
    Route(TABLE + "/history.csv", history_csv, methods=["GET"]),
    Route(TABLE + "/statistics", statistics, methods=["GET"]),
]


SECONDS = 40.0
"""How long a long log may take."""
AT_ONCE = 400
"""Events that are read at once."""
TOGETHER = 25
"""Events that are written as JSON at once, since nobody is served meanwhile."""
LATEST = 253_402_300_799_000
"""The last second of the year 9999: a calendar has no later one."""

View = EventTold


async def written(entry: Entry, what: str, address: str, spent: Spent) -> bytes:
    """A history or the statistics of a table, as the seat may know them."""
    return await entry.services.counting.work(
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
                piece = encoded([seen(event, seat, entry.state) for event in some])
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
        for view in decoded(pieces.pop()):
            yield _in_short(view)


def _in_short(view: View) -> View:
    at = view["at"] if 0 <= view["at"] <= LATEST else LATEST
    kept: View = {"seq": view["seq"], "at": at, "kind": view["kind"], "open": view["open"]}
    if "body" in view:
        body = view["body"]
        if (body.get("after") or {}).get("step") not in (None, "done"):
            body = {**body, "after": None}  # what was waited for then, with all its dice
        kept["body"], kept["texts"] = body, view["texts"]
    return kept


def _markdown(views: Iterator[View]) -> bytes:
    from rollwright.table.history.documents import history_markdown

    return history_markdown(views).encode()


def _csv(views: Iterator[View]) -> bytes:
    from rollwright.table.history.documents import history_csv

    return history_csv(views).encode()


def _statistics(views: Iterator[View]) -> bytes:
    from rollwright.table.history.statistics import statistics

    return encoded(statistics(views).to_plain())


TOLD: dict[str, Callable[[Iterator[View]], bytes]] = {
    "history.md": _markdown,
    "history.csv": _csv,
    "statistics": _statistics,
}
"""What can be made of a log."""
