"""A table to take away: its log, its history and its numbers, each as a seat may see it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from rollwright.server.asking import unless_left
from rollwright.server.entry import Entry, address_of, entered
from rollwright.server.histories import log_pieces, written
from rollwright.server.limits import Spent
from rollwright.server.wire import JSON, encoded


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
        entry.hall.limits.exports.take(address)
        super().__init__(_log(entry, self._spent), 200, _headers(entry, "log.json"), JSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, as slowly as it is read; what was sent is charged."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._entry.hall.limits.exports.leave(self._address)
            self._entry.charge(self._spent, self._address)


async def _log(entry: Entry, spent: Spent) -> AsyncIterator[bytes]:
    from rollwright.table.logs import export

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
        with entry.hall.limits.exports.place(address):
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
