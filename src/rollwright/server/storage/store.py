"""The storage of all tables: one writer that commits in groups, a few readers beside it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import URL

from rollwright.server.storage import inventory, reader, transactions
from rollwright.server.storage.appends import (
    Append,
    Appended,
    Conflict,
    Created,
    Creation,
    DiskFull,
    Line,
    News,
    NoTable,
    Repeated,
    StoreBroken,
    Stored,
    StoreDown,
    StoreError,
    Stretch,
    TableRow,
    Taken,
    Token,
    Unstorable,
    Whole,
)
from rollwright.server.storage.backups import keep_before_upgrade
from rollwright.server.storage.databases import (
    Tuning,
    address,
    engine_for,
    file_of,
    is_sqlite,
    said,
)
from rollwright.server.storage.failures import Condition
from rollwright.server.storage.inventory import Idle, Look
from rollwright.server.storage.locks import Claim
from rollwright.server.storage.reader import Readers
from rollwright.server.storage.rows import check_order, rows_of
from rollwright.server.storage.transactions import Ready, ready
from rollwright.server.storage.versions import make_folder, prepare
from rollwright.server.storage.writer import Writer
from rollwright.table.events import Event

T = TypeVar("T")

__all__ = [
    "Append",
    "Appended",
    "Conflict",
    "Created",
    "Creation",
    "DiskFull",
    "NoTable",
    "Repeated",
    "Store",
    "StoreBroken",
    "StoreDown",
    "StoreError",
    "Stored",
    "TableRow",
    "Taken",
    "Token",
    "Unstorable",
    "Whole",
]

log = logging.getLogger("rollwright.server.store")
PROVEN_SECONDS = 10.0
"""How long a write that went well proves that the next one would."""


class Store:
    """All tables of a server, in one database."""

    def __init__(
        self, url: URL, tuning: Tuning, readers: int, claim: Claim | None, condition: Condition
    ) -> None:
        self._claim = claim
        self.condition = condition
        writing_engine = engine_for(url, tuning, serving=True)
        self._writer = Writer(writing_engine, tuning.patience, condition, claim)
        reading_engine = engine_for(url, tuning, reading=True, connections=readers)
        self._readers = Readers(reading_engine, tuning.patience, readers, condition)
        self._place = reader.FIRST_PLACE
        """How far `check` has read through all logs."""

    @classmethod
    async def open(
        cls,
        database: str,
        *,
        synchronous: str = "full",
        most_bytes: int | None = None,
        patience: float = 5.0,
        readers: int = 4,
        least_free: int = 0,
    ) -> Store:
        """Open the database at an address, made or brought up to date where that is safe.

        `synchronous` ("full" or "normal") and `most_bytes` are for SQLite; `patience` is how
        many seconds a lost connection is tried again before StoreDown is raised. The host is
        warned when less than `least_free` bytes are free where a SQLite file lies.
        """
        url, tuning = address(database), Tuning(synchronous, most_bytes, patience)
        claim = await asyncio.to_thread(_claimed, url)
        try:
            kept = await asyncio.to_thread(keep_before_upgrade, url)
            await asyncio.to_thread(prepare, url, tuning)
            if kept is not None:
                log.warning(f"the database was upgraded; as it was before, it lies in {kept}")
            return cls(url, tuning, readers, claim, _condition(url, least_free))
        except BaseException:
            if claim is not None:
                claim.let_go()
            raise

    async def close(self) -> None:
        """Write what waits, then let go of the database."""
        self._writer.stop()
        self._readers.stop()
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._readers.join)
        if self._claim is not None:
            self._claim.let_go()

    async def create_table(self, creation: Creation) -> Created:
        """Make a table, once for each `create_id`."""
        check_order(creation, 0)
        rows = await asyncio.to_thread(rows_of, creation)  # an imported log may be long
        try:
            return await self._writer.do(lambda open_: transactions.create(open_, creation, rows))
        except Taken:
            # Another process may have made it in the same moment.
            find = partial(transactions.find_created, create_id=creation.create_id)
            if found := await self._readers.ask(find):
                return found
            raise

    async def append(self, append: Append | Ready) -> Appended:
        """Write what a command adds; raises StoreDown, DiskFull, NoTable, Unstorable.

        Whoever stops waiting for the answer does not stop the writing.
        """
        return await self._writer.append(append if isinstance(append, Ready) else ready(append))

    async def load(self, table: str, after: int = 0, limit: int | None = None) -> list[Event]:
        """The events behind that sequence number, in order, with their texts."""
        return await self._readers.ask(
            lambda open_: reader.load(open_, table, after=after, limit=limit)
        )

    async def news(
        self,
        table: str,
        after: int,
        limit: int,
        most_bytes: int,
        guests: frozenset[str] = frozenset(),
        *,
        is_known: bool = False,
    ) -> News | None:
        """What a log has behind a place, and what goes with its end, in one view.

        None where there is no such table. `is_known` says that what goes with it was known there.
        """
        most = {"limit": limit, "most_bytes": most_bytes}
        return await self._readers.ask(
            lambda open_: reader.news(
                open_, table, after=after, **most, guests=guests, is_known=is_known
            )
        )

    async def stretch(self, table: str, after: int, limit: int, most_bytes: int) -> Stretch:
        """The events behind a place: so many, and of so many bytes, but one at least."""
        return await self._readers.ask(
            lambda open_: reader.stretch(
                open_, table, after=after, limit=limit, most_bytes=most_bytes
            )
        )

    async def lines(self, table: str, after: int, limit: int, most_bytes: int) -> list[Line]:
        """The same events for somebody who passes them on."""
        return await self._readers.ask(
            lambda open_: reader.lines(
                open_, table, after=after, limit=limit, most_bytes=most_bytes
            )
        )

    async def latest(self, table: str, before: int, limit: int, most_bytes: int) -> Stretch:
        """The last events before a place, in order, no more of them than `stretch` gives."""
        return await self._readers.ask(
            lambda open_: reader.latest(
                open_, table, before=before, limit=limit, most_bytes=most_bytes
            )
        )

    async def reach(self, table: str, before: int, limit: int, most_bytes: int) -> int:
        """The place of the first event that `latest` would give, about; none of them is read."""
        return await self._readers.ask(
            lambda open_: reader.reach(
                open_, table, before=before, limit=limit, most_bytes=most_bytes
            )
        )

    async def table(self, table: str) -> TableRow | None:
        """What is known of a table beside its log, its secret too."""
        return await self._readers.ask(lambda open_: reader.table_row(open_, table))

    async def heads(self, tables: Collection[str]) -> dict[str, int]:
        """The heads of those of the tables that exist."""
        return await self._readers.ask(lambda open_: reader.heads(open_, tables))

    async def find_token(self, hash: str) -> Token | None:
        """The token with that hash, revoked ones too."""
        return await self._readers.ask(lambda open_: reader.find_token(open_, hash))

    async def tokens(self, table: str) -> list[Token]:
        """All tokens of a table, oldest first, revoked ones too."""
        return await self._readers.ask(lambda open_: reader.tokens_of(open_, table))

    async def revoked(self, table: str, guests: frozenset[str]) -> frozenset[str]:
        """Which of the tokens of those who are here are good no more."""
        return await self._readers.ask(lambda open_: reader.revoked_of(open_, table, guests))

    async def find_command(self, table: str, seat: str, command: str) -> Repeated | None:
        """What a command led to, if it was stored."""
        return await self._readers.ask(
            lambda open_: reader.find_command(open_, table, seat, command)
        )

    async def nonces(self, table: str) -> dict[str, bytes]:
        """The unused nonces of witnesses, by their commitments."""
        return await self._readers.ask(lambda open_: reader.nonces_of(open_, table))

    async def whole(self, table: str) -> Whole | None:
        """Everything that is needed to serve a table, in one view of the database."""
        return await self._readers.ask(lambda open_: reader.whole(open_, table))

    async def delete_table(self, table: str, *, idle_since: int | None = None) -> bool:
        """Delete a table with everything of it; False if there is none.

        With `idle_since`, only if nobody touched it since then.
        """
        return await self._writer.do(
            lambda open_: transactions.delete_table(open_, table, idle_since=idle_since),
            erases=True,
        )

    async def mark_idle(self, look: Look) -> Idle:
        """Note which tables are idle by the clock; which are to go, having been so for a day."""
        return await self._writer.do(lambda open_: inventory.mark_idle(open_, look))

    async def forget_deleted(self, most: int) -> None:
        """Keep the ids of no more than so many deleted tables."""
        await self._writer.do(lambda open_: transactions.forget_deleted(open_, most))

    async def touch(self, tables: Collection[str], at: int) -> None:
        """Note that somebody was at these tables."""
        await self._writer.do(lambda open_: transactions.touch(open_, sorted(tables), at))

    async def ask(self, question: Callable[[Connection], T]) -> T:
        """What a question of the host gives, in one view of the database."""
        return await self._readers.ask(question)

    async def do(self, task: Callable[[Connection], T]) -> T:
        """Write something of the host's, in a transaction of its own."""
        return await self._writer.do(task)

    async def check(self) -> None:
        """Read a little and write a little; raises what they meet, and `condition` knows it then.

        What is read is another part each time, so that in the course of time all of it is. Nothing
        is written for the check while others write.
        """
        place = self._place
        self._place = reader.FIRST_PLACE
        self._place = await self._readers.ask(lambda open_: reader.read_on(open_, place))
        if not self.condition.has_written(PROVEN_SECONDS):
            now = time.time_ns() // 1_000_000
            await self._writer.do(lambda open_: transactions.mark(open_, "check", now))
        await asyncio.to_thread(self.condition.look_at_disk)

    @property
    def waiting(self) -> int:
        """How many appends wait to be written."""
        return self._writer.waiting


def _condition(url: URL, least_free: int) -> Condition:
    if not is_sqlite(url):
        return Condition(said(url))
    file = file_of(url).absolute()
    return Condition(str(file), file.parent, least_free)


def _claimed(url: URL) -> Claim | None:
    """The SQLite file for this process alone; PostgreSQL is there for everybody."""
    if not is_sqlite(url):
        return None
    make_folder(url)
    return Claim(file_of(url))
