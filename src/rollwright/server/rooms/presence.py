"""Who is connected to a table, here and in other processes."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING

from rollwright.server.rooms.connections import Message

if TYPE_CHECKING:
    from rollwright.server.rooms.connections import Connection
    from rollwright.server.rooms.room import Room


SOON = 0.05
"""Many come at once after a restart: they are told of each other together."""
STALE_SECONDS = 45.0


class Presence:
    """The connected seats of one table."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._elsewhere: dict[str, float] = {}
        """Seats that other processes have, and until when to believe it."""
        self._told: tuple[str, ...] = ()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def here(self) -> set[str]:
        """Seats that are connected to this process."""
        return {connection.seat for connection in self.room.live if connection.seat}

    @property
    def elsewhere(self) -> set[str]:
        """Seats that are connected to other processes, as far as we know."""
        now = time.monotonic()
        return {seat for seat, until in self._elsewhere.items() if until > now}

    @property
    def seats(self) -> tuple[str, ...]:
        """All connected seats."""
        return tuple(sorted(self.here | self.elsewhere, key=_in_order))

    def changed(self) -> None:
        """Somebody came or went in this process."""
        self.room.services.bus.present(self.room.table, self.here)
        self.tell_soon()

    def heard(self, seats: set[str]) -> None:
        """Other processes have these seats."""
        until = time.monotonic() + STALE_SECONDS
        self._elsewhere = dict.fromkeys(seats, until)
        self.tell_soon()

    def tell_soon(self) -> None:
        """Tell everybody in a moment who is here, if that has changed."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SOON, self._tell)

    def _tell(self) -> None:
        self._timer = None
        seats = self.seats
        if seats == self._told:
            return
        self._told = seats
        message = Message({"present": {"seats": seats}})
        for connection in tuple(self.room.live):
            connection.push(message)
        self.room.want_witnesses()  # somebody elsewhere may make two of one


def _in_order(seat: str) -> tuple[int, str]:
    return len(seat), seat


OFFERS = 8
"""Nonces that are asked for at once."""
LOW = 3
"""A seat with fewer unused ones than this is asked again."""
ENOUGH = 2
"""So many seats with offers give every roller somebody else as a witness."""
PATIENCE = 10.0
"""Seconds until a browser that did not answer is asked again."""

WANT = Message({"want": {"witness": OFFERS}})


def ask_witnesses(room: Room) -> None:
    """Ask for nonces where offers run low; a lonely roller can have no witness."""
    browsers: dict[str, Connection] = {}
    for connection in room.live:
        if connection.seat:
            browsers.setdefault(connection.seat, connection)
    elsewhere = room.presence.elsewhere - browsers.keys()
    if not browsers or len(browsers) + len(elsewhere) < ENOUGH:
        return
    unused = Counter(room.state.offers.values())
    now = time.monotonic()
    empty = [
        connection
        for seat, connection in browsers.items()
        if unused[seat] < LOW and now - connection.wanted_at > PATIENCE
    ]
    supplied = len(browsers) - len(empty) + sum(unused[seat] >= LOW for seat in elsewhere)
    for connection in empty[: max(0, ENOUGH - supplied)]:
        connection.wanted_at = now
        connection.push(WANT)
