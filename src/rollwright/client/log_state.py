"""A client's knowledge of its table: how far it has read the log, and what a call must name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rollwright.client.rolls import EventData
from rollwright.table.events import BLIND, OPEN, chain_hash, true_kind
from rollwright.table.fairness import HEAD_DIGITS

FOUNDING = ("table.created", "table.imported")


@dataclass
class LogState:
    """A table as far as its log was read; it touches no network."""

    table: str = ""
    seat: str = ""
    seq: int = 0
    """The last event that was read, with all before it; 0 before the first look."""
    hash: str = ""
    epoch: str = ""
    slots: dict[str, str] = field(default_factory=dict)
    witnesses: bool = False
    silent_rolls: set[str] = field(default_factory=set)
    """Rolls that others do not learn of."""
    begun_silent: set[str] = field(default_factory=set)
    """The same with those that were revealed since."""
    seen_rolls: set[str] = field(default_factory=set)
    """Rolls whose beginning was shown to us: what follows is, but for dice that a rule hides."""
    asks: dict[str, bool] = field(default_factory=dict)
    """The asks that are open, and whether others learn of them."""

    @property
    def head(self) -> str:
        """How a call names the last event."""
        return self.hash[:HEAD_DIGITS]

    def start_from(self, found: Mapping[str, Any]) -> None:
        """Begin with a table as it is now; somebody at its door knows nothing."""
        about = found.get("table") or {}
        if "epoch" not in about:
            return
        self.table, self.seat = about["table"], (found.get("you") or {}).get("seat", "")
        self.seq, self.hash = about["head"], about["hash"]
        self.epoch, self.slots = about["epoch"], dict(about["slots"])
        self.witnesses = bool(about.get("witnesses"))
        self.asks = {one["ask"]: not is_silent(one) for one in found.get("asks", ())}
        for events in found.get("rolls", {}).values():
            for event in events:
                self._learn(event)

    def apply_events(self, events: Iterable[EventData]) -> None:
        """Go on with events; those that do not come next are left for another time."""
        for event in sorted(events, key=lambda event: event["seq"]):
            self._learn(event)
            if self.seq and event["seq"] == self.seq + 1:
                self._apply(event)

    def is_next(self, event: Mapping[str, Any]) -> bool:
        """Whether an event is chained to the last one that was read."""
        parts = (event[name] for name in ("seq", "at", "kind", "open", "digest"))
        return bool(event["hash"] == chain_hash(self.hash, *parts))

    def _apply(self, event: EventData) -> None:
        self.seq, self.hash = event["seq"], event["hash"]
        slots = event["open"].get("slots") or {}
        if event["kind"] in FOUNDING:
            self.epoch, self.slots = event["hash"], {}
        self.slots |= slots
        if event["kind"] == "table.changed":
            self.witnesses = event.get("body", {}).get("witnesses", self.witnesses)

    def _learn(self, event: EventData) -> None:
        """Take note of what others do not learn of."""
        body = event.get("body") or {}
        kind, roll, ask = true_kind(event["kind"], body), body.get("roll"), body.get("ask")
        if kind == "roll.started" and roll:
            self.seen_rolls.add(roll)
        if kind == "roll.started" and roll and is_silent(body):
            self.silent_rolls.add(roll)
            self.begun_silent.add(roll)
        elif kind == "roll.revealed" and roll:
            self.silent_rolls.discard(roll)
        elif kind == "roll_request.created" and ask:
            self.asks[ask] = not is_silent(body)
        elif kind == "roll_request.closed" and ask:
            self.asks.pop(ask, None)

    def announces(self, command: Mapping[str, object]) -> bool:
        """Whether others learn of what a command leads to."""
        ask = str(command.get("ask"))
        if command["do"] == "roll.start":
            return self.asks[ask] if ask in self.asks else command.get("announce") is not False
        again = command["do"] == "roll.repeat"  # as secret as the old one was, revealed or not
        return command.get("roll") not in (self.begun_silent if again else self.silent_rolls)

    def shows(self, command: Mapping[str, object]) -> bool:
        """Whether we are surely shown what a command leads to: a blind roll is not for us."""
        if command["do"] == "roll.start":
            return not command.get("ask") and command.get("visibility") != BLIND
        return command["do"] == "roll.choose" and command.get("roll") in self.seen_rolls


def is_silent(body: Mapping[str, Any]) -> bool:
    """Whether a roll or an ask is one that others do not learn of."""
    return body.get("announce") is False and body.get("visibility") != OPEN
