"""Keys that are promised before they are used."""

from __future__ import annotations

from secrets import token_hex
from typing import Any, NamedTuple

from rollwright.client.storage import Holder, HolderCache
from rollwright.errors import BadField
from rollwright.queries.shares import proofs

MOST_PROMISES, ALL_PROMISES = 200, 5000


class ThrowKey(NamedTuple):
    """A key for the next throws, with the word that somebody adds to it."""

    key: str
    word: str

    def proof_of(self, throws: list[int]) -> dict[str, Any]:
        """Return the proofs of the throws at these entries."""
        return {"throws": throws, "key": self.key, "word": self.word}


class KeyCommitments:
    """Keys with published commitments, each of which is used once."""

    def __init__(self) -> None:
        self._keys: HolderCache[str] = HolderCache("promise", MOST_PROMISES, ALL_PROMISES)

    def make(self, holder: Holder) -> str:
        """A new key, promised to somebody."""
        key = token_hex(32)
        return self._keys.put(key, holder, proofs.promise_of(key))

    def settle(self, promise: str, word: str) -> ThrowKey:
        """Return the key of a commitment, or a fresh one without any."""
        if not proofs.can_be_read(word):
            signs = f"at most {proofs.LONGEST_WORD} signs in one line"
            raise BadField("word", "it is too long, or cannot be shown", would_do=signs)
        return ThrowKey(self._keys.pop(promise) if promise else token_hex(32), word)
