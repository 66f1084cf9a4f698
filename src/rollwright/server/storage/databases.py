"""The place of the database, and how connections to it are set up."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from rollwright.server.storage.appends import BadDatabaseError
from rollwright.server.storage.health import SQLITE_BUSY

FILE_NAME = "table.sqlite"
POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
SQLITE = ("sqlite", "sqlite+pysqlite")
APPLICATION = "rollwright"
BUSY_SECONDS = 10
LOCK_SECONDS = 5
"""How long to wait for a row that another process has locked."""
GLANCE_SECONDS = 0.25
"""The same for the writer of a server, which then writes first what it can."""
FROZEN_SECONDS = 20
FROZEN_WRITER_SECONDS = 5
"""When a process that froze in the middle of a transaction loses it."""
LATE_SECONDS = 5.0
"""How much longer than patience an answer may take: a frozen database never says it is lost."""
PAGE_BYTES = 4096
LOG_BYTES = 64_000_000
"""How much of SQLite's log stays on the disk when nobody needs it."""


class Tuning(NamedTuple):
    """How a database is used."""

    synchronous: str = "full"
    """SQLite: `full` survives a power cut, `normal` is faster and may lose the last moment."""
    most_bytes: int | None = None
    """SQLite: how large the file may grow."""
    patience: float = 5.0
    """How many seconds a lost connection is tried again before it is called down."""


def default_database(environment: Mapping[str, str] = os.environ) -> str:
    """The address of the database in the user's data folder."""
    return sqlite_address(data_folder(environment) / FILE_NAME)


def data_folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the folder in which programs of this system keep what belongs to the user.

    >>> data_folder({"XDG_DATA_HOME": "/data"}, "linux").as_posix()
    '/data/rollwright'
    """
    home = Path(environment.get("HOME") or Path.home())
    if platform == "win32":
        base = environment.get("LOCALAPPDATA") or home / "AppData" / "Local"
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = environment.get("XDG_DATA_HOME") or home / ".local" / "share"
    return Path(base) / "rollwright"


def sqlite_address(file: Path | str) -> str:
    """The address of a SQLite file."""
    return URL.create("sqlite", database=str(file)).render_as_string(hide_password=False)


def address(text: str) -> URL:
    """Read an address; a path alone is a SQLite file.

    >>> address("table.sqlite").drivername, address("postgresql://me@host/tables").drivername
    ('sqlite', 'postgresql+psycopg')
    """
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadDatabaseError(_not_an_address(re.sub("//[^/]*@", "//***@", text))) from None
    if url.drivername in POSTGRESQL:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in SQLITE:
        raise BadDatabaseError(_not_an_address(url.render_as_string()))
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise BadDatabaseError(
            "SQLite needs a file, such as sqlite:////var/lib/rollwright/table.sqlite"
        )
    return url.set(drivername="sqlite")


def _not_an_address(text: str) -> str:
    return (
        f"{text!r} is no address of a database; sqlite:///FILE or postgresql://HOST/NAME would do"
    )


def is_sqlite(url: URL) -> bool:
    """Whether it is a file of SQLite."""
    return url.drivername == "sqlite"


def file_of(url: URL) -> Path:
    """The file of a SQLite database."""
    return Path(url.database or "")


def format_address(url: URL) -> str:
    """An address as it may be shown: without its password."""
    return url.render_as_string(hide_password=True)


def engine_for(
    url: URL,
    tuning: Tuning | None = None,
    *,
    reading: bool = False,
    migrating: bool = False,
    serving: bool = False,
    connections: int = 1,
    application: str = APPLICATION,
) -> Engine:
    """An engine with so many connections, each set up for its use.

    `serving` is the writer of a server: short transactions, and nobody may wait for one table.
    """
    tuning = tuning or Tuning()
    if is_sqlite(url):
        settings = sqlite_settings(tuning, reading=reading, migrating=migrating)
        return _sqlite_engine(url, settings, reading, connections)
    try:
        waits = _serving_waits() if serving else _waits()
        return _postgresql_engine(url, tuning, reading, connections, application, waits)
    except (ModuleNotFoundError, NoSuchModuleError):
        need = "PostgreSQL needs the package psycopg: pip install 'rollwright[postgres]'"
        raise BadDatabaseError(need) from None


def _sqlite_engine(url: URL, settings: list[str], reading: bool, connections: int) -> Engine:
    arguments = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    engine = create_engine(url, connect_args=arguments, pool_size=connections, max_overflow=0)

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # transactions begin when we say so
        for setting in settings:
            connection.execute(f"PRAGMA {setting}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def sqlite_settings(tuning: Tuning, *, reading: bool, migrating: bool = False) -> list[str]:
    """The pragmas of a connection."""
    # A migration may rebuild a table; with foreign keys, dropping the old one would drop everything
    # that refers to it.
    settings = [f"foreign_keys = {'OFF' if migrating else 'ON'}"]
    if reading:
        return [*settings, "query_only = ON"]
    # Erased data must not be readable in the file any more.
    settings += ["journal_mode = WAL", "secure_delete = ON", f"journal_size_limit = {LOG_BYTES}"]
    settings += [f"synchronous = {tuning.synchronous.upper()}"]
    if tuning.most_bytes is not None:
        settings += [f"max_page_count = {max(tuning.most_bytes // PAGE_BYTES, 1)}"]
    return settings


def _waits() -> dict[str, float]:
    # A process that froze in the middle of a transaction must not hold up the others.
    return {
        "lock_timeout": LOCK_SECONDS,
        "idle_in_transaction_session_timeout": FROZEN_SECONDS,
    }


def _serving_waits() -> dict[str, float]:
    return {
        "lock_timeout": min(GLANCE_SECONDS, LOCK_SECONDS),
        "idle_in_transaction_session_timeout": FROZEN_WRITER_SECONDS,
    }


def _postgresql_engine(
    url: URL,
    tuning: Tuning,
    reading: bool,
    connections: int,
    application: str,
    waits: Mapping[str, float],
) -> Engine:
    arguments: dict[str, int | str] = {
        "connect_timeout": max(2, round(tuning.patience)),
        "tcp_user_timeout": int(FROZEN_SECONDS * 1000),
        "application_name": application,
    }
    arguments = {name: value for name, value in arguments.items() if name not in url.query}
    level = "REPEATABLE READ" if reading else "READ COMMITTED"
    engine = create_engine(
        url,
        connect_args=arguments,
        isolation_level=level,
        pool_size=connections,
        max_overflow=0,
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: DBAPIConnection, _: object) -> None:
        cursor = connection.cursor()
        for name, seconds in waits.items():
            cursor.execute(f"SET {name} = '{seconds}s'")
        cursor.execute(f"SET default_transaction_read_only = {'on' if reading else 'off'}")
        cursor.close()
        connection.commit()

    return engine


WAIT_MS = 250
"""Milliseconds a writer waits for those who read."""
TRIES = 20
PAUSE_SECONDS = 0.25


def wipe_log(connection: Connection) -> bool:
    """Write SQLite's log into its file and empty it; False while somebody still reads from it.

    What else goes wrong is raised: a full or broken disk must not be taken for a busy one.
    """
    try:
        file = connection.connection.driver_connection
        assert isinstance(file, sqlite3.Connection)
        file.execute(f"PRAGMA busy_timeout = {WAIT_MS}")
        busy = file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        file.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    except sqlite3.Error as problem:
        if getattr(problem, "sqlite_errorcode", 0) & 0xFF == SQLITE_BUSY:
            return False
        raise
    return not busy


def wipe(url: URL) -> bool:
    """The same for a file that a server may use meanwhile; tried for some seconds."""
    engine = engine_for(url)
    try:
        with engine.connect() as connection:
            for _ in range(TRIES):
                if wipe_log(connection):
                    return True
                time.sleep(PAUSE_SECONDS)
    except (sqlite3.Error, SQLAlchemyError):
        return False  # what was deleted is deleted; a server that runs says what is wrong
    finally:
        engine.dispose()
    return False
