"""A small chat server of our own: numbered lines over loopback, and connections that break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

PATIENCE = 120


class Chat:
    """One room. Lines have numbers; what is said under a name that was heard is told once."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        self.port = 0
        self.silent = 0
        """How many of the next sayings are heard, and cut off before they are acknowledged."""
        self.sayings = 0
        """How often something was to be said, also again."""
        self._names: set[str] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._news = asyncio.Condition()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Chat]:
        """Listen on this machine."""
        listener = await asyncio.start_server(self._served, "127.0.0.1", 0)
        self.port = listener.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            listener.close()
            self.drop()

    def drop(self) -> None:
        """Cut everybody off."""
        for writer in self._writers:
            writer.transport.abort()

    async def says(self, nick: str, text: str) -> None:
        """Somebody in the room says something."""
        async with self._news:
            self.lines.append((nick, text))
            self._news.notify_all()

    async def heard(self, ready: Callable[[list[str]], bool]) -> list[str]:
        """What the bridge has said, once it is so."""
        try:
            async with asyncio.timeout(PATIENCE), self._news:
                await self._news.wait_for(lambda: ready(self.told))
        except TimeoutError:
            raise AssertionError(f"it was not said: {self.lines}") from None
        return self.told

    @property
    def told(self) -> list[str]:
        """What the bridge has said."""
        return [text for nick, text in self.lines if nick == "dice"]

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            word, _, rest = (await reader.readline()).decode().rstrip("\n").partition(" ")
            await (self._join(int(rest), writer) if word == "JOIN" else self._say(rest, writer))
        except (ConnectionError, ValueError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _join(self, after: int, writer: asyncio.StreamWriter) -> None:
        while not writer.is_closing():
            for number, (nick, text) in enumerate(self.lines[after:], after + 1):
                writer.write(f"LINE {number} {nick} {text}\n".encode())
            after = len(self.lines)
            await writer.drain()
            async with self._news:
                await self._news.wait_for(partial(self._has_more, after, writer))

    def _has_more(self, after: int, writer: asyncio.StreamWriter) -> bool:
        return len(self.lines) > after or writer.is_closing()

    async def _say(self, rest: str, writer: asyncio.StreamWriter) -> None:
        name, nick, text = rest.split(" ", 2)
        self.sayings += 1
        if name not in self._names:
            self._names.add(name)
            await self.says(nick, text)
        if self.silent:
            self.silent -= 1
            writer.transport.abort()
            return
        writer.write(f"OK {name}\n".encode())
        await writer.drain()
