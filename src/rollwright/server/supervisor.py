"""Several processes behind one port: started, watched, started again, and ended together."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from types import FrameType

from prometheus_client.multiprocess import mark_process_dead

from rollwright.errors import RollwrightError
from rollwright.server.operations.metrics import FOLDER, all_processes, own_port
from rollwright.server.process import hangups
from rollwright.server.settings import Settings

REFUSED = 2
"""How a process ends that cannot run with its settings: starting it again would not help."""
QUICK_SECONDS = 5.0
PAUSE_SECONDS = 1.0

log = logging.getLogger("rollwright.server.processes")


class Processes:
    """The workers of one server."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        self.settings = settings
        self.listener = listener
        self._spawn = multiprocessing.get_context("spawn")
        self._workers: dict[SpawnProcess, float] = {}
        self._ending = False

    def run(self, on_start: Callable[[], None]) -> int:
        """Serve until a signal comes; answers with the exit code."""
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, self._end)
        with tempfile.TemporaryDirectory(prefix="rollwright-metrics-") as folder:
            os.environ[FOLDER] = folder  # so that /metrics tells of all
            for sign in hangups(self.settings):
                signal.signal(sign, signal.SIG_IGN)
            with own_port(self.settings, all_processes()):
                for _ in range(self.settings.workers):
                    self._start()
                on_start()
                code = self._watch()
            self.listener.close()
            return code

    def _start(self) -> None:
        worker = self._spawn.Process(target=work, args=(self.settings, self.listener))
        worker.start()
        self._workers[worker] = time.monotonic()

    def _watch(self) -> int:
        """Wait for workers to end; one that died is replaced."""
        code = 0
        while self._workers:
            wait([worker.sentinel for worker in self._workers], timeout=PAUSE_SECONDS)
            for worker in [one for one in self._workers if not one.is_alive()]:
                begun = self._workers.pop(worker)
                mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
                if worker.exitcode == REFUSED:
                    code = REFUSED
                    self._end()
                elif not self._ending:
                    log.warning("a process died and is replaced", extra={"code": worker.exitcode})
                    if time.monotonic() - begun < QUICK_SECONDS:
                        time.sleep(PAUSE_SECONDS)
                    self._start()
        return code

    def _end(self, sig: int = 0, frame: FrameType | None = None) -> None:
        """Pass a signal on: the first ends politely, the second at once."""
        self._ending = True
        for worker in self._workers:
            worker.terminate()


def work(settings: Settings, listener: socket.socket) -> None:
    """What one worker does."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl+C reaches all; the first process passes it on
    from rollwright.server.process import serve_one

    try:
        serve_one(settings, listener, _leave_with_the_first)
    except RollwrightError as problem:
        print(f"rollwright: {problem}", file=sys.stderr)
        sys.exit(REFUSED)


def _leave_with_the_first() -> None:
    """End when the first process is gone, however it went."""
    asyncio.get_running_loop().create_task(_watch_first())


async def _watch_first() -> None:
    first = multiprocessing.parent_process()
    while first is not None and first.is_alive():
        await asyncio.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
