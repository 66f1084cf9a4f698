"""What the referee asks the others to roll."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rollwright.table.events import Sealed
from rollwright.table.memory import weighed
from rollwright.table.rolls import OPEN
from rollwright.table.seats import REFEREE, Audience

EVERYBODY = "all"


@dataclass(slots=True)
class Ask:
    """An ask that is open: who is asked for what, and who has answered with which roll."""

    id: str
    by: str
    who: tuple[str, ...] | str
    """Seats, or "all"."""
    roll: dict[str, Any]
    visibility: str
    announce: bool = True
    note: Sealed | None = None
    seq: int = 0
    answered: dict[str, str] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        """The bytes of what is asked for, about."""
        return weighed(self.roll)

    def asks(self, seat: str) -> bool:
        """Whether a seat is asked."""
        return self.who == EVERYBODY or seat in self.who

    @property
    def audience(self) -> Audience:
        """Who may see it: a secret one only those who are asked, and the referees."""
        if self.visibility == OPEN or isinstance(self.who, str):
            return None
        return (*self.who, self.by, REFEREE)

    @property
    def is_silent(self) -> bool:
        """Whether others do not even learn that somebody is asked."""
        return self.audience is not None and not self.announce
