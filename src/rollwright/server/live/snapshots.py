"""The first messages on a socket: who connects, and what they learn of the table."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from rollwright.i18n.locale import in_words
from rollwright.jsonable import Json
from rollwright.server.json_codec import encode
from rollwright.server.live.broadcast import view_line
from rollwright.server.live.connections import FRAME_BYTES, MessageStream
from rollwright.server.settings import is_loopback
from rollwright.server.storage.appends import EncodedEvent, LogLine
from rollwright.server.tokens import is_hash, is_token
from rollwright.table.errors import CodedError, command_error
from rollwright.table.events import Seat, kind_of
from rollwright.table.sheets import Sheet
from rollwright.table.visibility import (
    open_rolls_for,
    requests_for,
    sheet_view,
    sheets_for,
    table_summary,
)

if TYPE_CHECKING:
    from rollwright.server.live.connections import Connection
    from rollwright.server.live.live_table import LiveTable
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


def parse_hello(message: Json) -> Hello:
    """Read a hello, or refuse it."""
    match message:
        case {"hello": {"token": token, **more}}:
            after, recent = more.get("after"), more.get("recent", RECENT)
            hash = more.get("hash", "")
        case _:
            raise CodedError("bad_request", 'the first message is {"hello": {"protocol": …, …}}')
    _check_protocol(more.get("protocol"))
    if not is_token(token):
        raise CodedError("unauthorized", "this is no token; 43 letters, digits, - or _ would do")
    if after is not None and (type(after) is not int or after < 0):
        raise CodedError("bad_field", "after: the number of an event, 0 or null would do", "after")
    if type(recent) is not int or not 0 <= recent <= MOST_RECENT:
        raise CodedError(
            "bad_field", f"recent: a number from 0 to {MOST_RECENT} would do", "recent"
        )
    if not isinstance(hash, str) or (hash and not is_hash(hash)):
        raise CodedError(
            "bad_field", "hash: the hash of the event `after` would do, or none", "hash"
        )
    return Hello(token, after, recent, hash)


def _check_protocol(came: object) -> None:
    """Refuse a client of another time, before anything of it is misunderstood."""
    if type(came) is int and came == PROTOCOL:
        return
    newer = type(came) is int and came > PROTOCOL
    told = f"{came!r:.20}" if came is not None else in_words("form.none")
    id = "server.protocol.newer" if newer else "server.protocol"
    raise command_error("protocol", id, known=str(PROTOCOL), came=told)


async def send_welcome(
    room: LiveTable, connection: Connection, hello: Hello, settings: Settings
) -> None:
    """Send a client its snapshot; `connection.sent` says from where on events follow."""
    after = hello.after if await _is_same_log(room, hello) else None
    first = await room.first_recent_seq(hello.recent) if after is None else 0
    state, seat = room.state, room.seat(connection)
    welcome = {
        "protocol": PROTOCOL,
        "table": room.table,
        "you": own_seat(seat),
        "head": state.head,
        "hash": state.hash,
        "connected": sorted({*room.broadcast.presence.seats, *filter(None, [connection.seat])}),
        "address": settings.lan_address if is_loopback(connection.address) else "",
        "limits": client_limits(settings),
    }
    if after is not None:
        connection.sent = after
        connection.send_json({"welcome": welcome})
        return
    picture = SnapshotStream(room, lambda: room.seat(connection), first, connection.address)
    begin = encode({"welcome": welcome}).removesuffix(b"}}") + b',"snapshot":{'
    connection.sent = state.head
    connection.stream(MessageStream(lambda: picture.pieces(begin, b"}}}")))


async def _is_same_log(room: LiveTable, hello: Hello) -> bool:
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


class SnapshotStream:
    """A table as a seat sees it, at the head that it has when this is made.

    What may change is taken hold of at once, and written only once however many want to see it.
    Events do not change: they are read piece by piece while the picture is sent, so a client that
    does not read holds next to nothing. Each piece is charged to the `payers`: the address that
    it goes to, and the seat's bucket where the seat pays too.
    """

    def __init__(
        self, room: LiveTable, seat: Callable[[], Seat | None], first: int, *payers: str
    ) -> None:
        self._live = room
        self._seat = seat
        self._payers = payers
        self._first, self._head = first, room.state.head
        state, now = room.state, seat()
        self._standing = encode(table_summary(state, now))[1:-1]
        self._sheets = deque([_sheet_bytes(sheet) for sheet in sheets_for(state, now)])
        self.held = sum(map(len, self._sheets))
        """Bytes of sheets that are still to be sent: they may have changed since."""
        self._is_closed = False
        self._asks = requests_for(state, now)
        self._rolls = [(roll.id, [*roll.snapshot_seqs]) for roll in open_rolls_for(state, now)]
        room.broadcast.snapshots.add(self)

    def close(self) -> None:
        """Hold nothing any more: anyone who still waits for it must reconnect."""
        self._is_closed = True
        self._sheets.clear()
        self.held = 0

    async def pieces(self, begin: bytes, end: bytes) -> AsyncIterator[bytes]:
        """The JSON of the picture between two ends of what it is a part of."""
        await self._live.list_options()
        yield begin
        yield self._standing
        yield b',"sheets":['
        async for piece in _with_commas(self._each_sheet()):
            yield piece
        yield b'],"asks":['
        for number, ask in enumerate(self._asks):
            yield b"," * (number > 0) + await self._charge_and_make(partial(encode, ask))
        yield b'],"rolls":{'
        for number, (roll, seqs) in enumerate(self._rolls):
            yield b"," * (number > 0) + encode(roll) + b":["
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
            yield await self._charge_and_make(partial(bytes, sheet))
        if self._is_closed:
            raise command_error("unavailable", "server.slow")

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
        lines = await self._live.lines_after(after, min(AT_ONCE, last - after), FRAME_BYTES)
        if not lines:
            raise command_error("gone", "server.table.deleted")
        wanted = [line for line in lines if not of_roll or _belongs_to(line, of_roll)]
        return lines[-1].seq, await self._charge_and_make(partial(self._encode_lines, wanted))

    def _encode_lines(self, lines: Sequence[LogLine]) -> bytes:
        state, seat = self._live.state, self._seat()
        return b",".join([encode(view_line(line, seat, state)) for line in lines])

    async def _charge_and_make(self, make: Callable[[], bytes]) -> bytes:
        return await self._live.services.limits.pace.make(make, *self._payers)


def _belongs_to(line: LogLine, roll: Sequence[int]) -> bool:
    return line.seq in roll and (
        isinstance(line, EncodedEvent) or kind_of(line).startswith("roll.")
    )


async def _with_commas(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    comma = b""
    async for piece in pieces:
        if piece:
            yield comma + piece
            comma = b","


def _sheet_bytes(sheet: Sheet) -> bytes:
    if sheet.written is None:
        sheet.written = encode(sheet_view(sheet))
    return sheet.written


def own_seat(seat: Seat | None) -> dict[str, str] | None:
    """Return a client's own seat, as it is sent."""
    return {"seat": seat.id, "role": seat.role, "status": seat.status} if seat else None


def client_limits(settings: Settings) -> dict[str, float]:
    """The limits a client should keep to."""
    return {
        "message_bytes": settings.message_bytes,
        "seat_rate": settings.seat_rate,
        "seat_burst": settings.seat_burst,
        "idle_seconds": settings.idle_seconds,
    }
