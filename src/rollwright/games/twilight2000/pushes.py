"""Which dice lie on while a push throws the others again."""

from __future__ import annotations

from typing import Any

from rollwright.games.twilight2000.phrases import is_loose
from rollwright.games.twilight2000.requests import Opposed
from rollwright.kit import Request
from rollwright.transcript import Chosen, Thrown, Transcript


def stays(request: Request, transcript: Transcript) -> tuple[tuple[int, int], ...]:
    """The faces that lie on beside the dice of a push: the entry and the place of each."""
    entries = transcript.entries
    if len(entries) < 3 or not isinstance(entries[-1], Thrown) or not _is_push(entries[-2]):
        return ()
    first = 0 if isinstance(request, Opposed) else len(entries) - 3
    number = sum(isinstance(entry, Thrown) for entry in entries[:first])
    step, faces = transcript.throws[number]
    lying = list(enumerate(zip(step.pool.dice, faces, strict=True)))
    for die in transcript.throws[-1][0].pool.dice:
        candidates = [(place, shown) for place, shown in lying if shown[0] == die and shown[1] != 1]
        lying.remove(min(candidates, key=lambda found: not is_loose(*found[1])))
    return tuple((first, place) for place, _ in lying)


def _is_push(entry: Any) -> bool:
    return isinstance(entry, Chosen) and str(entry.option).startswith("push")
