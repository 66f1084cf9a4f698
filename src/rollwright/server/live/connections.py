"""One socket of one client: messages go out in order, and a slow client holds up nobody."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from typing import Protocol

from starlette.types import Send

from rollwright.server.json_codec import encode
from rollwright.server.responses import error_of
from rollwright.server.settings import Settings

TEXT, BEGUN, MORE, END = 0x81, 0x01, 0x00, 0x80
"""A whole text message in one frame; its first part, further ones and the last."""
FRAME_BYTES = 32_768
"""Longer messages go out in frames of so many bytes: a line holds no more than that ahead."""


class SocketMessage:
    """Some JSON for clients, together with the bytes of its frame.

    A server's frames are neither masked nor compressed here, so they are the same for everybody.
    """

    __slots__ = ("framed", "json")

    def __init__(self, value: Mapping[str, object]) -> None:
        self.json = encode(value)
        self.framed = encode_frame(self.json) if len(self.json) <= FRAME_BYTES else b""
        """All of it in one frame; empty where that would be too long."""

    def __len__(self) -> int:
        return len(self.json)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The JSON in pieces."""
        yield self.json


class MessageStream:
    """A message that is made piece by piece while it is sent, and never whole in memory."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: Callable[[], AsyncIterator[bytes]]) -> None:
        self.pieces = pieces


async def encode_frames(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """One text message in as many frames as it takes."""
    sign, before = BEGUN, b""
    async for part in regroup(pieces):
        if before:
            yield encode_frame(before, sign)
            sign = MORE
        before = part
    yield encode_frame(before, END if sign == MORE else TEXT)


async def regroup(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in parts that are neither small nor large."""
    held = bytearray()
    async for piece in pieces:
        for start in range(0, len(piece), FRAME_BYTES):
            held += piece[start : start + FRAME_BYTES]
            if len(held) >= FRAME_BYTES:
                yield bytes(held)
                held.clear()
    yield bytes(held)


def encode_frame(payload: bytes, sign: int = TEXT) -> bytes:
    """A text frame of a WebSocket around some bytes, or a part of one.

    >>> encode_frame(b"{}")
    b'\\x81\\x02{}'
    >>> encode_frame(bytes(300))[:4], encode_frame(bytes(70_000))[:10]
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

    def backlog(self) -> int:
        """How many bytes it has taken that the client has not."""

    def abort(self) -> None:
        """Cut the line off."""


CLOSE_CODES = {
    "left": 1000,
    "shutdown": 1012,
    "bad_request": 1008,
    "unauthorized": 4401,
    "forbidden": 4403,
    "not_found": 4404,
    "too_slow": 4408,
    "idle": 4408,
    "gone": 4410,
    "removed": 4410,
    "protocol": 4426,
    "too_many": 4429,
    "unavailable": 1013,
    "internal": 1011,
    "storage_broken": 1011,
}
LAST_WORD_SECONDS = 3.0
DRAIN_SECONDS = 60.0


class ClientGoneError(Exception):
    """The client is no longer there."""


class Connection:
    """A client at a table: what it may see, how far it has read, and what waits to be sent."""

    def __init__(
        self, send: Send, settings: Settings, *, address: str, line: DirectLine | None = None
    ) -> None:
        self.address = address
        self.seat = ""
        """The seat it acts for; "" for somebody who watches with a link."""
        self.token = ""
        """The hash of its token, to know it again when tokens are taken back."""
        self.sent = 0
        """The last event it was sent."""
        self.news = asyncio.Event()
        """Set when something happened at the table, for those who wait at the door."""
        self.pending_commands = 0
        """Commands that came and are not acknowledged yet."""
        self.wanted_at = float("-inf")
        """When it was last asked to be a witness."""
        self.close_reason = ""
        self._send = send
        self._line = line
        self._frames: deque[SocketMessage | MessageStream] = deque()
        self._soon: list[SocketMessage] = []
        """Messages sent together with the ones that follow, in a moment."""
        self._sending = False
        self.waiting_bytes = 0
        """How many bytes wait to be sent."""
        self._most = settings.queue_frames
        self._most_bytes = settings.queue_bytes
        self._wake: asyncio.Future[None] | None = None
        self._drain_future: asyncio.Future[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._over = False
        self.on_close: Callable[[str], None] = lambda code: None

    @property
    def is_open(self) -> bool:
        """Whether more can be sent."""
        return not (self.close_reason or self._over)

    @property
    def is_over(self) -> bool:
        """Whether everything is sent that will ever be."""
        return self._over

    @property
    def waiting(self) -> int:
        """How many frames wait to be sent."""
        return len(self._frames)

    def start(self) -> None:
        """Begin to send."""
        self._writer = asyncio.get_running_loop().create_task(self._write())

    def send_json(self, value: Mapping[str, object]) -> None:
        """Send a value as a frame, together with what was kept for it."""
        self.push(SocketMessage(value))
        self._send_soon()

    def stream(self, message: MessageStream) -> None:
        """Send a message that is made while it is sent, as slowly as the client reads."""
        if self.is_open:
            self._send_soon()
            self._frames.append(message)
            self._wake_up()

    def push(self, message: SocketMessage) -> None:
        """Send a message: at once if nothing waits, else in its turn, but not for ever.

        While a command is under way, its acknowledgement is about to follow. Both are given to the
        line together: each time that it takes something costs more than what it takes.
        """
        if not self.is_open:
            return
        if self.pending_commands and self._wake is not None and message.framed:
            if not self._soon:
                asyncio.get_running_loop().call_soon(self._send_soon)
            self._soon.append(message)
        elif self._soon:
            self._soon.append(message)
            self._send_soon()
        else:
            self._send_now(message)

    def _send_soon(self) -> None:
        """Send what was kept for a moment, with what has followed it."""
        soon, self._soon = self._soon, []
        if not soon or not self.is_open:
            return
        frames = [message.framed for message in soon]
        if all(frames) and self._wake is not None and self._put_now(b"".join(frames)):
            return
        for message in soon:
            self._send_now(message)

    def _send_now(self, message: SocketMessage) -> None:
        resting = self._wake is not None
        if resting and self._put_now(message.framed):
            return
        self._frames.append(message)
        self.waiting_bytes += len(message)
        if resting:
            self._wake_up()
        elif (
            len(self._frames) > self._most
            or self.waiting_bytes + self._backlog() > self._most_bytes
        ):
            self.close("too_slow", "you read more slowly than the table goes on; come again")

    def close(self, code: str, message: str) -> None:
        """Send the client the reason, then close; drop waiting messages if it was too slow."""
        if not self.is_open:
            return
        if code == "too_slow":
            self._frames.clear()
            self._soon.clear()
            self.waiting_bytes = 0
        self.send_json({"bye": {"code": code, "message": message}})
        self.close_reason = code
        self._wake_up()
        self.on_close(code)
        if self._writer is not None:
            asyncio.get_running_loop().call_later(LAST_WORD_SECONDS, self._cut)

    async def drain(self) -> None:
        """Wait until everything is sent; raises Gone if the client goes, or does not read on."""
        if (self._frames or self._sending) and not self._over:
            self._drain_future = asyncio.get_running_loop().create_future()
            try:
                await self._drain_future
            finally:
                self._drain_future = None
        if not self.is_open:
            raise ClientGoneError

    async def finish(self) -> None:
        """Send what waits, if the client takes it, and end."""
        if self._writer is None:
            return
        self._send_soon()
        if not self._over and not self.close_reason:
            self.close_reason = "left"
            self._wake_up()
        done, _ = await asyncio.wait([self._writer], timeout=LAST_WORD_SECONDS)
        if not done:
            self._cut()
            await asyncio.wait([self._writer])

    async def _write(self) -> None:
        try:
            while not self._over:
                while self._frames:
                    self._sending = True
                    message = self._frames.popleft()
                    if isinstance(message, SocketMessage):
                        self.waiting_bytes -= len(message)
                    await self._send_out(message)
                    del message  # it may hold a whole picture of the table
                self._sending = False
                self._notify_drain()
                if self.close_reason:
                    code = CLOSE_CODES.get(self.close_reason, 1008)
                    await self._send({"type": "websocket.close", "code": code})
                    break
                self._wake = asyncio.get_running_loop().create_future()
                await self._wake
        except TimeoutError:  # it takes nothing, so no word would reach it either
            self.close_reason = self.close_reason or "too_slow"
            self.on_close(self.close_reason)
            if self._line is not None:
                self._line.abort()
        except (asyncio.CancelledError, OSError, RuntimeError):
            pass  # the client is gone; its reader learns of it too
        except Exception as problem:  # half of a message is sent, and nothing can follow it
            error_of(problem)
            if self._line is not None:
                self._line.abort()
        finally:
            self._over = True
            self._notify_drain()

    async def _send_out(self, message: SocketMessage | MessageStream) -> None:
        """Send a message frame by frame, each when the client has taken most of those before."""
        if self._line is None:
            text = b"".join([piece async for piece in message.pieces()]).decode()
            async with asyncio.timeout(DRAIN_SECONDS):
                await self._send({"type": "websocket.send", "text": text})
            return
        if isinstance(message, SocketMessage) and message.framed:
            await self._put(self._line, message.framed)
            return
        async with contextlib.aclosing(encode_frames(message.pieces())) as parts:
            async for frame in parts:
                await self._put(self._line, frame)

    def _put_now(self, frames: bytes) -> bool:
        return self._line is not None and bool(frames) and self._line.put(frames)

    async def _put(self, line: DirectLine, frame: bytes) -> None:
        async with asyncio.timeout(DRAIN_SECONDS):
            while not line.put(frame):
                await line.free()

    def _backlog(self) -> int:
        return 0 if self._line is None else self._line.backlog()

    def _notify_drain(self) -> None:
        if self._drain_future is not None and not self._drain_future.done():
            self._drain_future.set_result(None)

    def _wake_up(self) -> None:
        wake, self._wake = self._wake, None
        if wake is not None and not wake.done():
            wake.set_result(None)

    def _cut(self) -> None:
        """End without a word: the client takes nothing any more."""
        if self._writer is not None and not self._writer.done():
            self._writer.cancel()
            if self._line is not None:
                self._line.abort()
