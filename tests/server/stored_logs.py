"""Logs as the storage sees them: events that follow one another, and what was stored of them."""

from __future__ import annotations

import asyncio
import os

from rollwright.server.storage.appends import Append, AppendResult, Creation
from rollwright.server.storage.store import Store
from rollwright.table.commands.writer import AddToken
from rollwright.table.events import (
    ErasableText,
    Event,
    EventDraft,
    chain_hash,
    first_hash,
    place_event,
)

NOW = 1_789_000_000_000


class Log:
    """The log of a table as its only writer knows it."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.head = 0
        self.hash = first_hash(table)

    def drafted(self, *drafts: EventDraft, at: int = NOW) -> tuple[Event, ...]:
        """The drafts in the next places of the log, which they do not take yet."""
        events, before = [], self.hash
        for place, draft in enumerate(drafts, self.head + 1):
            salt = os.urandom(32).hex()
            events.append(place_event(draft, before=before, seq=place, at=at, salt=salt))
            before = events[-1].hash
        return tuple(events)

    def moved(self, events: tuple[Event, ...]) -> None:
        """The events are in the log."""
        if events:
            self.head, self.hash = events[-1].seq, events[-1].hash

    def creation(self, *drafts: EventDraft, side=(), at: int = NOW) -> Creation:
        """The table, with its first events."""
        events = self.drafted(
            *(drafts or (EventDraft("table.created", {"table": self.table}),)), at=at
        )
        self.moved(events)
        secret = self.table.encode().ljust(32, b"!")
        return Creation(self.table, f"make-{self.table}", secret, events, at, side)

    def append(self, *drafts: EventDraft, command: str = "", seat: str = "s1", side=()) -> Append:
        """What a command adds behind the head."""
        events = self.drafted(*drafts)
        return Append(self.table, self.head, self.hash, events, NOW, seat, command, side)


def roll(number: int = 1, size: int = 1) -> EventDraft:
    """An event of a roll."""
    return EventDraft("roll.thrown", {"roll": f"r{number}", "faces": [1] * size})


def said(ref: str, seat: str, text: str) -> EventDraft:
    """An event with a sealed text."""
    sealed = ErasableText(seat, os.urandom(32).hex(), text)
    return EventDraft("chat.sent", {"by": seat, "text": {"text": ref}}, texts={ref: sealed})


def link(hash: str, role: str = "player") -> AddToken:
    """A link that is good from now on."""
    return AddToken(hash, "link", role)


async def make(store: Store, name: str) -> Log:
    """A new table, and its log."""
    log = Log(name)
    await store.create_table(log.creation())
    return log


async def add(store: Store, log: Log, *drafts: EventDraft, **more) -> AppendResult:
    """Append, and go on."""
    append = log.append(*(drafts or (roll(),)), **more)
    outcome = await store.append(append)
    assert isinstance(outcome, AppendResult), outcome
    log.moved(append.events)
    return outcome


def is_whole(table: str, events: list[Event]) -> bool:
    """Whether a log has no gap and every event is chained to the one before it."""
    before = first_hash(table)
    for place, event in enumerate(events, 1):
        expected = chain_hash(before, place, event.at, event.kind, event.open, event.digest)
        if (event.seq, event.hash) != (place, expected):
            return False
        before = event.hash
    return True


def run(coroutine):
    """Run it to its end, with a bound on how long that may take."""

    async def bounded():
        return await asyncio.wait_for(coroutine, 300)

    return asyncio.run(bounded())
