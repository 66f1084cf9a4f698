"""The endpoint that Discord calls, and what runs beside it.

An interaction must be answered within three seconds, so whatever is not done after a short wait is
deferred, and follows through the interaction's webhook within its quarter of an hour.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rollwright.discord.api import API, log, request_arguments, send
from rollwright.discord.feeds import Feeds
from rollwright.discord.interactions import (
    AUTOCOMPLETE,
    COMPONENT,
    PING,
    Interaction,
    InteractionHandler,
)
from rollwright.discord.messages import EPHEMERAL, DiscordReply, private_reply
from rollwright.discord.signatures import NotFromDiscordError, SignatureChecker
from rollwright.errors import RollwrightError
from rollwright.i18n.locale import in_words, use_locale
from rollwright.jsonable import parse_json
from rollwright.workers.body_limits import BodyLimiter

PONG, MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES = 1, 4, 5, 6, 7, 8
MOST_BYTES = 256 * 1024
MOST_WAITING, AT_ONCE = 64, 4
"""Interactions that are being answered, and those that something is worked out for."""
TOKEN = re.compile(r"[\w.-]{1,1000}")
NO_INTERACTION = (RollwrightError, KeyError, TypeError, ValueError, AttributeError, IndexError)


class DiscordSettings(NamedTuple):
    """The endpoint's settings."""

    public_key: str
    patience: float = 1.5
    """Seconds that an answer may take before it is deferred; Discord waits three."""
    token: str = ""
    """The bot's token: with it, channels that want it get posts of what is rolled on phones."""
    transport: httpx.AsyncBaseTransport | None = None
    """How Discord is reached; over the network without it."""


class Endpoint:
    """Takes interactions, and sees to it that each is answered once."""

    def __init__(
        self, settings: DiscordSettings, desk: InteractionHandler, http: httpx.AsyncClient
    ) -> None:
        self.patience = settings.patience
        self.desk = desk
        self.http = http
        self.signatures = SignatureChecker(settings.public_key, desk.storage)
        self._threads = ThreadPoolExecutor(AT_ONCE, "discord")
        self._working: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Wait for what was deferred."""
        await asyncio.gather(*self._working, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def handle(self, request: Request) -> Response:
        """One interaction."""
        headers = request.headers
        signed = headers.get("x-signature-ed25519", ""), headers.get("x-signature-timestamp", "")
        try:
            body = await request.body()
            self.signatures.check(*signed, body)
            plain: Any = parse_json(body)
            if plain["type"] == PING:
                return JSONResponse({"type": PONG})
            asked = Interaction.from_json(plain)
        except NotFromDiscordError as problem:
            return JSONResponse({"error": str(problem)}, 401)
        except NO_INTERACTION:
            return JSONResponse({"error": "this is no interaction"}, 400)
        if asked.kind == AUTOCOMPLETE:
            work = await self._start_work(asked, self.desk.complete, [])
            choices = work.result() if work.done() else []
            return JSONResponse({"type": CHOICES, "data": {"choices": choices}})
        work = await self._start_work(asked, self.desk.answer, _busy_reply(asked))
        if work.done():
            return _reply_response(work.result())
        self._track(self._send_late(work, asked, plain))
        flags = {"data": {"flags": EPHEMERAL}} if asked.is_private else {}
        if asked.kind == COMPONENT:
            return JSONResponse({"type": DEFERRED_UPDATE})
        return JSONResponse({"type": DEFERRED, **flags})

    async def _start_work(
        self, asked: Interaction, does: Callable[[Interaction], Any], otherwise: Any
    ) -> asyncio.Task[Any]:
        """Work that was waited for a while, and may be done."""

        async def work() -> Any:
            if len(self._working) > MOST_WAITING:
                return otherwise
            try:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, does, asked)
            except Exception:
                log.exception("an interaction failed")
                return otherwise

        task = self._track(work())
        await asyncio.wait([task], timeout=self.patience)
        return task

    def _track(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        return task

    async def _send_late(
        self, work: asyncio.Task[DiscordReply], asked: Interaction, plain: Mapping[str, Any]
    ) -> None:
        """Send an answer that was deferred."""
        reply = await work
        application, token = str(plain.get("application_id", "")), str(plain.get("token", ""))
        if not application.isdigit() or not TOKEN.fullmatch(token):
            return
        hook = f"/webhooks/{application}/{token}"
        is_aside = bool(reply.data.get("flags", 0) & EPHEMERAL) and not asked.is_private
        if is_aside and asked.kind != COMPONENT:  # everybody sees that we think; it goes
            await send(self.http, "DELETE", f"{hook}/messages/@original", DiscordReply({}))
        if is_aside:
            # An error on a press is for the one who pressed; the message stays as it was.
            await send(self.http, "POST", hook, reply)
        else:
            data = {name: held for name, held in reply.data.items() if name != "flags"}
            await send(self.http, "PATCH", f"{hook}/messages/@original", reply._replace(data=data))


def _busy_reply(asked: Interaction) -> DiscordReply:
    with use_locale(asked.language):
        return private_reply(in_words("discord.busy"))


def _reply_response(reply: DiscordReply) -> Response:
    """An answer at once."""
    plain = {"type": UPDATE if reply.updates else MESSAGE, "data": reply.data}
    made = httpx.Request("POST", API, **request_arguments(plain, reply.picture))
    return Response(made.read(), media_type=made.headers["content-type"])


def app(settings: DiscordSettings, desk: InteractionHandler) -> Starlette:
    """The endpoint as an app: interactions, and whether it lives."""

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        async with httpx.AsyncClient(timeout=20, transport=settings.transport) as http:
            app.state.endpoint = Endpoint(settings, desk, http)
            app.state.feeds = Feeds(desk, http, settings.token)
            telling = asyncio.create_task(app.state.feeds.run())
            desk.counting.start()
            yield
            telling.cancel()
            await asyncio.gather(telling, app.state.endpoint.close(), return_exceptions=True)
        desk.close()

    async def interactions(request: Request) -> Response:
        endpoint: Endpoint = request.app.state.endpoint
        return await endpoint.handle(request)

    lives = Route("/health", lambda _: JSONResponse({"ok": True}))
    routes = [Route("/interactions", interactions, methods=["POST"]), lives]
    intake = Middleware(BodyLimiter, longest=MOST_BYTES)
    return Starlette(routes=routes, middleware=[intake], lifespan=running)
