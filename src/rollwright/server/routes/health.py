"""Whether the server lives, whether it can serve, and what it has counted."""

from __future__ import annotations

import asyncio
from hmac import compare_digest
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright.server.access import address_of, admitted, note_wrong, services_of
from rollwright.server.admin.keys import is_host, presented
from rollwright.server.answers import Done, Ready
from rollwright.server.operations.watch import measure
from rollwright.server.tokens import hash_of
from rollwright.server.wire import answer
from rollwright.table.refusals import Refusal

if TYPE_CHECKING:
    from rollwright.server.services import Services


async def health(request: Request) -> Response:
    """The process answers."""
    return answer(Done())


async def ready(request: Request) -> Response:
    """Whether new clients should be sent here: we can read and write, and are not ending.

    A word says what is the matter with the storage; the host finds the rest in the log. A lost
    Redis is told but does not count: tables go on, only with a delay. Neither does a backup that
    is late or could not be made.
    """
    services = services_of(request)
    trouble = await services.watch.look()
    fit = trouble.is_fit and not services.closing
    told = Ready(
        ok=fit,
        database=trouble.value,
        redis=services.bus.state,
        closing=services.closing,
        backup=services.backups.state,
    )
    return answer(told, 200 if fit else 503)


async def metrics(request: Request) -> Response:
    """The numbers, for Prometheus."""
    services = services_of(request)
    await _check_may_read(services, request)
    await measure(services)
    page = await asyncio.to_thread(services.metrics.page)
    return Response(page, media_type=CONTENT_TYPE_LATEST, headers={"cache-control": "no-store"})


async def _check_may_read(services: Services, request: Request) -> None:
    """Numbers are for whoever has a token for them, unless the host says otherwise."""
    who = services.settings.metrics
    if who == "off":
        raise Refusal("not_found", "this server tells no numbers")
    if who == "open":
        return
    admitted(request)
    token, own = presented(request), services.settings.metrics_token
    if own and compare_digest(hash_of(token), hash_of(own)):
        return
    if await is_host(services, token):
        return
    if token:
        note_wrong(services, address_of(request), "metrics")
    raise Refusal("unauthorized", "the numbers need the metrics token, or the host's")


routes = [
    Route("/health", health, methods=["GET"]),
    Route("/ready", ready, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
]
