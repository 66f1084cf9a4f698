"""The people at a table: who they are, and who belongs to an audience."""

from __future__ import annotations

from re import compile as pattern
from typing import Any, NamedTuple

from rollwright.table.events import Sealed

REFEREE, PLAYER, SPECTATOR = "referee", "player", "spectator"
ROLES = (REFEREE, PLAYER, SPECTATOR)
HERE, KNOCKING, REMOVED = "here", "knocking", "removed"

Audience = tuple[str, ...] | None
"""Seat ids and the word "referee"; None for everybody."""


class Seat(NamedTuple):
    """Somebody at the table."""

    id: str
    role: str
    status: str
    """here, knocking or removed."""
    name: Sealed | None = None
    """None once the person is forgotten."""

    @property
    def is_here(self) -> bool:
        """Whether the seat takes part."""
        return self.status == HERE

    @property
    def is_referee(self) -> bool:
        """Whether the seat is a referee who takes part."""
        return self.role == REFEREE and self.status == HERE


def belongs(seat: Seat | None, audience: Audience) -> bool:
    """Whether a seat belongs to an audience as it is now; None only watches."""
    if seat is not None and not seat.is_here:
        return False
    if audience is None:
        return True
    return seat is not None and (seat.id in audience or (REFEREE in audience and seat.is_referee))


def within(one: Audience, other: Audience) -> bool:
    """Whether everybody who belongs to one audience belongs to the other."""
    if other is None or one is None:
        return other is None
    return all(who in other for who in one)


def both(one: Audience, other: Audience) -> Audience:
    """The audience of what only those may see who may see both."""
    if one is None or other is None:
        return other if one is None else one
    return tuple(who for who in one if who in other)


TABLE_ID = pattern("[a-z2-7]{12}")


def count_of(name: Any) -> int:
    """The number in an id such as r7; 0 for none."""
    digits = name[1:] if isinstance(name, str) else ""
    return int(digits) if digits.isdecimal() and len(digits) < 10 else 0
