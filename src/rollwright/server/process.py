"""One process that serves: from an open port to a graceful end."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from rollwright.server.app import create_app
from rollwright.server.listener import SocketLine, http_line
from rollwright.server.operations.logs import start_logging
from rollwright.server.operations.metrics import own_port
from rollwright.server.services import Services, open_hall
from rollwright.server.settings import BadSetting, Settings

BACKLOG = 2048
GARBAGE = (20_000, 20, 50)
"""Tables in memory are many small things that live long: looking through them for garbage as
often as Python does took a quarter of the time of a busy server."""
FORCED = 1
HOSTS = "127.0.0.1, 0.0.0.0 or an address of this machine"


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
            async with open_hall(self.settings) as services:
                self.app.state.services = self.services = services
                alone = self.settings.workers == 1  # else the first process tells of all
                telling = own_port(self.settings, services.metrics.registry)
                with telling if alone else contextlib.nullcontext():
                    if not self.should_exit:
                        await self._serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        self.on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in any more, tell those who are here, finish what is under way."""
        for server in self.servers:
            server.close()
        if self.services is not None:
            await self.services.say_bye()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Listen to signals; unlike uvicorn's own way, the end is an ordinary end."""
        if threading.current_thread() is not threading.main_thread():
            yield  # whoever runs it inside another program ends it by `should_exit`
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


def bind(settings: Settings) -> socket.socket:
    """Take the port, or say why that cannot be."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as problem:
        listener.close()
        why = getattr(problem, "strerror", None) or str(problem)
        taken = getattr(problem, "errno", None) in (errno.EADDRINUSE, errno.EACCES)
        is_port = taken or isinstance(problem, OverflowError)
        raise BadSetting(
            f"cannot listen on {settings.host} port {settings.port}: {why}; "
            + ("--port 0 takes a free one" if is_port else f"--host {HOSTS} would do")
        ) from None
    listener.set_inheritable(True)
    return listener


def address_of(settings: Settings, listener: socket.socket) -> str:
    """The address of the page, as a browser on this machine reaches it."""
    port = listener.getsockname()[1]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"http://{place}{settings.root_path}/"


def serve_one(
    settings: Settings, listener: socket.socket, on_start: Callable[[], None] = lambda: None
) -> None:
    """Serve in this process until a signal comes."""
    start_logging(settings.log_level)
    process = Process(settings, create_app(settings), on_start)
    with contextlib.closing(listener):
        process.run([listener])
