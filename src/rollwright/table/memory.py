"""What was worked out last, kept at hand by all that settles it: so it is never out of date."""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memory(Generic[K, V]):
    """The values used last, as many as there is room for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[K, V] = OrderedDict()
        self._one_at_a_time = allocate_lock()

    def get(self, key: K) -> V | None:
        """The value, if it is still at hand."""
        with self._one_at_a_time:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
            return found

    def put(self, key: K, value: V) -> None:
        """Keep a value; the one that rested longest gives way."""
        with self._one_at_a_time:
            self._held[key] = value
            while len(self._held) > self._most:
                self._held.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._one_at_a_time:
            self._held.clear()

    def __len__(self) -> int:
        return len(self._held)
