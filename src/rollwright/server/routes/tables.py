"""Tables over HTTP: make, join, look, command, take away, delete."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from rollwright.ask.shapes import Error
from rollwright.counting.spent import Spent
from rollwright.plain import Json
from rollwright.server.access import (
    ME,
    Entry,
    address_of,
    admitted,
    body_of,
    entered,
    known,
    note_wrong,
    number_of,
    seat_of,
    seer_of,
    services_of,
)
from rollwright.server.answers import Claimable, Done, Door, Joined, Looked, MadeTable
from rollwright.server.json import encoded
from rollwright.server.keys import check_may_make
from rollwright.server.limits import seat_name
from rollwright.server.responses import JSON, STATUS, answer, held_body
from rollwright.server.rooms.commands import Ack, obey
from rollwright.server.rooms.connections import FRAME_BYTES, gathered
from rollwright.server.rooms.creation import come_in, import_table, make_table, take_again
from rollwright.server.rooms.hello import MOST_RECENT, RECENT, Picture, you
from rollwright.server.rooms.room import Room
from rollwright.server.routes.questions import unless_left
from rollwright.server.routes.sockets import TableSocket
from rollwright.table.events import Event, Seat, export
from rollwright.table.refusals import Refusal, refusal
from rollwright.table.visibility import opened, seen, shown

MOST_EVENTS = 1000
MOST_SESSIONS = 1_000_000
EXPORT_SECONDS = 40.0
"""How long something may take that is made from a long log."""
AT_ONCE, TOGETHER = 400, 25
"""Events that are read at once, and written as JSON at once: nobody is served meanwhile."""


async def create(request: Request) -> Response:
    """Make a table."""
    services = admitted(request)
    who = await check_may_make(services, request)
    body = await body_of(request)
    services.limits.tables.take(address_of(request))
    made = await make_table(services, body)
    if made.new:
        services.audit.note("table.made", who=who, table=made.table, address=address_of(request))
    return answer(MadeTable(table=made.table, seat="s1"), 201 if made.new else 200)


async def bring(request: Request) -> Response:
    """Make a table from the log of one that was elsewhere."""
    services, address, spent = admitted(request), address_of(request), Spent()
    who = await check_may_make(services, request)
    services.limits.tables.take(address)
    try:
        with services.limits.bodies.place(address):
            async with held_body(request, services.settings.import_bytes) as body:
                made, seat = await import_table(services, body, address, spent)
    finally:
        services.limits.charge(spent, address)
    if made.new:
        services.audit.note("table.imported", who=who, table=made.table, address=address)
    return answer(MadeTable(table=made.table, seat=seat.id), 201 if made.new else 200)


async def join(request: Request) -> Response:
    """Take a seat with a link."""
    services = admitted(request)
    body = await body_of(request)
    token, room = await known(services, request, request.path_params["table"])
    if token.kind != "link":
        raise refusal("conflict", "server.seated")
    services.limits.joins_here.take(f"{room.table} {address_of(request)}")
    services.limits.joins.take(room.table)
    seat = await come_in(room, token.role, body)
    return answer(Joined(seat=seat.id, role=seat.role, status=seat.status), 201)


async def claimable(request: Request) -> Response:
    """Return what somebody signs who takes their seat again."""
    room = await _claimed(request)
    return answer(Claimable(table=room.table, epoch=room.state.epoch))


async def claim(request: Request) -> Response:
    """Take a seat again by the key of its device: where the table came from, tokens stayed."""
    body, room = await body_of(request), await _claimed(request)
    services, address = services_of(request), address_of(request)
    services.limits.joins_here.take(f"{room.table} {address}")
    try:
        seat = await take_again(room, body)
    except Refusal as problem:
        if problem.code == "bad_signature":
            note_wrong(services, address, "table")
        raise
    services.audit.note("seat.claimed", who=f"seat {seat.id}", table=room.table, address=address)
    return answer(Joined(seat=seat.id, role=seat.role, status=seat.status), 201)


async def _claimed(request: Request) -> Room:
    """The room of a table that somebody names without a token; a guess counts as one."""
    services, table = admitted(request), request.path_params["table"]
    try:
        return await services.rooms.room(table)
    except Refusal as problem:
        if problem.code == "not_found":
            note_wrong(services, address_of(request), "table")
        raise


async def look(request: Request) -> Response:
    """The table as a seat sees it; with a link to join by, only its door."""
    services = admitted(request)
    recent = number_of(request, "recent", RECENT, MOST_RECENT)
    token, room = await known(services, request, request.path_params["table"])
    if token.kind == "link" and token.role != "spectator":
        state = room.state
        host = next((one.name for one in state.seats.values() if one.is_referee), None)
        door = Door(
            table=room.table,
            role=token.role,
            game=state.game,
            title=state.title.text if state.title else None,
            host=host.text if host else None,
            knock=state.knock,
        )
        return answer(Looked(door=door))
    seat = seat_of(room, token, knocking=True)
    if seat is not None and seat.status == "knocking":
        return answer({"you": you(seat)})
    paying = "" if seat is None else seat_name(room.table, seat.id)
    if paying:
        services.limits.seat.take(paying)
    first, state = await room.first_of_last(recent), room.state
    about: dict[str, object] = {"you": you(seat), "head": state.head, "hash": state.hash}
    told = encoded({**about, "connected": room.everybody.presence.seats})
    payers = (address_of(request), paying)
    picture = Picture(room, lambda: state.seats.get(token.seat), first, *payers)
    pieces = picture.within(told.removesuffix(b"}") + b",", b"}")
    return StreamingResponse(
        gathered(pieces), headers={"cache-control": "no-store"}, media_type=JSON
    )


async def events(request: Request) -> Response:
    """A part of the log: behind `after`, or the last ones before `before`."""
    entry = await entered(request)
    head = entry.state.head
    limit = number_of(request, "limit", RECENT, MOST_EVENTS, least=1)
    after = number_of(request, "after", 0, 2**53)
    part: Sequence[Event] = ()
    if "before" in request.query_params:
        before = min(number_of(request, "before", 0, 2**53), head + 1)
        part = await entry.room.events_before(before, min(limit, before - 1 - after))
    elif after < head:
        part = await entry.room.events_after(after, limit)
    earlier = opened(part, entry.state)
    again = await entry.room.events_at(earlier)
    await entry.room.list_options()

    def told() -> Mapping[str, object]:
        views = [shown(event, entry.seat, entry.state) for event in (*part, *again)]
        return {"head": entry.state.head, "events": views}

    return _charged(entry, request, told)


def _charged(
    entry: Entry, request: Request, told: Callable[[], Mapping[str, object]], *, free: int = 0
) -> Response:
    """An answer that may be large, charged by what it costs to make and to send.

    Where what was paid before went into doing something, one of up to `free` bytes goes with it.
    """
    spent = Spent()
    with spent:
        made = answer(told())
    spent.sent += len(made.body)
    if not free:
        entry.charge(spent, address_of(request))
    elif len(made.body) > free:
        entry.charge(spent, address_of(request), paid=0)
    return made


async def command(request: Request) -> Response:
    """Do something at the table."""
    services = admitted(request, cost=0)
    given = await body_of(request, limit=services.settings.message_bytes)
    token, room = await known(services, request, request.path_params["table"])
    seat = seat_of(room, token)
    ack = await obey(services, room, seat, address_of(request), given)
    if "error" in ack:
        return answer(ack, STATUS[ack["error"]["code"]], _patience(ack["error"]))
    entry = Entry(services, room, seat)
    made = await _events_of(entry, ack)
    await entry.room.list_options()

    def told() -> Mapping[str, object]:
        seat = entry.state.seats.get(entry.seat.id) if entry.seat else None
        return {**ack, "events": [shown(event, seat, entry.state) for event in made]}

    return _charged(entry, request, told, free=FRAME_BYTES)


async def _events_of(entry: Entry, ack: Ack) -> tuple[Event, ...]:
    """Return the events a command led to, with those it opened."""
    first, last = ack.get("first"), ack.get("last")
    if first is None or last is None:
        return ()
    made = await entry.room.events_at(range(first, last + 1))
    earlier = [seq for seq in opened(made, entry.state) if seq < first]
    return (*made, *await entry.room.events_at(earlier))


async def delete(request: Request) -> Response:
    """Delete the table with everything of it."""
    entry = await entered(request, role="referee")
    await entry.services.store.delete_table(entry.room.table)
    entry.services.rooms.missing(entry.room.table)
    who = f"seat {entry.seat.id}" if entry.seat else ""
    address = address_of(request)
    entry.services.audit.note("table.deleted", who=who, table=entry.room.table, address=address)
    return answer(Done())


def _patience(error: Error) -> dict[str, str]:
    return {"retry-after": str(error["wait"] // 1000 + 1)} if "wait" in error else {}


async def log(request: Request) -> Response:
    """The log, fit to be checked offline: somebody's own copy, or everybody's."""
    entry = await entered(request)
    return LogSent(entry, seer_of(request, entry, otherwise=ME), address_of(request))


async def history_markdown(request: Request) -> Response:
    """Return the history of the table as text."""
    entry = await entered(request)
    kind = "text/markdown; charset=utf-8"
    return await _made(request, entry, seer_of(request, entry), "history.md", kind)


async def history_csv(request: Request) -> Response:
    """The rolls, for a spreadsheet."""
    entry = await entered(request)
    kind = "text/csv; charset=utf-8"
    return await _made(request, entry, seer_of(request, entry), "history.csv", kind)


async def statistics(request: Request) -> Response:
    """Observed against expected, for each seat."""
    entry = await entered(request)
    return await _made(request, entry, seer_of(request, entry), "statistics", JSON)


async def recap(request: Request) -> Response:
    """A session looked back on, the same for everybody: it is made to be shared."""
    entry = await entered(request)
    session = number_of(request, "session", 0, MOST_SESSIONS)
    return await _made(request, entry, None, "recap", JSON, session=session)


class LogSent(StreamingResponse):
    """The log sent piece by piece, so that a long one is never in memory as a whole."""

    def __init__(self, entry: Entry, seer: Seat | None, address: str) -> None:
        self._entry = entry
        self._address = address
        self._spent = Spent()
        entry.services.limits.exports.take(address)
        headers = _headers(entry, seer, "log.json")
        super().__init__(_log(entry, seer, self._spent), 200, headers, JSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, as slowly as it is read; what was sent is charged."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._entry.services.limits.exports.leave(self._address)
            self._entry.charge(self._spent, self._address)


async def _log(entry: Entry, seer: Seat | None, spent: Spent) -> AsyncIterator[bytes]:
    whose = seer.id if seer else ""
    handover = entry.room.handover if seer and seer.is_referee else ""
    begun = encoded(export(entry.room.table, [], whose, handover)).removesuffix(b"]}")
    async for piece in log_pieces(entry, seer, spent):
        spent.sent += len(piece)
        yield begun + piece[1:-1]
        begun = b","
    yield b"]}" if begun == b"," else begun + b"]}"


async def _made(
    request: Request, entry: Entry, seer: Seat | None, what: str, kind: str, **more: Json
) -> Response:
    """Something made from the whole log, in a process where that holds up nobody."""
    address, spent = address_of(request), Spent()
    try:
        with entry.services.limits.exports.place(address):
            made = await unless_left(request, written(entry, seer, what, address, spent, more))
        spent.sent += len(made)
    finally:
        entry.charge(spent, address)
    return Response(made, 200, _headers(entry, seer, what if "." in what else ""), kind)


def _headers(entry: Entry, seer: Seat | None, name: str) -> dict[str, str]:
    """The headers of a file: its name says whose copy it is, where it is not everybody's."""
    headers = {"cache-control": "no-store"}
    if name:
        whose = f"-{seer.id}" if seer else ""
        file = f"table-{entry.room.table}{whose}-{name}"
        headers["content-disposition"] = f'attachment; filename="{file}"'
    return headers


async def written(
    entry: Entry,
    seer: Seat | None,
    what: str,
    address: str,
    spent: Spent,
    more: Mapping[str, Json],
) -> bytes:
    """A history, the statistics or an evening of a table, as that seat may know them."""
    whose = seer.id if seer else ""
    return await entry.services.counting.work(
        {"ask": "tell", "what": what, "whose": whose, **more},
        entry.share,
        address=address,
        pieces=log_pieces(entry, seer, spent),
        size=entry.room.log_bytes,
        seconds=EXPORT_SECONDS,
        spent=spent,
    )


async def log_pieces(entry: Entry, seer: Seat | None, spent: Spent) -> AsyncIterator[bytes]:
    """The log up to its head as a seat may see it: lists of events in JSON, one after the other.

    None is everybody.
    """
    last, head = 0, entry.state.head
    while last < head:
        events = await entry.room.events_after(last, min(AT_ONCE, head - last))
        if not events:
            return
        for start in range(0, len(events), TOGETHER):
            with spent:
                seat = entry.state.seats.get(seer.id) if seer else None
                some = events[start : start + TOGETHER]
                piece = encoded([seen(event, seat, entry.state) for event in some])
            yield piece
            await asyncio.sleep(0)
        last = events[-1].seq


TABLE = "/tables/{table}"

routes = [
    Route("/tables", create, methods=["POST"]),
    Route("/tables/import", bring, methods=["POST"]),
    Route(TABLE, look, methods=["GET"]),
    Route(TABLE, delete, methods=["DELETE"]),
    Route(TABLE + "/join", join, methods=["POST"]),
    Route(TABLE + "/claim", claimable, methods=["GET"]),
    Route(TABLE + "/claim", claim, methods=["POST"]),
    Route(TABLE + "/events", events, methods=["GET"]),
    Route(TABLE + "/commands", command, methods=["POST"]),
    Route(TABLE + "/log.json", log, methods=["GET"]),
    Route(TABLE + "/history.md", history_markdown, methods=["GET"]),
    Route(TABLE + "/history.csv", history_csv, methods=["GET"]),
    Route(TABLE + "/statistics", statistics, methods=["GET"]),
    Route(TABLE + "/recap", recap, methods=["GET"]),
    WebSocketRoute(TABLE + "/socket", TableSocket()),
]
