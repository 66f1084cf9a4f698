"""The first messages on a socket: who connects, and what they learn of the table."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from rollwright.plain import Json
from rollwright.server.json import encoded
from rollwright.server.rooms.broadcast import told
from rollwright.server.rooms.connections import FRAME_BYTES, Stream
from rollwright.server.settings import is_loopback
from rollwright.server.storage.appends import LogLine, Written
from rollwright.server.tokens import is_hash, is_token
from rollwright.table.events import Seat, kind_of
from rollwright.table.refusals import Refusal, refusal
from rollwright.table.sheets import Sheet
from rollwright.table.visibility import asks_for, going_for, sheet_said, sheets_for, standing
from rollwright.words.reader import in_words

if TYPE_CHECKING:
    from rollwright.server.rooms.connections import Connection
    from rollwright.server.rooms.room import Room
    from rollwright.server.settings import Settings

RECENT = 100
PROTOCOL = 3
"""How server and clients talk: another number where an older side would misunderstand."""
MOST_RECENT = 1000
AT_ONCE = 50
"""Events that are read for one piece."""


class Hello(NamedTuple):
    """The first message of a client."""

    token: str
    after: int | None
    """The last event it has; None for somebody who knows nothing yet."""
    recent: int
    hash: str = ""
    """The hash of that event: whether it is one of this log."""


def hello_of(message: Json) -> Hello:
    """Read a hello, or refuse it."""
    match message:
        case {"hello": {"token": token, **more}}:
            after, recent = more.get("after"), more.get("recent", RECENT)
            hash = more.get("hash", "")
        case _:
            raise Refusal("bad_request", 'the first message is {"hello": {"protocol": …, …}}')
    _check_protocol(more.get("protocol"))
    if not is_token(token):
        raise Refusal("unauthorized", "this is no token; 43 letters, digits, - or _ would do")
    if after is not None and (type(after) is not int or after < 0):
        raise Refusal("bad_field", "after: the number of an event, 0 or null would do", "after")
    if type(recent) is not int or not 0 <= recent <= MOST_RECENT:
        raise Refusal("bad_field", f"recent: a number from 0 to {MOST_RECENT} would do", "recent")
    if not isinstance(hash, str) or (hash and not is_hash(hash)):
        raise Refusal("bad_field", "hash: the hash of the event `after` would do, or none", "hash")
    return Hello(token, after, recent, hash)


def _check_protocol(came: object) -> None:
    """Refuse a client of another time, before anything of it is misunderstood."""
    if type(came) is int and came == PROTOCOL:
        return
    newer = type(came) is int and came > PROTOCOL
    told = f"{came!r:.20}" if came is not None else in_words("form.none")
    id = "server.protocol.newer" if newer else "server.protocol"
    raise refusal("protocol", id, known=str(PROTOCOL), came=told)


async def greet(room: Room, connection: Connection, hello: Hello, settings: Settings) -> None:
    """Send a client its snapshot; `connection.sent` says from where on events follow."""
    after = hello.after if await _is_of_this_log(room, hello) else None
    first = await room.first_of_last(hello.recent) if after is None else 0
    state, seat = room.state, room.seat(connection)
    welcome = {
        "protocol": PROTOCOL,
        "table": room.table,
        "you": you(seat),
        "head": state.head,
        "hash": state.hash,
        "connected": sorted({*room.everybody.presence.seats, *filter(None, [connection.seat])}),
        "address": settings.lan_address if is_loopback(connection.address) else "",
        "limits": limits_told(settings),
    }
    if after is not None:
        connection.sent = after
        connection.tell({"welcome": welcome})
        return
    picture = Picture(room, lambda: room.seat(connection), first, connection.address)
    begin = encoded({"welcome": welcome}).removesuffix(b"}}") + b',"snapshot":{'
    connection.sent = state.head
    connection.stream(Stream(lambda: picture.within(begin, b"}}}")))


async def _is_of_this_log(room: Room, hello: Hello) -> bool:
    """Whether what a client has is of this log, and not of another, such as one before a restore.

    A client of another log begins again: two logs may share numbers, never hashes.
    """
    after = hello.after
    if after is None or after > room.state.head:
        return False
    if not hello.hash or not after:
        return True
    if after == room.state.head:
        return hello.hash == room.state.hash
    events = await room.events_after(after - 1, 1)
    return bool(events) and events[0].hash == hello.hash


class Picture:
    """A table as a seat sees it, at the head that it has when this is made.

    What may change is taken hold of at once, and written only once however many want to see it.
    Events do not change: they are read piece by piece while the picture is sent, so a client that
    does not read holds next to nothing. Each piece is charged to the `payers`: the address that
    it goes to, and the seat's bucket where the seat pays too.
    """

    def __init__(
        self, room: Room, seat: Callable[[], Seat | None], first: int, *payers: str
    ) -> None:
        self._room = room
        self._seat = seat
        self._payers = payers
        self._first, self._head = first, room.state.head
        state, now = room.state, seat()
        self._standing = encoded(standing(state, now))[1:-1]
        self._sheets = deque([_written(sheet) for sheet in sheets_for(state, now)])
        self.held = sum(map(len, self._sheets))
        """Bytes of sheets that are still to be sent: they may have changed since."""
        self._is_let_go = False
        self._asks = asks_for(state, now)
        self._rolls = [(roll.id, [*roll.told_seqs]) for roll in going_for(state, now)]
        room.everybody.pictures.add(self)

    def let_go(self) -> None:
        """Hold nothing any more: anyone who still waits for it must reconnect."""
        self._is_let_go = True
        self._sheets.clear()
        self.held = 0

    async def within(self, begin: bytes, end: bytes) -> AsyncIterator[bytes]:
        """The JSON of the picture between two ends of what it is a part of."""
        await self._room.list_options()
        yield begin
        yield self._standing
        yield b',"sheets":['
        async for piece in _with_commas(self._each_sheet()):
            yield piece
        yield b'],"asks":['
        for number, ask in enumerate(self._asks):
            yield b"," * (number > 0) + await self._paid(partial(encoded, ask))
        yield b'],"rolls":{'
        for number, (roll, seqs) in enumerate(self._rolls):
            yield b"," * (number > 0) + encoded(roll) + b":["
            async for piece in _with_commas(self._of_roll(seqs)):
                yield piece
            yield b"]"
        yield b'},"recent":['
        async for piece in _with_commas(self._recent()):
            yield piece
        yield b"]" + end

    async def _each_sheet(self) -> AsyncIterator[bytes]:
        while self._sheets:
            sheet = self._sheets.popleft()
            self.held -= len(sheet)
            yield await self._paid(partial(bytes, sheet))
        if self._is_let_go:
            raise refusal("unavailable", "server.slow")

    async def _of_roll(self, seqs: Sequence[int]) -> AsyncIterator[bytes]:
        place = 0
        while place < len(seqs):
            wanted = seqs[place : place + AT_ONCE]
            last, piece = await self._piece(wanted[0] - 1, wanted[-1], wanted)
            yield piece
            place = bisect_right(seqs, last)

    async def _recent(self) -> AsyncIterator[bytes]:
        last = self._first - 1
        while last < self._head:
            last, piece = await self._piece(last, self._head)
            yield piece

    async def _piece(self, after: int, last: int, of_roll: Sequence[int] = ()) -> tuple[int, bytes]:
        """Some events as the seat sees them now, written at once: as bytes they take least."""
        lines = await self._room.lines_after(after, min(AT_ONCE, last - after), FRAME_BYTES)
        if not lines:
            raise refusal("gone", "server.table.deleted")
        wanted = [line for line in lines if not of_roll or _belongs_to(line, of_roll)]
        return lines[-1].seq, await self._paid(partial(self._told, wanted))

    def _told(self, lines: Sequence[LogLine]) -> bytes:
        state, seat = self._room.state, self._seat()
        return b",".join([encoded(told(line, seat, state)) for line in lines])

    async def _paid(self, make: Callable[[], bytes]) -> bytes:
        return await self._room.services.limits.pace.made(make, *self._payers)


def _belongs_to(line: LogLine, roll: Sequence[int]) -> bool:
    return line.seq in roll and (isinstance(line, Written) or kind_of(line).startswith("roll."))


async def _with_commas(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    comma = b""
    async for piece in pieces:
        if piece:
            yield comma + piece
            comma = b","


def _written(sheet: Sheet) -> bytes:
    if sheet.written is None:
        sheet.written = encoded(sheet_said(sheet))
    return sheet.written


def you(seat: Seat | None) -> dict[str, str] | None:
    """Return a client's own seat, as it is sent."""
    return {"seat": seat.id, "role": seat.role, "status": seat.status} if seat else None


def limits_told(settings: Settings) -> dict[str, float]:
    """The limits a client should keep to."""
    return {
        "message_bytes": settings.message_bytes,
        "seat_rate": settings.seat_rate,
        "seat_burst": settings.seat_burst,
        "idle_seconds": settings.idle_seconds,
    }
