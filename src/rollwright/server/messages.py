"""Messages to clients, made once and sent to many."""

from __future__ import annotations

from typing import Any, Protocol

from rollwright.server.wire import encoded

TEXT = 0x81
"""A whole text message in one frame."""


class Message:
    """Some JSON for clients, together with the bytes of its frame.

    A server's frames are neither masked nor compressed here, so they are the same for everybody.
    """

    __slots__ = ("framed", "json")

    def __init__(self, value: Any) -> None:
        self.json = encoded(value)
        self.framed = framed(self.json)

    def __len__(self) -> int:
        return len(self.json)

    @property
    def text(self) -> str:
        """The JSON as text."""
        return self.json.decode()


def framed(payload: bytes) -> bytes:
    """A text frame of a WebSocket around some bytes.

    >>> framed(b"{}")
    b'\\x81\\x02{}'
    >>> framed(bytes(300))[:4], framed(bytes(70_000))[:10]
    (b'\\x81~\\x01,', b'\\x81\\x7f\\x00\\x00\\x00\\x00\\x00\\x01\\x11p')
    """
    length = len(payload)
    if length < 126:
        return bytes((TEXT, length)) + payload
    if length < 2**16:
        return bytes((TEXT, 126)) + length.to_bytes(2, "big") + payload
    return bytes((TEXT, 127)) + length.to_bytes(8, "big") + payload


class DirectLine(Protocol):
    """A socket that takes frames as they are."""

    def put(self, data: bytes) -> bool:
        """Send a frame now; False if the line is full, or not open."""

    def held(self) -> int:
        """How many bytes it has taken that the client has not."""

    def abort(self) -> None:
        """Cut the line off."""
