"""Tables over HTTP: make, join, look, command, take away, delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute

from rollwright.server.access import (
    Entry,
    address_of,
    admitted,
    body_of,
    entered,
    known,
    number_of,
    seat_of,
)
from rollwright.server.admin.keys import check_may_make
from rollwright.server.answers import Done, Door, Joined, Looked, MadeTable
from rollwright.server.codec import encoded
from rollwright.server.limits import Spent, seat_name
from rollwright.server.rooms.commands import obey
from rollwright.server.rooms.creation import come_in, make_table
from rollwright.server.rooms.hello import MOST_RECENT, RECENT, Picture, you
from rollwright.server.rooms.messages import FRAME_BYTES, gathered
from rollwright.server.routes.questions import read_unread
from rollwright.server.routes.sockets import TableSocket
from rollwright.server.wire import JSON, STATUS, answer
from rollwright.table.events import Event
from rollwright.table.refusals import Refusal
from rollwright.table.visibility import opened, seen

MOST_EVENTS = 1000


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
    from rollwright.server.rooms.creation import import_table

    services, address, spent = admitted(request), address_of(request), Spent()
    who = await check_may_make(services, request)
    services.limits.tables.take(address)
    try:
        with services.limits.bodies.place(address):
            body = await read_unread(request, services.settings.import_bytes)
            made, seat = await import_table(services, body, spent)
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
        raise Refusal("conflict", "this is a seat's token: you are at the table already")
    services.limits.joins_here.take(f"{room.table} {address_of(request)}")
    services.limits.joins.take(room.table)
    seat = await come_in(room, token.role, body)
    return answer(Joined(seat=seat.id, role=seat.role, status=seat.status), 201)


async def look(request: Request) -> Response:
    """The table as a seat sees it; with a link to join by, only its door."""
    services = admitted(request)
    recent = number_of(request, "recent", RECENT, MOST_RECENT)
    token, room = await known(services, request, request.path_params["table"])
    if token.kind == "link" and token.role != "spectator":
        state = room.state
        door = Door(
            table=room.table,
            role=token.role,
            game=state.game,
            title=state.title.text if state.title else None,
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
    about = {"you": you(seat), "head": state.head, "hash": state.hash}
    told = encoded({**about, "connected": room.presence.seats})
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

    def told() -> dict[str, Any]:
        views = [seen(event, entry.seat, entry.state) for event in (*part, *again)]
        return {"head": entry.state.head, "events": views}

    return _charged(entry, request, told)


def _charged(
    entry: Entry, request: Request, told: Callable[[], dict[str, Any]], *, free: int = 0
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
    if not ack["ok"]:
        return answer(ack, STATUS[ack["error"]["code"]], _patience(ack["error"]))
    entry = Entry(services, room, seat)
    made = await _events_of(entry, ack)

    def told() -> dict[str, Any]:
        seat = entry.state.seats.get(entry.seat.id) if entry.seat else None
        return {**ack, "events": [seen(event, seat, entry.state) for event in made]}

    return _charged(entry, request, told, free=FRAME_BYTES)


async def _events_of(entry: Entry, ack: dict[str, Any]) -> tuple[Event, ...]:
    """What a command led to, with what it opened."""
    if ack["first"] is None:
        return ()
    made = await entry.room.events_at(range(ack["first"], ack["last"] + 1))
    earlier = [seq for seq in opened(made, entry.state) if seq < ack["first"]]
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


def _patience(error: dict[str, Any]) -> dict[str, str]:
    return {"retry-after": str(error["wait"] // 1000 + 1)} if "wait" in error else {}


TABLE = "/tables/{table:str}"

routes = [
    Route("/tables", create, methods=["POST"]),
    Route("/tables/import", bring, methods=["POST"]),
    Route(TABLE, look, methods=["GET"]),
    Route(TABLE, delete, methods=["DELETE"]),
    Route(TABLE + "/join", join, methods=["POST"]),
    Route(TABLE + "/events", events, methods=["GET"]),
    Route(TABLE + "/commands", command, methods=["POST"]),
    WebSocketRoute(TABLE + "/socket", TableSocket()),
]
