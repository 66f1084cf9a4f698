"""The contents of a database: its tables with their sizes and times, and those due to go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, literal, select, text
from sqlalchemy.engine import URL

from rollwright.server.json_codec import encode
from rollwright.server.storage import reader
from rollwright.server.storage.appends import BadDatabaseError
from rollwright.server.storage.backups import (
    check_exists,
    check_one_name_of,
    keep_before_upgrade,
    lock_database,
    open_connection,
)
from rollwright.server.storage.databases import file_of, format_address, is_sqlite, wipe
from rollwright.server.storage.locks import owner_of
from rollwright.server.storage.reader import idle_tables
from rollwright.server.storage.rows import PIECE_BYTES
from rollwright.server.storage.schema import events, idle, marks, tables
from rollwright.server.storage.transactions import delete_table, mark
from rollwright.server.storage.versions import check_newest, make_file, newest, upgrade, version_of
from rollwright.table.events import Event, export
from rollwright.table.visibility import full_view

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


class TableUsage(NamedTuple):
    """A table as the host sees it: how old, how long, how large."""

    table: str
    created_at: int
    touched_at: int
    events: int
    bytes: int
    """Bytes of its log: every event with its texts, and what is kept beside each."""


class Usage(NamedTuple):
    """The space that all tables take."""

    tables: int
    events: int
    log_bytes: int
    """Bytes of all logs, as `disk_bytes` limits them."""
    database_bytes: int
    """Bytes of the database on its disk."""


def list_tables(
    connection: Connection, *, order: str = "touched", skip: int = 0, limit: int = MOST_LISTED
) -> list[TableUsage]:
    """Some tables, in one of the orders."""
    ordered = ROW.order_by(ORDERS[order], tables.c.id).offset(skip).limit(limit)
    return [TableUsage(*row) for row in connection.execute(ordered)]


def find_table(connection: Connection, table: str) -> TableUsage | None:
    """One table."""
    row = connection.execute(ROW.where(tables.c.id == table)).first()
    return None if row is None else TableUsage(*row)


def usage(connection: Connection) -> Usage:
    """Return the space that all tables take."""
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
        yield piece + encode_events(events)
        last, piece = events[-1].seq, b","
    yield b"]}" if last else piece + b"]}"


def _next(connection: Connection, table: str, after: int) -> Sequence[Event]:
    return reader.events_after(
        connection, table, after=after, limit=BATCH, most_bytes=PIECE_BYTES
    ).events


def beginning(table: str) -> bytes:
    """How an export begins, up to its first event."""
    return encode(export(table, [], HOST)).removesuffix(b"]}")


def encode_events(events: Sequence[Event]) -> bytes:
    """Events as a part of an export."""
    return encode([full_view(event) for event in events])[1:-1]


DAY = 24 * 60 * 60 * 1000
AT_A_TIME = 20
"""Few, so that a server that runs meanwhile need not wait long."""
AT_MOST = 1000
LOOK_MS = 55 * 60 * 1000
"""A look so soon after another one, by whichever process, counts for nothing."""


class DatabaseStatus(NamedTuple):
    """How a database is; a database that does not exist has version ""."""

    database: str
    version: str
    newest: str
    tables: int = 0
    events: int = 0
    bytes: int = 0
    touched_at: int | None = None
    """When somebody was last at a table, in milliseconds since 1970."""
    served_by: int | None = None
    """The process that serves a SQLite file."""


def status(url: URL) -> DatabaseStatus:
    """Look at a database without changing it."""
    found = DatabaseStatus(format_address(url), "", newest())
    if is_sqlite(url) and not file_of(url).is_file():
        return found
    if is_sqlite(url):
        found = found._replace(served_by=owner_of(file_of(url)))
    with open_connection(url, reading=True) as connection:
        found = found._replace(
            version=version_of(connection), bytes=size_of_database(connection, url)
        )
        if found.version != found.newest:
            return found
        return found._replace(
            tables=connection.scalar(select(func.count()).select_from(tables)) or 0,
            events=connection.scalar(select(func.count()).select_from(events)) or 0,
            touched_at=connection.scalar(select(func.max(tables.c.touched_at))),
        )


def size_of_database(connection: Connection, url: URL) -> int:
    """The bytes that a database takes on its disk."""
    if not is_sqlite(url):
        return connection.scalar(text("SELECT pg_database_size(current_database())")) or 0
    files = [file_of(url), Path(f"{file_of(url)}-wal")]
    return sum(file.stat().st_size for file in files if file.exists())


def upgrade_database(url: URL) -> tuple[str, str]:
    """Make or upgrade a database; its version before and after."""
    make_file(url)
    if not is_sqlite(url) and not _is_older(url):
        return _upgrade(url)  # other servers of this version may run already
    with lock_database(url):
        keep_before_upgrade(url)
        return _upgrade(url)


def _is_older(url: URL) -> bool:
    with open_connection(url, reading=True) as connection:
        return version_of(connection) not in ("", newest())


def _upgrade(url: URL) -> tuple[str, str]:
    with open_connection(url, migrating=True) as connection:
        before = version_of(connection)
        return before, upgrade(connection)


class IdleScan(NamedTuple):
    """A look at which tables are idle."""

    now: int
    """By the clock, in milliseconds since 1970."""
    since: int
    """Who was not touched since then is idle."""
    passed: int
    """Milliseconds that certainly went by since this process looked before."""
    anew: bool = False
    """Whether the clock cannot be believed, so that everything noted before is void."""


class IdleTables(NamedTuple):
    """The findings of one look at idle tables."""

    announced: int
    """How many tables are idle now and were not before."""
    due: list[str]
    """Tables that have been idle for a day of watching."""


def mark_idle(connection: Connection, look: IdleScan) -> IdleTables:
    """Note which tables are idle, and for how long that has been watched.

    The time of watching is stored in the database and continues with any server that runs; of
    several that look within an hour only one counts.
    """
    known = {name: value for name, value in connection.execute(select(marks.c.name, marks.c.value))}
    is_counted = 0 <= look.now - known.get("looked", 0) < LOOK_MS
    watched = known.get("watched", 0) + (0 if is_counted else look.passed)
    if not is_counted:
        mark(connection, "looked", look.now)
        mark(connection, "watched", watched)
    came = select(tables.c.id).where(tables.c.touched_at >= look.since)
    connection.execute(delete(idle) if look.anew else delete(idle).where(idle.c.table_id.in_(came)))
    quiet = select(tables.c.id, literal(watched).label("since")).where(
        tables.c.touched_at < look.since, tables.c.id.not_in(select(idle.c.table_id))
    )
    new = connection.scalar(select(func.count()).select_from(quiet.subquery())) or 0
    connection.execute(insert(idle).from_select(["table_id", "since"], quiet))
    due = select(idle.c.table_id).where(idle.c.since <= watched - DAY).order_by(idle.c.since)
    return IdleTables(new, list(connection.scalars(due.limit(AT_MOST))))


def purge(url: URL, since: int, *, dry_run: bool = False, every: bool = False) -> list[str]:
    """Delete the tables that nobody touched since then; a server may run meanwhile.

    If these are all tables there are, `every` must say that it is meant: a clock that is wrong
    looks like that.
    """
    check_exists(url)
    check_one_name_of(url)
    gone: list[str] = []
    with open_connection(url, reading=True) as connection:
        check_newest(version_of(connection))
        found = idle_tables(connection, since)
        count = connection.scalar(select(func.count()).select_from(tables)) or 0
    if dry_run:
        return found
    if found and len(found) == count and not every:
        raise BadDatabaseError(
            f"these are all tables there are ({count:,}); if the clock is right and that is meant,"
            " --every deletes them"
        )
    for start in range(0, len(found), AT_A_TIME):
        with open_connection(url) as connection:
            part = found[start : start + AT_A_TIME]
            # In one order, as servers lock them, so that nobody waits in a circle.
            gone += [one for one in sorted(part) if delete_table(connection, one, since)]
    if gone and is_sqlite(url):
        wipe(url)
    return gone
