"""Which pages may speak with the server: its own, and those that its host named."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rollwright.server.settings import Settings
from rollwright.server.wire import error_answer
from rollwright.table.refusals import Refusal

READING = frozenset({"GET", "HEAD", "OPTIONS"})
DEFAULT_PORTS = {"http": 80, "https": 443}


def place_of(origin: str) -> tuple[str, int] | None:
    """The host and port an origin names.

    >>> place_of("https://Dice.example"), place_of("http://[::1]:7655")
    (('dice.example', 443), ('::1', 7655))
    >>> place_of("null"), place_of("https://dice.example:x")
    (None, None)
    """
    try:
        parts = urlsplit(origin)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return (parts.hostname, port) if parts.hostname else None


def may_come_from(origin: str, host: str, settings: Settings) -> bool:
    """Whether a page of that origin may do things on the server it knows by that host name."""
    named = (*settings.origins, *settings.cors)
    if origin in named or "*" in named:
        return True
    scheme = origin.partition(":")[0]
    place = place_of(origin)
    return place is not None and place == place_of(f"{scheme}://{host}")


class OriginCheck:
    """Refuses sockets and changes that a page of another site asks for.

    A client that is no browser sends no Origin and comes through: it needs a token anyway.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may come."""
        if scope["type"] == "lifespan" or self._passes(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal = Refusal("forbidden", "a page of another site may not do this")
            await error_answer(refusal)(scope, receive, send)

    def _passes(self, scope: Scope) -> bool:
        if scope["type"] == "http" and scope["method"] in READING:
            return True
        headers = Headers(scope=scope)
        origins, hosts = headers.getlist("origin"), headers.getlist("host")
        if not origins:
            return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        if len(origins) > 1 or len(hosts) != 1:
            return False
        return may_come_from(origins[0], hosts[0], self.settings)
