"""Checks of people: whoever does something has come to the table, and may do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rollwright.table.effects import may_let
from rollwright.table.performers import player_of
from rollwright.table.rolls import Roll
from rollwright.table.seats import KNOCKING, REFEREE, SPECTATOR, Seat
from rollwright.table.verifying_chain import Row
from rollwright.table.verifying_report import Findings
from rollwright.table.verifying_tables import SoFar

REFEREES = frozenset(
    (
        "table.changed",
        "link.changed",
        "seat.admitted",
        "seat.changed",
        "session.ended",
        "ask.made",
        "roll.undone",
        "sheet.removed",
    )
)
"""What only a referee does."""
OWN = frozenset(("seat.removed", "seat.renamed", "seat.moved", "person.forgotten"))
"""What a seat does for itself, also at the door, and a referee for it."""
ROLLERS = frozenset(("roll.revealed", "roll.abandoned"))
"""What is for whoever rolls, and for referees."""
LETTING = frozenset(("roll.applied", "roll.declined"))
"""What is for those on whose sheets something of a roll waits, and for referees."""
BY_NOBODY = frozenset(("table.created", "table.imported"))


def listed(sheets: Any) -> list[str]:
    """The sheets that an event names."""
    return [name for name in sheets if isinstance(name, str)] if isinstance(sheets, list) else []


class People:
    """Who may do what at a table, by the roles that seats have at that moment."""

    def __init__(self, findings: Findings, so_far: SoFar) -> None:
        self._findings = findings
        self._so_far = so_far
        self._with: set[tuple[str, str]] = set()
        """Who has rolled with which sheet: a referee may have such a roll thrown again."""

    @property
    def removed(self) -> set[str]:
        """The seats that have left the table."""
        return {seat.id for seat in self._so_far.state.seats.values() if not seat.is_here}

    def check(self, row: Row, kind: str, body: Mapping[str, Any]) -> None:
        """Check that whoever is said to have done something could do it."""
        if not self._so_far.is_whole or kind in BY_NOBODY:
            return
        wrong = self._joins(body) if kind == "seat.joined" else self._wrong(row, kind, body)
        if wrong:
            self._findings.problem(row.seq, "forbidden act", wrong)

    def _joins(self, body: Mapping[str, Any]) -> str:
        name = str(body.get("seat"))[:20]
        if self._so_far.seat(body.get("seat")) is not None:
            return f"{name} had come to the table before"
        return "" if body.get("by") == body.get("seat") else f"nobody else sits down for {name}"

    def _wrong(self, row: Row, kind: str, body: Mapping[str, Any]) -> str:
        by = str(body.get("by"))[:20]
        seat = self._so_far.seat(body.get("by"))
        if seat is None:
            return f"{by} never came to the table"
        if kind == "roll.started":
            return self._starts(seat, body)
        if not seat.is_here and not self._is_at_the_door(seat, kind, body):
            return f"{by} was not at the table"
        if seat.is_referee:
            return ""
        if kind in REFEREES:
            return f"{by} is no referee"
        if kind in OWN:
            return "" if body.get("seat") == seat.id else f"{by} did it to another seat"
        if seat.role == SPECTATOR and kind != "witness.offered":
            return f"{by} only watches"
        if kind.startswith("roll."):
            return self._rolls(row, kind, body, seat)
        return self._writes(kind, body, seat) if kind.startswith("sheet.") else ""

    def _is_at_the_door(self, seat: Seat, kind: str, body: Mapping[str, Any]) -> bool:
        return seat.status == KNOCKING and kind in OWN and body.get("seat") == seat.id

    def _starts(self, seat: Seat, body: Mapping[str, Any]) -> str:
        """A roll belongs to whoever rolls, also where a referee has it thrown again for them."""
        sheet = self._so_far.state.sheets.get(str(body.get("sheet")))
        if sheet is None or (seat.id, sheet.id) in self._with:
            return ""
        self._with.add((seat.id, sheet.id))
        if seat.is_referee or sheet.owner == seat.id:
            return ""
        return f"{seat.id} rolled with the sheet of {sheet.owner}"[:60]

    def _rolls(self, row: Row, kind: str, body: Mapping[str, Any], seat: Seat) -> str:
        roll = self._so_far.state.rolls.get(str(body.get("roll")))
        if roll is not None and kind in LETTING:
            return self._lets(body, seat, roll)
        if roll is None or seat.id == roll.by or kind == "roll.waits":
            return ""
        if kind in ROLLERS:
            return f"{seat.id} did it to a roll of {roll.by}"
        hidden_by_the_rule = "roll" in row.open and not roll.is_secret
        if kind == "roll.chosen" or hidden_by_the_rule or seat.id in roll.authors[-1:]:
            return ""  # who chooses throws what follows, and may take it back
        return f"{seat.id} has no part in this roll of {roll.by}"

    def _lets(self, body: Mapping[str, Any], seat: Seat, roll: Roll) -> str:
        state = self._so_far.state
        for name in listed(body.get("sheets")):
            sheet = state.sheets.get(name)
            if sheet is not None and not may_let(state, seat, roll, sheet):
                return f"{seat.id} decided over the sheet of {sheet.owner}"[:60]
        return ""

    def _writes(self, kind: str, body: Mapping[str, Any], seat: Seat) -> str:
        name, cause = str(body.get("sheet"))[:20], body.get("cause")
        if kind == "sheet.made":
            return "" if name == seat.id else f"{seat.id} made the sheet {name}"
        if not isinstance(cause, dict) or "roll" in cause:
            return ""
        if "hand" not in cause:
            return f"{seat.id} is no referee"
        sheet = self._so_far.state.sheets.get(name)
        if sheet is None or sheet.owner == seat.id:
            return ""
        return f"{seat.id} changed the sheet of {sheet.owner}"[:60]

    def may_choose(self, seat: Any, rule_seat: str, roll: Roll) -> bool:
        """Whether a seat may choose in a roll for a seat of the rule."""
        found = self._so_far.seat(seat)
        if found is None:
            return not self._so_far.is_whole
        player = player_of(roll, rule_seat)
        return found.is_referee or (found.id == player and player != REFEREE)
