"""Answers that are kept, the ones used longest ago thrown away first."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from msgspec import json


class Cache:
    """Answers by the question as it is written, bounded in number and in bytes.

    >>> cache = Cache(most=2, most_bytes=1000)
    >>> for number in range(3):
    ...     cache.keep(b"%d" % number, {"answer": number})
    >>> cache.find(b"0"), cache.find(b"2")
    (None, {'answer': 2})
    """

    def __init__(self, *, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._kept: OrderedDict[bytes, tuple[bytes, float | None]] = OrderedDict()
        self.bytes = 0

    def find(self, key: bytes, now: float = 0) -> dict[str, Any] | None:
        """The answer that was kept, unless its time has passed."""
        found = self._kept.get(key)
        if found is None:
            return None
        written, until = found
        if until is not None and now > until:
            self._forget(key)
            return None
        self._kept.move_to_end(key)
        answer: dict[str, Any] = json.decode(written)
        return answer

    def keep(self, key: bytes, answer: dict[str, Any], until: float | None = None) -> None:
        """Keep an answer, for ever or until a time."""
        written = json.encode(answer)
        if len(written) + len(key) > self._most_bytes // 4:
            return
        if key in self._kept:
            self._forget(key)
        self._kept[key] = (written, until)
        self.bytes += len(key) + len(written)
        while len(self._kept) > self._most or self.bytes > self._most_bytes:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: bytes) -> None:
        written, _ = self._kept.pop(key)
        self.bytes -= len(key) + len(written)

    def __len__(self) -> int:
        return len(self._kept)
