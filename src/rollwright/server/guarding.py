"""The outermost layers: where the server lies, headers that keep browsers safe, no tracebacks."""

from __future__ import annotations

import asyncio

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollwright.server.wire import error_answer

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

SEND_SECONDS = 60.0


class Guard:
    """Sets the headers of every answer, and answers where something unexpected happened."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; what is raised on the way becomes an answer, if none has begun."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                MutableHeaders(scope=message).update(HEADERS)
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)

        try:
            await self.app(scope, receive, guarded)
        except (ClientDisconnect, TimeoutError):
            pass  # nobody is there any more, or nobody who reads
        except Exception as problem:
            answer = error_answer(problem)
            if not begun:
                await answer(scope, receive, guarded)


class BelowPath:
    """Takes away the path below which a proxy serves us, so that nothing further in knows it.

    Some proxies cut it off themselves and some leave it on; both are served.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self.app = app
        self.root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what lies below, and whoever left out the last stroke to where it begins."""
        path: str = scope.get("path", "")
        if scope["type"] == "http" and path == self.root_path:
            moved = RedirectResponse(f"{self.root_path}/", 308, HEADERS)
            await moved(scope, receive, send)
            return
        if path.startswith(f"{self.root_path}/"):
            scope = {**scope, "path": path.removeprefix(self.root_path)}
        await self.app(scope, receive, send)
