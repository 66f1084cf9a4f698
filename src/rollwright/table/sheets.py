"""Sheets at the table: their values as data, and their changes with what caused them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rollwright.table.memory import weighed
from rollwright.table.seats import REFEREE, Audience

CHANGE_BYTES = 500
"""What a change takes in memory beside what it changed."""


class Change(NamedTuple):
    """A change of a sheet that can be undone."""

    seq: int
    sheet: str
    changes: dict[str, Any] | None
    """For each field what it was before and what it is after; None where only the log has it."""
    roll: str = ""
    """The roll behind it, if one is."""

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        return CHANGE_BYTES + weighed(self.changes)


@dataclass(slots=True)
class Sheet:
    """A sheet: a seat's own has the seat's id, the referee's have ids of their own."""

    id: str
    owner: str
    """A seat, or "referee"."""
    values: dict[str, Any]
    shown: bool = True
    """Whether everybody may see it."""
    removed: bool = False
    made: int = 0
    """The seq of the event that made it."""
    version: str = ""
    """The version of the game's sheets that it was made under."""
    written: bytes | None = field(default=None, compare=False)
    """How whoever sends it has written it, until it changes."""
    _weight: int | None = field(default=None, compare=False)

    @property
    def weight(self) -> int:
        """The bytes of its values, about."""
        if self._weight is None:
            self._weight = weighed(self.values)
        return self._weight

    @property
    def audience(self) -> Audience:
        """Who may see it."""
        return None if self.shown else (REFEREE,)

    @property
    def name(self) -> str:
        """What the character is called."""
        found = self.values.get("name", "")
        return found if isinstance(found, str) else ""

    def change(self, changes: dict[str, Any]) -> None:
        """Take changed fields in."""
        for name, both in changes.items():
            self.values[name] = both["after"]
        self.written = self._weight = None

    def remove(self) -> None:
        """It lies on the table no more."""
        self.removed, self.values = True, {}
        self.written = self._weight = None
