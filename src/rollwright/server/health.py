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
from rollwright.server.answers import Done, Ready
from rollwright.server.appends import StoreError
from rollwright.server.entry import address_of, admitted, hall_of, note_wrong
from rollwright.server.failures import Trouble
from rollwright.server.store import Store
from rollwright.server.tokens import hash_of
from rollwright.server.wire import answer
from rollwright.table.refusals import Refusal

if TYPE_CHECKING:
    from rollwright.server.hall import Hall

ANSWER_SECONDS = 3.0
LOOK_SECONDS = 1.0
"""How often the storage is tried at most, whoever asks."""
LAG_SECONDS = 0.5


async def health(request: Request) -> Response:
    """The process answers."""
    return answer(Done())


async def ready(request: Request) -> Response:
    """Whether new clients should be sent here: we can read and write, and are not ending.

    A word says what is the matter with the storage; the host finds the rest in the log. A lost
    Redis is told but does not count: tables go on, only with a delay. Neither does a backup that
    is late or could not be made.
    """
    hall = hall_of(request)
    trouble = await hall.watch.look()
    fit = trouble.is_fit and not hall.closing
    told = Ready(
        ok=fit,
        database=trouble.value,
        redis=hall.bus.state,
        closing=hall.closing,
        backup=hall.backups.state,
    )
    return answer(told, 200 if fit else 503)


class StorageWatch:
    """Looks at the storage: together for all who ask, and not more often than is good for it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._looked_at = -LOOK_SECONDS
        self._looking: asyncio.Task[None] | None = None

    async def look(self) -> Trouble:
        """How the storage is; what does not answer in time is lost."""
        loop = asyncio.get_running_loop()
        if self._looking is None and loop.time() >= self._looked_at + LOOK_SECONDS:
            self._looking = loop.create_task(self._look())
        if self._looking is not None:
            done, _ = await asyncio.wait([self._looking], timeout=ANSWER_SECONDS)
            if not done and self._store.condition.trouble.is_fit:
                return Trouble.LOST
        return self._store.condition.trouble

    async def _look(self) -> None:
        try:
            await self._store.check()
        except StoreError:
            pass  # the condition knows it
        finally:
            self._looking = None
            self._looked_at = asyncio.get_running_loop().time()

    async def stop(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])


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
    hall.metrics.storage.set(hall.store.condition.trouble.is_fit)
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
