"""Calls that were never answered: what the counters of devices tell, for whoever may see a part."""

from __future__ import annotations

from dataclasses import dataclass

ANYBODY = ""
"""For a call that may stand in any event that is withheld."""


@dataclass(slots=True)
class CounterState:
    """The state of a device's calls in one lane."""

    counter: int = 0
    unseen: int = 0
    """Events that nobody here could look into, as many as there were at its last call."""


class CounterGaps:
    """The counters of all calls, from event to event."""

    def __init__(self) -> None:
        self._tallies: dict[tuple[str, str], CounterState] = {}
        self._unseen = 0
        self._unseen_of: dict[str, int] = {}
        """Of those that cannot be looked into, those that are said to be of a seat, or of any."""

    def miss(self, events: int) -> None:
        """Take note of events that are missing, each of which may have been a call."""
        self._unseen += events
        self._count(ANYBODY, events)

    def withhold(self, kind: str, by: str) -> None:
        """Take note of an event that cannot be looked into, and of whose it is said to be."""
        self._unseen += 1
        if kind.startswith("roll."):
            self._count(by, 1)

    def _count(self, seat: str, events: int) -> None:
        self._unseen_of[seat] = self._unseen_of.get(seat, 0) + events

    def before(self, device: str, lane: str, counter: int, seat: str) -> int | None:
        """Take a call in and return how many before it got no answer; None where it is an old one.

        What is not announced is called for in the lane of the table. Anything else says whose it
        is, but where a referee had somebody's roll made again: such calls are `ANYBODY`'s.
        """
        known = self._tallies.setdefault((device, lane), CounterState())
        gap = counter - known.counter - 1
        if gap < 0:
            return None
        unseen = self._unseen
        if seat != ANYBODY:
            unseen = self._unseen_of.get(seat, 0) + self._unseen_of.get(ANYBODY, 0)
        explained = max(0, min(gap, unseen - known.unseen))
        known.counter, known.unseen = counter, unseen
        return gap - explained
