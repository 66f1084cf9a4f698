"""Who may see the events of an imported log: found from the events, and never too many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rollwright.table.rolls import OPEN, VISIBILITIES, Roll, audience_of
from rollwright.table.seats import REFEREE, Audience, both

NOBODY: tuple[str, ...] = ()


class Audiences:
    """The audiences of a log's events, found one after the other."""

    def __init__(self, seen_by: str) -> None:
        self._owner = (seen_by,)
        """Whoever made the copy: the only one who surely may see all that it shows."""
        self._rolls: dict[str, Roll] = {}
        self._hidden_sheets: set[str] = set()
        self._behind: dict[int, str] = {}
        """The rolls behind changes of sheets, by seq."""

    def of(self, event: Mapping[str, Any]) -> Audience:
        """Who may see an event; None for everybody."""
        body = event.get("body")
        if body is None:
            return NOBODY
        kind = body.get("kind", "") if event["kind"] == "sealed" else event["kind"]
        if kind.startswith("roll.") or kind == "ask.answered":
            found = self._of_roll(event, kind, body)
        elif kind.startswith("sheet."):
            found = self._of_sheet(event, kind, body)
        elif kind == "said":
            found = None if body["to"] == "all" else (*body["to"], body["by"])
        elif kind == "ask.made":
            found = self._of_ask(body)
        else:
            found = None
        return self._owner if found is None and event["kind"] == "sealed" else found

    def _of_roll(self, event: Mapping[str, Any], kind: str, body: Mapping[str, Any]) -> Audience:
        if kind == "roll.started":
            visibility = body["visibility"] if body["visibility"] in VISIBILITIES else "hidden"
            audience = audience_of(visibility, body["by"])
            self._rolls[body["roll"]] = Roll(
                id=body["roll"], by=body["by"], what={}, game_version="", audience=audience
            )
            return audience
        roll = self._rolls.get(body["roll"])
        if roll is None:
            return self._owner if event["open"] else None
        if kind == "roll.revealed":
            roll.revealed = True
            return None
        if kind == "roll.thrown" and roll.seers is None and "roll" in event["open"]:
            return self._owner  # the rule hides this throw from the others
        if kind == "ask.answered":
            return roll.seers if event["kind"] == "sealed" else None
        return roll.seers

    def _of_sheet(self, event: Mapping[str, Any], kind: str, body: Mapping[str, Any]) -> Audience:
        if kind == "sheet.made" and not body["shown"]:
            self._hidden_sheets.add(body["sheet"])
        sheet = (REFEREE,) if body["sheet"] in self._hidden_sheets else None
        if kind != "sheet.changed":
            return sheet
        cause = body["cause"]
        name = self._behind.get(cause["undo"], "") if "undo" in cause else cause.get("roll", "")
        self._behind[event["seq"]] = name
        roll = self._rolls.get(name)
        if roll is None or not roll.is_secret:
            return sheet
        return both((*(roll.audience or ()), REFEREE), sheet)

    def _of_ask(self, body: Mapping[str, Any]) -> Audience:
        if body["visibility"] == OPEN or body["who"] == "all":
            return None
        return (*body["who"], body["by"], REFEREE)
