"""One server for one SQLite file: a lock beside it that says who has it."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from rollwright.server.appends import BadDatabase

TRIES = 3
SECONDS_BETWEEN = 0.05

_held: set[Path] = set()
"""What this process has claimed: a lock of the system would let one process have it twice."""


class FileInUse(BadDatabase):
    """Another process has the SQLite file; `pid` is its number, 0 if it did not leave it."""

    def __init__(self, file: Path, pid: int) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"{file} is in use by {who}; one SQLite file serves one process: stop that one, "
            "or move to PostgreSQL with `rollwright db move`"
        )
        self.file = file
        self.pid = pid


class Claim:
    """A SQLite file that this process alone may serve, until it lets go or dies."""

    def __init__(self, file: Path) -> None:
        self.file = file.absolute()
        self._place = Path(f"{self.file}.lock")
        if self._place in _held:
            raise FileInUse(file, os.getpid())
        try:
            self._handle = os.open(self._place, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as problem:
            raise BadDatabase(f"{self._place} cannot be written: {problem.strerror}") from None
        if not _locked(self._handle):
            pid = _pid_in(self._handle)
            os.close(self._handle)
            raise FileInUse(file, pid)
        _held.add(self._place)
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, f"{os.getpid()}\n".encode())

    def let_go(self) -> None:
        """Free the file; the lock itself goes with the handle."""
        if self._place in _held:
            _held.discard(self._place)
            os.ftruncate(self._handle, 0)
            os.close(self._handle)

    def __enter__(self) -> Claim:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.let_go()


def claimed_by(file: Path) -> int | None:
    """The process that serves a file: its number, or None if nobody does."""
    try:
        Claim(file).let_go()
    except FileInUse as found:
        return found.pid
    except BadDatabase:  # a folder that we may only read
        return None
    return None


def _pid_in(handle: int) -> int:
    with contextlib.suppress(ValueError, OSError):
        os.lseek(handle, 0, os.SEEK_SET)
        return int(os.read(handle, 20))
    return 0


def _locked(handle: int) -> bool:
    """Try to lock; more than once, since somebody may only have looked who has it."""
    for _ in range(TRIES):
        with contextlib.suppress(OSError):
            _lock(handle)
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


def _lock_on_windows(handle: int) -> None:
    import importlib

    msvcrt: Any = importlib.import_module("msvcrt")
    # Far behind the number, which others must be able to read.
    os.lseek(handle, 1 << 20, os.SEEK_SET)
    msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
