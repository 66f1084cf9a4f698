"""A bot's storage, one small file that only its owner reads: positions, seats, open rolls."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any, Generic, TypeVar

from rollwright.errors import BadField, RollwrightError
from rollwright.jsonable import json_text, parse_json

T = TypeVar("T")
MOST = 100_000
"""Things kept of a kind by default: the oldest go first."""
LARGEST = 400_000
SEEN_SECONDS = 900
"""Seconds a signature is remembered, which is longer than it is valid."""
TABLES = """
create table if not exists kept (
    kind text, id text, owner text, held text, at real, primary key (kind, id));
create index if not exists oldest on kept (kind, at);
create index if not exists newest on kept (kind, owner, at);
"""


class StorageInUseError(RollwrightError):
    """A file that another program has for itself."""


class Storage:
    """The file; every method may be called from any thread.

    `most` says how many of a kind are kept, and `alone` that no other program may have the file
    for as long as we have it.
    """

    def __init__(
        self, path: Path | str, most: Mapping[str, int] | None = None, *, alone: bool = False
    ) -> None:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        Path(path).chmod(0o600)  # one that was there before
        self._most = dict(most or {})
        self._lock = threading.Lock()
        wait = 0.0 if alone else 5.0
        self._file = sqlite3.connect(path, wait, check_same_thread=False, isolation_level=None)
        try:
            if alone:
                self._file.executescript("pragma locking_mode = exclusive; begin exclusive; commit")
            self._file.executescript(TABLES)
        except sqlite3.OperationalError as problem:
            self._file.close()
            raise StorageInUseError(f"{path} cannot be used: {problem}") from None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._file.close()

    def is_new(self, digest: str, now: float) -> bool:
        """Whether this was never seen; from now on it was."""
        self._execute("delete from kept where kind = 'seen' and at < ?", now - SEEN_SECONDS)
        insert = "insert or ignore into kept values ('seen', ?, '', '', ?) returning id"
        found = self._execute(insert, digest, now)
        self._remove_oldest("seen")
        return bool(found)

    def put(self, kind: str, name: str, held: object, owner: str = "") -> None:
        """Keep something by its name; what is too large is not kept."""
        text = json_text(held)
        if len(text) <= LARGEST:
            insert = "insert or replace into kept values (?, ?, ?, ?, ?)"
            self._execute(insert, kind, name, owner, text, time.time())
            self._remove_oldest(kind)

    def remove(self, kind: str, name: str) -> bool:
        """Let something go; false where somebody was quicker."""
        return bool(
            self._execute("delete from kept where kind = ? and id = ? returning id", kind, name)
        )

    def find(self, kind: str, name: str) -> Any:
        """Return the value stored under a name, if any."""
        found = self._execute("select held from kept where kind = ? and id = ?", kind, name)
        return parse_json(found[0][0]) if found else None

    def names(self, kind: str) -> list[str]:
        """The names of all that is kept of a kind."""
        return [name for (name,) in self._execute("select id from kept where kind = ?", kind)]

    def newest(self, kind: str, owner: str) -> Any:
        """Return the last thing that somebody stored, if any."""
        newest = "select held from kept where kind = ? and owner = ?"
        newest += " order by at desc, rowid desc limit 1"  # of one moment, what came later
        found = self._execute(newest, kind, owner)
        return parse_json(found[0][0]) if found else None

    def _remove_oldest(self, kind: str) -> None:
        most = self._most.get(kind, MOST)
        oldest = "select id from kept where kind = ? order by at desc limit -1 offset ?"
        self._execute(f"delete from kept where kind = ? and id in ({oldest})", kind, kind, most)

    def _execute(self, statement: str, *values: object) -> list[tuple[str, ...]]:
        with self._lock:
            return self._file.execute(statement, values).fetchall()


Holder = tuple[str, ...]
"""Who keeps something, from the outside in: an address, and somebody there."""


def _largest_holder(taken: Counter[Holder]) -> Holder:
    """Return the address that takes most places, and the person who takes most of them there."""
    found: Holder = ()
    while taken := Counter({one: n for one, n in taken.items() if len(one) > len(found)}):
        parts: Counter[Holder] = Counter()
        for one, places in taken.items():
            parts[one[: len(found) + 1]] += places
        found = parts.most_common(1)[0][0]
        taken = Counter({one: n for one, n in taken.items() if one[: len(found)] == found})
    return found


class HolderCache(Generic[T]):
    """Things in memory, under names that nobody can guess: the latest of each holder.

    Each thing takes one place, or as many as `places` says. If all together take more than there
    are, the oldest goes of the one who takes most: so nobody loses anything to somebody who keeps
    without measure. What goes is handed to `let_go`.
    """

    def __init__(
        self,
        what: str,
        each: int,
        most: int,
        *,
        places: Callable[[T], int] = lambda _: 1,
        release: Callable[[T], object] | None = None,
    ) -> None:
        self._what = what
        self._each, self._most = each, most
        self._places, self._let_go = places, release
        self._held: dict[str, tuple[Holder, T]] = {}

    def put(self, thing: T, holder: Holder = (), name: str = "") -> str:
        """Keep something, and say under which name; under one that is known, in its place."""
        name = name or token_hex(16)
        if known := self._held.pop(name, None):
            holder = known[0]
        self._held[name] = (holder, thing)
        while self._usage()[holder] > self._each:
            self._drop(holder)
        while (taken := self._usage()).total() > self._most:
            self._drop(_largest_holder(taken))
        return name

    def _usage(self) -> Counter[Holder]:
        """How many places each holder takes."""
        taken: Counter[Holder] = Counter()
        for holder, thing in self._held.values():
            taken[holder] += self._places(thing)
        return taken

    def _drop(self, holder: Holder) -> None:
        name = next(name for name, (whose, _) in self._held.items() if whose == holder)
        _, thing = self._held.pop(name)
        if self._let_go is not None:
            self._let_go(thing)

    def find(self, name: str) -> T:
        """Return the value stored under a name."""
        if name not in self._held:
            raise BadField(self._what, f"there is no such {self._what}, or no longer")
        return self._held[name][1]

    def pop(self, name: str) -> T:
        """Remove the value stored under a name, and return it."""
        found = self.find(name)
        del self._held[name]
        return found
