"""What a failure of the database means: gone, full, taken, or not to be stored at all."""

from __future__ import annotations

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from rollwright.server.appends import (
    DiskFull,
    Locked,
    StoreDown,
    StoreError,
    Taken,
    Unstorable,
)

# sqlite3 has no names for these in Python 3.11's type stubs on every system.
SQLITE_BUSY = 5
SQLITE_FULL = 13
SQLITE_TOOBIG = 18
SQLITE_IOERR_WRITE = 10 | 3 << 8
"""A quota or a limit of the size of files ends here, not at SQLITE_FULL."""

POSTGRESQL_FULL = "53100"
LOST_STATES = ("57P01", "57P02", "57P03", "57P05", "53300", "25006")
"""Shut down, crashed, starting, idle for too long, too many connections, a standby by now."""
LOST_CLASS = "08"
LOCKED_STATES = ("55P03", "40P01")
"""Locked for longer than we wait, or in a circle."""
TOO_LARGE_STATES = ("54000", "22001", "53200")


def is_lost(problem: SQLAlchemyError) -> bool:
    """Whether the database is out of reach for everybody, though it may come back."""
    if not isinstance(problem, DBAPIError):
        return False
    if problem.connection_invalidated or _is_busy(problem):
        return True
    if not _is_postgresql(problem):
        return False
    state = _state(problem)
    if not state:
        return type(problem.orig).__name__ == "OperationalError"
    return state in LOST_STATES or state.startswith(LOST_CLASS)


def failure(problem: SQLAlchemyError) -> StoreError:
    """The same in our words."""
    orig = getattr(problem, "orig", None)
    why = reason(problem)
    code, state = getattr(orig, "sqlite_errorcode", None), _state(problem)
    if code in (SQLITE_FULL, SQLITE_IOERR_WRITE) or state == POSTGRESQL_FULL:
        return DiskFull(why)
    if code == SQLITE_TOOBIG or state in TOO_LARGE_STATES:
        return Unstorable(f"this is too large to be stored: {why}")
    if state in LOCKED_STATES:
        return Locked(why)
    if isinstance(problem, IntegrityError):
        return Taken()
    if isinstance(problem, DataError):
        return Unstorable(f"this cannot be stored: {why}")
    return StoreDown(why)


def _is_postgresql(problem: DBAPIError) -> bool:
    return type(problem.orig).__module__.startswith("psycopg")


def _is_busy(problem: DBAPIError) -> bool:
    """Whether another process kept the SQLite file locked for too long."""
    return getattr(problem.orig, "sqlite_errorcode", 0) & 0xFF == SQLITE_BUSY


def _state(problem: SQLAlchemyError) -> str:
    return getattr(getattr(problem, "orig", None), "sqlstate", None) or ""


def reason(problem: SQLAlchemyError) -> str:
    """What the database itself said, in one line."""
    told = getattr(problem, "orig", None) or problem
    lines = str(told).strip().splitlines()
    return lines[0] if lines else type(told).__name__
