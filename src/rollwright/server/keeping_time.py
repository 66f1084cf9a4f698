"""What happens by itself: asking the log for news, letting go of rooms, deleting old tables."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from rollwright.server.appends import StoreError

if TYPE_CHECKING:
    from rollwright.server.hall import Hall

HOUR = 3600.0
DAY_MS = 86_400_000
SWEEP_SECONDS = 15.0
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
    hall.rooms.weigh()
    for room in hall.rooms:
        if room.guests:
            room.presence.tell_soon()


async def clean(hall: Hall) -> None:
    """Delete tables that nobody touched for the days the host has set."""
    now = time.time_ns() // 1_000_000
    await hall.store.touch([room.table for room in hall.rooms if room.guests], now)
    if not hall.settings.keep_days:
        return
    since = now - hall.settings.keep_days * DAY_MS
    deleted = 0
    while idle := await hall.store.idle_tables(since):
        for table in idle:
            if await hall.store.delete_table(table, idle_since=since):
                hall.rooms.missing(table)
                deleted += 1
    if deleted:
        log.info("old tables were deleted", extra={"count": deleted})


async def every(seconds: float, work: Callable[[Hall], Awaitable[None]], hall: Hall) -> None:
    """Do something again and again; a lost database only means waiting for the next time."""
    while True:
        try:
            await work(hall)
        except StoreError:
            log.warning("the database does not answer", extra={"state": work.__name__})
        except Exception:
            log.exception("something that happens by itself went wrong")
        await asyncio.sleep(seconds)


def keep_time(hall: Hall) -> list[asyncio.Task[None]]:
    """Start everything that happens by itself."""
    return [
        asyncio.create_task(every(hall.settings.poll_seconds, poll, hall)),
        asyncio.create_task(every(SWEEP_SECONDS, sweep, hall)),
        asyncio.create_task(every(HOUR, clean, hall)),
    ]
