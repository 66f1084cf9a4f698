"""Calls of a log that came to nothing: refused in it, or never answered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rollwright.table.events import REFEREE, true_kind
from rollwright.table.fairness import TABLE_LANE
from rollwright.table.gaps import CounterGaps
from rollwright.table.schemas import KnownEvent

BRINGING = ("seat.joined", "seat.moved")
ROLES = ("seat.joined", "seat.role_changed")


class LostCommand(NamedTuple):
    """A call as far as whoever looks may know it, with what came to nothing by then."""

    session: int
    by: str
    """The seat that called."""
    is_refused: bool
    unanswered: int
    """Calls of its device right before it that nobody answered."""


def lost_commands(events: Iterable[KnownEvent]) -> list[LostCommand]:
    """Return the calls that were refused, or before which others were never answered.

    They are counted as a check counts them. What may stand in secret is left out, so that nothing
    here turns on a secret: calls in the lane of the table, and what a referee has made again.
    """
    found: list[LostCommand] = []
    gaps, seats, roles = CounterGaps(), dict[str, str](), dict[str, str]()
    session = 1
    for event in events:
        kind, body = true_kind(event["kind"], event.get("body")), event.get("body")
        if not body:
            by = str(event["open"].get("by", ""))
            gaps.withhold(kind, by)
            if kind == "roll.refused" and by:
                found.append(LostCommand(session, by, True, 0))
            continue
        if kind == "session.ended":
            session = body["number"] + 1
        if kind in ROLES and "role" in body:
            roles[body["seat"]] = body["role"]
        call = body.get("call")
        if call and call.get("device"):
            device, lane = call["device"], call["lane"]
            by = seats.get(device, body["by"])
            unanswered = 0
            if lane != TABLE_LANE and roles.get(by) != REFEREE:
                unanswered = gaps.before(device, lane, call["counter"], by) or 0
            if unanswered or kind == "roll.refused":
                found.append(LostCommand(session, by, kind == "roll.refused", unanswered))
        if kind in BRINGING and body.get("device"):
            seats[body["device"]["id"]] = body["seat"]
    return found
