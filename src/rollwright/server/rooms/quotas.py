"""How much of a log is sent or kept at once, and how large a log may grow."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from itertools import islice
from math import inf

from rollwright.table.events import Event
from rollwright.table.refusals import Refusal

PIECE_BYTES = 1_048_576
"""Of a log that is sent in one message or kept at hand; one event alone may be larger."""
KEPT_BYTES = 262_144
"""Of what has ended at a table: of older rolls and changes the log is asked."""
LOADED_BYTES = 8 * PIECE_BYTES
"""Of a log that is read at once to be folded."""

SPARED = frozenset(
    {
        "ask.close",
        "link.rotate",
        "person.forget",
        "roll.abandon",
        "roll.apply",
        "roll.choose",
        "roll.decline",
        "roll.enter",
        "roll.reveal",
        "roll.throw",
        "roll.undo",
        "seat.admit",
        "seat.move",
        "seat.refuse",
        "seat.remove",
        "seat.role",
        "session.end",
        "sheet.remove",
        "sheet.undo",
        "witness.offer",
    }
)
"""What may be done where the log is full: all that ends something, takes it back or away."""


ENDINGS = frozenset({"ask.close", "roll.abandon", "seat.refuse", "seat.remove", "sheet.remove"})
"""What ends something that nobody can make anew where the log is full: it needs no bound."""
FORGETTING = "person.forget"


def most_bytes(do: str, most: int) -> float:
    """How large a log may be for a command: a quarter more for what is spared, then the half.

    >>> [most_bytes(do, 100) for do in ("say", "roll.throw", "person.forget", "roll.abandon")]
    [100, 125.0, 150.0, inf]
    """
    if do in ENDINGS:
        return inf
    if do == FORGETTING:
        return most * 1.5
    return most * 1.25 if do in SPARED else most


def check_room(held: int, more: int, most: float) -> None:
    """Refuse what would make a log larger than it may be."""
    if held + more > most:
        raise Refusal(
            "too_large",
            f"the log of this table is full: {held:,} of {most:,.0f} bytes; rolls that are "
            "open can be ended, and a new table can be made",
        )


class DiskQuota:
    """How many bytes the logs of all tables may have; 0 is no limit.

    What other processes write is learned of every few seconds, so that they may go over it by
    what they write meanwhile.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.used = 0

    def learn(self, used: int) -> None:
        """So much the database holds by now."""
        self.used = used

    def add(self, more: int) -> None:
        """So much was written here."""
        self.used += more

    def check(self, more: int) -> None:
        """Refuse what would make them larger than they may be."""
        if self.most and self.used + more > self.most:
            raise Refusal(
                "disk_full",
                f"this server is full: its tables have {self.used:,} of {self.most:,} bytes; rolls "
                "that are open can be ended, and its host can make room",
            )


MOST = 300


class Tail:
    """The latest events of a log; one at least, however large it is."""

    def __init__(self, most: int = MOST, most_bytes: int = PIECE_BYTES) -> None:
        self.bytes = 0
        self._most = most
        self._most_bytes = most_bytes
        self._events: deque[Event] = deque()
        self._sizes: deque[int] = deque()

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    @property
    def before(self) -> int:
        """The place before its first event; beyond any place where it has none."""
        return self._events[0].seq - 1 if self._events else sys.maxsize

    def add(self, event: Event, size: int) -> None:
        """Put the next event behind the others; the first of them may have to go."""
        self._events.append(event)
        self._sizes.append(size)
        self.bytes += size
        while len(self._events) > self._most or (
            self.bytes > self._most_bytes and len(self._events) > 1
        ):
            self._events.popleft()
            self.bytes -= self._sizes.popleft()

    def clear(self) -> None:
        """Forget all of it."""
        self._events.clear()
        self._sizes.clear()
        self.bytes = 0

    def after(
        self, place: int, limit: int, most_bytes: int = PIECE_BYTES
    ) -> tuple[Event, ...] | None:
        """Some events behind a place, so many bytes but one at least; None where they are gone."""
        if not self._events or place < self._events[0].seq - 1:
            return None
        start = place + 1 - self._events[0].seq
        total, count = 0, 0
        for size in islice(self._sizes, start, start + limit):
            total += size
            if count and total > most_bytes:
                break
            count += 1
        return tuple(islice(self._events, start, start + count))
