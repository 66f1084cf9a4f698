"""How processes learn of each other: which table has gone on, and who is connected where.

Nothing of a table's contents goes over it. A process that hears of a head reads the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from importlib.util import find_spec
from secrets import token_hex
from typing import TYPE_CHECKING

from rollwright.server.settings import BadSetting

if TYPE_CHECKING:
    from redis.asyncio import Redis

CHANNEL = "rollwright:1:news"
PRESENT = "rollwright:1:present:"
PRESENT_SECONDS = 45
REFRESH_SECONDS = 15.0
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
ANSWER_SECONDS = 5.0
TABLES_AT_ONCE = 500
"""Tables whose people are noted with one question: of 2,500 one after the other never ended."""
LAST_WORD_SECONDS = 1.0
NEWS = re.compile(r"(head|present) ([a-z2-7]{12}) ([0-9]{1,15}) ([0-9a-f]{16})")

log = logging.getLogger("rollwright.server.bus")

OnHead = Callable[[str, int], None]
OnPresent = Callable[[str, set[str]], None]


async def cancel_tasks(tasks: Sequence[asyncio.Task[None]]) -> None:
    """End tasks for good: a library may take one cancellation for a failure of its own."""
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=LAST_WORD_SECONDS)


def _check_address(address: str) -> None:
    """Refuse what is no address of a Redis; it may hold a password, and is not said again."""
    from redis.asyncio.connection import parse_url

    try:
        parse_url(address)
    except ValueError:
        raise BadSetting(
            "redis is no address of a Redis; redis://HOST or redis://HOST:6379/0 would do"
        ) from None


class Bus:
    """The bus of a server with one process: there are no others to notify."""

    state = "none"

    async def start(self, on_head: OnHead, on_present: OnPresent) -> None:
        """Begin to listen."""

    async def stop(self) -> None:
        """Let go."""

    def announce(self, table: str, head: int) -> None:
        """A table has gone on to that head."""

    def publish_presence(self, table: str, seats: set[str]) -> None:
        """These seats are connected to this process."""


class RedisBus(Bus):
    """Over Redis. While it is lost nothing waits for it: the log is asked for news anyway."""

    def __init__(self, address: str) -> None:
        self.state = "lost"
        self._told_lost = False
        self.process = token_hex(8)
        self._address = address
        self._heads: dict[str, int] = {}
        self._seats: dict[str, set[str]] = {}
        self._changed: set[str] = set()
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._on_head: OnHead = lambda table, head: None
        self._on_present: OnPresent = lambda table, seats: None

    async def start(self, on_head: OnHead, on_present: OnPresent) -> None:
        """Begin to listen and to speak; Redis may come later."""
        if find_spec("redis") is None:
            raise BadSetting("Redis needs the package redis: pip install 'rollwright[postgres]'")
        _check_address(self._address)
        self._on_head, self._on_present = on_head, on_present
        for work in (self._listen, self._publish_loop):
            self._tasks.append(asyncio.create_task(self._run_forever(work)))

    async def stop(self) -> None:
        """Let go, and notify the others, if Redis still listens, that nobody is here any more."""
        await cancel_tasks(self._tasks)
        if self.state == "up":
            with contextlib.suppress(Exception):
                async with asyncio.timeout(LAST_WORD_SECONDS):
                    await self._remove_presence()

    async def _remove_presence(self) -> None:
        from redis.asyncio import Redis

        changed, self._seats = {*self._seats, *self._changed}, {}
        async with Redis.from_url(self._address, decode_responses=True) as redis:
            await self._note_present(redis, changed)

    def announce(self, table: str, head: int) -> None:
        """Announce the head in a moment; of several heads only the last matters."""
        if self.state == "up":
            self._heads[table] = head
            self._wake.set()

    def publish_presence(self, table: str, seats: set[str]) -> None:
        """Keep the seats known to the others, for as long as we live."""
        if seats:
            self._seats[table] = seats
        else:
            self._seats.pop(table, None)
        self._changed.add(table)
        self._wake.set()

    async def _run_forever(self, work: Callable[[Redis], Awaitable[None]]) -> None:
        """Work with Redis, and again whenever it was lost."""
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError

        tries = 0
        while True:
            redis = Redis.from_url(
                self._address,
                decode_responses=True,
                socket_connect_timeout=ANSWER_SECONDS,
                retry=Retry(NoBackoff(), 0),  # we try again ourselves
            )
            begun = time.monotonic()
            try:
                await work(redis)
            except (RedisError, OSError, TimeoutError, asyncio.IncompleteReadError):
                if work == self._listen:
                    self._note_loss()
            finally:
                with contextlib.suppress(RedisError, OSError):
                    await redis.aclose()
            tries = 0 if time.monotonic() - begun > PAUSES[-1] else tries + 1
            await asyncio.sleep(PAUSES[min(tries, len(PAUSES) - 1)])

    async def _listen(self, redis: Redis) -> None:
        async with redis.pubsub() as pubsub:
            await pubsub.subscribe(CHANNEL)
            silent = False
            while True:
                message = await pubsub.get_message(
                    ignore_subscribe_messages=False, timeout=ANSWER_SECONDS
                )
                if message is None:
                    if silent:  # it did not even answer the ping: it hangs, or the line is dead
                        raise TimeoutError
                    silent = True
                    await pubsub.ping()
                    continue
                silent = False
                if message["type"] == "subscribe":
                    self._note_recovery()
                elif message["type"] == "message":
                    await self._receive(redis, message["data"])

    def _note_loss(self) -> None:
        """Warn the host, once; also of a Redis that never was there."""
        if not self._told_lost:
            log.warning("Redis is lost; the log is asked for news meanwhile")
        self._told_lost = True
        self.state = "lost"
        self._heads.clear()  # anyone who misses them asks the log

    def _note_recovery(self) -> None:
        log.info("Redis is there")
        self.state = "up"
        self._told_lost = False
        self._changed.update(self._seats)
        self._wake.set()

    async def _receive(self, redis: Redis, text: str) -> None:
        news = NEWS.fullmatch(text)
        if news is None or news[4] == self.process:
            return
        if news[1] == "head":
            self._on_head(news[2], int(news[3]))
        elif news[2] in self._seats:
            self._on_present(news[2], await self._elsewhere(redis, news[2]))

    async def _publish_loop(self, redis: Redis) -> None:
        await redis.ping()
        self._changed.update(self._seats)
        refreshed = time.monotonic()
        while True:
            if time.monotonic() - refreshed > REFRESH_SECONDS:
                self._changed.update(self._seats)
                refreshed = time.monotonic()
            heads, self._heads = self._heads, {}
            changed, self._changed = self._changed, set()
            self._wake.clear()
            try:
                await self._publish_changes(redis, heads, changed)
            except Exception:  # on the next line it is sent again, with what is newer by then
                self._heads = {**heads, **self._heads}
                self._changed |= changed
                raise
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REFRESH_SECONDS):
                    await self._wake.wait()

    async def _publish_changes(
        self, redis: Redis, heads: dict[str, int], changed: set[str]
    ) -> None:
        if heads:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._publish_heads(redis, heads)
        await self._note_present(redis, changed)

    async def _publish_heads(self, redis: Redis, heads: dict[str, int]) -> None:
        async with redis.pipeline(transaction=False) as line:
            for table, head in heads.items():
                line.publish(CHANNEL, f"head {table} {head} {self.process}")
            await line.execute()

    async def _note_present(self, redis: Redis, tables: Iterable[str]) -> None:
        """Keep our seats of tables in Redis until they expire, and publish where they changed."""
        listed = sorted(tables)
        for first in range(0, len(listed), TABLES_AT_ONCE):
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._note_some(redis, listed[first : first + TABLES_AT_ONCE])

    async def _note_some(self, redis: Redis, tables: list[str]) -> None:
        """The same for as many tables as one answer may be about: three questions for all."""
        now = time.time()
        async with redis.pipeline(transaction=False) as line:
            for table in tables:
                line.zrange(PRESENT + table, 0, -1)
            known = await line.execute()
        async with redis.pipeline() as line:
            for table, names in zip(tables, known, strict=True):
                key = PRESENT + table
                for name in map(str, names):
                    if name.endswith(self.process):
                        line.zrem(key, name)
                for seat in self._seats.get(table, ()):
                    line.zadd(key, {f"{seat} {self.process}": now + PRESENT_SECONDS})
                line.zremrangebyscore(key, "-inf", now)
                line.expire(key, PRESENT_SECONDS * 2)
                line.publish(CHANNEL, f"present {table} 0 {self.process}")
            await line.execute()
        ours = [table for table in tables if table in self._seats]
        async with redis.pipeline(transaction=False) as line:
            for table in ours:
                line.zrangebyscore(PRESENT + table, now, "+inf")
            found = await line.execute()
        for table, names in zip(ours, found, strict=True):
            self._on_present(table, self._others_of(names))

    async def _elsewhere(self, redis: Redis, table: str) -> set[str]:
        names = await redis.zrangebyscore(PRESENT + table, time.time(), "+inf")
        return self._others_of(names)

    def _others_of(self, names: Iterable[object]) -> set[str]:
        pairs = [str(name).split(" ") for name in names]
        return {pair[0] for pair in pairs if len(pair) == 2 and pair[1] != self.process}
