"""A folder of backups: numbered, checked, and let go of by rules that trust no clock.

The number in a name says which backup is newer, never its time: after a clock was wrong for a
while and is put right, the next backup is still the newest one and the oldest ones go first.
Times only say which backups belong to one day, week or month.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.engine import URL

from rollwright.errors import RollwrightError
from rollwright.server.storage.appends import BadDatabaseError
from rollwright.server.storage.backups import backup
from rollwright.server.storage.copies import CopyCounts, Progress
from rollwright.server.storage.locks import open_own_file

KEEP = "3,7d,4w,6m"
NAME = re.compile(r"rollwright-(\d{6,18})-(\d{8}T\d{6})Z\.sqlite")
LEFT_OVER = re.compile(rf"{NAME.pattern}\.part(-journal|-wal|-shm)?")
TIME = "%Y%m%dT%H%M%S"
LABELS = {"": "", "h": "%Y-%m-%d %H", "d": "%Y-%m-%d", "w": "%G-%V", "m": "%Y-%m", "y": "%Y"}
MOST = 1_000


class BadRetentionError(RollwrightError):
    """A text that does not say which backups to keep."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text!r} does not say which backups to keep; {KEEP} would do: the newest three, and "
            "the newest of each of seven days, four weeks and six months (h and y: hours, years)"
        )


class FolderBusyError(BadDatabaseError):
    """Another process is making a backup in the folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"another process is making a backup in {folder}; wait until it is done")


class RetentionRule(NamedTuple):
    """Keep the newest backup of each of so many hours, days, weeks, months or years."""

    most: int
    period: str
    """One of h, d, w, m, y; "" for the newest ones, whenever they were made."""


class Backup(NamedTuple):
    """A backup in a folder."""

    number: int
    at: datetime
    file: Path


class BackupResult(NamedTuple):
    """A backup that was just made, and the older ones that made room for it."""

    file: Path
    copied: CopyCounts
    let_go: tuple[Path, ...]


def parse_rules(text: str) -> tuple[RetentionRule, ...]:
    """Which backups to keep, from a text.

    >>> parse_rules("3,7d")
    (RetentionRule(most=3, period=''), RetentionRule(most=7, period='d'))
    """
    found = [re.fullmatch(r"\s*([1-9]\d{0,3})([hdwmy]?)\s*", part) for part in text.split(",")]
    rules = tuple(RetentionRule(int(one[1]), one[2]) for one in found if one)
    if len(rules) < len(found) or any(rule.most > MOST for rule in rules):
        raise BadRetentionError(text)
    return rules


def backups_in(folder: Path) -> list[Backup]:
    """The backups of a folder, the oldest first; files of other names are not ours."""
    found = []
    names = sorted(os.listdir(folder)) if folder.is_dir() else []
    for name in names:
        if read := NAME.fullmatch(name):
            with contextlib.suppress(ValueError):  # a day that is in no calendar
                at = datetime.strptime(read[2], TIME).replace(tzinfo=UTC)
                found.append(Backup(int(read[1]), at, folder / name))
    return sorted(found)


def backups_to_delete(backups: Sequence[Backup], rules: Sequence[RetentionRule]) -> list[Backup]:
    """The backups that no rule keeps; the newest one is never among them."""
    newest_first = sorted(backups, reverse=True)
    kept = set(newest_first[:1])
    for rule in rules:
        labels: dict[str, Backup] = {}
        for one in newest_first:
            label = one.at.strftime(LABELS[rule.period]) if rule.period else one.file.name
            labels.setdefault(label, one)
        kept |= set(list(labels.values())[: rule.most])
    return [one for one in sorted(backups) if one not in kept]


def is_fresh(backups: Sequence[Backup], hours: float, now: datetime) -> bool:
    """Whether the newest backup is younger than that; one from the future is not."""
    age = now - backups[-1].at if backups else None
    return age is not None and timedelta(0) <= age < timedelta(hours=hours)


def backup_into(
    url: URL,
    folder: Path,
    rules: Sequence[RetentionRule],
    *,
    hours: float | None = None,
    now: datetime | None = None,
    progress: Progress | None = None,
) -> BackupResult | None:
    """Make a backup in a folder and let go of those that are not kept any longer.

    With `hours`, nothing is done and None is the answer if the newest is younger than that, or if
    another process is at it. Nothing is deleted unless the new one is whole and on the disk.
    """
    now = now or datetime.now(UTC)
    try:
        with _lock_folder(folder):
            return _backup_into(url, folder, rules, hours, now, progress)
    except FolderBusyError:
        if hours is None:
            raise
        return None
    except OSError as problem:
        raise BadDatabaseError(f"{folder} cannot hold backups: {problem.strerror}") from None


def _backup_into(
    url: URL,
    folder: Path,
    rules: Sequence[RetentionRule],
    hours: float | None,
    now: datetime,
    progress: Progress | None,
) -> BackupResult | None:
    there = backups_in(folder)
    if hours is not None and is_fresh(there, hours, now):
        return None
    for name in filter(LEFT_OVER.fullmatch, os.listdir(folder)):
        (folder / name).unlink()  # of a process that was killed
    number = there[-1].number + 1 if there else 1
    file = folder / f"rollwright-{number:06}-{now.strftime(TIME)}Z.sqlite"
    copied = backup(url, file, progress=progress)
    gone = [one.file for one in backups_to_delete([*there, Backup(number, now, file)], rules)]
    for old in gone:
        old.unlink()
    return BackupResult(file, copied, tuple(gone))


@contextlib.contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Keep other processes from making backups in the folder at the same time."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = open_own_file(folder / "rollwright.lock", like=folder)
    try:
        with contextlib.suppress(ImportError):  # Windows has no fcntl
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderBusyError(folder) from None
        yield
    finally:
        os.close(handle)
