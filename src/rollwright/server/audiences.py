"""Frames of events, made once for everybody who may see the same of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw
from msgspec.json import decode

from rollwright.server.appends import Line
from rollwright.server.messages import Message
from rollwright.table.events import Event
from rollwright.table.seats import Seat
from rollwright.table.state import TableState
from rollwright.table.views import INSIDE, seen


class Frames:
    """Some events as frames; seats that see the same of them are sent the same bytes."""

    def __init__(self, events: Sequence[Event], state: TableState) -> None:
        self._events = events
        self._state = state
        watched = [seen(event, None, state) for event in events]
        self._messages: dict[tuple[bool, ...], Message] = {}
        self._by_seat: dict[str, Message] = {}
        self._public = _message(watched) if all("body" in view for view in watched) else None

    def for_seat(self, seat: Seat | None) -> Message:
        """The frame for a seat, or for somebody who only watches."""
        if self._public is not None:
            return self._public  # what a watcher sees whole, everybody sees whole
        name = "" if seat is None else seat.id
        if name not in self._by_seat:
            self._by_seat[name] = self._made_for(seat)
        return self._by_seat[name]

    def _made_for(self, seat: Seat | None) -> Message:
        views = [seen(event, seat, self._state) for event in self._events]
        whole = tuple("body" in view for view in views)
        if whole not in self._messages:
            self._messages[whole] = _message(views)
        return self._messages[whole]


def told(line: Line, seat: Seat | None, state: TableState) -> dict[str, Any] | Raw:
    """An event that is passed on, as a seat sees it."""
    if isinstance(line, Event):
        return seen(line, seat, state)
    if seat is None or seat.is_here:
        return line.json
    return {name: value for name, value in decode(line.json).items() if name not in INSIDE}


def _message(views: list[dict[str, Any]]) -> Message:
    return Message({"events": views})
