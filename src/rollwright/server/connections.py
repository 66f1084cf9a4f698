"""One socket of one client: frames go out in order, and a slow client holds up nobody."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from starlette.types import Send

from rollwright.server.messages import DirectLine, Message
from rollwright.server.settings import Settings

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
    "too_many": 4429,
    "unavailable": 1013,
    "internal": 1011,
    "storage_broken": 1011,
}
LAST_WORD_SECONDS = 3.0
DRAIN_SECONDS = 60.0


class Gone(Exception):
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
        self.orders = 0
        """Commands that came and are not acknowledged yet."""
        self.wanted_at = float("-inf")
        """When it was last asked to be a witness."""
        self.bye = ""
        self._send = send
        self._line = line
        self._frames: deque[Message] = deque()
        self._bytes = 0
        self._most = settings.queue_frames
        self._most_bytes = settings.queue_bytes
        self._wake: asyncio.Future[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._over = False
        self.on_bye: Callable[[str], None] = lambda code: None

    @property
    def is_open(self) -> bool:
        """Whether more can be sent."""
        return not (self.bye or self._over)

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

    def tell(self, value: dict[str, Any]) -> None:
        """Send a value as a frame."""
        self.push(Message(value))

    def greet(self, value: dict[str, Any]) -> None:
        """Send the picture of the table that others follow; it may be as large as the table."""
        message = Message(value)
        self._most_bytes = max(self._most_bytes, 2 * len(message))
        self.push(message)

    def push(self, message: Message) -> None:
        """Send a message: at once if nothing waits, else in its turn, but not for ever."""
        if not self.is_open:
            return
        resting = self._wake is not None
        if resting and self._line is not None and self._line.put(message.framed):
            return
        self._frames.append(message)
        self._bytes += len(message)
        if resting:
            self._wake_up()
        elif len(self._frames) > self._most or self._bytes + self._held() > self._most_bytes:
            self.say_bye("too_slow", "you read more slowly than the table goes on; come again")

    def say_bye(self, code: str, message: str) -> None:
        """Tell the client why, then close. What still waits is left out if it was too slow."""
        if not self.is_open:
            return
        if code == "too_slow":
            self._frames.clear()
            self._bytes = 0
        self.push(Message({"bye": {"code": code, "message": message}}))
        self.bye = code
        self._wake_up()
        self.on_bye(code)
        if self._writer is not None:
            asyncio.get_running_loop().call_later(LAST_WORD_SECONDS, self._cut)

    async def drained(self) -> None:
        """Wait until everything is sent; raises Gone if the client goes, or does not read on."""
        if self._frames and not self._over:
            self._drained = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(DRAIN_SECONDS):
                    await self._drained
            except TimeoutError:
                self.say_bye("too_slow", "you read too slowly; come again")
            finally:
                self._drained = None
        if not self.is_open:
            raise Gone

    async def finish(self) -> None:
        """Send what waits, if the client takes it, and end."""
        if self._writer is None:
            return
        if not self._over and not self.bye:
            self.bye = "left"
            self._wake_up()
        done, _ = await asyncio.wait([self._writer], timeout=LAST_WORD_SECONDS)
        if not done:
            self._cut()
            await asyncio.wait([self._writer])

    async def _write(self) -> None:
        try:
            while not self._over:
                while self._frames:
                    message = self._frames.popleft()
                    self._bytes -= len(message)
                    await self._send({"type": "websocket.send", "text": message.text})
                self._tell_drained()
                if self.bye:
                    code = CLOSE_CODES.get(self.bye, 1008)
                    await self._send({"type": "websocket.close", "code": code})
                    break
                self._wake = asyncio.get_running_loop().create_future()
                await self._wake
        except (asyncio.CancelledError, OSError, RuntimeError):
            pass  # the client is gone; whoever reads from it learns of it too
        finally:
            self._over = True
            self._tell_drained()

    def _held(self) -> int:
        return 0 if self._line is None else self._line.held()

    def _tell_drained(self) -> None:
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)

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
