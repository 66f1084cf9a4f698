"""Sockets that do as little as possible, so that the server is what is measured.

A client of a WebSocket library takes longer for a frame than the server does. These count frames
by their first bytes and look into no more of them than they must.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import Callable
from typing import Any

EVENTS = b'{"events"'
ROLL = b'"kind":"roll.started"'


def masked(payload: bytes) -> bytes:
    """A text frame as a client sends it; a mask of zeros is a mask."""
    size = len(payload)
    if size < 126:
        head = bytes((0x81, 0x80 | size))
    else:
        head = bytes((0x81, 0x80 | 126)) + size.to_bytes(2, "big")
    return head + bytes(4) + payload


class Socket(asyncio.Protocol):
    """One client: it says hello, sends what it is told, and counts what comes."""

    def __init__(self, host: str, path: str, on_events: Callable[[Socket], None]) -> None:
        self.rolls = 0
        self.answered = 0
        self.bytes = 0
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.others: list[bytes] = []
        self.is_sender = False
        self._host = host
        self._path = path
        self._on_events = on_events
        self._buffer = b""
        self._open = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: Any) -> None:
        """Ask for the upgrade."""
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def send(self, message: Any) -> None:
        """Send a message as a text frame."""
        self.put(masked(json.dumps(message).encode()))

    def put(self, frame: bytes) -> None:
        """Send a frame."""
        assert self._transport is not None
        self._transport.write(frame)

    def close(self) -> None:
        """Go away."""
        if self._transport is not None:
            self._transport.close()

    def connection_lost(self, problem: Exception | None) -> None:
        """A lost connection before it was ready is a failure of the whole run."""
        if not self.ready.done():
            self.ready.set_exception(problem or ConnectionError("closed by the server"))

    def data_received(self, data: bytes) -> None:
        """Count the frames in what came."""
        data = self._buffer + data if self._buffer else data
        place = 0
        if not self._open:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = data
                return
            if b" 101 " not in data[:20]:
                self.ready.set_exception(ConnectionError(data[:200].decode(errors="replace")))
                return
            self._open = True
            place = end + 4
            self.ready.set_result(None)
        self._buffer = data[self._count(data, place) :]

    def _count(self, data: bytes, place: int) -> int:
        """Take whole frames; the place where the unfinished one begins."""
        size = len(data)
        while size - place >= 2:
            length, head = data[place + 1], 2
            if length == 126:
                length, head = int.from_bytes(data[place + 2 : place + 4], "big"), 4
            elif length == 127:
                length, head = int.from_bytes(data[place + 2 : place + 10], "big"), 10
            after = place + head + length
            if after > size:
                break
            start = place + head
            if data.startswith(EVENTS, start):
                # What another process has committed may come several rolls to a frame.
                self.rolls += data.count(ROLL, start, after) or 1
                self.bytes += length
                self._on_events(self)
            elif data[place] == 0x81:
                self.others.append(data[start:after])
            place = after
        return place


async def connected(host: str, port: int, path: str, on_events: Callable[[Socket], None]) -> Socket:
    """A socket that has been accepted."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(f"{host}:{port}", path, on_events), host, port
    )
    await socket.ready
    return socket
