"""Dice that tests load: the nonces by which they fall as a test says, at a table and without one.

Dice follow from a table's secret and a nonce. Who knows the one and chooses the other, as nobody
does but these tests, chooses the faces: the first nonce that brings them is found by trying.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from threading import Lock

from benchmarks.soak.servers import App

from rollwright.client import Table
from rollwright.dice import Pool
from rollwright.engine.sources import Seeded
from rollwright.table.fairness import Fair, key_of, nonce_of

MOST = 2_000_000
Throw = tuple[Pool, tuple[int, ...]]
"""Dice, and what they show in the order of the pool."""


def first(fits: Callable[[str], bool]) -> str:
    """The first nonce that will do."""
    for number in range(MOST):
        if fits(nonce := f"{number:064x}"):
            return nonce
    raise AssertionError("no nonce brings these faces")


def seed_for(throw: Throw, entries: int = 0) -> str:
    """What a roll without a table is drawn from, so that these dice fall after some entries."""
    pool, faces = throw
    behind = f" {entries}" if entries else ""
    return first(lambda seed: Seeded(seed + behind).throw(pool) == faces)


@dataclass(frozen=True)
class LoadedTable:
    """A table whose secret is known, and a seat there that sees everything."""

    seen: Table
    secret: bytes

    @classmethod
    def of(cls, app: App, seen: Table) -> LoadedTable:
        """A table of a server on SQLite: its secret is read from the file."""
        with closing(sqlite3.connect(app.folder / "tables.db", timeout=60)) as file:
            [[secret]] = file.execute("select secret from tables where id = ?", [seen.id])
        return cls(seen, secret)

    def nonce(self, *throws: Throw, roll: str = "", index: int = 0) -> str:
        """By what the next command throws so: it starts a roll, or goes on with one."""
        events = [*self.seen.events()]
        number = 1 + max((one["open"].get("number", 0) for one in events), default=0)
        begun = sum(one["kind"] == "roll.started" for one in events)
        place = {"table": self.seen.id, "roll": roll or f"r{begun + 1}"}

        def falls(nonce: str) -> bool:
            for n, (pool, faces) in enumerate(throws):
                key, own = key_of(self.secret, number + n), nonce_of(bytes.fromhex(nonce), n)
                dice = Fair(key, **place, index=index + n, number=number + n, nonce=own)
                if dice.throw(pool) != faces:
                    return False
            return True

        return first(falls)


class Nonces:
    """Nonces one after the other: those that were loaded, and others in their turn."""

    def __init__(self) -> None:
        self._loaded: list[Callable[[], str]] = []
        self._others = count(1)
        self._lock = Lock()

    def load(self, *found: Callable[[], str]) -> None:
        """What the next throws are made with, found when it is needed."""
        self._loaded += found

    def __call__(self) -> str:
        """The next."""
        with self._lock:
            return self._loaded.pop(0)() if self._loaded else f"{next(self._others):064x}"
