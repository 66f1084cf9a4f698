"""The first words on a socket: who comes, and what they are told of the table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.server.messages import FRAME_BYTES, Stream
from rollwright.server.tokens import is_token
from rollwright.server.wire import encoded
from rollwright.table.events import Event, kind_of
from rollwright.table.refusals import Refusal
from rollwright.table.rolls import Roll
from rollwright.table.seats import Seat
from rollwright.table.sheets import Sheet
from rollwright.table.views import asks_for, going_for, seen, sheet_said, sheets_for, standing

if TYPE_CHECKING:
    from rollwright.server.connections import Connection
    from rollwright.server.room import Room
    from rollwright.server.settings import Settings

RECENT = 100
MOST_RECENT = 1000
IN_MEMORY = 200
"""So many recent events are always at hand."""
TRIES = 5
AT_ONCE = 50
"""Events that are read for one piece."""


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


async def greet(room: Room, connection: Connection, hello: Hello, settings: Settings) -> None:
    """Tell a client what it is told first; `connection.sent` says from where on events follow."""
    after = hello.after
    if after is not None and after > room.state.head:
        after = None  # it knows of another log, such as one before a restore: it begins anew
    first = await first_recent(room, hello.recent if after is None else 0)
    state, seat = room.state, room.seat(connection)
    told = {
        "table": room.table,
        "you": you(seat),
        "head": state.head,
        "hash": state.hash,
        "connected": sorted({*room.presence.seats, *filter(None, [connection.seat])}),
        "limits": limits_told(settings),
    }
    if after is not None:
        connection.sent = after
        connection.tell({"welcome": told})
        return
    picture = Picture(room, lambda: room.seat(connection), first)
    begin = encoded({"welcome": told}).removesuffix(b"}}") + b',"snapshot":{'
    connection.sent = state.head
    connection.stream(Stream(lambda: picture.within(begin, b"}}}")))


class Picture:
    """A table as a seat sees it, at the head that it has when this is made.

    What may change is taken hold of at once, and written only once however many want to see it.
    Events do not change: they are read piece by piece while the picture is sent, so a client that
    does not read holds next to nothing.
    """

    def __init__(self, room: Room, seat: Callable[[], Seat | None], first: int) -> None:
        self._room = room
        self._seat = seat
        self._first, self._head = first, room.state.head
        state, now = room.state, seat()
        self._standing = encoded(standing(state, now))[1:-1]
        self._sheets = [_written(sheet) for sheet in sheets_for(state, now)]
        self._asks = asks_for(state, now)
        self._rolls = [(roll, len(roll.seqs)) for roll in going_for(state, now)]

    async def within(self, begin: bytes, end: bytes) -> AsyncIterator[bytes]:
        """The JSON of the picture between two ends of what it is a part of."""
        yield begin
        yield self._standing
        yield b',"sheets":['
        for number, sheet in enumerate(self._sheets):
            yield b"," * (number > 0) + sheet
        yield b'],"asks":['
        for number, ask in enumerate(self._asks):
            yield b"," * (number > 0) + encoded(ask)
        yield b'],"rolls":{'
        for number, (roll, count) in enumerate(self._rolls):
            yield b"," * (number > 0) + encoded(roll.id) + b":["
            async for piece in self._listed(self._of_roll(roll, count)):
                yield piece
            yield b"]"
        yield b'},"recent":['
        async for piece in self._listed(self._recent()):
            yield piece
        yield b"]" + end

    async def _of_roll(self, roll: Roll, count: int) -> AsyncIterator[Sequence[Event]]:
        place = 0
        while place < count:
            wanted = roll.seqs[place : min(place + AT_ONCE, count)]
            reach = min(AT_ONCE, wanted[-1] - wanted[0] + 1)
            events = await self._read(wanted[0] - 1, reach)
            of_roll = [event for event in events if event.seq in wanted]
            yield [event for event in of_roll if kind_of(event).startswith("roll.")]
            place += len(of_roll)

    async def _recent(self) -> AsyncIterator[Sequence[Event]]:
        last = self._first - 1
        while last < self._head:
            events = await self._read(last, min(AT_ONCE, self._head - last))
            yield events
            last = events[-1].seq

    async def _read(self, after: int, limit: int) -> Sequence[Event]:
        events = await self._room.events_after(after, limit, FRAME_BYTES)
        if not events:
            raise Refusal("gone", "this table was deleted")
        return events

    async def _listed(self, parts: AsyncIterator[Sequence[Event]]) -> AsyncIterator[bytes]:
        """Events as the seat sees them now, with commas between them."""
        comma = b""
        async for events in parts:
            state, seat = self._room.state, self._seat()
            for event in events:
                yield comma + encoded(seen(event, seat, state))
                comma = b","


def _written(sheet: Sheet) -> bytes:
    if sheet.written is None:
        sheet.written = encoded(sheet_said(sheet))
    return sheet.written


async def first_recent(room: Room, count: int) -> int:
    """The place of the first of the last events of a table: as many, and no more than a piece."""
    for _ in range(TRIES if count else 0):
        recent = await room.recent_events(count)
        if recent and recent[-1].seq == room.state.head:
            return recent[0].seq
        count = min(count, IN_MEMORY)  # it goes on quickly: what is in memory does not lag behind
    return room.state.head + 1


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
