"""Who may see the events of an imported log: found from the events, and never too many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rollwright.table.rolls import OPEN, VISIBILITIES, Roll, audience_of
from rollwright.table.seats import REFEREE, Audience

NOBODY: tuple[str, ...] = ()


class Audiences:
    """The audiences of a log's events, found one after the other."""

    def __init__(self, seen_by: str) -> None:
        self._owner = (seen_by,)
        """Whoever made the copy: the only one who surely may see all that it shows."""
        self._rolls: dict[str, Roll] = {}
        self._hidden_sheets: set[str] = set()
        self._asks: dict[str, Audience] = {}

    def of(self, event: Mapping[str, Any]) -> Audience:
        """Who may see an event; None for everybody."""
        body = event.get("body")
        if body is None:
            return NOBODY
        kind = body.get("kind", "") if event["kind"] == "sealed" else event["kind"]
        if kind.startswith("roll.") or kind == "ask.answered":
            found = self._of_roll(event, kind, body)
        elif kind.startswith("sheet."):
            found = self._of_sheet(kind, body)
        elif kind == "said":
            found = None if body["to"] == "all" else (*body["to"], body["by"])
        elif kind == "ask.made":
            found = self._asks[body["ask"]] = self._of_ask(body)
        elif kind == "ask.closed":
            found = self._asks.get(body["ask"], self._owner)
        else:
            found = None
        return self._owner if found is None and event["kind"] == "sealed" else found

    def _of_roll(self, event: Mapping[str, Any], kind: str, body: Mapping[str, Any]) -> Audience:
        if kind == "roll.started":
            visibility = body["visibility"] if body["visibility"] in VISIBILITIES else "hidden"
            audience = audience_of(visibility, body["by"])
            self._rolls[body["roll"]] = Roll(
                id=body["roll"], by=body["by"], what={}, version="", audience=audience
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

    def _of_sheet(self, kind: str, body: Mapping[str, Any]) -> Audience:
        """Who sees a sheet sees its changes; what a secret roll does to others' sheets waits."""
        if kind == "sheet.made" and not body["shown"]:
            self._hidden_sheets.add(body["sheet"])
        return (REFEREE,) if body["sheet"] in self._hidden_sheets else None

    def _of_ask(self, body: Mapping[str, Any]) -> Audience:
        if body["visibility"] == OPEN or body["who"] == "all":
            return None
        return (*body["who"], body["by"], REFEREE)
