"""The lines that clients come in on: bounded heads, bounded patience, and a way to cut one off."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rollwright.server.settings import Settings

MOST_HEAD = 32_768
"""Bytes of the address and the headers of a request together."""
HEAD_SECONDS = 15.0
"""How long the head of a request may take."""
SPARE = 100
"""Lines beyond the sockets that are served: for requests, and to tell sockets that it is full."""


class TooLong(Exception):
    """The head of a request is too long; the parser turns this into a refusal."""


class HttpLine(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, without heads that grow or take for ever."""

    most_lines = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        self._head = 0
        self._in_head = True
        self._deadline: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        if len(self.connections) > self.most_lines:
            transport.abort()
            return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has left."""
        self._got_head()
        super().connection_lost(exc)

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
        self._got_head()
        super().on_headers_complete()

    def _count(self, bytes: int) -> None:
        self._head += bytes
        if self._head > MOST_HEAD:
            raise TooLong

    def _wait_for_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _got_head(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.close()


class SocketLine(WebSocketsSansIOProtocol):
    """A socket that takes ready frames, and that can be cut off.

    One whose client does not read cannot be closed politely.
    """

    def put(self, data: bytes) -> bool:
        """Send a frame now; False if the line is full, or not open."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(data)
        return True

    def abort(self) -> None:
        """Cut the line off."""
        self.transport.abort()

    def handle_connect(self, event: Any) -> None:
        """A client asks for a socket."""
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"]["rollwright.line"] = self


def http_line(settings: Settings) -> type[HttpLine]:
    """The lines of a server with these settings."""

    class Line(HttpLine):
        most_lines = settings.connections + SPARE

    return Line
