"""Devices that sign calls, and the lanes of slots that their calls spend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rollwright.table.fairness import HEAD_DIGITS, TABLE_LANE
from rollwright.table.schemas import SignedCommand

MOST_HEADS = 1024
"""Events behind the last one that a call may name as the last its device has seen."""


class Device(NamedTuple):
    """A key of somebody at the table."""

    id: str
    seat: str
    key: str
    held: str = ""
    """The bot that holds it for the person."""
    counter: int = 0
    """Which call of it in its own lane was the last."""
    quiet: int = 0
    """Counter in the lane of the table: a gap in a single count would reveal secret rolls."""
    is_gone: bool = False

    def last_counter(self, lane: str) -> int:
        """Which call of it in a lane was the last."""
        return self.quiet if lane == TABLE_LANE else self.counter

    def with_counter(self, lane: str, counter: int) -> Device:
        """The device after a call."""
        if lane == TABLE_LANE:
            return self._replace(quiet=counter)
        return self._replace(counter=counter)


class Lane(NamedTuple):
    """Slots that are spent one after the other."""

    slot: str
    """The one that is to be spent next."""
    number: int
    at: int
    """The event that published it."""


class CommandPlace(NamedTuple):
    """The place in the log of a call that a roll follows from, and the slot that it spent."""

    seq: int
    by: str
    lane: str
    number: int
    said: SignedCommand
    """The call itself, as long as dice may follow from it."""


class WitnessCommitment(NamedTuple):
    """A number of a witness that is ready."""

    seat: str
    at: int
    """The event that offered it: it is not for calls whose devices had not seen that."""


class WitnessWait(NamedTuple):
    """Dice that wait for the number of a witness."""

    call: CommandPlace
    asked: int
    """The event that asks for it."""
    seat: str
    offer: str
    once: bool
    """Whether the dice were called for by hand, whatever the roll is otherwise thrown with."""


def lane_of_event(slots: Mapping[str, str], lanes: Mapping[str, Lane]) -> tuple[str, int]:
    """The lane that an event spends a slot of, and the number of that slot."""
    lane = next(iter(slots))
    return lane, lanes[lane].number if lane in lanes else 0


WIDTH = HEAD_DIGITS // 2


class HeadIndex:
    """The hashes of the latest events, by what calls name them with."""

    __slots__ = ("_first", "_held")

    def __init__(self) -> None:
        self._held = bytearray()
        self._first = 1

    def add(self, seq: int, hash: str) -> None:
        """One event more."""
        if seq != self._first + len(self._held) // WIDTH:  # the log has a gap, or begins again
            self._held, self._first = bytearray(), seq
        self._held += bytes.fromhex(hash[:HEAD_DIGITS])
        if len(self._held) >= 2 * MOST_HEADS * WIDTH:
            del self._held[: MOST_HEADS * WIDTH]
            self._first += MOST_HEADS

    def has(self, seq: int, head: str) -> bool:
        """Whether the event has a hash that begins so."""
        start = (seq - self._first) * WIDTH
        return start >= 0 and self._held[start : start + WIDTH].hex() == head

    @property
    def weight(self) -> int:
        """Its bytes."""
        return len(self._held)
