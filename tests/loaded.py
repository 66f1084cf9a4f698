"""Dice that tests load: the numbers by which they fall as a test says, at a table and without one.

Dice follow from a table's secret and a call with a number. Who knows the one and chooses the
other, as nobody does but these tests, chooses the faces: the first number that brings them is
found by trying.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import Any

from benchmarks.soak.servers import App

from rollwright.client import Table
from rollwright.dice import Pool
from rollwright.engine.sources import SeededSource
from rollwright.table.fairness import FairDice, call_hash, key_of, slot_of

MOST = 2_000_000
MOST_SLOTS = 10_000
Throw = tuple[Pool, tuple[int, ...]]
"""Dice, and what they show in the order of the pool."""
Call = Mapping[str, Any]


def first(fits: Callable[[str], bool]) -> str:
    """The first number that will do."""
    for number in range(MOST):
        if fits(digits := f"{number:064x}"):
            return digits
    raise AssertionError("no number brings these faces")


def seed_for(throw: Throw, entries: int = 0) -> str:
    """What a roll without a table is drawn from, so that these dice fall after some entries."""
    pool, faces = throw
    behind = f" {entries}" if entries else ""
    return first(lambda seed: SeededSource(seed + behind).throw(pool) == faces)


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

    def number(self, call: Call, *throws: Throw) -> str:
        """By what number the dice of a call fall so; it is a signed call without that number."""
        table = self.seen.snapshot(recent=0)["table"]
        seats = {device["id"]: device["seat"] for device in table["devices"]}
        seat, key = seats.get(call.get("device"), ""), self._key(call)

        def falls(number: str) -> bool:
            made = call_hash(table["table"], table["epoch"], seat, {**call, "number": number})
            drawn = (FairDice(key, made, n).throw(pool) for n, (pool, _) in enumerate(throws))
            return all(faces == shown for shown, (_, faces) in zip(drawn, throws))

        return first(falls)

    def _key(self, call: Call) -> bytes:
        lane = call.get("lane", "table")
        keys = (key_of(self.secret, lane, number) for number in range(1, MOST_SLOTS))
        return next(key for key in keys if slot_of(key) == call["slot"])

    def nonce(self, seat: str, *throws: Throw) -> str:
        """By what the next roll of somebody who does not sign throws so."""
        slot = self.seen.snapshot(recent=0)["table"]["slots"]["table"]
        return self.number({"slot": slot, "seat": seat}, *throws)

    def load(self, roller: Table, *throws: Throw) -> None:
        """What the dice of somebody's next call show."""
        assert roller.device is not None
        before = roller.device.numbers

        def once(call: Call) -> str:
            assert roller.device is not None
            roller.device.numbers = before
            return self.number(call, *throws)

        roller.device.numbers = once


class Numbers:
    """Numbers one after the other: those that were loaded, and others in their turn."""

    def __init__(self) -> None:
        self._loaded: list[Callable[[Call], str]] = []
        self._others = count(1)
        self._lock = Lock()

    def load(self, *found: Callable[[Call], str]) -> None:
        """What the next throws are made with, found when it is needed."""
        self._loaded += found

    def __call__(self, call: Call) -> str:
        """The next."""
        with self._lock:
            return self._loaded.pop(0)(call) if self._loaded else f"{next(self._others):064x}"
