"""App processes that can be killed and started again at the same address.

PostgreSQL and Redis are those that the tests start.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psutil
from tests.server.parts import GUARD, Postgres, Redis, free_port

__all__ = ["App", "Failed", "Postgres", "Redis", "orphans", "place"]

PATIENCE = 60.0
"""Seconds after which an app that does not come up is a failure."""

WITHOUT_LIMITS = {
    "seat_rate": 1_000_000,
    "seat_burst": 1_000_000,
    "address_rate": 1_000_000,
    "address_burst": 1_000_000,
    "tables_per_hour": 1_000_000,
    "wrong_tokens": 1_000_000,
    "joins_per_minute": 1_000_000,
    "metrics": "open",
    "connections_per_address": 5_000,
    "options_seconds": 600,
}
"""Everybody comes from one address here and types faster than people do.

However busy the machine is, the options of an open choice are listed in the end.
"""


class Failed(Exception):
    """An app did not come up; the end of its log says why."""


@contextlib.contextmanager
def place() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="rollwright-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


class App:
    """`rollwright serve`, killed with kill -9 and started again."""

    start_process: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen
    """How it is started; tests have a cheaper way."""

    def __init__(self, folder: Path, name: str, **settings: object) -> None:
        self.folder = folder
        self.name = name
        self.port = free_port()
        self.program = ["-m", "rollwright"]
        """What Python runs; another version is another program."""
        self.process: subprocess.Popen[bytes] | None = None
        self.left: list[psutil.Process] = []
        """What killed processes had started."""
        self._children: list[psutil.Process] = []
        self._guard: subprocess.Popen[bytes] | None = None
        own = {"port": self.port, "open": False, "log_level": "info", "counters": 1}
        chosen = {**own, **WITHOUT_LIMITS, **settings}
        ours = {f"ROLLWRIGHT_{key.upper()}": str(value) for key, value in chosen.items()}
        self.environment = {**os.environ, **ours}

    @property
    def address(self) -> str:
        """Where it is reached."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """Everything that the process wrote, over all its lives."""
        return self.folder / f"{self.name}.log"

    def start(self) -> None:
        """Start the process and wait until it can be used."""
        with self.log.open("ab") as log:
            self.process = type(self).start_process(
                [sys.executable, *self.program, "serve"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.environment,
                cwd=self.folder,
                start_new_session=True,
            )
        self._guard_it()
        end = time.monotonic() + PATIENCE
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failed(f"{self.name}: {self.log.read_text('utf-8')[-2000:]}")
            time.sleep(0.02)
        self._children = psutil.Process(self.process.pid).children(recursive=True)

    def _guard_it(self) -> None:
        """End the process also where whoever started it is killed."""
        self._leave_it()
        assert self.process is not None
        watch = [sys.executable, "-S", "-c", GUARD, str(self.process.pid), str(self.folder)]
        self._guard = subprocess.Popen(watch, stdin=subprocess.PIPE, start_new_session=True)

    def _leave_it(self) -> None:
        guard, self._guard = self._guard, None
        if guard is not None:
            guard.kill()
            guard.communicate()

    def is_ready(self) -> bool:
        """Whether it says that it can be used."""
        line = HTTPConnection("127.0.0.1", self.port, timeout=2)
        with contextlib.suppress(OSError, HTTPException), contextlib.closing(line):
            line.request("GET", "/ready")
            return line.getresponse().status == 200
        return False

    def end(self) -> None:
        """End the process politely, as a host does, and wait until it is gone."""
        assert self.process is not None
        self.process.terminate()
        if code := self.process.wait(PATIENCE):
            raise Failed(f"{self.name} ended with {code}: {self.log.read_text('utf-8')[-2000:]}")

    def kill9(self) -> None:
        """Kill the process alone; its children must notice by themselves."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.left += self._children
        self.process.wait()

    def stop(self) -> None:
        """End the process and whatever it started."""
        self._leave_it()
        if self.process is None:
            return
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None


def orphans(apps: Sequence[App], patience: float = 60) -> list[int]:
    """Processes that killed apps left behind and that did not end by themselves."""
    left = [process for app in apps for process in app.left]
    end = time.monotonic() + patience
    while (left := [process for process in left if is_alive(process)]) and time.monotonic() < end:
        time.sleep(0.05)
    return [process.pid for process in left]


def is_alive(process: psutil.Process) -> bool:
    """Whether a process still runs; one that nobody has asked about yet does not."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False
