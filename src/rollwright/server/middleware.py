"""The outermost layers: where the server lies, headers that keep browsers safe, no tracebacks."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollwright.i18n.catalogs import words_of
from rollwright.i18n.codes import best_language, language_code
from rollwright.i18n.locale import use_locale
from rollwright.i18n.messages import HOUSE
from rollwright.server.responses import error_answer
from rollwright.server.settings import Settings
from rollwright.table.errors import CodedError

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


class SecurityHeaders:
    """Sets the headers of every answer, and answers where something unexpected happened."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; what is raised on the way becomes an answer, if none has begun."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                _add(MutableHeaders(scope=message))
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except (ClientDisconnect, TimeoutError):
            pass  # nobody is there any more, or nobody who reads
        except Exception as problem:
            answer = error_answer(problem)
            if not begun:
                await answer(scope, receive, send_with_headers)


def _add(headers: MutableHeaders) -> None:
    """The headers of every answer; the page has a policy of its own, which says more."""
    own = "content-security-policy" in headers
    for name, value in HEADERS.items():
        if not (own and name in ("content-security-policy", "x-frame-options")):
            headers[name] = value


class LanguageMiddleware:
    """Answers in the language that `?language=` names, else the one that the browser likes best."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with the client as the reader of everything that is put into words."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        with use_locale(_language(scope)):
            await self.app(scope, receive, send)


def _language(scope: Scope) -> str:
    """The nearest language that there are words in."""
    named = QueryParams(scope.get("query_string", b"")).get("language", "")
    liked = Headers(scope=scope).get("accept-language", "")
    return words_of(HOUSE).nearest(language_code(named) or best_language(liked))


class BelowPath:
    """Takes away the path below which a proxy serves us, so that nothing further in knows it.

    Some proxies cut it off themselves and some leave it on; both are served.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self.app = app
        self.root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on paths below the root, and redirect the root without its last slash."""
        path: str = scope.get("path", "")
        if scope["type"] == "http" and path == self.root_path:
            moved = RedirectResponse(f"{self.root_path}/", 308, HEADERS)
            await moved(scope, receive, send)
            return
        if path.startswith(f"{self.root_path}/"):
            scope = {**scope, "path": path.removeprefix(self.root_path)}
        await self.app(scope, receive, send)


READING = frozenset({"GET", "HEAD", "OPTIONS"})
DEFAULT_PORTS = {"http": 80, "https": 443}


def host_and_port(origin: str) -> tuple[str, int] | None:
    """The host and port an origin names.

    >>> host_and_port("https://Dice.example"), host_and_port("http://[::1]:7655")
    (('dice.example', 443), ('::1', 7655))
    >>> host_and_port("null"), host_and_port("https://dice.example:x")
    (None, None)
    """
    try:
        parts = urlsplit(origin)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return (parts.hostname, port) if parts.hostname else None


def is_allowed_origin(origin: str, host: str, settings: Settings) -> bool:
    """Whether a page of that origin may do things on the server it knows by that host name."""
    named = (*settings.origins, *settings.cors)
    if origin in named or "*" in named:
        return True
    scheme = origin.partition(":")[0]
    place = host_and_port(origin)
    return place is not None and place == host_and_port(f"{scheme}://{host}")


class OriginCheck:
    """Refuses sockets and changes that a page of another site asks for, and requests for two hosts.

    A client that is no browser sends no Origin and comes through: it needs a token anyway.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may come."""
        refusal = None if scope["type"] == "lifespan" else self._refusal(scope)
        if refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await error_answer(refusal)(scope, receive, send)

    def _refusal(self, scope: Scope) -> CodedError | None:
        if len(Headers(scope=scope).getlist("host")) > 1:  # a proxy may have gone by the other one
            return CodedError("bad_request", "a request names one host")
        if self._passes(scope):
            return None
        return CodedError("forbidden", "a page of another site may not do this")

    def _passes(self, scope: Scope) -> bool:
        if scope["type"] == "http" and scope["method"] in READING:
            return True
        headers = Headers(scope=scope)
        origins, hosts = headers.getlist("origin"), headers.getlist("host")
        if not origins:
            return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        if len(origins) > 1 or len(hosts) != 1:
            return False
        return is_allowed_origin(origins[0], hosts[0], self.settings)
