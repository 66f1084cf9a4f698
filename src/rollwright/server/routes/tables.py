"""Tables over HTTP: make, join, look, command, take away, delete."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from rollwright.jsonable import Json
from rollwright.queries.schemas import ErrorData
from rollwright.server.access import (
    ME,
    Entry,
    address_of,
    admit,
    authenticate_request,
    enter,
    json_body,
    note_failure,
    query_number,
    seat_of,
    services_of,
    viewer_of,
)
from rollwright.server.answers import (
    ClaimAnswer,
    DoneAnswer,
    InviteView,
    JoinAnswer,
    SnapshotAnswer,
    TableAnswer,
)
from rollwright.server.json_codec import encode
from rollwright.server.keys import check_may_create
from rollwright.server.limits import seat_name
from rollwright.server.live.commands import CommandResult, handle_command
from rollwright.server.live.connections import FRAME_BYTES, regroup
from rollwright.server.live.creation import claim_seat, import_table, join_table, open_table
from rollwright.server.live.live_table import LiveTable
from rollwright.server.live.snapshots import MOST_RECENT, RECENT, SnapshotStream, own_seat
from rollwright.server.responses import JSON, STATUS, answer, spool_body
from rollwright.server.routes.queries import cancel_on_disconnect
from rollwright.server.routes.sockets import TableSocket
from rollwright.table.errors import CodedError, command_error
from rollwright.table.events import Event, Seat, export
from rollwright.table.visibility import reopened_seqs, view_event, view_with_options
from rollwright.workers.costs import CostMeter

MOST_EVENTS = 1000
MOST_SESSIONS = 1_000_000
EXPORT_SECONDS = 40.0
"""How long something may take that is made from a long log."""
AT_ONCE, TOGETHER = 400, 25
"""Events that are read at once, and written as JSON at once: nobody is served meanwhile."""


async def create(request: Request) -> Response:
    """Make a table."""
    services = admit(request)
    who = await check_may_create(services, request)
    body = await json_body(request)
    services.limits.tables.take(address_of(request))
    made = await open_table(services, body)
    if made.new:
        services.audit.note("table.made", who=who, table=made.table, address=address_of(request))
    return answer(TableAnswer(table=made.table, seat="s1"), 201 if made.new else 200)


async def create_from_log(request: Request) -> Response:
    """Make a table from the log of one that was elsewhere."""
    services, address, spent = admit(request), address_of(request), CostMeter()
    who = await check_may_create(services, request)
    services.limits.tables.take(address)
    try:
        with services.limits.bodies.slot(address):
            async with spool_body(request, services.settings.import_bytes) as body:
                made, seat = await import_table(services, body, address, spent)
    finally:
        services.limits.charge(spent, address)
    if made.new:
        services.audit.note("table.imported", who=who, table=made.table, address=address)
    return answer(TableAnswer(table=made.table, seat=seat.id), 201 if made.new else 200)


async def join(request: Request) -> Response:
    """Take a seat with a link."""
    services = admit(request)
    body = await json_body(request)
    token, room = await authenticate_request(services, request, request.path_params["table"])
    if token.kind != "link":
        raise command_error("conflict", "server.seated")
    services.limits.joins_here.take(f"{room.table} {address_of(request)}")
    services.limits.joins.take(room.table)
    seat = await join_table(room, token.role, body)
    return answer(JoinAnswer(seat=seat.id, role=seat.role, status=seat.status), 201)


async def claimable(request: Request) -> Response:
    """Return what somebody signs who takes their seat again."""
    room = await _table_of_claim(request)
    return answer(ClaimAnswer(table=room.table, epoch=room.state.epoch))


async def claim(request: Request) -> Response:
    """Take a seat again by the key of its device: where the table came from, tokens stayed."""
    body, room = await json_body(request), await _table_of_claim(request)
    services, address = services_of(request), address_of(request)
    services.limits.joins_here.take(f"{room.table} {address}")
    try:
        seat = await claim_seat(room, body)
    except CodedError as problem:
        if problem.code == "bad_signature":
            note_failure(services, address, "table")
        raise
    services.audit.note("seat.claimed", who=f"seat {seat.id}", table=room.table, address=address)
    return answer(JoinAnswer(seat=seat.id, role=seat.role, status=seat.status), 201)


async def _table_of_claim(request: Request) -> LiveTable:
    """The room of a table that somebody names without a token; a guess counts as one."""
    services, table = admit(request), request.path_params["table"]
    try:
        return await services.registry.get(table)
    except CodedError as problem:
        if problem.code == "not_found":
            note_failure(services, address_of(request), "table")
        raise


async def get_snapshot(request: Request) -> Response:
    """The table as a seat sees it; with a link to join by, only its door."""
    services = admit(request)
    recent = query_number(request, "recent", RECENT, MOST_RECENT)
    token, room = await authenticate_request(services, request, request.path_params["table"])
    if token.kind == "link" and token.role != "spectator":
        state = room.state
        host = next((one.name for one in state.seats.values() if one.is_referee), None)
        door = InviteView(
            table=room.table,
            role=token.role,
            game=state.game,
            title=state.title.text if state.title else None,
            host=host.text if host else None,
            knock=state.knock,
        )
        return answer(SnapshotAnswer(door=door))
    seat = seat_of(room, token, knocking=True)
    if seat is not None and seat.status == "knocking":
        return answer({"you": own_seat(seat)})
    paying = "" if seat is None else seat_name(room.table, seat.id)
    if paying:
        services.limits.seat.take(paying)
    first, state = await room.first_recent_seq(recent), room.state
    about: dict[str, object] = {"you": own_seat(seat), "head": state.head, "hash": state.hash}
    told = encode({**about, "connected": room.broadcast.presence.seats})
    payers = (address_of(request), paying)
    picture = SnapshotStream(room, lambda: state.seats.get(token.seat), first, *payers)
    pieces = picture.pieces(told.removesuffix(b"}") + b",", b"}")
    return StreamingResponse(
        regroup(pieces), headers={"cache-control": "no-store"}, media_type=JSON
    )


async def events(request: Request) -> Response:
    """A part of the log: behind `after`, or the last ones before `before`."""
    entry = await enter(request)
    head = entry.state.head
    limit = query_number(request, "limit", RECENT, MOST_EVENTS, least=1)
    after = query_number(request, "after", 0, 2**53)
    part: Sequence[Event] = ()
    if "before" in request.query_params:
        before = min(query_number(request, "before", 0, 2**53), head + 1)
        part = await entry.live.events_before(before, min(limit, before - 1 - after))
    elif after < head:
        part = await entry.live.events_after(after, limit)
    earlier = reopened_seqs(part, entry.state)
    again = await entry.live.events_at(earlier)
    await entry.live.list_options()

    def build() -> Mapping[str, object]:
        views = [view_with_options(event, entry.seat, entry.state) for event in (*part, *again)]
        return {"head": entry.state.head, "events": views}

    return _charge_answer(entry, request, build)


def _charge_answer(
    entry: Entry, request: Request, told: Callable[[], Mapping[str, object]], *, free: int = 0
) -> Response:
    """An answer that may be large, charged by what it costs to make and to send.

    Where what was paid before went into doing something, one of up to `free` bytes goes with it.
    """
    spent = CostMeter()
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
    services = admit(request, cost=0)
    given = await json_body(request, limit=services.settings.message_bytes)
    token, room = await authenticate_request(services, request, request.path_params["table"])
    seat = seat_of(room, token)
    ack = await handle_command(services, room, seat, address_of(request), given)
    if "error" in ack:
        return answer(ack, STATUS[ack["error"]["code"]], _patience(ack["error"]))
    entry = Entry(services, room, seat)
    made = await _events_of(entry, ack)
    await entry.live.list_options()

    def build() -> Mapping[str, object]:
        seat = entry.state.seats.get(entry.seat.id) if entry.seat else None
        return {**ack, "events": [view_with_options(event, seat, entry.state) for event in made]}

    return _charge_answer(entry, request, build, free=FRAME_BYTES)


async def _events_of(entry: Entry, ack: CommandResult) -> tuple[Event, ...]:
    """Return the events a command led to, with those it opened."""
    first, last = ack.get("first"), ack.get("last")
    if first is None or last is None:
        return ()
    made = await entry.live.events_at(range(first, last + 1))
    earlier = [seq for seq in reopened_seqs(made, entry.state) if seq < first]
    return (*made, *await entry.live.events_at(earlier))


async def delete(request: Request) -> Response:
    """Delete the table with everything of it."""
    entry = await enter(request, role="referee")
    await entry.services.store.delete_table(entry.live.table)
    entry.services.registry.on_deletion(entry.live.table)
    who = f"seat {entry.seat.id}" if entry.seat else ""
    address = address_of(request)
    entry.services.audit.note("table.deleted", who=who, table=entry.live.table, address=address)
    return answer(DoneAnswer())


def _patience(error: ErrorData) -> dict[str, str]:
    return {"retry-after": str(error["wait"] // 1000 + 1)} if "wait" in error else {}


async def log(request: Request) -> Response:
    """The log, fit to be checked offline: somebody's own copy, or everybody's."""
    entry = await enter(request)
    return LogResponse(entry, viewer_of(request, entry, otherwise=ME), address_of(request))


async def history_markdown(request: Request) -> Response:
    """Return the history of the table as text."""
    entry = await enter(request)
    kind = "text/markdown; charset=utf-8"
    return await _worker_response(request, entry, viewer_of(request, entry), "history.md", kind)


async def history_csv(request: Request) -> Response:
    """The rolls, for a spreadsheet."""
    entry = await enter(request)
    kind = "text/csv; charset=utf-8"
    return await _worker_response(request, entry, viewer_of(request, entry), "history.csv", kind)


async def statistics(request: Request) -> Response:
    """Observed against expected, for each seat."""
    entry = await enter(request)
    return await _worker_response(request, entry, viewer_of(request, entry), "statistics", JSON)


async def recap(request: Request) -> Response:
    """A session looked back on, the same for everybody: it is made to be shared."""
    entry = await enter(request)
    session = query_number(request, "session", 0, MOST_SESSIONS)
    return await _worker_response(request, entry, None, "recap", JSON, session=session)


class LogResponse(StreamingResponse):
    """The log sent piece by piece, so that a long one is never in memory as a whole."""

    def __init__(self, entry: Entry, seer: Seat | None, address: str) -> None:
        self._entry = entry
        self._address = address
        self._spent = CostMeter()
        entry.services.limits.exports.take(address)
        headers = _headers(entry, seer, "log.json")
        super().__init__(_log(entry, seer, self._spent), 200, headers, JSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, as slowly as it is read; what was sent is charged."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._entry.services.limits.exports.release(self._address)
            self._entry.charge(self._spent, self._address)


async def _log(entry: Entry, seer: Seat | None, spent: CostMeter) -> AsyncIterator[bytes]:
    whose = seer.id if seer else ""
    handover = entry.live.handover if seer and seer.is_referee else ""
    begun = encode(export(entry.live.table, [], whose, handover)).removesuffix(b"]}")
    async for piece in log_pieces(entry, seer, spent):
        spent.sent += len(piece)
        yield begun + piece[1:-1]
        begun = b","
    yield b"]}" if begun == b"," else begun + b"]}"


async def _worker_response(
    request: Request, entry: Entry, seer: Seat | None, what: str, kind: str, **more: Json
) -> Response:
    """Something made from the whole log, in a process where that holds up nobody."""
    address, spent = address_of(request), CostMeter()
    try:
        with entry.services.limits.exports.slot(address):
            made = await cancel_on_disconnect(
                request, render_history(entry, seer, what, address, spent, more)
            )
        spent.sent += len(made)
    finally:
        entry.charge(spent, address)
    return Response(made, 200, _headers(entry, seer, what if "." in what else ""), kind)


def _headers(entry: Entry, seer: Seat | None, name: str) -> dict[str, str]:
    """The headers of a file: its name says whose copy it is, where it is not everybody's."""
    headers = {"cache-control": "no-store"}
    if name:
        whose = f"-{seer.id}" if seer else ""
        file = f"table-{entry.live.table}{whose}-{name}"
        headers["content-disposition"] = f'attachment; filename="{file}"'
    return headers


async def render_history(
    entry: Entry,
    seer: Seat | None,
    what: str,
    address: str,
    spent: CostMeter,
    more: Mapping[str, Json],
) -> bytes:
    """A history, the statistics or an evening of a table, as that seat may know them."""
    whose = seer.id if seer else ""
    return await entry.services.workers.run(
        {"ask": "tell", "what": what, "whose": whose, **more},
        entry.share,
        address=address,
        pieces=log_pieces(entry, seer, spent),
        size=entry.live.log_bytes,
        seconds=EXPORT_SECONDS,
        spent=spent,
    )


async def log_pieces(entry: Entry, seer: Seat | None, spent: CostMeter) -> AsyncIterator[bytes]:
    """The log up to its head as a seat may see it: lists of events in JSON, one after the other.

    None is everybody.
    """
    last, head = 0, entry.state.head
    while last < head:
        events = await entry.live.events_after(last, min(AT_ONCE, head - last))
        if not events:
            return
        for start in range(0, len(events), TOGETHER):
            with spent:
                seat = entry.state.seats.get(seer.id) if seer else None
                some = events[start : start + TOGETHER]
                piece = encode([view_event(event, seat, entry.state) for event in some])
            yield piece
            await asyncio.sleep(0)
        last = events[-1].seq


TABLE = "/tables/{table}"

routes = [
    Route("/tables", create, methods=["POST"]),
    Route("/tables/import", create_from_log, methods=["POST"]),
    Route(TABLE, get_snapshot, methods=["GET"]),
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
