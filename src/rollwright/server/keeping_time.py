"""What happens by itself: asking the log for news, letting go of rooms, deleting old tables."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from rollwright.server.appends import StoreError
from rollwright.server.keeping import Look

if TYPE_CHECKING:
    from rollwright.server.hall import Hall

HOUR = 3600.0
DAY_MS = 86_400_000
MOST_DELETED = 100_000
"""Deleted tables whose ids are kept from others: some 20 MB."""
JUMP_MS = 600_000
"""What a clock may differ in an hour before it counts as set."""
SWEEP_SECONDS = 15.0
WATCH_SECONDS = 10.0
AT_ONCE = 500

log = logging.getLogger("rollwright.server.time")


async def poll(hall: Hall) -> None:
    """Ask the log, in one query, whether tables with guests went on without our knowledge."""
    rooms = [room for room in hall.rooms if room.guests]
    for start in range(0, len(rooms), AT_ONCE):
        some = rooms[start : start + AT_ONCE]
        known = {room.table: room.state.head for room in some}
        heads = await hall.store.heads(tuple(known))
        for table, head in known.items():
            if heads.get(table, -1) < head:
                hall.rooms.missing(table)
            else:
                hall.rooms.heard(table, heads[table])


async def sweep(hall: Hall) -> None:
    """Let go of tables that nobody uses, and of people who were connected to a dead process."""
    hall.rooms.sweep()
    for room in hall.rooms:
        if room.guests:
            room.presence.tell_soon()


class Watched:
    """How much time has certainly gone by: a clock on the wall may be set, a steady one may not."""

    def __init__(self) -> None:
        self._before: tuple[int, float] | None = None

    def now(self) -> int:
        """Milliseconds since 1970, as the wall says."""
        return time.time_ns() // 1_000_000

    def steady(self) -> float:
        """Seconds that only go on."""
        return time.monotonic()

    def passed(self) -> tuple[int, int]:
        """Milliseconds since this was asked before: that went by, and by which the wall differs."""
        now, steady = self.now(), self.steady()
        before, self._before = self._before, (now, steady)
        if before is None:
            return 0, 0
        passed = int(1000 * (steady - before[1]))
        return min(passed, int(1000 * HOUR)), now - before[0] - passed


async def clean(hall: Hall) -> None:
    """Delete tables that nobody touched for the days the host has set.

    First they are announced. They go when servers have watched them for a day more, and nobody
    came, and the clock still says so: one wrong clock deletes nothing.
    """
    now, (passed, jump) = hall.clock.now(), hall.clock.passed()
    await hall.store.touch([room.table for room in hall.rooms if room.guests], now)
    await hall.store.forget_deleted(MOST_DELETED)
    days = hall.settings.keep_days
    if not days:
        return
    is_set = abs(jump) > JUMP_MS
    if is_set:
        told = {"seconds": jump // 1000}
        log.warning("the clock was set; which tables are idle is watched anew", extra=told)
    since = now - days * DAY_MS
    found = await hall.store.mark_idle(Look(now, since, passed, anew=is_set))
    if found.announced:
        log.warning(
            f"some tables will be deleted in a day, for nobody came for {days} days;"
            f" `rollwright db purge --days {days} --dry-run` names them",
            extra={"count": found.announced},
        )
    deleted = 0
    for table in found.due:
        if await hall.store.delete_table(table, idle_since=since):
            hall.rooms.missing(table)
            deleted += 1
    if deleted:
        log.warning("old tables were deleted", extra={"count": deleted})


async def watch(hall: Hall) -> None:
    """See whether the storage is well, so that the host hears of it before people do."""
    await hall.watch.look()


async def every(seconds: float, work: Callable[[Hall], Awaitable[None]], hall: Hall) -> None:
    """Do something again and again; a lost database only means waiting for the next time."""
    while True:
        try:
            await work(hall)
        except StoreError:
            pass  # the storage has told the host, once
        except Exception:
            log.exception("something that happens by itself went wrong")
        await asyncio.sleep(seconds)


def keep_time(hall: Hall) -> list[asyncio.Task[None]]:
    """Start everything that happens by itself."""
    return [
        asyncio.create_task(every(hall.settings.poll_seconds, poll, hall)),
        asyncio.create_task(every(SWEEP_SECONDS, sweep, hall)),
        asyncio.create_task(every(WATCH_SECONDS, watch, hall)),
        asyncio.create_task(every(HOUR, clean, hall)),
    ]
