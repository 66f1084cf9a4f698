"""New keys for tables that go on from a copy: dice that were thrown elsewhere tell nothing here."""

from __future__ import annotations

import time
from secrets import token_bytes
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, update

from rollwright.server.appends import Append
from rollwright.server.making import SECRET_BYTES
from rollwright.server.rows import rows_of, sizes_of
from rollwright.server.schema import events, nonces, tables
from rollwright.server.statements import INSERT_EVENTS
from rollwright.server.writing import execute
from rollwright.table.events import SALT_BYTES, Event, placed
from rollwright.table.importing import rebased

LAST_THROW = (
    select(events.c.open)
    .where(events.c.table_id == bindparam("of_table"), events.c.open.like('%"number":%'))
    .order_by(events.c.seq.desc())
    .limit(1)
)
LAST_TIME = select(events.c.at).where(
    events.c.table_id == bindparam("of_table"), events.c.seq == bindparam("of_seq")
)
GO_ON = (
    update(tables)
    .where(tables.c.id == bindparam("of_table"))
    .values(
        head=bindparam("new_head"),
        hash=bindparam("new_hash"),
        secret=bindparam("new_secret"),
        size=tables.c.size + bindparam("more"),
    )
)


def rekey(connection: Connection) -> None:
    """Give every table a new secret, and say so in its log.

    Whoever saw throws that the copy does not have knows the keys of the old secret, and could
    choose their own nonces to suit. The nonces that witnesses had offered may be known as well.
    """
    connection.execute(delete(nonces))
    found = connection.execute(select(tables.c.id, tables.c.head, tables.c.hash)).all()
    for table, head, hash_ in found:
        if head:
            _go_on(connection, table, head, hash_)


def _go_on(connection: Connection, table: str, head: int, hash_: str) -> None:
    secret = token_bytes(SECRET_BYTES)
    number = 1 + _last_number(connection, table)
    before = connection.scalar(LAST_TIME, {"of_table": table, "of_seq": head}) or 0
    event: Event = placed(
        rebased(head, secret, number),
        before=hash_,
        seq=head + 1,
        at=max(before, time.time_ns() // 1_000_000),
        salt=token_bytes(SALT_BYTES).hex(),
    )
    rows = rows_of(Append(table, head, hash_, (event,), event.at))
    execute(connection, INSERT_EVENTS, rows.events)
    goes_on = {"of_table": table, "new_head": event.seq, "new_hash": event.hash}
    connection.execute(GO_ON, goes_on | {"new_secret": secret, "more": sum(sizes_of(rows))})


def _last_number(connection: Connection, table: str) -> int:
    """The number of the last fair throw; 0 for none."""
    shown = connection.scalar(LAST_THROW, {"of_table": table})
    found: Any = {} if shown is None else msgspec.json.decode(shown)
    return int(found.get("number", 0))
