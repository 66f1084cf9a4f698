"""How a table comes to be, and how somebody comes to sit at it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from secrets import choice, token_bytes
from typing import TYPE_CHECKING, Any

from rollwright.kit.fields import field
from rollwright.server.storage.appends import SECRET_BYTES, Created, Creation
from rollwright.server.storage.rows import rows_of, sizes_of
from rollwright.table.commands.forms import OWN_ID_HELP, OwnId
from rollwright.table.commands.founding import Joining, NewTable, found, join, read_within
from rollwright.table.commands.writer import Decision
from rollwright.table.events import Draft, Event, first_hash, in_places
from rollwright.table.limits import LIMITS
from rollwright.table.seats import Seat

if TYPE_CHECKING:
    from rollwright.server.rooms.room import Room
    from rollwright.server.services import Hall

SIGNS = "abcdefghijklmnopqrstuvwxyz234567"
ID_LENGTH = 12
JOINING = "join"
"""Whose commands the joins are: a seat comes to be by one."""


def new_table_id() -> str:
    """The id of a new table, which nobody can guess."""
    return "".join(choice(SIGNS) for _ in range(ID_LENGTH))


def placed_events(table: str, drafts: tuple[Draft, ...], at: int) -> tuple[Event, ...]:
    """The first events of a log."""
    return in_places(drafts, before=first_hash(table), seq=0, at=at, entropy=token_bytes)


class TableBody(NewTable):
    """Makes a table."""

    id: OwnId = field(help=OWN_ID_HELP)


class JoinBody(Joining):
    """Takes a seat; the token in the header is that of a link."""

    id: OwnId = field(help=OWN_ID_HELP)


async def make_table(hall: Hall, body: Mapping[str, Any]) -> Created:
    """Make a table; asked again with the same id and the same seat's token it is the same one."""
    wanted = read_within(TableBody, body, LIMITS)
    table, secret = new_table_id(), token_bytes(SECRET_BYTES)
    decision = found(wanted, table=table, secret=secret, entropy=token_bytes)
    at = time.time_ns() // 1_000_000
    create_id = f"{wanted.id} {wanted.tokens.seat}"
    events = placed_events(table, decision.drafts, at)
    return await stored(hall, Creation(table, create_id, secret, events, at, decision.side))


async def stored(hall: Hall, creation: Creation) -> Created:
    """Write a new table, unless there is no room for it."""
    size = sum(sizes_of(rows_of(creation))) if hall.disk.most else 0
    hall.disk.check(size)
    made = await hall.store.create_table(creation)
    if made.new:
        hall.disk.add(size)
    return made


async def come_in(room: Room, role: str, body: Mapping[str, Any]) -> Seat:
    """A seat for somebody with a link; asked again they have the same seat."""
    wanted = read_within(JoinBody, body, LIMITS)

    async def decided() -> Decision:
        name, token_hash = wanted.name, wanted.token_hash
        return join(room.state, role=role, name=name, token_hash=token_hash, entropy=token_bytes)

    done = await room.commit(decided, JOINING, f"{wanted.id} {wanted.token_hash}")
    (joined,) = await room.events_at([done.first or 0])
    return room.state.seats[joined.body["seat"]]
