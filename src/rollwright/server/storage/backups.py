"""Backup, restore and move: copies of a whole database, made while others use it or not."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_bytes

from sqlalchemy import Connection, bindparam, select, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from rollwright.server.json_codec import decode
from rollwright.server.storage.appends import SECRET_BYTES, Append, BadDatabaseError, DiskFullError
from rollwright.server.storage.copies import (
    CopyCounts,
    CopyError,
    Progress,
    broken_tables,
    copy,
    copy_counts,
    counts_of,
)
from rollwright.server.storage.databases import (
    APPLICATION,
    Tuning,
    address,
    engine_for,
    file_of,
    format_address,
    is_sqlite,
    sqlite_address,
)
from rollwright.server.storage.health import HealthState, health_state_of
from rollwright.server.storage.locks import Claim, check_no_hard_links
from rollwright.server.storage.rows import rows_of, sizes_of
from rollwright.server.storage.schema import INSERT_EVENTS, events, tables
from rollwright.server.storage.transactions import execute
from rollwright.server.storage.versions import (
    check_version,
    make_file,
    newest,
    open_error,
    prepare,
    upgrade,
    version_of,
)
from rollwright.table.events import SALT_BYTES, Event, place_event
from rollwright.table.imports import rebase

HERE = f"{APPLICATION} db"
PAGES_AT_A_TIME = 2_000
CLOSING_SECONDS = 3.0
"""For how long somebody who is just leaving is waited for."""
SERVERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name = :name AND pid <> pg_backend_pid()"
)


def backup(
    url: URL, file: Path, *, replace: bool = False, progress: Progress | None = None
) -> CopyCounts:
    """Write all tables as they are now into a SQLite file; servers may go on meanwhile."""
    check_exists(url)
    check_one_name_of(url)
    if file.exists() and not replace:
        raise BadDatabaseError(f"{file} exists already; --replace would overwrite it")
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    try:
        if is_sqlite(url):
            _copy_pages(file_of(url), part, progress)
        else:
            _copy_rows(url, part, progress)
        done = _check_backup(part)
        _put_in_place(part, file)
    finally:
        part.unlink(missing_ok=True)
    return done


def keep_before_upgrade(url: URL) -> Path | None:
    """Copy a SQLite file that is about to be upgraded; where the copy lies, if one was needed."""
    if not is_sqlite(url) or not file_of(url).is_file():
        return None
    with open_connection(url, reading=True) as connection:
        version = version_of(connection)
    check_version(version)
    if version in ("", newest()):
        return None
    file = file_of(url)
    kept = file.with_name(f"{file.stem}-version-{version}{file.suffix}")
    part = kept.with_name(f"{kept.name}.part")
    part.unlink(missing_ok=True)
    try:
        _copy_pages(file, part, None)
        _check_pages(part)
        _put_in_place(part, kept)
    finally:
        part.unlink(missing_ok=True)
    return kept


def restore(
    file: Path, url: URL, *, replace: bool = False, progress: Progress | None = None
) -> CopyCounts:
    """Fill a database from a backup; its tables go on with new keys."""
    check_exists(address(str(file)))
    with _up_to_date(file) as source:
        return _transfer(source, url, replace=replace, progress=progress)


def move(
    url: URL, to: URL, *, replace: bool = False, progress: Progress | None = None
) -> CopyCounts:
    """Copy all tables to another database, where they go on with new keys.

    What is served now is not moved, and refused.
    """
    check_exists(url)
    if url == to:
        raise BadDatabaseError(f"{format_address(url)} is where it lies already")
    with lock_database(url):
        return _transfer(url, to, replace=replace, progress=progress)


def _transfer(source: URL, to: URL, *, replace: bool, progress: Progress | None) -> CopyCounts:
    make_file(to)
    with lock_database(to):
        prepare(to, Tuning())
        with open_connection(source, reading=True) as here, open_connection(to) as there:
            done = copy(here, there, replace=replace, where=format_address(to), progress=progress)
            rekey(there)
            return done


@contextlib.contextmanager
def open_connection(
    url: URL, *, reading: bool = False, migrating: bool = False
) -> Iterator[Connection]:
    """A connection with a transaction that is committed at the end; failures in our words."""
    engine = engine_for(url, reading=reading, migrating=migrating, application=HERE)
    try:
        with engine.connect() as connection, connection.begin():
            yield connection
    except SQLAlchemyError as problem:
        raise open_error(url, problem) from None
    finally:
        engine.dispose()


@contextlib.contextmanager
def lock_database(url: URL) -> Iterator[None]:
    """Refuse if a server has the database; keep one from starting where that can be done."""
    if is_sqlite(url):
        with Claim(file_of(url)):
            yield
        return
    if not _is_free(url):
        raise BadDatabaseError(
            f"{format_address(url)} is being served; stop every server of it first"
        )
    yield


def _is_free(url: URL) -> bool:
    """Whether no server is there, or one goes now: PostgreSQL ends a little after its clients."""
    until = time.monotonic() + CLOSING_SECONDS
    while True:
        with open_connection(url, reading=True) as connection:
            if not connection.scalar(SERVERS, {"name": APPLICATION}):
                return True
        if time.monotonic() > until:
            return False
        time.sleep(0.1)


def check_exists(url: URL) -> None:
    """Refuse a SQLite file that is not there, instead of making one."""
    if is_sqlite(url) and not file_of(url).is_file():
        raise BadDatabaseError(f"there is no database {file_of(url)}")


def check_one_name_of(url: URL) -> None:
    """Refuse a SQLite file with hard links: through one of them its newest rows are not seen."""
    if is_sqlite(url):
        check_no_hard_links(file_of(url))


def _copy_pages(source: Path, target: Path, progress: Progress | None) -> None:
    """The online backup of SQLite, from one view of the file."""
    make_file(address(str(target)))
    try:
        with (
            contextlib.closing(sqlite3.connect(source, isolation_level=None)) as here,
            contextlib.closing(sqlite3.connect(target, isolation_level=None)) as there,
        ):
            here.execute("PRAGMA query_only = ON")
            # An open view: without it every write of the server would restart the copy.
            here.execute("BEGIN")
            here.execute("SELECT count(*) FROM sqlite_master").fetchone()
            here.backup(there, pages=PAGES_AT_A_TIME, progress=_page_progress(progress))
            here.execute("COMMIT")
            there.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as problem:
        trouble = health_state_of(problem)
        if trouble is HealthState.FULL:
            raise DiskFullError(str(problem)) from None
        look = "; `rollwright db check` tells more" if trouble is HealthState.CORRUPT else ""
        raise BadDatabaseError(f"{source} cannot be backed up: {problem}{look}") from None


def _page_progress(progress: Progress | None) -> Callable[[int, int, int], None]:
    def report(_: int, remaining: int, total: int) -> None:
        if progress is not None:
            progress(total - remaining, total)

    return report


def _copy_rows(url: URL, target: Path, progress: Progress | None) -> None:
    to = address(str(target))
    prepare(to, Tuning())
    with open_connection(url, reading=True) as here, open_connection(to) as there:
        copy(here, there, progress=progress)
    with contextlib.closing(sqlite3.connect(target, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = DELETE")


def _check_backup(file: Path) -> CopyCounts:
    """Return what a backup holds; raise CopyFailed unless it is whole."""
    _check_pages(file)
    with open_connection(address(str(file)), reading=True) as connection:
        check_version(version_of(connection))
        if broken := broken_tables(connection):
            names = ", ".join(broken)
            raise CopyError(f"the logs of these tables are not whole: {names}; no backup was made")
        return copy_counts(counts_of(connection))


def _check_pages(file: Path) -> None:
    with open_connection(address(str(file)), reading=True) as connection:
        if connection.scalar(text("PRAGMA quick_check(1)")) != "ok":
            raise CopyError(f"the backup {file} is damaged; it was not kept")


def _put_in_place(part: Path, file: Path) -> None:
    """Only a whole file gets the name, and only when it is on the disk."""
    with part.open("rb+") as handle:
        os.fsync(handle.fileno())
    os.replace(part, file)
    if sys.platform != "win32":  # the name must be on the disk too before an older one may go
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def _up_to_date(file: Path) -> Iterator[URL]:
    """The address of a backup, or of an upgraded copy if an older Rollwright made it."""
    url = address(str(file))
    with open_connection(url, reading=True) as connection:
        version = version_of(connection)
    if not version:
        raise BadDatabaseError(f"{file} is no backup of Rollwright")
    check_version(version)
    if version == newest():
        yield url
        return
    with tempfile.TemporaryDirectory(prefix="rollwright-") as folder:
        copy_of_it = Path(folder) / "older.sqlite"
        _copy_pages(file, copy_of_it, None)
        newer = address(sqlite_address(copy_of_it))
        with open_connection(newer, migrating=True) as connection:
            upgrade(connection)
        yield newer


BRINGING = ("seat.joined", "seat.moved")
"""Events that bring devices."""
OF_SEATS = (
    select(events.c.body)
    .where(events.c.table_id == bindparam("of_table"), events.c.kind.in_(BRINGING))
    .order_by(events.c.seq)
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

    Anyone who saw throws that the copy does not have knows keys of the old secret, and could choose
    their own numbers to suit.
    """
    found = connection.execute(select(tables.c.id, tables.c.head, tables.c.hash)).all()
    for table, head, hash_ in found:
        if head:
            _write_rekey(connection, table, head, hash_)


def _write_rekey(connection: Connection, table: str, head: int, hash_: str) -> None:
    secret = token_bytes(SECRET_BYTES)
    before = connection.scalar(LAST_TIME, {"of_table": table, "of_seq": head}) or 0
    event: Event = place_event(
        rebase(head, secret, _devices(connection, table)),
        before=hash_,
        seq=head + 1,
        at=max(before, time.time_ns() // 1_000_000),
        salt=token_bytes(SALT_BYTES).hex(),
    )
    rows = rows_of(Append(table, head, hash_, (event,), event.at))
    execute(connection, INSERT_EVENTS, rows.events)
    goes_on = {"of_table": table, "new_head": event.seq, "new_hash": event.hash}
    connection.execute(GO_ON, goes_on | {"new_secret": secret, "more": sum(sizes_of(rows))})


def _devices(connection: Connection, table: str) -> list[str]:
    """The devices that sign calls at a table."""
    found: dict[str, list[str]] = {}
    for written in connection.scalars(OF_SEATS, {"of_table": table}):
        body = decode(written)
        if body.get("keep_old") is False:
            found.pop(body["seat"], None)
        if "device" in body:
            found.setdefault(body["seat"], []).append(body["device"]["id"])
    return [device for devices in found.values() for device in devices]
