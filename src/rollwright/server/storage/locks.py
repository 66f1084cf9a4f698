"""Locks: one server for one SQLite file, and turns of several servers at a table of PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import os
import struct
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from rollwright.server.storage.appends import BadDatabaseError

TAKE_TURN = text("SELECT pg_advisory_xact_lock(hashtextextended(:table, 7655744912))")
"""Until the transaction ends; it waits no longer than for any other lock."""
TRIES = 3
SECONDS_BETWEEN = 0.05
LOCKED_BYTE = 1 << 62
"""Behind the end of every file, and far from the bytes that SQLite locks."""

Identity = tuple[int, int]
"""The disk and the number of a file on it: the same by whatever name."""

_held: set[Identity] = set()
"""Files that this process has claimed.

It is asked before a file is opened a second time: closing that handle would free what SQLite has
locked by another one, as systems have it.
"""


class FileInUseError(BadDatabaseError):
    """Another process has the SQLite file; `pid` is its number, 0 if it did not leave it."""

    def __init__(self, file: Path, pid: int) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"{file} is in use by {who}; one SQLite file serves one process: stop that one, "
            "or move to PostgreSQL with `rollwright db move`"
        )
        self.file = file
        self.pid = pid


def open_own_file(place: Path, *, like: Path) -> int:
    """Open a file to write it, or make it for its owner alone; through no symbolic link.

    If root makes the file, it belongs to the owner of `like`, or a command of root would keep a
    service from its own file. A link that the service left there must not give it a file of
    somebody else's.
    """
    try:
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return os.open(place, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    if getattr(os, "geteuid", lambda: 1)() == 0:
        with contextlib.suppress(OSError):
            owner = like.stat()
            os.fchown(handle, owner.st_uid, owner.st_gid)
    return handle


class Claim:
    """A SQLite file that this process alone may serve, until it lets go or dies.

    The lock is on the database itself where the system has locks that belong to an open file, and
    on a file beside it, which also holds the number of the process. The file alone is not enough:
    anyone who deletes it could lock a new one.
    """

    def __init__(self, file: Path) -> None:
        self.file = Path(os.path.realpath(file))
        if identity_of(self.file) in _held:
            raise FileInUseError(file, os.getpid())
        self._handles: list[int] = []
        try:
            self._take(file)
        except BaseException:
            self._close()
            raise
        _held.add(self.identity)

    def _take(self, file: Path) -> None:
        database = self._open(self.file, self.file.parent)
        found = os.fstat(database)
        self.identity: Identity = (found.st_dev, found.st_ino)
        check_no_hard_links(file)
        beside = self._open(Path(f"{self.file}.lock"), self.file)
        if not _try_lock(beside, _lock) or not _try_lock(database, _lock_file):
            raise FileInUseError(file, _pid_in(beside))
        os.ftruncate(beside, 0)
        os.lseek(beside, 0, os.SEEK_SET)
        os.write(beside, f"{os.getpid()}\n".encode())

    def _open(self, place: Path, like: Path) -> int:
        try:
            handle = open_own_file(place, like=like)
        except OSError as problem:
            raise BadDatabaseError(f"{place} cannot be written: {problem.strerror}") from None
        self._handles.append(handle)
        return handle

    def _close(self) -> None:
        for handle in self._handles:
            os.close(handle)
        self._handles.clear()

    @property
    def is_there(self) -> bool:
        """Whether the file still has its name: not if it was moved, replaced or deleted."""
        return identity_of(self.file) == self.identity

    def release(self) -> None:
        """Free the file; the locks go with the handles."""
        if self._handles:
            _held.discard(self.identity)
            os.ftruncate(self._handles[-1], 0)
            self._close()

    def __enter__(self) -> Claim:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def identity_of(file: Path) -> Identity | None:
    """Which file that is; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def check_no_hard_links(file: Path) -> None:
    """Refuse a file with hard links: what SQLite has not yet put into it lies beside one name."""
    with contextlib.suppress(OSError):
        names = file.stat().st_nlink
        if names > 1:
            raise BadDatabaseError(
                f"{file} has {names} names on its disk (hard links), and SQLite keeps its log "
                "beside only one of them: remove the others, or make a copy with "
                "`rollwright db backup`"
            )


def owner_of(file: Path) -> int | None:
    """The process that serves a file: its number, 0 if it is not known, None if nobody does."""
    try:
        Claim(file).release()
    except FileInUseError as found:
        return found.pid
    except BadDatabaseError:  # a folder that we may only read
        return None
    return None


def _pid_in(handle: int) -> int:
    with contextlib.suppress(ValueError, OSError):
        os.lseek(handle, 0, os.SEEK_SET)
        return int(os.read(handle, 20))
    return 0


def _try_lock(handle: int, lock: Callable[[int], None]) -> bool:
    """Try to lock; more than once, since somebody may only have looked who has it."""
    for _ in range(TRIES):
        with contextlib.suppress(OSError):
            lock(handle)
            return True
        time.sleep(SECONDS_BETWEEN)
    return False


def _lock(handle: int) -> None:
    """Lock or raise OSError; children of this process do not inherit the lock."""
    try:
        import fcntl
    except ImportError:
        _lock_on_windows(handle)
        return
    fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _lock_file(handle: int) -> None:
    """Lock the database, or raise OSError: by the open file, not by the process.

    A lock of the process would go as soon as SQLite closes any of its handles. Only Linux has the
    other kind; elsewhere the lock beside the file has to do, which on Windows nobody can delete.
    """
    if sys.platform == "linux":
        import fcntl

        asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, LOCKED_BYTE, 1, 0)
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, asked)


def _lock_on_windows(handle: int) -> None:
    import importlib

    msvcrt: Any = importlib.import_module("msvcrt")
    # Far behind the number, which others must be able to read.
    os.lseek(handle, 1 << 20, os.SEEK_SET)
    msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)


class Leases:
    """Turns of several processes at a table of PostgreSQL.

    A log goes on only from where it ends, so nothing that is written depends on a lease. But who
    decides without one may lose to another process, again and again, where both are busy at the
    same table.
    """

    def __init__(self, engine: Engine, most: int) -> None:
        self._engine = engine
        self._free = most
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="rollwright-leases")

    async def take(self, table: str) -> Connection | None:
        """The turn at a table, when others have had theirs; None where it does not come soon."""
        if not self._free:
            return None
        self._free -= 1
        taking = asyncio.get_running_loop().run_in_executor(self._threads, self._try_take, table)
        try:
            lease = await asyncio.shield(taking)
        except asyncio.CancelledError:
            taking.add_done_callback(lambda done: self.release(done.result()))
            raise
        if lease is None:
            self._free += 1
        return lease

    def release(self, lease: Connection | None) -> None:
        """Let others have their turn."""
        self._free += 1
        if lease is not None:
            self._threads.submit(lease.close)

    def close(self) -> None:
        """Let go of the database; blocks."""
        self._threads.shutdown()
        self._engine.dispose()

    def _try_take(self, table: str) -> Connection | None:
        with contextlib.suppress(SQLAlchemyError):
            connection = self._engine.connect()
            try:
                connection.execute(TAKE_TURN, {"table": table})
                return connection
            except SQLAlchemyError:
                connection.close()
        return None
