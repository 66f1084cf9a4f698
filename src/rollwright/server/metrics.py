"""The server's counts of itself, for Prometheus, and the state of its storage and its loop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    start_http_server,
)

from rollwright.server.settings import BadSetting, Settings
from rollwright.server.storage.appends import StoreError
from rollwright.server.storage.health import HealthState
from rollwright.server.storage.store import Store

if TYPE_CHECKING:
    from rollwright.server.app import Services


GaugeMode = Literal["livemin", "livesum", "livemax", "liveall", "max"]
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names where processes put their numbers together."""
QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class MetricSpec(NamedTuple):
    """A metric: its kind, its meaning, and the label that splits it."""

    kind: type[Counter] | type[Gauge] | type[Histogram]
    name: str
    help: str
    label: str = ""
    mode: GaugeMode = "livesum"
    """How the gauges of several processes become one number."""

    def create(self, registry: CollectorRegistry) -> Counter | Gauge | Histogram:
        """The number itself, at nought."""
        name, labels = f"rollwright_{self.name}", [self.label] if self.label else []
        if self.kind is Histogram:
            return Histogram(name, self.help, labels, registry=registry, buckets=QUICK)
        if self.kind is Gauge:
            mode = self.mode
            return Gauge(name, self.help, labels, registry=registry, multiprocess_mode=mode)
        return Counter(name, self.help, labels, registry=registry)


ENDS = "Commands by how they ended: stored, repeated, refused, failed."
WRONG = "Tokens that were not good, by what for: table, admin, make, metrics."
LAG = "How late the event loop is, looked at twice a second."
COUNTED = "Questions and the processes that count them, by what is told."
PROCESS = (
    "Of each process: resident_bytes, cpu_seconds, open_files, threads, collections; "
    "counters_resident_bytes are of those that count odds for it."
)
MADE, FAILED = "When the newest backup was made.", "Whether the last backup failed or is late."
FIT = "Whether the storage can be read and written."
METRICS = {
    "events": MetricSpec(Counter, "events", "Events written to the log.", "kind"),
    "rolls": MetricSpec(Counter, "rolls", "Rolls that were started."),
    "commands": MetricSpec(Counter, "commands", ENDS, "end"),
    "refused": MetricSpec(Counter, "refused", "Refusals by their code.", "code"),
    "wrong": MetricSpec(Counter, "wrong_tokens", WRONG, "kind"),
    "byes": MetricSpec(Counter, "byes", "Sockets closed by the server, by why.", "code"),
    "appends": MetricSpec(Histogram, "append_seconds", "From a decision to its commit."),
    "lag": MetricSpec(Histogram, "loop_lag_seconds", LAG),
    "connections": MetricSpec(Gauge, "connections", "Open sockets."),
    "rooms": MetricSpec(Gauge, "rooms", "Tables in memory."),
    "room_bytes": MetricSpec(Gauge, "room_bytes", "Memory that the tables take, about."),
    "waiting": MetricSpec(Gauge, "appends_waiting", "Appends that wait to be written."),
    "queued": MetricSpec(Gauge, "frames_waiting", "Frames that wait for slow clients."),
    "redis": MetricSpec(Gauge, "redis_up", "Whether Redis answers; 0 without one."),
    "backup_made": MetricSpec(Gauge, "backup_timestamp_seconds", MADE, mode="max"),
    "backup_failed": MetricSpec(Gauge, "backup_failed", FAILED, mode="livemax"),
    "storage": MetricSpec(Gauge, "storage_up", FIT, mode="livemin"),
    "counting": MetricSpec(Gauge, "counting", COUNTED, "what"),
    "process": MetricSpec(Gauge, "process", PROCESS, "what", "liveall"),
}
"""Every metric, under the name by which the server knows it."""


class Metrics:
    """The numbers of one process: those of `METRICS`."""

    events: Counter
    rolls: Counter
    commands: Counter
    refused: Counter
    wrong: Counter
    byes: Counter
    appends: Histogram
    lag: Histogram
    connections: Gauge
    rooms: Gauge
    room_bytes: Gauge
    waiting: Gauge
    queued: Gauge
    redis: Gauge
    backup_made: Gauge
    backup_failed: Gauge
    storage: Gauge
    counting: Gauge
    process: Gauge

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        for name, number in METRICS.items():
            setattr(self, name, number.create(self.registry))
        self.of_command: Callable[[str], Counter] = cache(self.commands.labels)
        self.of_event: Callable[[str], Counter] = cache(self.events.labels)
        """Those that every roll adds to, found at once."""

    def measure(self, counters: Sequence[int] = ()) -> None:
        """Look at this process, and at those that count for it."""
        found = {
            "resident_bytes": resident_bytes(),
            "cpu_seconds": time.process_time(),
            "open_files": open_files(),
            "threads": threading.active_count(),
            "collections": sum(one["collections"] for one in gc.get_stats()),
            "counters_resident_bytes": sum(map(resident_bytes, counters)),
        }
        for what, number in found.items():
            self.process.labels(what).set(number)

    def page(self) -> bytes:
        """All numbers as Prometheus reads them; of all processes where there are several."""
        return generate_latest(self.registry if FOLDER not in os.environ else all_processes())


def all_processes() -> CollectorRegistry:
    """The numbers of all processes behind one port."""
    from prometheus_client.multiprocess import MultiProcessCollector

    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together


@contextlib.contextmanager
def own_port(settings: Settings, registry: CollectorRegistry) -> Iterator[None]:
    """Serve the metrics on a port of their own, which nobody else need be able to reach."""
    if not settings.metrics_port:
        yield
        return
    try:
        server, thread = start_http_server(settings.metrics_port, settings.metrics_host, registry)
    except OSError as problem:
        raise BadSetting(
            f"cannot listen on {settings.metrics_host} port {settings.metrics_port}: "
            f"{problem.strerror}; another --metrics-port would do"
        ) from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def resident_bytes(pid: int | str = "self") -> int:
    """Return the memory that a process has now; 0 if the system does not say."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


def open_files() -> int:
    """Return how many files and sockets this process has open; 0 if the system does not say."""
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return 0


ANSWER_SECONDS = 3.0
LOOK_SECONDS = 1.0
"""Seconds between tries of the storage, at least, however many ask."""
LAG_SECONDS = 0.5


class StorageWatch:
    """Looks at the storage: together for all who ask, and not more often than is good for it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._looked_at = -LOOK_SECONDS
        self._looking: asyncio.Task[None] | None = None

    async def check(self) -> HealthState:
        """How the storage is; what does not answer in time is lost."""
        loop = asyncio.get_running_loop()
        if self._looking is None and loop.time() >= self._looked_at + LOOK_SECONDS:
            self._looking = loop.create_task(self._check())
        if self._looking is not None:
            done, _ = await asyncio.wait([self._looking], timeout=ANSWER_SECONDS)
            if not done and self._store.health.state.is_fit:
                return HealthState.LOST
        return self._store.health.state

    async def _check(self) -> None:
        try:
            await self._store.check()
        except StoreError:
            pass  # the condition knows it
        finally:
            self._looking = None
            self._looked_at = asyncio.get_running_loop().time()

    async def stop(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])


async def measure(services: Services) -> None:
    """Bring up to date what is not counted as it happens."""
    services.metrics.waiting.set(services.store.waiting)
    services.metrics.rooms.set(len(services.registry))
    services.metrics.queued.set(sum(connection.waiting for connection in services.connections))
    services.metrics.redis.set(services.bus.state == "up")
    services.metrics.storage.set(services.store.health.state.is_fit)
    for what, number in services.workers.metrics().items():
        services.metrics.counting.labels(what).set(number)
    services.metrics.measure(services.workers.pids)


async def watch_loop(services: Services) -> None:
    """Look how late the event loop is."""
    loop = asyncio.get_running_loop()
    due = loop.time() + LAG_SECONDS
    await asyncio.sleep(LAG_SECONDS)
    services.metrics.lag.observe(max(0.0, loop.time() - due))
