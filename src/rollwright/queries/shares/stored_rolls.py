"""A roll kept for a while: packed, with what settled its dice and the link that shows both."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from rollwright.jsonable import json_text, parse_json
from rollwright.queries.shares import roll_links

PLACE = 8192
"""Bytes of a roll that take one of the places for rolls; a longer roll takes several."""


class StoredRoll(NamedTuple):
    """A roll that was made here: packed, for very many are kept, and what settled its dice."""

    packed: bytes
    calls: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, transcript: Mapping[str, Any], calls: tuple[Mapping[str, Any], ...]) -> StoredRoll:
        """Return a roll as it is kept."""
        return cls(zlib.compress(json_text(transcript).encode()), calls)

    @property
    def transcript(self) -> dict[str, Any]:
        """The roll as data, to go on with."""
        return cast("dict[str, Any]", parse_json(zlib.decompress(self.packed)))

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
        return roll_links.written_plain(self.transcript, self.proof)
