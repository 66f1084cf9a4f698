"""The tables in memory: loaded on first use, let go when nobody needs them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rollwright.server.live.broadcast import REREAD
from rollwright.server.live.live_table import LiveTable
from rollwright.server.storage.appends import StoreError
from rollwright.table.errors import CodedError, command_error
from rollwright.table.events import TABLE_ID

if TYPE_CHECKING:
    from rollwright.server.app import Services


SMALL_BYTES = 1_048_576
"""Bytes in memory that a table may always take."""

log = logging.getLogger("rollwright.server.live")


class TableRegistry:
    """Every table that is in use, and some that were."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._weights: dict[str, int] = {}
        self.weight = 0
        """About how many bytes of memory all tables take."""
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._catching: dict[str, asyncio.Task[None]] = {}
        self._heads: dict[str, int] = {}
        """The heads that were heard of since a room began to catch up."""

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(tuple(self._tables.values()))

    async def get(self, table: str) -> LiveTable:
        """The room of a table, as new as its log."""
        room = self._tables.get(table)
        if room is not None and not room.is_lost and self.services.settings.is_multiprocess:
            await self._refresh(room)
        if room is None or room.is_lost:
            room = await self._loaded(table)
        # It may have been let go meanwhile; one that nobody knows would hear of nothing.
        room = self._tables.setdefault(table, room)
        room.used = time.monotonic()
        self._tables.move_to_end(table)
        return room

    def find(self, table: str) -> LiveTable | None:
        """The room of a table if it is in memory."""
        return self._tables.get(table)

    def announce(self, room: LiveTable) -> None:
        """Announce that the table has gone on, to other processes and to a replaced room."""
        self._weigh(room)
        self.services.bus.announce(room.table, room.state.head)
        self.on_head(room.table, room.state.head)

    def on_head(self, table: str, head: int) -> None:
        """A table has gone on to that head, somewhere; None of our business if nobody is here."""
        room = self._tables.get(table)
        if room is None or head <= room.state.head:
            return
        room.announced_head = self._heads[table] = head
        if table not in self._catching:
            task = asyncio.get_running_loop().create_task(self._catch_up(room))
            self._catching[table] = task
            task.add_done_callback(lambda _: self._catching.pop(table, None))

    def on_presence(self, table: str, seats: set[str]) -> None:
        """Other processes have these seats of a table connected."""
        room = self._tables.get(table)
        if room is not None:
            room.broadcast.presence.set_elsewhere(seats)

    def on_deletion(self, table: str) -> None:
        """A table is deleted."""
        room = self._remove(table)
        if room is not None:
            room.discard("gone", "this table was deleted")

    def reload(self, table: str) -> None:
        """Reload a table whose log ends before what is known of it: it is another log."""
        room = self._tables.get(table)
        if room is not None:
            room.discard("unavailable", REREAD)

    def sweep(self) -> None:
        """Let go of tables that nobody used for a while, of the oldest if there are too many."""
        settings = self.services.settings
        old = time.monotonic() - settings.room_seconds
        surplus = len(self._tables) - settings.rooms
        for table, room in tuple(self._tables.items()):
            if room.is_in_use and not room.is_lost:
                continue
            if room.is_lost or room.used < old or surplus > 0:
                self._remove(table)
                surplus -= 1
        self.services.metrics.rooms.set(len(self._tables))
        self.services.metrics.room_bytes.set(self.weight)

    def weigh(self) -> None:
        """Weigh all tables again: what waits for slow clients changes by itself."""
        for room in self:
            self._weigh(room)
        self._free_memory()

    def check_memory(self, room: LiveTable) -> None:
        """Refuse what would make a large table larger where all of them take too much."""
        if self.weight > self.services.settings.memory_bytes and room.weight > SMALL_BYTES:
            self._free_memory()
            if self.weight > self.services.settings.memory_bytes:
                raise command_error("unavailable", "server.memory")

    def _weigh(self, room: LiveTable) -> None:
        """Take note of how much a table takes, if it is still ours."""
        if self._tables.get(room.table) is room:
            now = room.weight
            self.weight += now - self._weights.get(room.table, 0)
            self._weights[room.table] = now

    def _remove(self, table: str) -> LiveTable | None:
        self.weight -= self._weights.pop(table, 0)
        return self._tables.pop(table, None)

    def _free_memory(self) -> None:
        """Free memory if tables take too much: first idle ones, then what can be read again."""
        most = self.services.settings.memory_bytes
        for room in self:
            if self.weight > most and not room.is_in_use:
                self._remove(room.table)
        heaviest = sorted(self, key=lambda room: self._weights.get(room.table, 0), reverse=True)
        for room in heaviest if self.weight > most else ():
            if self.weight > most:
                room.free_memory()
                self._weigh(room)

    async def _loaded(self, table: str) -> LiveTable:
        """Load a table once, however many ask for it."""
        task = self._loading.get(table)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._load(table))
            self._loading[table] = task
            task.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(task)

    async def _load(self, table: str) -> LiveTable:
        if not TABLE_ID.fullmatch(table):
            raise command_error("not_found", "server.table.none")
        if self.weight > self.services.settings.memory_bytes:
            self._free_memory()
        if self.weight > self.services.settings.memory_bytes:
            raise command_error("unavailable", "server.memory")
        room = LiveTable(self.services, table)
        await room.load()
        self._tables[table] = room
        self.sweep()
        self._tables.setdefault(table, room)
        self._weigh(room)
        return room

    async def _refresh(self, room: LiveTable) -> None:
        """Bring a room up to its log; it is lost where that is another one now."""
        known = room.state.head
        row = await self.services.store.table(room.table)
        if row is None:
            self.on_deletion(room.table)
            raise command_error("not_found", "server.table.none")
        here = room.state
        if row.head < known or (row.head == here.head and row.hash != here.hash):
            room.discard("unavailable", REREAD)
        elif row.head > here.head:
            with contextlib.suppress(CodedError):  # it was lost, so that it is loaded again
                await room.catch_up()

    async def _catch_up(self, room: LiveTable) -> None:
        """Catch up, and again if the table went on meanwhile."""
        try:
            while head := self._heads.pop(room.table, 0):
                if head > room.state.head:
                    await room.catch_up(head)
                    self._weigh(room)
        except StoreError:
            log.warning("a table could not catch up", extra={"table": room.table})
        except CodedError:
            pass  # it was lost, and everybody was notified
        finally:
            self._heads.pop(room.table, None)

    async def close(self) -> None:
        """Wait for what is under way."""
        tasks = (*self._loading.values(), *self._catching.values())
        if tasks:
            await asyncio.wait(tasks, timeout=1)
