"""Periodic work: asking for news, dropping idle rooms, deleting old tables, backups."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from rollwright.server.metrics import Metrics, measure, watch_loop
from rollwright.server.settings import Settings
from rollwright.server.storage.appends import StoreError
from rollwright.server.storage.inventory import IdleScan, log_bytes
from rollwright.server.storage.retention import Backup, backups_in, is_fresh, parse_rules

if TYPE_CHECKING:
    from rollwright.server.app import Services

HOUR = 3600.0
DAY_MS = 86_400_000
MOST_DELETED = 100_000
"""Deleted tables whose ids are kept from others: some 20 MB."""
JUMP_MS = 600_000
"""Milliseconds a clock may differ in an hour before it counts as set."""
SWEEP_SECONDS = 15.0
WATCH_SECONDS = 10.0
LOOK_SECONDS = 60.0
TRY_AGAIN_SECONDS = 900.0
LATE = 2
"""So many times the hours between two backups may pass before the host is warned."""
MEASURE_SECONDS = 5.0
LEARN_SECONDS = 5.0
"""How soon a ban holds in every process."""
AT_ONCE = 500

log = logging.getLogger("rollwright.server.time")


async def poll(services: Services) -> None:
    """Ask the log, in one query, whether tables with guests went on without our knowledge."""
    rooms = [room for room in services.registry if room.broadcast.guests]
    for start in range(0, len(rooms), AT_ONCE):
        some = rooms[start : start + AT_ONCE]
        known = {room.table: room.state.head for room in some}
        heads = await services.store.heads(tuple(known))
        for table, head in known.items():
            if table not in heads:
                services.registry.on_deletion(table)
            elif heads[table] < head:
                services.registry.reload(table)
            else:
                services.registry.on_head(table, heads[table])


async def sweep(services: Services) -> None:
    """Let go of tables that nobody uses, and of people who were connected to a dead process."""
    services.registry.sweep()
    services.registry.weigh()
    for room in services.registry:
        if room.broadcast.guests:
            room.broadcast.presence.announce_soon()


class TrustedClock:
    """How much time has certainly gone by: a clock on the wall may be set, a steady one may not."""

    def __init__(self) -> None:
        self._before: tuple[int, float] | None = None

    def now(self) -> int:
        """Milliseconds since 1970, as the wall says."""
        return time.time_ns() // 1_000_000

    def steady(self) -> float:
        """Seconds that only go on."""
        return time.monotonic()

    def advance(self) -> tuple[int, int]:
        """Milliseconds since this was asked before: that went by, and by which the wall differs."""
        now, steady = self.now(), self.steady()
        before, self._before = self._before, (now, steady)
        if before is None:
            return 0, 0
        passed = int(1000 * (steady - before[1]))
        return min(passed, int(1000 * HOUR)), now - before[0] - passed


async def refresh(services: Services) -> None:
    """Know what other processes and the host's commands have changed: bans, and the room left."""
    await services.load_bans()
    if services.disk.most:
        services.disk.learn(await services.store.query(log_bytes))


async def clean(services: Services) -> None:
    """Delete tables that nobody touched for the days the host has set.

    First they are announced. They go when servers have watched them for a day more, and nobody
    came, and the clock still says so: one wrong clock deletes nothing.
    """
    now, (passed, jump) = services.clock.now(), services.clock.advance()
    await services.store.touch(
        [room.table for room in services.registry if room.broadcast.guests], now
    )
    await services.store.prune_deletions(MOST_DELETED)
    days = services.settings.keep_days
    if not days:
        return
    is_set = abs(jump) > JUMP_MS
    if is_set:
        told = {"seconds": jump // 1000}
        log.warning("the clock was set; which tables are idle is watched anew", extra=told)
    since = now - days * DAY_MS
    found = await services.store.mark_idle(IdleScan(now, since, passed, anew=is_set))
    if found.announced:
        log.warning(
            f"some tables will be deleted in a day, for nobody came for {days} days;"
            f" `rollwright db purge --days {days} --dry-run` names them",
            extra={"count": found.announced},
        )
    deleted = 0
    for table in found.due:
        if await services.store.delete_table(table, idle_since=since):
            services.registry.on_deletion(table)
            deleted += 1
    if deleted:
        services.audit.note("tables.deleted", who="keep_days", count=deleted)
        log.warning("old tables were deleted", extra={"count": deleted})


async def watch(services: Services) -> None:
    """See whether the storage is well, so that the host hears of it before people do."""
    await services.storage_watch.check()


class Backups:
    """Backups that the server makes by itself, and how the last one went.

    Each is made by a process of its own, so that nobody waits for it. Of several servers with one
    folder, one makes it and the others find it there.
    """

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self.metrics = metrics
        self.last: Backup | None = None
        self.failed = False
        self._process: subprocess.Popen[str] | None = None
        self._not_before = 0.0
        parse_rules(settings.backup_keep)

    @property
    def state(self) -> str:
        """The state of backups: off, waiting for the first one, made, late or failed."""
        if not self.settings.backup_to:
            return "off"
        if self.failed:
            return "failed"
        if self.last is None:
            return "waiting"
        late = self.last.at + timedelta(hours=self.settings.backup_hours * LATE)
        return "late" if datetime.now(UTC) > late else "made"

    async def run_if_due(self) -> None:
        """Make a backup if it is time for one."""
        there = await asyncio.to_thread(self._list)
        fresh = is_fresh(there, self.settings.backup_hours, datetime.now(UTC))
        if not fresh and time.monotonic() >= self._not_before:
            await self._make()

    def _list(self) -> list[Backup]:
        there: list[Backup] = []
        with contextlib.suppress(OSError):
            there = backups_in(Path(self.settings.backup_to))
        self.last = there[-1] if there else None
        self.metrics.backup_made.set(self.last.at.timestamp() if self.last else 0)
        self.metrics.backup_failed.set(self.state in ("failed", "late"))
        return there

    async def _make(self) -> None:
        began = time.monotonic()
        self._process = process = self._start()
        try:
            problem = await asyncio.to_thread(_wait_for_end, process)
            if self._process is not process:
                return  # the server ends, and has ended it
        finally:
            self.stop()
        self.failed = bool(problem)
        await asyncio.to_thread(self._list)
        if problem:
            self._not_before = time.monotonic() + TRY_AGAIN_SECONDS
            log.error(f"no backup could be made: {problem}")
            return
        log.info("a backup was made", extra={"seconds": round(time.monotonic() - began, 3)})

    def _start(self) -> subprocess.Popen[str]:
        settings = self.settings
        command = [sys.executable, "-m", "rollwright", "db", "backup", "--into", settings.backup_to]
        command += ["--keep", settings.backup_keep, "--hours", str(settings.backup_hours), "--json"]
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            # The address may hold a password, which everybody sees in a command.
            env={**os.environ, "ROLLWRIGHT_DATABASE": settings.address},
            start_new_session=True,  # Ctrl+C is for the server, which ends it itself
        )

    def stop(self) -> None:
        """End a backup that is being made; what is not whole is never taken for a backup."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.terminate()


def _wait_for_end(process: subprocess.Popen[str]) -> str:
    """Wait for a backup; why it failed, or nothing."""
    _, said = process.communicate()
    if not process.returncode:
        return ""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1].removeprefix("rollwright: ") if lines else f"code {process.returncode}"


async def back_up(services: Services) -> None:
    """Make a backup if it is time for one."""
    await services.backups.run_if_due()


async def run_every(
    seconds: float, work: Callable[[Services], Awaitable[None]], services: Services
) -> None:
    """Do something again and again; a lost database only means waiting for the next time."""
    while True:
        try:
            await work(services)
        except StoreError:
            pass  # the storage has warned the host, once
        except Exception:
            log.exception("something that happens by itself went wrong")
        await asyncio.sleep(seconds)


def start_timers(services: Services) -> list[asyncio.Task[None]]:
    """Start everything that happens by itself."""
    work = [
        run_every(services.settings.poll_seconds, poll, services),
        run_every(SWEEP_SECONDS, sweep, services),
        run_every(WATCH_SECONDS, watch, services),
        run_every(0, watch_loop, services),
        run_every(MEASURE_SECONDS, measure, services),
        run_every(LEARN_SECONDS, refresh, services),
        run_every(HOUR, clean, services),
    ]
    if services.settings.backup_to:
        work.append(run_every(LOOK_SECONDS, back_up, services))
    return [asyncio.create_task(one) for one in work]
