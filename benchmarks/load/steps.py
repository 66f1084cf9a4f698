"""What the steps of a roll cost by themselves, in one process and without a network.

Every step is what the server calls, on as many tables as a busy one has in memory.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable
from secrets import token_bytes, token_hex, token_urlsafe
from time import thread_time
from typing import Any, NamedTuple, TypeVar

from benchmarks.load.driver import ROLL
from rollwright.server.json_codec import encode_canonical, parse_json
from rollwright.server.limits import KEPT_BYTES, RecentEvents
from rollwright.server.live.broadcast import EventFrames
from rollwright.server.live.commands import LIGHT, BufferedEntropy, parse_command
from rollwright.server.live.connections import SocketMessage
from rollwright.server.live.creation import first_events, new_table_id
from rollwright.server.storage.appends import Append
from rollwright.server.storage.transactions import prepare_append
from rollwright.table import Secrets, TableState, create_table, decide
from rollwright.table.events import place_events

T = TypeVar("T")
TABLES, BATCH = 200, 100
QUIET = 10
"""Of the batches one in so many is quicker than what is told: others use the machine too."""


class Table(NamedTuple):
    """A table with somebody who rolls."""

    state: TableState
    secrets: Secrets
    tail: RecentEvents


class Steps:
    """Tables at which rolls are made step by step, each step timed."""

    def __init__(self) -> None:
        self._entropy = BufferedEntropy()
        self._tables = [_founded() for _ in range(TABLES)]
        self._rolled = 0
        self._seconds: dict[str, float] = {}

    def measured(self, batches: int) -> dict[str, float]:
        """The seconds of a processor that each step takes, in a quiet moment."""
        gc.freeze()
        taken: dict[str, list[float]] = {}
        for number in range(batches + QUIET):  # the first ones load what all of them need
            self._seconds = {}
            for _ in range(BATCH):
                self._roll()
            for step, seconds in self._seconds.items() if number >= QUIET else ():
                taken.setdefault(step, []).append(seconds / BATCH)
        idle = _clock_seconds()
        return {step: sorted(all_)[len(all_) // QUIET] - idle for step, all_ in taken.items()}

    def _timed(self, step: str, call: Callable[..., T], *args: Any, **more: Any) -> T:
        begun = thread_time()
        made = call(*args, **more)
        self._seconds[step] = self._seconds.get(step, 0.0) + thread_time() - begun
        return made

    def _roll(self) -> None:
        self._rolled += 1
        state, secrets, tail = self._tables[self._rolled % TABLES]
        entropy, at, timed = self._entropy, self._rolled, self._timed
        command = timed("read", _read, _text())
        made = timed("decide", decide, state, "s1", command, secrets, at, entropy, light=LIGHT)
        place = {"before": state.hash, "seq": state.head, "at": at}
        hashing = {"entropy": entropy, "write": encode_canonical}
        events = timed("hash", place_events, made.drafts, **place, **hashing)
        head = (state.table, state.head, state.hash)
        rows = timed(
            "rows", prepare_append, Append(*head, events, at, "s1", command["id"], made.side)
        )

        def fold() -> None:
            for event, size in zip(events, rows.sizes, strict=True):
                state.apply(event)
                tail.add(event, size)

        timed("fold", fold)
        written = {row["seq"]: row for row in rows.rows.events}
        timed("frame", lambda: EventFrames(events, state, written).for_seat(state.seats["s1"]))
        done = {"ok": True, "id": command["id"], "first": events[0].seq, "last": events[-1].seq}
        timed("frame", SocketMessage, {"ack": done})


def _founded() -> Table:
    table, secret = new_table_id(), token_bytes(32)
    tokens = {name: token_hex(32) for name in ("seat", "referee", "player", "spectator")}
    command = {"game": ROLL["game"], "name": "Founder", "tokens": tokens}
    decision = create_table(command, table=table, secret=secret, entropy=token_bytes)
    state = TableState.new(table, keep=KEPT_BYTES)
    for event in first_events(table, decision.drafts, 0):
        state.apply(event)
    return Table(state, Secrets(secret), RecentEvents())


def _text() -> str:
    roll = {"do": "roll.start", "request": ROLL, "nonce": os.urandom(32).hex()}
    return json.dumps({"command": {"id": token_urlsafe(12), **roll}})


def _read(text: str) -> dict[str, Any]:
    came: Any = parse_json(text)
    return parse_command(came["command"])


def _clock_seconds() -> float:
    """What it takes to look at the clock."""
    begun = thread_time()
    for _ in range(BATCH):
        thread_time()
    return (thread_time() - begun) / BATCH
