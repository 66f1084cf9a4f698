"""The random numbers that we gave to throws: a throw with another one was not made with ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rollwright.client.rolls import Ack, Event
from rollwright.errors import RollwrightError
from rollwright.table.fairness import nonce_of

MOST_KEPT = 10_000


class Unfair(RollwrightError):
    """A throw of ours that the server did not make with our random number."""

    def __init__(self, event: Event, why: str) -> None:
        self.seq = int(event["seq"])
        """The event that says so."""
        self.roll = str((event.get("body") or {}).get("roll", ""))
        super().__init__(f"event {self.seq}: {why}")


class OwnNonces:
    """What the throws that we have asked for must be made with, by the events that tell them."""

    def __init__(self) -> None:
        self._due: dict[str, str] = {}
        """By the hashes of events: after a restore, others may stand in their places."""

    def expect(self, command: dict[str, Any], ack: Ack) -> None:
        """Take note of a command's throws, and check those that we see; raises Unfair."""
        nonce = bytes.fromhex(command.get("nonce", ""))
        first, last = ack.first or 0, ack.last or 0
        made = [event for event in ack.events if first <= event["seq"] <= last]
        throws = [event for event in made if "number" in event["open"]]
        for place, event in enumerate(throws):
            self._due[event["hash"]] = nonce_of(nonce, place).hex()
        while len(self._due) > MOST_KEPT:
            del self._due[next(iter(self._due))]
        if command["do"] != "roll.enter":
            _check_typed(made)
        self.check(made)

    def check(self, events: Iterable[Event]) -> None:
        """Check those of some events that tell throws of ours; raises Unfair."""
        for event in events:
            fair = (event.get("body") or {}).get("fair")
            due = self._due.get(event["hash"])
            if fair is not None and due is not None and fair["nonce"] != due:
                raise Unfair(event, "the throw was made with another random number than ours")


def _check_typed(events: Iterable[Event]) -> None:
    for event in events:
        body = event.get("body") or {}
        if body.get("how") == "typed" and body["faces"]:
            raise Unfair(event, "faces were written down as typed in, and we typed none")
