"""A table relayed elsewhere: every visible event, in order, from where the last run stopped.

Each has a number, one after the other, and an event in delivery keeps its number across a crash. So
the receiver may go by the number alone: none is missing, and one that was received is known.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, NamedTuple

from rollwright.client.async_tables import AsyncTable
from rollwright.client.rolls import EventData
from rollwright.client.sockets import frames
from rollwright.client.storage import Storage
from rollwright.jsonable import json_text

KIND = "place"
LARGEST_EVENT = 256 * 1024
INSIDE = ("body", "salt", "texts", "offers")

Deliver = Callable[[int, EventData], Awaitable[None]]
"""Delivers an event by its number; it is delivered once this has returned."""


class RelayPosition(NamedTuple):
    """The progress of a relay."""

    last: int | None
    """The last event of which all before were delivered; None before the first start."""
    hash: str = ""
    told: tuple[str, ...] = ()
    """The hashes of later events that were delivered too, since several come at once."""
    number: int = 0
    """Number of events delivered in all."""
    next: EventData | None = None
    """The event in delivery, now or when everything stopped."""


class Relay:
    """Relays a table, and keeps in a file how far it is."""

    def __init__(
        self, table: AsyncTable, storage: Storage, name: str, after: int | None = None
    ) -> None:
        """By a name of its own in the file; it begins now, or behind the event `after`."""
        self.table = table
        self._storage = storage
        self._name = name
        held = storage.find(KIND, name)
        self.position = RelayPosition(*held) if held else RelayPosition(after)

    async def run(self, tell: Deliver) -> None:
        """Deliver everything that comes; end with what `tell` raises, or if the table is gone."""
        if self.position.next is not None:
            await self._finish(tell)
        if self.position.last is None:
            about = (await self.table.snapshot(recent=0))["table"]
            self._save(last=about["head"], hash=about["hash"])
        following = self.table.follower(self.position.last, self.position.hash)
        async with aclosing(frames(self.table.socket, following)) as heard:
            async for events in heard:
                for event in events:
                    await self._forward(event, tell)
                self._save(last=following.last, hash=following.hash, told=())

    async def _forward(self, event: EventData, tell: Deliver) -> None:
        """Deliver an event; a sealed one comes when it is opened, or never."""
        if "body" in event and event["hash"] not in self.position.told:
            self._save(next=limit_size(event))
            await self._finish(tell)

    async def _finish(self, tell: Deliver) -> None:
        number, event = self.position.number + 1, self.position.next
        assert event is not None
        await tell(number, event)
        self._save(number=number, next=None, told=(*self.position.told, event["hash"]))

    def _save(self, **changed: Any) -> None:
        self.position = self.position._replace(**changed)
        self._storage.put(KIND, self._name, self.position)


def limit_size(event: EventData) -> EventData:
    """An event, without what is inside where that is very large."""
    if len(json_text(event)) <= LARGEST_EVENT:
        return event
    outside: Any = {name: held for name, held in event.items() if name not in INSIDE}
    return {**outside, "too_large": True}  # type: ignore[typeddict-item,typeddict-unknown-key]
