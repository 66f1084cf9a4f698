"""Listening to a table: every event once and in order, through every lost connection."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress
from threading import Thread
from typing import Any, NamedTuple, NotRequired, TypedDict

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from rollwright.client.http import API, ServerError
from rollwright.client.rolls import EventData
from rollwright.errors import RollwrightError
from rollwright.jsonable import json_text, parse_json

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
MOST_BYTES = 64 * 2**20
MOST_OFFERED = 8
PROTOCOL = 3
"""How this client talks; a server of another number says so."""
FOR_GOOD = frozenset(
    ("unauthorized", "forbidden", "not_found", "gone", "removed", "bad_request", "protocol")
)
"""Why a server closes a socket that it is of no use to open again."""
LOST = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError)


class Welcome(TypedDict):
    """The first message of a server."""

    head: int
    hash: str
    snapshot: NotRequired[object]


class ServerMessage(NamedTuple):
    """A message from the server, read: new events, and what it wants of us."""

    events: list[EventData]
    want: int = 0
    """Numbers that we should have ready as a witness."""
    is_asked: bool = False
    """Whether somebody is asked for such a number."""


Attend = Callable[[int], Awaitable[None]]
"""Keeps so many numbers ready as a witness, and opens those that are asked for."""


class LogFollower:
    """Somebody who follows a log and knows which event came last; it touches no network."""

    def __init__(
        self,
        token: str,
        after: int | None,
        hash: str = "",
        *,
        check: Callable[[Sequence[EventData]], None] | None = None,
        attend: Attend | None = None,
    ) -> None:
        self.token = token
        self.last = after
        self.check = check
        """Raises what is wrong with events."""
        self.attend = attend
        self._start = after
        self._veiled: set[int] = set()
        """Events that came without their body: it may come later."""
        self._opened: set[int] = set()
        self.hash = hash
        """The hash of the last event: by it the server knows whether it is of its log."""

    def hello(self) -> str:
        """Return the first message on a new connection: who we are, and what we know already."""
        hello = {
            "protocol": PROTOCOL,
            "token": self.token,
            "after": self.last,
            "hash": self.hash,
            "recent": 0,
        }
        return json_text({"hello": hello})

    def receive(self, text: str | bytes) -> ServerMessage:
        """Take a message in; raises Refused where it is the last for good."""
        message: Any = parse_json(text)
        if "welcome" in message:
            self._take_welcome(message["welcome"])
        if self.check is not None:
            self.check(message.get("events", ()))
        fresh = [event for event in message.get("events", ()) if self._is_new(event)]
        if "bye" in message and message["bye"].get("code") in FOR_GOOD:
            raise ServerError(0, message["bye"])
        want = min(int(message.get("want", {}).get("witness", 0)), MOST_OFFERED)
        return ServerMessage(fresh, want, any("witness" in event["open"] for event in fresh))

    def _take_welcome(self, welcome: Welcome) -> None:
        """Somebody who wants to know what comes from now on begins at the head."""
        if "snapshot" in welcome:
            self.last, self.hash = welcome["head"], welcome["hash"]
            self._veiled.clear()  # of another log, where there was one
            self._opened.clear()
        if self._start is None:
            self._start = self.last

    def _is_new(self, event: EventData) -> bool:
        """Check whether an event is new, or comes for the first time in full."""
        seq, full = event["seq"], "body" in event
        if self.last is None or seq > self.last:
            self.last, self.hash = seq, event["hash"]
            if not full:
                self._veiled.add(seq)
            return True
        opened = full and (seq in self._veiled or (seq <= (self._start or 0)))
        if not opened or seq in self._opened:
            return False
        self._veiled.discard(seq)
        self._opened.add(seq)
        return True


class Pauses:
    """How long to wait between connections: longer each time, until something was heard."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE

    def reset(self) -> None:
        """Something was heard."""
        self._next = FIRST_PAUSE

    def next(self) -> float:
        """The next pause."""
        pause, self._next = self._next, min(2 * self._next, LONGEST_PAUSE)
        return pause * random.uniform(0.75, 1.25)


def socket_address(address: str, table: str) -> str:
    """Return the address of a table's socket."""
    scheme, _, rest = address.partition("://")
    return f"{'wss' if scheme == 'https' else 'ws'}://{rest}{API}/tables/{table}/socket"


async def listen(address: str, following: LogFollower) -> AsyncGenerator[EventData, None]:
    """Events one by one; what is opened later comes again with its body."""
    async with aclosing(frames(address, following)) as heard:
        async for events in heard:
            for event in events:
                yield event


async def frames(address: str, following: LogFollower) -> AsyncGenerator[list[EventData], None]:
    """Events as they come together; after each, `following` says up to where all were given."""
    pauses = Pauses()
    while True:
        try:
            async with (
                connect(address, max_size=MOST_BYTES) as socket,
                aclosing(_receive(socket, following)) as heard,
            ):
                async for events in heard:
                    pauses.reset()
                    yield events
        except LOST:
            pass
        await asyncio.sleep(pauses.next())


async def _receive(
    socket: ClientConnection, following: LogFollower
) -> AsyncGenerator[list[EventData], None]:
    await socket.send(following.hello())
    async with WitnessTask(following.attend) as attending:
        async for text in socket:
            heard = following.receive(text)
            attending.handle(heard)
            if heard.events:
                yield heard.events


class WitnessTask:
    """Being a witness beside: nobody who listens waits for it."""

    def __init__(self, attend: Attend | None) -> None:
        self._attend = attend
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> WitnessTask:
        return self

    async def __aexit__(self, *problem: object) -> None:
        for task in self._tasks:
            task.cancel()

    def handle(self, heard: ServerMessage) -> None:
        """Do what is wanted of us."""
        if self._attend is not None and (heard.want or heard.is_asked):
            task = asyncio.ensure_future(self._run(self._attend, heard.want))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, attend: Attend, want: int) -> None:
        with suppress(RollwrightError):  # errors here are raised for the one who acts
            await attend(want)


def watch(address: str, following: LogFollower, quiet: float | None) -> Iterator[EventData]:
    """The same without an event loop; ends when nothing came for so many `quiet` seconds.

    The connection lives in one thread: where one reads and another writes, what is encrypted gets
    mixed up.
    """
    heard = frames(address, following)
    with _background_loop() as loop:
        coming = asyncio.run_coroutine_threadsafe(_next_events(heard, quiet), loop)
        try:
            while events := coming.result():
                yield from events
                coming = asyncio.run_coroutine_threadsafe(_next_events(heard, quiet), loop)
        finally:
            if coming.done():  # what still waits is ended with its loop
                asyncio.run_coroutine_threadsafe(heard.aclose(), loop).result()


async def _next_events(
    heard: AsyncGenerator[list[EventData], None], quiet: float | None
) -> list[EventData]:
    """The events that come next; none where it was quiet for so long."""
    try:
        async with asyncio.timeout(quiet):
            return await anext(heard)
    except TimeoutError:
        return []


@contextmanager
def _background_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop in a thread of its own; whatever runs there is ended when it is left."""
    leave = asyncio.Event()
    runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
    loop = runner.get_loop()

    def run() -> None:
        with runner:
            runner.run(leave.wait())

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(leave.set)
        thread.join()
