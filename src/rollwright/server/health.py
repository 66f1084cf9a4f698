"""Whether the server lives, whether it can serve, and what it has counted."""

from __future__ import annotations

import asyncio

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright.server.appends import StoreError
from rollwright.server.entry import hall_of
from rollwright.server.wire import answer
from rollwright.table.refusals import Refusal

ANSWER_SECONDS = 3.0


async def health(request: Request) -> Response:
    """The process answers."""
    return answer({"ok": True})


async def ready(request: Request) -> Response:
    """Whether new clients should be sent here: the database answers, and we are not ending.

    A lost Redis is told but does not count: tables go on, only with a delay. Neither does a
    backup that is late or could not be made.
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
    told["backup"] = hall.backups.state
    return answer(told, 200 if fit else 503)


async def metrics(request: Request) -> Response:
    """The numbers, for Prometheus."""
    hall = hall_of(request)
    if not hall.settings.metrics:
        raise Refusal("not_found", "this server tells no numbers")
    hall.metrics.waiting.set(hall.store.waiting)
    hall.metrics.rooms.set(len(hall.rooms))
    hall.metrics.queued.set(sum(connection.waiting for connection in hall.connections))
    hall.metrics.redis.set(hall.bus.state == "up")
    for what, number in hall.counting.figures().items():
        hall.metrics.counting.labels(what).set(number)
    page = await asyncio.to_thread(hall.metrics.page)
    return Response(page, media_type=CONTENT_TYPE_LATEST, headers={"cache-control": "no-store"})


routes = [
    Route("/health", health, methods=["GET"]),
    Route("/ready", ready, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
]
