"""The bodies that a bot takes from the network: each has a bound, and all together have one.

A body of JSON takes up to thirty times its length once it is read, and strangers reach a bot's
port: without a bound on all bodies together, a few clients fill gigabytes.
"""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

IN_ALL = 2**20
"""Bytes of all bodies together that are being read or worked on."""


class BodyLimiter:
    """An app that is given whole bodies, each of which counts until its request is answered."""

    def __init__(self, app: ASGIApp, longest: int, in_all: int = IN_ALL) -> None:
        self._app = app
        self._longest, self._in_all = longest, in_all
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        body = bytearray()
        try:
            async for part in Request(scope, receive).stream():
                body += part
                self._held += len(part)
                if len(body) > self._longest:
                    return await PlainTextResponse("too large", 413)(scope, receive, send)
                if self._held > self._in_all:
                    return await PlainTextResponse("busy", 503)(scope, receive, send)
            await self._app(scope, _replay_body(bytes(body), receive), send)
        except ClientDisconnect:
            return
        finally:
            self._held -= len(body)


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Receive a body that is whole, then what follows it."""
    whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_next() -> Message:
        return whole.pop() if whole else await receive()

    return receive_next
