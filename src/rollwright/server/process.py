"""The processes that serve: one from an open port to a graceful end, or several behind one port."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from types import FrameType

import uvicorn
from prometheus_client.multiprocess import mark_process_dead
from starlette.applications import Starlette

from rollwright.errors import RollwrightError
from rollwright.file_games import load_named_games
from rollwright.kit.games import load_outside_games
from rollwright.server.app import Services, create_app, open_services
from rollwright.server.listener import SocketLine, http_line
from rollwright.server.live.creation import warm_up
from rollwright.server.logs import start_logging
from rollwright.server.metrics import FOLDER, all_processes, own_port
from rollwright.server.settings import LOOPBACK, BadSetting, Settings, page_address
from rollwright.timeouts import interrupt_slow_calls

BACKLOG = 2048
GARBAGE = (5_000, 1, 2_000)
"""Tables in memory are many small things that live long: looking through all of them for garbage as
often as Python does took a quarter of the time of a busy server. What is new is looked through in
small parts: everybody waits meanwhile, for tens of milliseconds where it is much."""
FORCED = 1
HOSTS = f"{LOOPBACK}, 0.0.0.0 or an address of this machine"
FREE_PORTS = 20
"""How often a free port is looked for that is free at two addresses."""


class Process(uvicorn.Server):
    """A server that opens its services before it listens, and says goodbye before it ends."""

    def __init__(self, settings: Settings, app: Starlette, on_start: Callable[[], None]) -> None:
        super().__init__(_config(settings, app))
        self.settings = settings
        self.app = app
        self.on_start = on_start
        self.services: Services | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal comes."""
        with self.capture_signals():
            async with open_services(self.settings) as services:
                self.app.state.services = self.services = services
                alone = self.settings.workers == 1  # else the first process serves those of all
                telling = own_port(self.settings, services.metrics.registry)
                with telling if alone else contextlib.nullcontext():
                    if not self.should_exit:
                        await self._serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        warm_up()
        await super().startup(sockets)
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        self.on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting clients, notify those who are here, and finish what is under way."""
        for server in self.servers:
            server.close()
        if self.services is not None:
            await self.services.close_connections()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Listen to signals; unlike uvicorn's own way, the end is an ordinary end."""
        if threading.current_thread() is not threading.main_thread():
            yield  # inside another program, that program ends it by `should_exit`
            return
        known = (signal.SIGINT, signal.SIGTERM, *hangups(self.settings))
        before = {sign: signal.getsignal(sign) for sign in known}
        for sign in (signal.SIGINT, signal.SIGTERM):
            if before[sign] is not signal.SIG_IGN:
                signal.signal(sign, self.handle_exit)
        for sign in hangups(self.settings):
            signal.signal(sign, signal.SIG_IGN)
        try:
            yield
        finally:
            for sign in known:
                signal.signal(sign, before[sign])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal ends the server politely, the second at once."""
        if self.should_exit:
            os._exit(FORCED)  # nothing is lost: what was acknowledged is committed
        self.should_exit = True


def hangups(settings: Settings) -> tuple[signal.Signals, ...]:
    """The signal that logrotate sends, where there are files to rotate.

    Nothing needs to be done then, since a log that was moved away is noticed at the next line;
    but unless it is ignored it would end the server.
    """
    has_files = {settings.access_log, settings.audit_log} - {"", "-"}
    return (signal.SIGHUP,) if has_files and hasattr(signal, "SIGHUP") else ()


def _config(settings: Settings, app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=http_line(settings),
        ws=SocketLine,
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=bool(settings.trust_proxy),
        forwarded_allow_ips=list(settings.trust_proxy),
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=settings.shutdown_seconds,
    )


Listeners = tuple[socket.socket, ...]


def bind(settings: Settings, tries: int = FREE_PORTS) -> Listeners:
    """Take the port, or say why that cannot be.

    With the local network, loopback is served too: a browser keeps seats by the page's address, so
    anyone who opens a table to others would lose theirs.
    """
    first = _listener(settings.host, settings.port)
    if not settings.lan:
        return (first,)
    try:
        return first, _listener(LOOPBACK, port_of((first,)))
    except BadSetting:
        first.close()
        if settings.port or not tries:
            raise
        return bind(settings, tries - 1)


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as problem:
        listener.close()
        why = getattr(problem, "strerror", None) or str(problem)
        taken = getattr(problem, "errno", None) in (errno.EADDRINUSE, errno.EACCES)
        is_port = taken or isinstance(problem, OverflowError)
        raise BadSetting(
            f"cannot listen on {host} port {port}: {why}; "
            + ("--port 0 takes a free one" if is_port else f"--host {HOSTS} would do")
        ) from None
    listener.set_inheritable(True)
    return listener


def port_of(listeners: Listeners) -> int:
    """The port that was taken: a free one where 0 was asked for."""
    port: int = listeners[0].getsockname()[1]
    return port


def address_of(settings: Settings) -> str:
    """The address of the page, as a browser on this machine reaches it."""
    host = {"0.0.0.0": LOOPBACK, "::": "::1"}.get(settings.host, settings.host)
    return page_address(LOOPBACK if settings.lan else host, settings.port, settings.root_path)


def serve_one(
    settings: Settings, listeners: Listeners, on_start: Callable[[], None] = lambda: None
) -> None:
    """Serve in this process until a signal comes."""
    start_logging(settings.log_level)
    interrupt_slow_calls()
    load_outside_games()
    load_named_games()
    process = Process(settings, create_app(settings), on_start)
    try:
        process.run([*listeners])
    finally:
        close(listeners)


def close(listeners: Listeners) -> None:
    """Give the port back."""
    for listener in listeners:
        listener.close()


REFUSED = 2
"""How a process ends that cannot run with its settings: starting it again would not help."""
QUICK_SECONDS = 5.0
PAUSE_SECONDS = 1.0

log = logging.getLogger("rollwright.server.processes")


class Processes:
    """The workers of one server."""

    def __init__(self, settings: Settings, listeners: Listeners) -> None:
        self.settings = settings
        self.listeners = listeners
        self._spawn = multiprocessing.get_context("spawn")
        self._workers: dict[SpawnProcess, float] = {}
        self._ending = False

    def run(self, on_start: Callable[[], None]) -> int:
        """Serve until a signal comes; answers with the exit code."""
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, self._end)
        with tempfile.TemporaryDirectory(prefix="rollwright-metrics-") as folder:
            os.environ[FOLDER] = folder  # so that /metrics covers all
            for sign in hangups(self.settings):
                signal.signal(sign, signal.SIG_IGN)
            with own_port(self.settings, all_processes()):
                for _ in range(self.settings.workers):
                    self._start()
                on_start()
                code = self._watch()
            close(self.listeners)
            return code

    def _start(self) -> None:
        worker = self._spawn.Process(target=work, args=(self.settings, self.listeners))
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


def work(settings: Settings, listeners: Listeners) -> None:
    """Run one worker."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl+C reaches all; the first process passes it on
    from rollwright.server.process import serve_one

    try:
        serve_one(settings, listeners, _exit_with_parent)
    except RollwrightError as problem:
        print(f"rollwright: {problem}", file=sys.stderr)
        sys.exit(REFUSED)


def _exit_with_parent() -> None:
    """End when the first process is gone, however it went."""
    asyncio.get_running_loop().create_task(_watch_parent())


async def _watch_parent() -> None:
    first = multiprocessing.parent_process()
    while first is not None and first.is_alive():
        await asyncio.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
