"""Database failures, and the state of the storage: the host learns of each change."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from threading import Lock
from time import monotonic

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from rollwright.server.storage.appends import (
    DiskFullError,
    DuplicateError,
    StoreDamageError,
    StoreError,
    StoreUnavailableError,
    TableLockedError,
    UnstorableError,
)

# sqlite3 has no names for these in Python 3.11's type stubs on every system.
SQLITE_BUSY = 5
SQLITE_READONLY = 8
SQLITE_IOERR = 10
SQLITE_CORRUPT = 11
SQLITE_FULL = 13
SQLITE_TOOBIG = 18
SQLITE_NOTADB = 26
SQLITE_IOERR_WRITE = SQLITE_IOERR | 3 << 8
"""A quota or a limit of the size of files ends here, not at SQLITE_FULL."""
SQLITE_IOERR_SHMSIZE = SQLITE_IOERR | 19 << 8
SQLITE_READONLY_DBMOVED = SQLITE_READONLY | 4 << 8
SQLITE_IOERR_CORRUPTFS = SQLITE_IOERR | 33 << 8
UNDECODED = "Could not decode"
"""How sqlite3 begins its complaint about a text that is none; it has no code for that."""

POSTGRESQL_FULL = "53100"
POSTGRESQL_READ_ONLY = "25006"
LOST_STATES = ("57P01", "57P02", "57P03", "57P05", "53300", POSTGRESQL_READ_ONLY)
"""Shut down, crashed, starting, idle for too long, too many connections, a standby by now."""
LOST_CLASS = "08"
LOCKED_STATES = ("55P03", "40P01")
"""Locked for longer than we wait, or in a circle."""
TOO_LARGE_STATES = ("54000", "22001", "53200")
CORRUPT_STATES = ("XX001", "XX002")
FAILING_STATES = ("58030", "58P01")
"""The disk under PostgreSQL does not read or write, or a file of it is gone."""

QUIET_SECONDS = 60.0
"""How long nothing is said of a trouble that comes and goes."""

log = logging.getLogger("rollwright.server.storage")


class HealthState(Enum):
    """The state of the storage, from sound to the worst."""

    NONE = "up"
    LOW = "low"
    """There is room, but not much."""
    LOST = "lost"
    FULL = "full"
    READ_ONLY = "read_only"
    MOVED = "moved"
    FAILING = "failing"
    CORRUPT = "corrupt"

    @property
    def is_fit(self) -> bool:
        """Whether everything can be served all the same."""
        return self in (HealthState.NONE, HealthState.LOW)


ORDER = list(HealthState)
DAMAGE_STATES = (HealthState.READ_ONLY, HealthState.MOVED, HealthState.FAILING, HealthState.CORRUPT)
"""Troubles that do not pass by themselves: to try again would not help."""

STATE_TEXTS = {
    HealthState.NONE: "the storage is well again: {where} can be read and written",
    HealthState.LOW: "{free} where {where} lies: make room before the disk is full",
    HealthState.LOST: "the database {where} does not answer{why}: commands wait for it, then people"
    " are told to try again; see whether it runs and can be reached",
    HealthState.FULL: "the disk, a quota or the limit of the size of files is full{why}: {free}"
    " where {where} lies, and nothing is written until there is room; make room, or raise the"
    " limit",
    HealthState.READ_ONLY: "the database {where} can only be read{why}: nothing is written; let the"
    " server write to the file and its folder, or lead it to the primary",
    HealthState.MOVED: "the file {where} was moved, replaced or deleted while it is served{why}:"
    " stop the server, put the file back with what lies beside it (-wal), and start the server"
    " again",
    HealthState.FAILING: "the disk under {where} fails{why}: look at the system's log, save what"
    " can be read with `rollwright db backup`, and move to another disk",
    HealthState.CORRUPT: "the database {where} is damaged{why}: stop the server, see what is wrong"
    " with `rollwright db check`, put the damaged one aside with what lies beside it, and fill a"
    " new one from the last backup with `rollwright db restore`; until then the server is not"
    " ready",
}
"""Messages to the host for each trouble, with what they can do."""


def health_state_of(problem: BaseException) -> HealthState:
    """Return what a failure says about the storage; NONE if it says nothing about it."""
    if found := _driver_state(getattr(problem, "orig", None) or problem):
        return found
    if not isinstance(problem, DBAPIError):
        return HealthState.NONE
    is_down = is_unreachable(problem) or type(failure(problem)) is StoreUnavailableError
    return HealthState.LOST if is_down else HealthState.NONE


def _driver_state(raised: BaseException) -> HealthState | None:
    """The trouble that a driver names by its code, if it does."""
    if state := getattr(raised, "sqlstate", None):
        return _of_postgresql(state)
    if not isinstance(raised, sqlite3.Error):
        return None
    return _of_sqlite(getattr(raised, "sqlite_errorcode", None), str(raised))


def _of_sqlite(code: int | None, said: str) -> HealthState | None:
    if code is None:
        return HealthState.CORRUPT if said.startswith(UNDECODED) else None
    if code in (SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE):
        return HealthState.FULL
    if code == SQLITE_READONLY_DBMOVED:
        return HealthState.MOVED
    if code == SQLITE_IOERR_CORRUPTFS:
        return HealthState.CORRUPT
    of_family = {
        SQLITE_READONLY: HealthState.READ_ONLY,
        SQLITE_IOERR: HealthState.FAILING,
        SQLITE_CORRUPT: HealthState.CORRUPT,
        SQLITE_NOTADB: HealthState.CORRUPT,
    }
    return of_family.get(code & 0xFF)


def _of_postgresql(state: str) -> HealthState | None:
    if state in CORRUPT_STATES:
        return HealthState.CORRUPT
    if state in FAILING_STATES:
        return HealthState.FAILING
    return {POSTGRESQL_FULL: HealthState.FULL, POSTGRESQL_READ_ONLY: HealthState.READ_ONLY}.get(
        state
    )


def is_unreachable(problem: SQLAlchemyError) -> bool:
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
    found = None if orig is None else _driver_state(orig)
    if found is HealthState.FULL:
        return DiskFullError(why)
    if found in DAMAGE_STATES:
        return StoreDamageError(why)
    if code == SQLITE_TOOBIG or state in TOO_LARGE_STATES:
        return UnstorableError(f"this is too large to be stored: {why}")
    if state in LOCKED_STATES:
        return TableLockedError(why)
    if isinstance(problem, IntegrityError):
        return DuplicateError()
    if isinstance(problem, DataError):
        return UnstorableError(f"this cannot be stored: {why}")
    return StoreUnavailableError(why)


def _is_postgresql(problem: DBAPIError) -> bool:
    return type(problem.orig).__module__.startswith("psycopg")


def _is_busy(problem: DBAPIError) -> bool:
    """Whether another process kept the SQLite file locked for too long."""
    return getattr(problem.orig, "sqlite_errorcode", 0) & 0xFF == SQLITE_BUSY


def _state(problem: SQLAlchemyError) -> str:
    return getattr(getattr(problem, "orig", None), "sqlstate", None) or ""


def reason(problem: BaseException) -> str:
    """Return the database's own words, in one line."""
    told = getattr(problem, "orig", None) or problem
    lines = str(told).strip().splitlines()
    return lines[0] if lines else type(told).__name__


class StorageHealth:
    """How the storage is, by what reading and writing last met.

    Damage stays, although most of what is asked may lie elsewhere. Everything else is over as soon
    as the same thing is done well again.
    """

    def __init__(
        self,
        where: str,
        folder: Path | None = None,
        least_free: int = 0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._where = where
        self._folder = folder
        self._least_free = least_free
        self._clock = clock
        self._lock = Lock()
        self._met: dict[str, HealthState] = {}
        self._told = HealthState.NONE
        self._told_at: dict[HealthState, float] = {}
        self._wrote_at: float | None = None

    @property
    def state(self) -> HealthState:
        """The worst that is the matter now."""
        return max(tuple(self._met.values()), key=ORDER.index, default=HealthState.NONE)

    def wrote_within(self, seconds: float) -> bool:
        """Whether something was written well in the last seconds."""
        return self._wrote_at is not None and self._clock() - self._wrote_at < seconds

    def note_success(self, doing: str) -> None:
        """It was done well: `read`, `write`, or what else was looked at."""
        if doing == "write":
            self._wrote_at = self._clock()
        if doing in self._met:
            with self._lock:
                self._met.pop(doing, None)
                self._log_change("")

    def note_failure(self, doing: str, trouble: HealthState, why: str = "") -> None:
        """Reading, writing or looking has met a trouble."""
        if trouble is HealthState.NONE:
            return
        with self._lock:
            if doing == "write":
                self._wrote_at = None
            self._met["damage" if trouble is HealthState.CORRUPT else doing] = trouble
            self._log_change(why)

    def check_disk(self) -> None:
        """See whether there is room enough where a SQLite file lies."""
        free = self._free()
        if free is not None and free < self._least_free:
            self.note_failure("disk", HealthState.LOW)
        else:
            self.note_success("disk")

    def _free(self) -> int | None:
        try:
            return None if self._folder is None else shutil.disk_usage(self._folder).free
        except OSError:
            return None

    def _log_change(self, why: str) -> None:
        """Warn the host if it has changed, but not again and again of what comes and goes."""
        now, trouble = self._clock(), self.state
        if trouble is self._told:
            return
        if trouble in self._told_at and now - self._told_at[trouble] < QUIET_SECONDS:
            return
        self._told = trouble
        self._told_at[trouble] = now
        free = self._free()
        said = STATE_TEXTS[trouble].format(
            where=self._where,
            why=f" ({why})" if why else "",
            free="it is not known how much is free" if free is None else f"{free:,} bytes are free",
        )
        level = logging.WARNING if trouble.is_fit else logging.ERROR
        log.log(level, said, extra={"state": trouble.value})
