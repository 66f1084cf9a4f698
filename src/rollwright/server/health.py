"""Whether the server lives, whether it can serve, and what it has counted."""

from __future__ import annotations

import asyncio
from hmac import compare_digest
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright.server.admin.keys import is_host, presented
from rollwright.server.appends import StoreError
from rollwright.server.entry import address_of, admitted, hall_of, note_wrong
from rollwright.server.tokens import hash_of
from rollwright.server.wire import answer
from rollwright.table.refusals import Refusal

if TYPE_CHECKING:
    from rollwright.server.hall import Hall

ANSWER_SECONDS = 3.0
LAG_SECONDS = 0.5


async def health(request: Request) -> Response:
    """The process answers."""
    return answer({"ok": True})


async def ready(request: Request) -> Response:
    """Whether new clients should be sent here: the database answers, and we are not ending.

    A lost Redis is told but does not count: tables go on, only with a delay.
    """
    hall = hall_of(request)
    database = "up"
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await hall.store.check()
    except (StoreError, TimeoutError):
        database = "lost"
    fit = database == "up" and not hall.closing
    told = {"ok": fit, "database": database, "redis": hall.bus.state, "closing": hall.closing}
    return answer(told, 200 if fit else 503)


async def metrics(request: Request) -> Response:
    """The numbers, for Prometheus."""
    hall = hall_of(request)
    await _check_may_read(hall, request)
    await measure(hall)
    page = await asyncio.to_thread(hall.metrics.page)
    return Response(page, media_type=CONTENT_TYPE_LATEST, headers={"cache-control": "no-store"})


async def _check_may_read(hall: Hall, request: Request) -> None:
    """Numbers are for whoever has a token for them, unless the host says otherwise."""
    who = hall.settings.metrics
    if who == "off":
        raise Refusal("not_found", "this server tells no numbers")
    if who == "open":
        return
    admitted(request)
    token, own = presented(request), hall.settings.metrics_token
    if own and compare_digest(hash_of(token), hash_of(own)):
        return
    if await is_host(hall, token):
        return
    if token:
        note_wrong(hall, address_of(request), "metrics")
    raise Refusal("unauthorized", "the numbers need the metrics token, or the host's")


async def measure(hall: Hall) -> None:
    """Bring up to date what is not counted as it happens."""
    hall.metrics.waiting.set(hall.store.waiting)
    hall.metrics.rooms.set(len(hall.rooms))
    hall.metrics.queued.set(sum(connection.waiting for connection in hall.connections))
    hall.metrics.redis.set(hall.bus.state == "up")
    for what, number in hall.counting.figures().items():
        hall.metrics.counting.labels(what).set(number)
    hall.metrics.measure(hall.counting.pids)


async def watch_loop(hall: Hall) -> None:
    """Look how late the event loop is."""
    loop = asyncio.get_running_loop()
    due = loop.time() + LAG_SECONDS
    await asyncio.sleep(LAG_SECONDS)
    hall.metrics.lag.observe(max(0.0, loop.time() - due))


routes = [
    Route("/health", health, methods=["GET"]),
    Route("/ready", ready, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
]
