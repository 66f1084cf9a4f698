"""Checks of sheets: every value changes from what it was, and rolls are made from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rollwright.kit.schemas import schema_of
from rollwright.table.events import SEALED
from rollwright.table.frames import canonical
from rollwright.table.refusals import Refusal
from rollwright.table.starting import start_of
from rollwright.table.verifying_chain import Row
from rollwright.table.verifying_report import Findings
from rollwright.table.verifying_tables import SoFar


class Sheets:
    """The sheets of a table, compared with what events say of them."""

    def __init__(self, findings: Findings, so_far: SoFar) -> None:
        self._findings = findings
        self._so_far = so_far

    def check_openness(self, row: Row, kind: str, body: Mapping[str, Any]) -> None:
        """Check that nothing happens in secret to a sheet that everybody may see.

        The next open change would say what the sheet was before, and so tell it.
        """
        if row.kind != SEALED:
            return
        held = self._so_far.state.sheets.get(str(body.get("sheet")))
        shown = body.get("shown") if kind == "sheet.made" else held is not None and held.shown
        if shown:
            say = f"everybody may see {str(body.get('sheet'))[:20]}, but not what was done to it"
            self._findings.problem(row.seq, "forged event", say)

    def follow(self, row: Row, body: Mapping[str, Any]) -> None:
        """Check what a change of a sheet says was there before."""
        changes, sheet = body.get("changes"), body.get("sheet")
        if not isinstance(changes, dict) or not isinstance(sheet, str):
            self._findings.problem(row.seq, "malformed event", "a change without its fields")
            return
        self._findings.count("sheet changes")
        if not self._so_far.is_whole:
            return
        held = self._so_far.state.sheets.get(sheet)
        if held is not None and not held.removed:
            for field, both in changes.items():
                self._compare(row, field, held.values, both)
        elif not self._so_far.has_secrets:
            say = f"the sheet {sheet[:20]} was changed, but never made"
            self._findings.problem(row.seq, "dropped event", say)

    def _compare(self, row: Row, field: str, values: dict[str, Any], both: Any) -> None:
        if not isinstance(both, dict) or both.keys() != {"before", "after"}:
            self._findings.problem(row.seq, "malformed event", "a change has before and after")
            return
        before = values.get(field, ...)
        before = self._default(field) if before is ... else before
        if before is not ... and canonical(before) != canonical(both["before"]):
            say = f"{field[:40]} was {str(before)[:40]} before, not {str(both['before'])[:40]}"
            self._findings.problem(row.seq, "altered sheet", say)

    def _default(self, field: str) -> Any:
        """The value of a field that came to sheets later; `...` where it cannot be known."""
        if not self._so_far.state.game:
            return None
        game = self._so_far.game
        if game is None or game.sheet is None or field == "house":
            return ...
        if not self._so_far.sheets_are_known:
            return ...
        return schema_of(game.sheet)["properties"].get(field, {}).get("default", ...)

    def check_start(self, row: Row, body: Mapping[str, Any]) -> None:
        """Check that a roll is the table's own: by its house rules, from what a sheet says.

        What a sheet fills in is part of the version of a kind of roll, which is the one here.
        """
        what, state = body.get("what"), self._so_far.state
        if not self._so_far.is_whole or not isinstance(what, dict) or "request" not in what:
            return
        wanted: dict[str, Any] = {"request": what["request"]}
        sheet = state.sheets.get(str(body.get("sheet")))
        if "from_sheet" in body:
            wanted = {"from_sheet": body["from_sheet"]}
            if sheet is None or sheet.removed:
                return  # it is hidden from us
        try:
            true = start_of(state, wanted, sheet).what
        except Refusal as refusal:
            self._findings.problem(row.seq, "altered request", str(refusal)[:200])
            return
        if canonical(true) != canonical(what):
            source = "its sheet" if "from_sheet" in wanted else "the table's house rules"
            say = f"by {source}, something else was to be rolled"
            self._findings.problem(row.seq, "altered request", say)
