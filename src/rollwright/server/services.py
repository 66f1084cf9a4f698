"""Everything a running server consists of, opened and closed together."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rollwright.server.admin.bans import Bans, list_bans
from rollwright.server.counting.counting import Counting, CountingLimits
from rollwright.server.limits import Limits
from rollwright.server.operations.chores import Backups, Watched, keep_time, learn
from rollwright.server.operations.logs import Audit
from rollwright.server.operations.metrics import Metrics
from rollwright.server.operations.watch import StorageWatch
from rollwright.server.rooms.bus import Bus, RedisBus, ended
from rollwright.server.rooms.connections import Connection
from rollwright.server.rooms.directory import Rooms
from rollwright.server.rooms.offload import Deciding
from rollwright.server.rooms.quotas import DiskQuota
from rollwright.server.settings import Settings
from rollwright.server.storage.store import Store

log = logging.getLogger("rollwright.server")


class Services:
    """The house with all tables in it."""

    def __init__(self, settings: Settings, store: Store, bus: Bus, counting: Counting) -> None:
        self.settings = settings
        self.store = store
        self.watch = StorageWatch(store)
        self.clock = Watched()
        self.bus = bus
        self.counting = counting
        self.deciding = Deciding()
        self.limits = Limits(settings)
        self.metrics = Metrics()
        self.backups = Backups(settings, self.metrics)
        self.audit = Audit(settings)
        self.bans = Bans()
        self.disk = DiskQuota(settings.disk_bytes)
        self.rooms = Rooms(self)
        self.connections: set[Connection] = set()
        self.importing = asyncio.Semaphore(1)
        """One log is checked at a time: it keeps a processor busy."""
        self.closing = False

    async def learn_bans(self) -> None:
        """Know the bans of the database, and send away whoever is here in spite of one."""
        now = time.time_ns() // 1_000_000
        self.bans.know(await self.store.ask(lambda open_: list_bans(open_, now)))
        if self.bans:
            for connection in tuple(self.connections):
                if self.bans.holds(connection.address):
                    connection.say_bye("forbidden", "the host of this server keeps you out")

    async def say_bye(self) -> None:
        """Tell every client that the server ends, and wait until they know."""
        self.closing = True
        loop = asyncio.get_running_loop()
        until = loop.time() + self.settings.shutdown_seconds
        while any(not one.is_over for one in self.connections) and loop.time() < until:
            for connection in tuple(self.connections):
                if not connection.orders:  # otherwise its commands are acknowledged first
                    connection.say_bye("shutdown", "the server is restarted; come again soon")
            await asyncio.sleep(0.02)


@asynccontextmanager
async def open_hall(settings: Settings) -> AsyncIterator[Services]:
    """Open the database, the bus and the counting; close them in the other order."""
    if settings.upgrade:
        await asyncio.to_thread(_upgrade, settings)
    store = await Store.open(
        settings.address,
        synchronous=settings.synchronous,
        patience=float(settings.patience_seconds),
        least_free=settings.free_bytes,
    )
    bus = RedisBus(settings.redis) if settings.redis else Bus()
    services = Services(settings, store, bus, Counting(_counting_limits(settings)))
    timers: list[asyncio.Task[None]] = []
    try:
        await services.counting.start()
        await learn(services)
        await bus.start(services.rooms.heard, services.rooms.heard_present)
        timers += keep_time(services)
        yield services
    finally:
        services.closing = True
        services.backups.stop()
        await ended(timers)
        await services.watch.stop()
        await services.rooms.close()
        await bus.stop()
        await services.deciding.stop()
        await services.counting.stop()
        await store.close()
        services.audit.close()


def _counting_limits(settings: Settings) -> CountingLimits:
    """So much counting that the processes of all workers suit the machine; one alone is unfair."""
    share = max(2, (os.cpu_count() or 1) // settings.workers) if settings.workers > 1 else 0
    return CountingLimits(workers=settings.counters or share)


def _upgrade(settings: Settings) -> None:
    """Bring the database up to date; another process that wants that too finds it done."""
    from rollwright.server.storage.databases import address
    from rollwright.server.storage.expiry import bring_up_to_date

    bring_up_to_date(address(settings.address))
