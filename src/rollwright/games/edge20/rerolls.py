"""Which dice lie on while one d20 is rolled again."""

from __future__ import annotations

from typing import Any

from rollwright.games.edge20.rules import REROLL, REROLL_HIGHER, REROLL_LOWER
from rollwright.kit import Request
from rollwright.transcript import Chosen, Thrown, Transcript

AGAIN = (REROLL, REROLL_LOWER, REROLL_HIGHER)


def stays(request: Request, transcript: Transcript) -> tuple[tuple[int, int], ...]:
    """The faces that lie on beside a d20 rolled again: the entry and the place of each."""
    entries = transcript.entries
    first = len(entries) - 1
    while first >= 2 and _is_reroll(entries[first - 1]) and isinstance(entries[first - 2], Thrown):
        first -= 2
    if first == len(entries) - 1 or not entries or not isinstance(entries[-1], Thrown):
        return ()
    number = sum(isinstance(entry, Thrown) for entry in entries[:first])
    step, faces = transcript.throws[number]
    shown = [((first, n), faces[n]) for n, die in enumerate(step.pool.dice) if not die.name]
    edge = [(first, n) for n, die in enumerate(step.pool.dice) if die.name]
    for place in range(first + 1, len(entries), 2):
        _roll_again(shown, entries[place])
        if place + 1 < len(entries) - 1:
            shown.append(((place + 1, 0), entries[place + 1].faces[0]))  # type: ignore[union-attr]
    return (*(place for place, _ in shown), *edge)


def _roll_again(shown: list[tuple[tuple[int, int], int]], choice: Any) -> None:
    """Take up the d20 that is rolled again."""
    pick = max if choice.option == REROLL_HIGHER else min
    shown.remove(pick(shown, key=lambda die: die[1]))


def _is_reroll(entry: Any) -> bool:
    return isinstance(entry, Chosen) and entry.option in AGAIN
