"""How a database is, and deleting the tables that nobody comes to any more."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, func, select, text
from sqlalchemy.engine import URL

from rollwright.server.backups import alone, check_exists, check_one_name_of, opened
from rollwright.server.claims import claimed_by
from rollwright.server.databases import file_of, is_sqlite, said
from rollwright.server.migrating import check_newest, newest, upgrade, version_of
from rollwright.server.opening import make_file
from rollwright.server.reading import idle_tables
from rollwright.server.schema import events, tables
from rollwright.server.wiping import wipe
from rollwright.server.writing import delete_table

DAY = 24 * 60 * 60 * 1000
AT_A_TIME = 20
"""Few, so that a server that runs meanwhile need not wait long."""


class Status(NamedTuple):
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


def status(url: URL) -> Status:
    """Look at a database without changing it."""
    found = Status(said(url), "", newest())
    if is_sqlite(url) and not file_of(url).is_file():
        return found
    if is_sqlite(url):
        found = found._replace(served_by=claimed_by(file_of(url)))
    with opened(url, reading=True) as connection:
        found = found._replace(version=version_of(connection), bytes=_size(connection, url))
        if found.version != found.newest:
            return found
        return found._replace(
            tables=connection.scalar(select(func.count()).select_from(tables)) or 0,
            events=connection.scalar(select(func.count()).select_from(events)) or 0,
            touched_at=connection.scalar(select(func.max(tables.c.touched_at))),
        )


def _size(connection: Connection, url: URL) -> int:
    if not is_sqlite(url):
        return connection.scalar(text("SELECT pg_database_size(current_database())")) or 0
    files = [file_of(url), Path(f"{file_of(url)}-wal")]
    return sum(file.stat().st_size for file in files if file.exists())


def bring_up_to_date(url: URL) -> tuple[str, str]:
    """Make or upgrade a database; its version before and after."""
    make_file(url)
    if not is_sqlite(url):
        return _upgraded(url)
    with alone(url):
        return _upgraded(url)


def _upgraded(url: URL) -> tuple[str, str]:
    with opened(url, migrating=True) as connection:
        before = version_of(connection)
        return before, upgrade(connection)


def purge(url: URL, since: int, *, dry_run: bool = False) -> list[str]:
    """Delete the tables that nobody touched since then; a server may run meanwhile."""
    check_exists(url)
    check_one_name_of(url)
    gone: list[str] = []
    with opened(url, reading=True) as connection:
        check_newest(version_of(connection))
        idle = idle_tables(connection, since)
    if dry_run:
        return idle
    for start in range(0, len(idle), AT_A_TIME):
        with opened(url) as connection:
            part = idle[start : start + AT_A_TIME]
            # In one order, as servers lock them, so that nobody waits in a circle.
            gone += [one for one in sorted(part) if delete_table(connection, one, since)]
    if gone and is_sqlite(url):
        wipe(url)
    return gone
