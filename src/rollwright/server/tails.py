"""The end of a log in memory: the latest events, so many and of so many bytes."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from itertools import islice

from rollwright.server.quotas import PIECE_BYTES
from rollwright.table.events import Event

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
