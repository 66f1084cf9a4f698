"""A look at how the server is: its storage, its event loop, and what is only counted when asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rollwright.server.storage.appends import StoreError
from rollwright.server.storage.failures import Trouble
from rollwright.server.storage.store import Store

if TYPE_CHECKING:
    from rollwright.server.services import Services

ANSWER_SECONDS = 3.0
LOOK_SECONDS = 1.0
"""How often the storage is tried at most, whoever asks."""
LAG_SECONDS = 0.5


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


async def measure(services: Services) -> None:
    """Bring up to date what is not counted as it happens."""
    services.metrics.waiting.set(services.store.waiting)
    services.metrics.rooms.set(len(services.rooms))
    services.metrics.queued.set(sum(connection.waiting for connection in services.connections))
    services.metrics.redis.set(services.bus.state == "up")
    services.metrics.storage.set(services.store.condition.trouble.is_fit)
    for what, number in services.counting.figures().items():
        services.metrics.counting.labels(what).set(number)
    services.metrics.measure(services.counting.pids)


async def watch_loop(services: Services) -> None:
    """Look how late the event loop is."""
    loop = asyncio.get_running_loop()
    due = loop.time() + LAG_SECONDS
    await asyncio.sleep(LAG_SECONDS)
    services.metrics.lag.observe(max(0.0, loop.time() - due))
