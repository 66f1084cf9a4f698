"""The throws of a finished or unfinished roll, each 10 with the coin that decided it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rollwright.engine.transcript import Chosen, Transcript
from rollwright.games.kleptonomicon.rules import AGAIN, COIN, D10ISH, TOSS, is_won
from rollwright.kit.phrases import listed


class Cast(NamedTuple):
    """Dice thrown together, and the coins or second rolls that decided their 10s."""

    faces: tuple[int, ...]
    deciders: tuple[Any, ...] = ()
    is_d10ish: bool = False

    def and_then(self, other: Cast) -> Cast:
        """This cast and a later one as one."""
        return Cast(self.faces + other.faces, self.deciders + other.deciders, self.is_d10ish)

    @property
    def is_open(self) -> bool:
        """Whether a 10 still waits for its coin."""
        return not self.is_d10ish and 10 in self.faces and not self.deciders

    @property
    def values(self) -> tuple[int, ...]:
        """The dice with every 10 decided: 0 is a 0! and 10 is a 10!."""
        return tuple(value for _, value, _ in self._decided())

    @property
    def said(self) -> str:
        """The dice in words: `4 and 10 (coin lost, so 0!)`."""
        return listed([_said(*die) for die in self._decided()])

    def _decided(self) -> Iterator[tuple[int, int, Any]]:
        left = list(self.deciders)
        for face in self.faces:
            if self.is_d10ish or face != 10 or not self.deciders:
                yield face, face, None
                continue
            decider = left.pop(0) if len(left) > 1 else left[0]
            yield face, 10 if is_won(decider) else 0, decider


def _said(face: int, value: int, decider: Any) -> str:
    if decider is None:
        return str(face)
    how = f"coin {decider}" if isinstance(decider, str) else f"rolled again: {decider}"
    return f"{face} ({how}, so {value}!)"


def casts_of(transcript: Transcript) -> list[Cast | Chosen | str]:
    """Everything that happened, in order: casts, choices, and the side a toss fell for."""
    found: list[Cast | Chosen | str] = []
    throws = iter(transcript.throws)
    for entry in transcript.entries:
        if isinstance(entry, Chosen):
            found.append(entry)
            continue
        step, faces = next(throws)
        die = step.pool.dice[0]
        if die == TOSS:
            found.append(str(faces[0]))
        elif die in (COIN, AGAIN):
            last = found.pop()
            assert isinstance(last, Cast)
            found.append(last._replace(deciders=faces))
        else:
            found.append(Cast(faces, (), die == D10ISH))
    return found
