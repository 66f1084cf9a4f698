"""Keys that are promised before they are used, and the rolls that they settled."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from secrets import token_hex
from typing import Any, NamedTuple

from rollwright.ask.shares import links, proofs
from rollwright.client.storage import Holder, Kept
from rollwright.errors import BadField
from rollwright.plain import parsed, text_of

MOST_PROMISES, ALL_PROMISES = 200, 5000
PLACE = 8192
"""Bytes of a roll that take one of the places for rolls; a longer roll takes several."""


class Rolled(NamedTuple):
    """A roll that was made here: packed, for very many are kept, and what settled its dice."""

    packed: bytes
    calls: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, transcript: Mapping[str, Any], calls: tuple[Mapping[str, Any], ...]) -> Rolled:
        """Return a roll as it is kept."""
        return cls(zlib.compress(text_of(transcript).encode()), calls)

    @property
    def transcript(self) -> dict[str, Any]:
        """The roll as data, to go on with."""
        found: dict[str, Any] = parsed(zlib.decompress(self.packed))
        return found

    @property
    def places(self) -> int:
        """How many places it takes."""
        return 1 + len(self.packed) // PLACE

    @property
    def proof(self) -> dict[str, Any] | None:
        """Return the data from which its dice can be drawn again; none if all faces were typed."""
        return {"calls": [dict(call) for call in self.calls]} if self.calls else None

    @property
    def link(self) -> str:
        """Return the link by which a person checks it."""
        return links.written_plain(self.transcript, self.proof)


class Settling(NamedTuple):
    """A key for the next throws, with the word that somebody adds to it."""

    key: str
    word: str

    def noted(self, throws: list[int]) -> dict[str, Any]:
        """Return the proofs of the throws at these entries."""
        return {"throws": throws, "key": self.key, "word": self.word}


class Promises:
    """Keys with published commitments, each of which is used once."""

    def __init__(self) -> None:
        self._keys: Kept[str] = Kept("promise", MOST_PROMISES, ALL_PROMISES)

    def make(self, holder: Holder) -> str:
        """A new key, promised to somebody."""
        key = token_hex(32)
        return self._keys.keep(key, holder, proofs.promise_of(key))

    def settle(self, promise: str, word: str) -> Settling:
        """Return the key of a commitment, or a fresh one without any."""
        if not proofs.can_be_read(word):
            signs = f"at most {proofs.LONGEST_WORD} signs in one line"
            raise BadField("word", "it is too long, or cannot be shown", would_do=signs)
        return Settling(self._keys.take(promise) if promise else token_hex(32), word)
