"""The first words on a socket: who comes, and what they are told of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.server.tokens import is_token
from rollwright.table.events import Event
from rollwright.table.refusals import Refusal
from rollwright.table.seats import Seat
from rollwright.table.views import snapshot

if TYPE_CHECKING:
    from rollwright.server.connections import Connection
    from rollwright.server.room import Room
    from rollwright.server.settings import Settings

RECENT = 100
MOST_RECENT = 1000
IN_MEMORY = 200
"""So many recent events are always at hand."""
TRIES = 5


class Hello(NamedTuple):
    """What a client says first."""

    token: str
    after: int | None
    """The last event it has; None for somebody who knows nothing yet."""
    recent: int


def hello_of(message: Any) -> Hello:
    """Read a hello, or refuse it."""
    match message:
        case {"hello": {"token": token, **more}}:
            after, recent = more.get("after"), more.get("recent", RECENT)
        case _:
            raise Refusal("bad_request", 'the first message is {"hello": {"token": …}}')
    if not is_token(token):
        raise Refusal("unauthorized", "this is no token; 43 letters, digits, - or _ would do")
    if after is not None and (type(after) is not int or after < 0):
        raise Refusal("bad_field", "after: the number of an event, 0 or null would do", "after")
    if type(recent) is not int or not 0 <= recent <= MOST_RECENT:
        raise Refusal("bad_field", f"recent: a number from 0 to {MOST_RECENT} would do", "recent")
    return Hello(token, after, recent)


async def welcome(
    room: Room, connection: Connection, hello: Hello, settings: Settings
) -> dict[str, Any]:
    """What a client is told first; `connection.sent` says from where on events follow."""
    after = hello.after
    if after is not None and after > room.state.head:
        after = None  # it knows of another log, such as one before a restore: it begins anew
    recent: Sequence[Event] = ()
    if after is None:
        recent = await settled_events(room, hello.recent)
    state, seat = room.state, room.seat(connection)
    told = {
        "table": room.table,
        "you": you(seat),
        "head": state.head,
        "hash": state.hash,
        "connected": sorted({*room.presence.seats, *filter(None, [connection.seat])}),
        "limits": limits_told(settings),
    }
    if after is None:
        told["snapshot"] = snapshot(state, seat, recent)
    connection.sent = state.head if after is None else after
    return {"welcome": told}


async def settled_events(room: Room, count: int) -> Sequence[Event]:
    """The last events of a table, up to the head that it has when this returns."""
    for _ in range(TRIES):
        recent = await room.recent_events(count)
        if not recent or recent[-1].seq == room.state.head:
            return recent
        count = min(count, IN_MEMORY)  # it goes on quickly: what is in memory does not lag behind
    return ()


def you(seat: Seat | None) -> dict[str, str] | None:
    """What a client is told about its seat."""
    return {"seat": seat.id, "role": seat.role, "status": seat.status} if seat else None


def limits_told(settings: Settings) -> dict[str, Any]:
    """The limits a client should keep to."""
    return {
        "message_bytes": settings.message_bytes,
        "seat_rate": settings.seat_rate,
        "seat_burst": settings.seat_burst,
        "idle_seconds": settings.idle_seconds,
    }
