"""The servers of a storm: one app on SQLite, or two on PostgreSQL and Redis."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.soak.servers import App, Postgres, Redis


def made_ready(database: str) -> None:
    """Give a new PostgreSQL its tables."""
    command = [sys.executable, "-m", "rollwright", "db", "upgrade", "--database", database]
    subprocess.run(command, check=True, capture_output=True)


Victim = App | Postgres | Redis


class Cluster:
    """The servers of a storm: one app on SQLite, or two on PostgreSQL and Redis."""

    def __init__(self, kind: str, folder: Path, **settings: object) -> None:
        self.postgres: Postgres | None = None
        self.redis: Redis | None = None
        if kind == "sqlite":
            self.apps = [App(folder, "app", database=folder / "tables.db", **settings)]
            return
        self.postgres, self.redis = Postgres(), Redis()
        settings |= {"database": self.postgres.url(), "redis": self.redis.url}
        self.apps = [App(folder, f"app-{number}", **settings) for number in (1, 2)]

    @property
    def servers(self) -> list[Victim]:
        """All of them, in the order in which they are started."""
        others: list[Victim] = [server for server in (self.postgres, self.redis) if server]
        return [*others, *self.apps]

    def victims(self, kind: str) -> Sequence[Victim]:
        """Whom a storm of that kind kills, in turn."""
        if kind in ("app", "sqlite"):
            return self.apps
        return [server for server in self.servers if server.name == kind]

    def __enter__(self) -> Cluster:
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def _start(self) -> None:
        for server in (self.postgres, self.redis):
            if server is not None:
                server.start()
        if self.postgres is not None:
            made_ready(self.postgres.url())
        with ThreadPoolExecutor() as pool:
            list(pool.map(App.start, self.apps))

    def __exit__(self, *problem: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End them all, the apps first."""
        for server in reversed(self.servers):
            server.stop()
