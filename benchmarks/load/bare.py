"""Bare Starlette broadcasts: the least that a roll costs.

`python -m benchmarks.load.bare PORT BYTES`: every message of a client is answered by a frame of
BYTES bytes to everybody in the room.
`python -m benchmarks.load.bare PORT BYTES FILE`: the same once the frame is committed to SQLite,
where it survives a power cut; all that waits is committed together.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

Rooms = dict[str, set[WebSocket]]
Roll = Callable[[str], Awaitable[None]]


def text_of(size: int) -> str:
    """A frame of so many bytes."""
    return '{"events":"' + "x" * (size - 13) + '"}'


async def broadcast(there: set[WebSocket], text: str) -> None:
    """Send a text to everybody in a room."""
    for other in list(there):
        await other.send_text(text)


def room_route(rooms: Rooms, rolled: Roll) -> WebSocketRoute:
    """Rooms in which every message is a roll."""

    async def room(socket: WebSocket) -> None:
        await socket.accept()
        name = socket.path_params["room"]
        rooms.setdefault(name, set()).add(socket)
        await socket.send_text('{"welcome":{}}')
        try:
            while True:
                await socket.receive_text()
                await rolled(name)
        except WebSocketDisconnect:
            rooms[name].discard(socket)

    return WebSocketRoute("/{room}", room)


def bare_app(size: int) -> Starlette:
    """Rooms that send the same text to everybody in them."""
    rooms: Rooms = {}
    text = text_of(size)
    return Starlette(routes=[room_route(rooms, lambda name: broadcast(rooms[name], text))])


class Log:
    """A log of all rooms in one SQLite file; what waits is committed as one group."""

    def __init__(self, file: str) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._database = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("CREATE TABLE IF NOT EXISTS events (room TEXT, body TEXT)")
        self._waiting: list[tuple[str, str]] = []
        self._stirred = asyncio.Event()

    def add(self, room: str, body: str) -> None:
        """Have an event written with the next group."""
        self._waiting.append((room, body))
        self._stirred.set()

    async def groups(self) -> AsyncIterator[list[tuple[str, str]]]:
        """Each group once it is committed."""
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            group, self._waiting = self._waiting, []
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._commit, group)
            yield group

    def _commit(self, group: list[tuple[str, str]]) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        self._database.executemany("INSERT INTO events VALUES (?, ?)", group)
        self._database.execute("COMMIT")


def durable_app(size: int, file: str) -> Starlette:
    """The same rooms, where everybody gets a roll when it is committed and not before."""
    rooms: Rooms = {}
    text = text_of(size)
    logs: list[Log] = []

    async def rolled(name: str) -> None:
        logs[0].add(name, text)

    async def tell(log: Log) -> None:
        async for group in log.groups():
            for room, body in group:
                await broadcast(rooms[room], body)

    @asynccontextmanager
    async def opened(app: Starlette) -> AsyncIterator[None]:
        logs.append(Log(file))
        telling = asyncio.create_task(tell(logs[0]))
        yield
        telling.cancel()

    return Starlette(routes=[room_route(rooms, rolled)], lifespan=opened)


if __name__ == "__main__":
    _, port, size, *files = sys.argv
    uvicorn.run(
        durable_app(int(size), files[0]) if files else bare_app(int(size)),
        port=int(port),
        log_level="warning",
        ws_per_message_deflate=False,
        loop="uvloop",
        http="httptools",
    )
