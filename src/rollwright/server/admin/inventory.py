"""What the tables of a server take up, without a word of what is in them; and one as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, func, select, text

from rollwright.server.codec import encoded
from rollwright.server.rooms.quotas import PIECE_BYTES
from rollwright.server.storage import reader
from rollwright.server.storage.schema import tables
from rollwright.table.events import Event, export
from rollwright.table.visibility import whole

HOST = "host"
"""Whose copy of a log an export of the host is."""
ORDERS = {
    "touched": tables.c.touched_at.desc(),
    "created": tables.c.created_at.desc(),
    "size": tables.c.size.desc(),
}
MOST_LISTED = 1000
BATCH = 400
ROW = select(tables.c.id, tables.c.created_at, tables.c.touched_at, tables.c.head, tables.c.size)


class Listed(NamedTuple):
    """A table as the host sees it: how old, how long, how large."""

    table: str
    created_at: int
    touched_at: int
    events: int
    bytes: int
    """Of its log: every event with its texts, and what is kept beside each."""


class Usage(NamedTuple):
    """What all tables take up."""

    tables: int
    events: int
    log_bytes: int
    """Of all logs, as `disk_bytes` limits them."""
    database_bytes: int
    """Of the database as it lies on the disk."""


def list_tables(
    connection: Connection, *, order: str = "touched", skip: int = 0, limit: int = MOST_LISTED
) -> list[Listed]:
    """Some tables, in one of the orders."""
    ordered = ROW.order_by(ORDERS[order], tables.c.id).offset(skip).limit(limit)
    return [Listed(*row) for row in connection.execute(ordered)]


def find_table(connection: Connection, table: str) -> Listed | None:
    """One table."""
    row = connection.execute(ROW.where(tables.c.id == table)).first()
    return None if row is None else Listed(*row)


def usage(connection: Connection) -> Usage:
    """What all tables take up."""
    asked = select(func.count(), func.sum(tables.c.head), func.sum(tables.c.size))
    count, events, size = connection.execute(asked).one()
    return Usage(count, int(events or 0), int(size or 0), _database_bytes(connection))


def log_bytes(connection: Connection) -> int:
    """The bytes of all logs."""
    return int(connection.scalar(select(func.sum(tables.c.size))) or 0)


def _database_bytes(connection: Connection) -> int:
    if connection.dialect.name == "postgresql":
        return connection.scalar(text("SELECT pg_database_size(current_database())")) or 0
    pages, size = (connection.scalar(text(f"PRAGMA {one}")) for one in ("page_count", "page_size"))
    return int(pages or 0) * int(size or 0)


def whole_log(connection: Connection, table: str) -> Iterator[bytes]:
    """The log of a table with every secret in it, piece by piece."""
    last, piece = 0, beginning(table)
    while events := _next(connection, table, last):
        yield piece + told(events)
        last, piece = events[-1].seq, b","
    yield b"]}" if last else piece + b"]}"


def _next(connection: Connection, table: str, after: int) -> Sequence[Event]:
    return reader.stretch(
        connection, table, after=after, limit=BATCH, most_bytes=PIECE_BYTES
    ).events


def beginning(table: str) -> bytes:
    """How an export begins, up to its first event."""
    return encoded(export(table, [], HOST)).removesuffix(b"]}")


def told(events: Sequence[Event]) -> bytes:
    """Events as a part of an export."""
    return encoded([whole(event) for event in events])[1:-1]
