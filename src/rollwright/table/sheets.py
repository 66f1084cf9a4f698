"""Sheets at the table: their values as data, and their changes with what caused them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rollwright.table.seats import REFEREE, Audience


class Change(NamedTuple):
    """A change of a sheet that can be undone."""

    seq: int
    sheet: str
    changes: dict[str, Any]
    """For each field what it was before and what it is after."""
    roll: str = ""
    """The roll behind it, if one is."""


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
    before: dict[str, Any] | None = None
    """The values before the first change that not everybody may see."""
    since: list[Change] = field(default_factory=list)
    """All changes since then."""

    @property
    def audience(self) -> Audience:
        """Who may see it."""
        return None if self.shown else (REFEREE,)

    @property
    def name(self) -> str:
        """What the character is called."""
        found = self.values.get("name", "")
        return found if isinstance(found, str) else ""

    def change(self, change: Change, *, secret: bool) -> None:
        """Take a change in; one that is secret is kept apart for those who may not see it."""
        if secret or self.since:
            if self.before is None:
                self.before = dict(self.values)
            self.since.append(change)
        for name, both in change.changes.items():
            self.values[name] = both["after"]

    def settle(self, secret_rolls: set[str]) -> None:
        """Forget what came before changes that everybody may see by now."""
        while self.since and self.since[0].roll not in secret_rolls:
            self._settle_one(self.since.pop(0))
        if not self.since:
            self.before = None

    def _settle_one(self, change: Change) -> None:
        assert self.before is not None
        for name, both in change.changes.items():
            self.before[name] = both["after"]

    def known(self, unseen_rolls: set[str]) -> dict[str, Any]:
        """The values as somebody knows them who may not see these rolls."""
        if self.before is None or not unseen_rolls:
            return self.values
        known = dict(self.before)
        for change in self.since:
            if change.roll not in unseen_rolls:
                known |= {name: both["after"] for name, both in change.changes.items()}
        return known
