"""What the server counts about itself, for Prometheus: numbers only, nobody's business."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.events = Counter(
            "rollwright_events", "Events written to the log.", ["kind"], registry=registry
        )
        self.rolls = Counter("rollwright_rolls", "Rolls that were started.", registry=registry)
        self.commands = Counter(
            "rollwright_commands",
            "Commands by how they ended: stored, repeated, refused, failed.",
            ["end"],
            registry=registry,
        )
        self.refused = Counter(
            "rollwright_refused", "Refusals by their code.", ["code"], registry=registry
        )
        self.appends = Histogram(
            "rollwright_append_seconds",
            "From a decision to its commit.",
            buckets=QUICK,
            registry=registry,
        )
        self.connections = self._gauge("rollwright_connections", "Open sockets.")
        self.rooms = self._gauge("rollwright_rooms", "Tables in memory.")
        self.room_bytes = self._gauge(
            "rollwright_room_bytes", "Memory that the tables take, about."
        )
        self.waiting = self._gauge("rollwright_appends_waiting", "Appends that wait to be written.")
        self.queued = self._gauge("rollwright_frames_waiting", "Frames that wait for slow clients.")
        self.redis = self._gauge("rollwright_redis_up", "Whether Redis answers; 0 without one.")
        self.counting = Gauge(
            "rollwright_counting",
            "Questions and the processes that count them, by what is told.",
            ["what"],
            registry=registry,
            multiprocess_mode="livesum",
        )
        self.byes = Counter(
            "rollwright_byes", "Sockets closed by the server, by why.", ["code"], registry=registry
        )

    def _gauge(self, name: str, told: str) -> Gauge:
        return Gauge(name, told, registry=self.registry, multiprocess_mode="livesum")

    def page(self) -> bytes:
        """All numbers as Prometheus reads them; of all processes where there are several."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        from prometheus_client.multiprocess import MultiProcessCollector

        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
