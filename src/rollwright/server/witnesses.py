"""Asking a few browsers for nonces ahead, so that every throw has a witness."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from rollwright.server.messages import Message

if TYPE_CHECKING:
    from rollwright.server.connections import Connection
    from rollwright.server.room import Room

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
