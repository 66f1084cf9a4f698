"""Listening to a table: every event once and in order, through every lost connection."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, NotRequired, TypedDict

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from rollwright.client.http import API, Refused, new_id, new_nonce
from rollwright.client.rolls import Event, OwnNonces
from rollwright.plain import parsed, text_of

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
MOST_BYTES = 64 * 2**20
MOST_OFFERED = 8
PROTOCOL = 2
"""How this client talks; a server of another number says so."""
FOR_GOOD = frozenset(
    ("unauthorized", "forbidden", "not_found", "gone", "removed", "bad_request", "protocol")
)
"""Why a server closes a socket that it is of no use to open again."""


class Welcome(TypedDict):
    """What a server says first."""

    head: int
    hash: str
    snapshot: NotRequired[object]


class Listening:
    """One listener at a table, who knows which event came last."""

    def __init__(
        self,
        address: str,
        table: str,
        token: str,
        after: int | None,
        nonces: OwnNonces | None = None,
    ) -> None:
        scheme, _, rest = address.partition("://")
        secure = "wss" if scheme == "https" else "ws"
        self.address = f"{secure}://{rest}{API}/tables/{table}/socket"
        self.token = token
        self.last = after
        self.nonces = nonces or OwnNonces()
        self._start = after
        self._veiled: set[int] = set()
        """Events that came without their body: it may come later."""
        self._opened: set[int] = set()
        self._hash = ""
        """Of the last event: by it the server knows whether it is of its log."""

    async def events(self) -> AsyncGenerator[Event, None]:
        """Events one by one; what is opened later comes again with its body."""
        pause = FIRST_PAUSE
        while True:
            try:
                async with (
                    connect(self.address, max_size=MOST_BYTES) as socket,
                    aclosing(self._heard(socket)) as heard,
                ):
                    async for event in heard:
                        pause = FIRST_PAUSE
                        yield event
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                pass
            await asyncio.sleep(pause * random.uniform(0.75, 1.25))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _heard(self, socket: ClientConnection) -> AsyncGenerator[Event, None]:
        hello = {
            "protocol": PROTOCOL,
            "token": self.token,
            "after": self.last,
            "hash": self._hash,
            "recent": 0,
        }
        await socket.send(text_of({"hello": hello}))
        async for text in socket:
            message: Any = parsed(text)
            if "welcome" in message:
                self._welcomed(message["welcome"])
            self.nonces.check(message.get("events", ()))
            for event in message.get("events", ()):
                if self._is_new(event):
                    yield event
            if "want" in message:
                await self._offer(socket, message["want"])
            if "bye" in message and message["bye"].get("code") in FOR_GOOD:
                raise Refused(0, message["bye"])

    def _welcomed(self, welcome: Welcome) -> None:
        """Somebody who wants to know what comes from now on begins at the head."""
        if "snapshot" in welcome:
            self.last, self._hash = welcome["head"], welcome["hash"]
            self._veiled.clear()  # of another log, where there was one
            self._opened.clear()
        if self._start is None:
            self._start = self.last

    def _is_new(self, event: Event) -> bool:
        """Whether an event was not told yet, or is told for the first time in full."""
        seq, full = event["seq"], "body" in event
        if self.last is None or seq > self.last:
            self.last, self._hash = seq, event["hash"]
            if not full:
                self._veiled.add(seq)
            return True
        opened = full and (seq in self._veiled or (seq <= (self._start or 0)))
        if not opened or seq in self._opened:
            return False
        self._veiled.discard(seq)
        self._opened.add(seq)
        return True

    async def _offer(self, socket: ClientConnection, want: Mapping[str, int]) -> None:
        count = min(int(want.get("witness", 0)), MOST_OFFERED)
        if count > 0:
            nonces = [new_nonce() for _ in range(count)]
            command = {"id": new_id(), "do": "witness.offer", "nonces": nonces}
            await socket.send(text_of({"command": command}))
