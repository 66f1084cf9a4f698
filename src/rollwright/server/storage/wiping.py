"""Leaving no trace: what SQLite has erased in its file still stands in the log beside it."""

from __future__ import annotations

import sqlite3
import time
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from rollwright.server.storage.databases import BUSY_SECONDS, engine_for
from rollwright.server.storage.failures import SQLITE_BUSY

WAIT_MS = 250
"""How long to wait for those who read; whoever writes waits meanwhile."""
TRIES = 20
PAUSE_SECONDS = 0.25


def wiped(connection: Connection) -> bool:
    """Write SQLite's log into its file and empty it; False while somebody still reads from it.

    What else goes wrong is raised: a full or broken disk must not be taken for a busy one.
    """
    try:
        file: Any = connection.connection.driver_connection
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
                if wiped(connection):
                    return True
                time.sleep(PAUSE_SECONDS)
    except (sqlite3.Error, SQLAlchemyError):
        return False  # what was deleted is deleted; a server that runs says what is wrong
    finally:
        engine.dispose()
    return False
