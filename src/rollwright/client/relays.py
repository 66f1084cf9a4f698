"""A table relayed elsewhere: every visible event, in order, from where the last run stopped.

Each has a number, one after the other, and an event in delivery keeps its number across a crash. So
the receiver may go by the number alone: none is missing, and one that was received is known.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, NamedTuple

from rollwright.client.async_tables import AsyncTable
from rollwright.client.rolls import Event
from rollwright.client.sockets import frames
from rollwright.client.storage import Storage
from rollwright.plain import text_of

KIND = "place"
LARGEST_EVENT = 256 * 1024
INSIDE = ("body", "salt", "texts", "offers")

Tell = Callable[[int, Event], Awaitable[None]]
"""Delivers an event by its number; it is delivered once this has returned."""


class Place(NamedTuple):
    """The progress of a relay."""

    last: int | None
    """The last event of which all before were delivered; None before the first start."""
    hash: str = ""
    told: tuple[str, ...] = ()
    """The hashes of later events that were delivered too, since several come at once."""
    number: int = 0
    """Number of events delivered in all."""
    next: Event | None = None
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
        held = storage.held(KIND, name)
        self.place = Place(*held) if held else Place(after)

    async def run(self, tell: Tell) -> None:
        """Deliver everything that comes; end with what `tell` raises, or if the table is gone."""
        if self.place.next is not None:
            await self._finish(tell)
        if self.place.last is None:
            about = (await self.table.look(recent=0))["table"]
            self._keep(last=about["head"], hash=about["hash"])
        following = self.table.following(self.place.last, self.place.hash)
        async with aclosing(frames(self.table.socket, following)) as heard:
            async for events in heard:
                for event in events:
                    await self._pass_on(event, tell)
                self._keep(last=following.last, hash=following.hash, told=())

    async def _pass_on(self, event: Event, tell: Tell) -> None:
        """Deliver an event; a sealed one comes when it is opened, or never."""
        if "body" in event and event["hash"] not in self.place.told:
            self._keep(next=bounded(event))
            await self._finish(tell)

    async def _finish(self, tell: Tell) -> None:
        number, event = self.place.number + 1, self.place.next
        assert event is not None
        await tell(number, event)
        self._keep(number=number, next=None, told=(*self.place.told, event["hash"]))

    def _keep(self, **changed: Any) -> None:
        self.place = self.place._replace(**changed)
        self._storage.keep(KIND, self._name, self.place)


def bounded(event: Event) -> Event:
    """An event, without what is inside where that is very large."""
    if len(text_of(event)) <= LARGEST_EVENT:
        return event
    outside: Any = {name: held for name, held in event.items() if name not in INSIDE}
    return {**outside, "too_large": True}  # type: ignore[typeddict-item,typeddict-unknown-key]
