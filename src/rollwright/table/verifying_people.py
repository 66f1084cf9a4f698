"""Checks of seats and sheets: who may choose, and values that change from what they were."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rollwright.table.frames import canonical
from rollwright.table.performers import player_of
from rollwright.table.rolls import Roll
from rollwright.table.seats import REFEREE
from rollwright.table.verifying_chain import Row
from rollwright.table.verifying_report import Findings


class Seats:
    """The roles of seats, as they change."""

    def __init__(self) -> None:
        self._roles: dict[str, Any] = {}
        self.removed: set[str] = set()

    def follow(self, kind: str, body: Mapping[str, Any]) -> None:
        """Take note of an event about seats."""
        seat = body.get("seat")
        if not isinstance(seat, str):
            return
        if kind in ("seat.joined", "seat.changed"):
            self._roles[seat] = body.get("role")
        elif kind == "seat.removed":
            self.removed.add(seat)

    def is_referee(self, seat: Any) -> bool:
        """Whether a seat is a referee now."""
        return isinstance(seat, str) and self._roles.get(seat) == REFEREE

    def may_choose(self, seat: Any, rule_seat: str, roll: Roll) -> bool:
        """Whether a seat may choose in a roll for a seat of the rule."""
        return self.is_referee(seat) or seat == player_of(roll, rule_seat)


class Sheets:
    """The values of sheets, folded from their changes."""

    def __init__(self, findings: Findings, default: Callable[[str], Any]) -> None:
        self._findings = findings
        self._default = default
        """The value of a field that nobody has set, as JSON; `...` where it cannot be known."""
        self._values: dict[str, dict[str, Any]] = {}
        self._known_at: dict[tuple[str, str], int] = {}
        self._unseen_at = 0

    def withhold(self, row: Row) -> None:
        """Take note of an event that may have changed any sheet."""
        self._unseen_at = row.seq

    def follow(self, row: Row, kind: str, body: Mapping[str, Any]) -> None:
        """Take note of an event about a sheet, and check what it says was there before."""
        sheet = body.get("sheet")
        if not isinstance(sheet, str):
            return
        if kind == "sheet.made":
            values = body.get("values")
            self._values[sheet] = dict(values) if isinstance(values, dict) else {}
            for field in self._values[sheet]:
                self._known_at[sheet, field] = row.seq
        elif kind == "sheet.removed":
            self._values.pop(sheet, None)
        elif kind == "sheet.changed":
            self._change(row, sheet, body.get("changes"))

    def _change(self, row: Row, sheet: str, changes: Any) -> None:
        if not isinstance(changes, dict):
            self._findings.problem(row.seq, "malformed event", "a change without its fields")
            return
        self._findings.count("sheet changes")
        values = self._values.get(sheet)
        if values is None:
            if not self._unseen_at:
                say = f"the sheet {sheet[:20]} was changed, but never made"
                self._findings.problem(row.seq, "dropped event", say)
            return
        for field, both in changes.items():
            if not isinstance(both, dict) or both.keys() != {"before", "after"}:
                self._findings.problem(row.seq, "malformed event", "a change has before and after")
                continue
            self._compare(row, sheet, field, both["before"])
            values[field] = both["after"]
            self._known_at[sheet, field] = row.seq

    def _compare(self, row: Row, sheet: str, field: str, before: Any) -> None:
        held = self._values[sheet].get(field, ...)
        held = self._default(field) if held is ... else held
        if held is ... or canonical(held) == canonical(before):
            return
        if self._unseen_at > self._known_at.get((sheet, field), 0):
            return  # a secret event may have changed it meanwhile
        say = f"{field[:40]} was {str(held)[:40]} before, not {str(before)[:40]}"
        self._findings.problem(row.seq, "altered sheet", say)
