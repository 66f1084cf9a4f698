"""Messages to clients, made once and sent to many."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Raw
from msgspec.json import decode

from rollwright.server.codec import encoded
from rollwright.server.storage.appends import Line
from rollwright.table.events import Event, Seat
from rollwright.table.state import TableState
from rollwright.table.visibility import INSIDE, seen

TEXT, BEGUN, MORE, END = 0x81, 0x01, 0x00, 0x80
"""A whole text message in one frame; its first part, further ones and the last."""
FRAME_BYTES = 32_768
"""Longer messages go out in frames of so many bytes: a line holds no more than that ahead."""


class Message:
    """Some JSON for clients, together with the bytes of its frame.

    A server's frames are neither masked nor compressed here, so they are the same for everybody.
    """

    __slots__ = ("framed", "json")

    def __init__(self, value: Any) -> None:
        self.json = encoded(value)
        self.framed = framed(self.json) if len(self.json) <= FRAME_BYTES else b""
        """All of it in one frame; empty where that would be too long."""

    def __len__(self) -> int:
        return len(self.json)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The JSON in pieces."""
        yield self.json


class Stream:
    """A message that is made piece by piece while it is sent, and never whole in memory."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: Callable[[], AsyncIterator[bytes]]) -> None:
        self.pieces = pieces


async def frames(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """One text message in as many frames as it takes."""
    sign, before = BEGUN, b""
    async for part in gathered(pieces):
        if before:
            yield framed(before, sign)
            sign = MORE
        before = part
    yield framed(before, END if sign == MORE else TEXT)


async def gathered(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in parts that are neither small nor large."""
    held = bytearray()
    async for piece in pieces:
        for start in range(0, len(piece), FRAME_BYTES):
            held += piece[start : start + FRAME_BYTES]
            if len(held) >= FRAME_BYTES:
                yield bytes(held)
                held.clear()
    yield bytes(held)


def framed(payload: bytes, sign: int = TEXT) -> bytes:
    """A text frame of a WebSocket around some bytes, or a part of one.

    >>> framed(b"{}")
    b'\\x81\\x02{}'
    >>> framed(bytes(300))[:4], framed(bytes(70_000))[:10]
    (b'\\x81~\\x01,', b'\\x81\\x7f\\x00\\x00\\x00\\x00\\x00\\x01\\x11p')
    """
    length = len(payload)
    if length < 126:
        return bytes((sign, length)) + payload
    if length < 2**16:
        return bytes((sign, 126)) + length.to_bytes(2, "big") + payload
    return bytes((sign, 127)) + length.to_bytes(8, "big") + payload


class DirectLine(Protocol):
    """A socket that takes frames as they are."""

    def put(self, data: bytes) -> bool:
        """Send a frame now; False if the line is full, or not open."""

    async def free(self) -> None:
        """Wait until it takes more; raises OSError where it never will."""

    def held(self) -> int:
        """How many bytes it has taken that the client has not."""

    def abort(self) -> None:
        """Cut the line off."""


class Frames:
    """Some events as frames; seats that see the same of them are sent the same bytes."""

    def __init__(self, events: Sequence[Event], state: TableState) -> None:
        self._events = events
        self._state = state
        watched = [seen(event, None, state) for event in events]
        self._messages: dict[tuple[bool, ...], Message] = {}
        self._by_seat: dict[str, Message] = {}
        self._public = _message(watched) if all("body" in view for view in watched) else None

    def for_seat(self, seat: Seat | None) -> Message:
        """The frame for a seat, or for somebody who only watches."""
        if self._public is not None:
            return self._public  # what a watcher sees whole, everybody sees whole
        name = "" if seat is None else seat.id
        if name not in self._by_seat:
            self._by_seat[name] = self._made_for(seat)
        return self._by_seat[name]

    def _made_for(self, seat: Seat | None) -> Message:
        views = [seen(event, seat, self._state) for event in self._events]
        whole = tuple("body" in view for view in views)
        if whole not in self._messages:
            self._messages[whole] = _message(views)
        return self._messages[whole]


def told(line: Line, seat: Seat | None, state: TableState) -> Mapping[str, object] | Raw:
    """An event that is passed on, as a seat sees it."""
    if isinstance(line, Event):
        return seen(line, seat, state)
    if seat is None or seat.is_here:
        return line.json
    return {name: value for name, value in decode(line.json).items() if name not in INSIDE}


def _message(views: Sequence[Mapping[str, object]]) -> Message:
    return Message({"events": views})
