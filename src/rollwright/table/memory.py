"""What was worked out last, kept at hand by all that settles it: so it is never out of date."""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from rollwright.engine.transcript import Thrown, Transcript

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def weighed(value: Any) -> int:
    """About how many bytes some plain data takes when it is written down.

    >>> weighed({"faces": [3, 4], "how": "fair"})
    32
    """
    return len(str(value))


def transcript_weight(transcript: Transcript) -> int:
    """About how many bytes a transcript holds while it can be gone on with, as measured."""
    dice = sum([len(entry.faces) for entry in transcript.entries if isinstance(entry, Thrown)])
    return 2_000 + 1_000 * len(transcript.entries) + 300 * dice


class Memory(Generic[K, V]):
    """The values used last, as many as there is room for, in their number and in their weight."""

    def __init__(self, most: int, most_weight: int) -> None:
        self.weight = 0
        self._most = most
        self._most_weight = most_weight
        self._held: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._one_at_a_time = allocate_lock()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, key: K) -> V | None:
        """The value, if it is still at hand."""
        with self._one_at_a_time:
            found = self._held.get(key)
            if found is None:
                return None
            self._held.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V, weight: int) -> None:
        """Keep a value; those that rested longest give way, and what is too heavy is not kept."""
        if weight > self._most_weight // 4:
            return
        with self._one_at_a_time:
            self.weight += weight - self._held.pop(key, (None, 0))[1]
            self._held[key] = value, weight
            while len(self._held) > self._most or self.weight > self._most_weight:
                self.weight -= self._held.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything."""
        with self._one_at_a_time:
            self._held.clear()
            self.weight = 0
