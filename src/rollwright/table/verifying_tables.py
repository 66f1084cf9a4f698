"""The table as a log has told it so far: folded as its host folds it, from what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rollwright.errors import UnknownName
from rollwright.kit.games import find_game
from rollwright.table.events import SEALED, Event
from rollwright.table.importing_audiences import Audiences
from rollwright.table.seats import HERE, REMOVED, Seat
from rollwright.table.state import TableState
from rollwright.table.verifying_chain import Row

MARKED = "roll"
"""What everybody may see of a secret event of a roll: which roll it belongs to."""
HIDEABLE = ("sheet.made", "sheet.changed", "sheet.removed", "said", "ask.made", "ask.closed")
"""Events that may be for some people only without saying so: hidden sheets, whispers, asks."""

STATUS = {"seat.admitted": HERE, "seat.removed": REMOVED}


class SoFar:
    """A table at one place of its log, as far as whoever has the log may know it."""

    def __init__(self, table: str, rows: list[Row], seen_by: str) -> None:
        self.state = TableState.new(table)
        self.is_outside = _is_outside(rows, seen_by)
        """Whether the log is the copy of somebody who does not sit at the table: nearly empty."""
        self.is_whole = not self.is_outside
        """Whether all is here that everybody may see, so that what is not here never was."""
        self.has_secrets = False
        """Whether anything was withheld so far."""
        self.versions = set(_versions(rows))
        """The versions of the game's sheets that the log names."""
        self._audiences = Audiences(seen_by)

    def follow(self, row: Row) -> None:
        """Go on by one event."""
        self.has_secrets = self.has_secrets or row.body is None
        event = Event(
            seq=row.seq,
            at=row.at,
            kind=row.kind,
            open=row.open,
            body=dict(row.body or {}),
            salt=row.salt,
            digest=row.digest,
            hash=row.hash,
            audience=self._audiences.of(row._asdict()),
        )
        self.state.apply(event)

    @property
    def game(self) -> Any:
        """The game of the table; None for free notation, or where the game is not here."""
        try:
            return find_game(self.state.game) if self.state.game else None
        except UnknownName:
            return None

    @property
    def sheets_are_known(self) -> bool:
        """Whether its sheets are of the version that is here, and of no other."""
        if not self.state.game:
            return True
        return self.game is not None and self.versions <= {self.game.sheet_version}

    def seat(self, name: Any) -> Seat | None:
        """Somebody who has come to the table, here or not any more."""
        return self.state.seats.get(name) if isinstance(name, str) else None

    def may_withhold(self, row: Row) -> bool:
        """Whether an event may be kept from somebody: all but what everybody may see."""
        if self.is_outside or row.kind == SEALED or row.kind in HIDEABLE:
            return True
        return row.kind.startswith("roll.") and MARKED in row.open


def _is_outside(rows: list[Row], seat: str) -> bool:
    """Whether all that is shown is how somebody came to the door, or left the table again."""
    status = HERE
    for row in rows:
        if row.body is None:
            continue
        if row.body.get("seat") != seat or not row.kind.startswith("seat."):
            return False
        status = STATUS.get(row.kind, row.body.get("status", status))
    return status != HERE


def _versions(rows: list[Row]) -> Iterator[str]:
    """The versions of sheets that a log names."""
    for row in rows:
        if row.body is not None and row.kind in ("sheet.made", "session.ended"):
            yield str(row.body.get("version"))
