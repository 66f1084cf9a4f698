"""The lines that clients come in on: bounded heads, bounded patience, and a way to cut one off."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable
from typing import cast

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from rollwright.server.limits import RateLimitError, SlotLimiter, rate_limit_key
from rollwright.server.settings import Settings

MOST_HEAD = 32_768
"""Bytes of the address and the headers of a request together."""
HEAD_SECONDS = 15.0
"""How long the head of a request may take."""
SPARE = 100
"""Lines beyond the sockets that are served: for requests, and to answer sockets that it is full."""
STALLED_SECONDS = 30.0
"""How long a client may take nothing of what waits for it."""


class TooLong(Exception):
    """The head of a request is too long; the parser turns this into a refusal."""


class ClientLine:
    """Behaviour of both kinds of lines: they have a place, and are cut off when nothing is taken.

    To close one politely means to wait until the client has taken everything: some never do.
    """

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _stalled: asyncio.TimerHandle | None = None
    _leave: Callable[[], None] | None = None

    def pause_writing(self) -> None:
        """The client takes less than comes; look later whether it takes anything."""
        super().pause_writing()  # type: ignore[misc]
        self._check_later(self.backlog())

    def resume_writing(self) -> None:
        """The client has taken most of it."""
        self._stop_checks()
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has left."""
        self._stop_checks()
        self.release_slot()
        super().connection_lost(exc)  # type: ignore[misc]

    def backlog(self) -> int:
        """How many bytes it has taken that the client has not."""
        return self.transport.get_write_buffer_size()

    def abort(self) -> None:
        """Cut the line off."""
        self.transport.abort()

    def release_slot(self) -> None:
        """Somebody else may come."""
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()

    def hand_slot_to(self, other: ClientLine) -> None:
        """The other goes on in the place of this one."""
        other._leave, self._leave = self._leave, None

    def watch_backlog(self) -> None:
        """Nothing more comes; what is left may be taken slowly, but not never."""
        if self._stalled is None and (held := self.backlog()):
            self._check_later(held)

    def _check_later(self, held: int) -> None:
        self._stop_checks()
        self._stalled = self.loop.call_later(STALLED_SECONDS, self._check_backlog, held)

    def _check_backlog(self, before: int) -> None:
        if (held := self.backlog()) >= before:
            self.abort()
        else:
            self._check_later(held)

    def _stop_checks(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


class HttpLine(ClientLine, HttpToolsProtocol):
    """HTTP as uvicorn speaks it, without heads that grow or take for ever."""

    places = SlotLimiter(0, 0)
    peer_of: Callable[[str], str] = staticmethod(rate_limit_key)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        self._head = 0
        self._in_head = True
        self._deadline: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        peer = self.peer_of(self.client[0]) if self.client else ""
        try:
            self.places.take(peer)
        except RateLimitError:
            self.abort()
            return
        self._leave = lambda: self.places.release(peer)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has left."""
        self._finish_head()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """The line becomes a socket."""
        super().handle_websocket_upgrade()
        self.hand_slot_to(cast(ClientLine, self.transport.get_protocol()))

    def timeout_keep_alive_handler(self) -> None:
        """Nothing was asked for a while."""
        super().timeout_keep_alive_handler()
        self.watch_backlog()

    def data_received(self, data: bytes) -> None:
        """Some bytes have come; those of a head that has no end are not collected."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._in_head:
            self._head += len(data)
            if self._head > MOST_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of this request is too long.")

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head, self._head = True, 0
        if self._deadline is None:
            self._wait_for_head()

    def on_url(self, url: bytes) -> None:
        """A part of the address."""
        super().on_url(url)
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        super().on_header(name, value)
        self._count(len(name) + len(value))

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._in_head = False
        self._finish_head()
        super().on_headers_complete()

    def _count(self, bytes: int) -> None:
        self._head += bytes
        if self._head > MOST_HEAD:
            raise TooLong

    def _wait_for_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._reject_head)

    def _finish_head(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _reject_head(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.close()


class SocketLine(ClientLine, WebSocketsSansIOProtocol):
    """A socket that takes ready frames, and that can be cut off."""

    def put(self, data: bytes) -> bool:
        """Send a frame now; False if the line is full, or not open."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(data)
        return True

    def send_receive_event_to_app(self) -> None:
        """A message is whole; only what comes before it was taken lets the client wait.

        To stop reading for each, and to begin again, asks the system twice.
        """
        if self.read_paused or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # so that it is not paused
        super().send_receive_event_to_app()
        self.read_paused = False

    async def free(self) -> None:
        """Wait until it takes more; raises OSError where it never will."""
        await self.writable.wait()
        if self.close_sent or self.transport.is_closing():
            raise ConnectionResetError("the line is closed")

    def keepalive_timeout(self) -> None:
        """Nobody has answered a ping: nobody will take what waits either."""
        self.abort()

    async def run_asgi(self) -> None:
        """Talk until somebody has had enough."""
        await super().run_asgi()
        self.watch_backlog()

    def handle_connect(self, event: Request) -> None:
        """A client asks for a socket."""
        super().handle_connect(event)
        scope: Scope | None = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"]["rollwright.line"] = self


def http_line(settings: Settings) -> type[HttpLine]:
    """The lines of a server with these settings."""
    proxies = [ipaddress.ip_network(proxy) for proxy in settings.trust_proxy]

    def peer(host: str) -> str:
        """Whose lines are counted together; those of a proxy are of many people."""
        address = ipaddress.ip_address(host.partition("%")[0])
        known = any(address in proxy for proxy in proxies)
        return "" if known else rate_limit_key(host)

    class Served(HttpLine):
        places = SlotLimiter(settings.connections + SPARE, settings.connections_per_address + SPARE)
        peer_of = staticmethod(peer)

    return Served
