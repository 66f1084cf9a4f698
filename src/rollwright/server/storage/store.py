"""The storage of all tables: one writer that commits in groups, a few readers beside it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from functools import partial, wraps
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import URL

from rollwright.server.storage import inventory, reader, transactions
from rollwright.server.storage.appends import (
    Append,
    AppendOutcome,
    Creation,
    CreationResult,
    DuplicateError,
)
from rollwright.server.storage.backups import keep_before_upgrade
from rollwright.server.storage.databases import (
    Tuning,
    address,
    engine_for,
    file_of,
    format_address,
    is_sqlite,
)
from rollwright.server.storage.health import StorageHealth
from rollwright.server.storage.locks import Claim, Leases
from rollwright.server.storage.reader import Readers
from rollwright.server.storage.rows import check_order, rows_of
from rollwright.server.storage.transactions import PreparedAppend, prepare_append
from rollwright.server.storage.versions import make_folder, prepare
from rollwright.server.storage.writer import StoreWriter

T = TypeVar("T")
P = ParamSpec("P")

log = logging.getLogger("rollwright.server.store")
LEASES = 4
"""Tables at which this process may have its turn at a time, where others are as busy."""
PROVEN_SECONDS = 10.0
"""How long a write that went well proves that the next one would."""


def _reader_method(
    question: Callable[Concatenate[Connection, P], T],
) -> Callable[Concatenate[Store, P], Coroutine[None, None, T]]:
    """A question of the reader's as a method of the store."""

    @wraps(question)
    async def query_store(self: Store, /, *args: P.args, **more: P.kwargs) -> T:
        return await self.query(lambda open_: question(open_, *args, **more))

    return query_store


def _writer_method(
    task: Callable[Concatenate[Connection, P], T],
) -> Callable[Concatenate[Store, P], Coroutine[None, None, T]]:
    """A task in a transaction of its own as a method of the store."""

    @wraps(task)
    async def run_in_store(self: Store, /, *args: P.args, **more: P.kwargs) -> T:
        return await self.run(lambda open_: task(open_, *args, **more))

    return run_in_store


class Store:
    """All tables of a server, in one database.

    What is read is what is committed, each time in one view of the database.
    """

    def __init__(
        self, url: URL, tuning: Tuning, readers: int, claim: Claim | None, condition: StorageHealth
    ) -> None:
        self._claim = claim
        self.health = condition
        writing_engine = engine_for(url, tuning, serving=True)
        self._writer = StoreWriter(writing_engine, tuning.patience, condition, claim)
        reading_engine = engine_for(url, tuning, reading=True, connections=readers)
        self._readers = Readers(reading_engine, tuning.patience, readers, condition)
        self.leases = None
        if not is_sqlite(url):
            self.leases = Leases(engine_for(url, tuning, serving=True, connections=LEASES), LEASES)
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
        claim = await asyncio.to_thread(_claim_file, url)
        try:
            kept = await asyncio.to_thread(keep_before_upgrade, url)
            await asyncio.to_thread(prepare, url, tuning)
            if kept is not None:
                log.warning(f"the database was upgraded; as it was before, it lies in {kept}")
            return cls(url, tuning, readers, claim, _health(url, least_free))
        except BaseException:
            if claim is not None:
                claim.release()
            raise

    async def close(self) -> None:
        """Write what waits, then let go of the database."""
        self._writer.stop()
        self._readers.stop()
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._readers.join)
        if self.leases is not None:
            await asyncio.to_thread(self.leases.close)
        if self._claim is not None:
            self._claim.release()

    async def create_table(self, creation: Creation) -> CreationResult:
        """Make a table, once for each `create_id`."""
        check_order(creation, 0)
        rows = await asyncio.to_thread(rows_of, creation)  # an imported log may be long
        try:
            return await self._writer.run_task(
                lambda open_: transactions.create(open_, creation, rows)
            )
        except DuplicateError:
            # Another process may have made it in the same moment.
            find = partial(transactions.find_creation, create_id=creation.create_id)
            if found := await self._readers.query(find):
                return found
            raise

    async def append(self, append: Append | PreparedAppend) -> AppendOutcome:
        """Write what a command adds; raises StoreDown, DiskFull, NoTable, Unstorable.

        A caller that stops waiting for the answer does not stop the writing.
        """
        return await self._writer.append(
            append if isinstance(append, PreparedAppend) else prepare_append(append)
        )

    load = _reader_method(reader.load)
    read_since = _reader_method(reader.read_since)
    events_after = _reader_method(reader.events_after)
    lines_after = _reader_method(reader.lines_after)
    events_before = _reader_method(reader.events_before)
    first_seq = _reader_method(reader.first_seq)
    table = _reader_method(reader.table_row)
    heads = _reader_method(reader.heads)
    find_token = _reader_method(reader.find_token)
    tokens = _reader_method(reader.tokens_of)
    revoked = _reader_method(reader.revoked_of)
    find_command = _reader_method(reader.find_command)
    table_contents = _reader_method(reader.table_contents)

    mark_idle = _writer_method(inventory.mark_idle)
    prune_deletions = _writer_method(transactions.prune_deletions)
    touch = _writer_method(transactions.touch)

    async def delete_table(self, table: str, *, idle_since: int | None = None) -> bool:
        """Delete a table with everything of it; False if there is none.

        With `idle_since`, only if nobody touched it since then.
        """
        return await self._writer.run_task(
            lambda open_: transactions.delete_table(open_, table, idle_since=idle_since),
            erases=True,
        )

    async def query(self, question: Callable[[Connection], T]) -> T:
        """Return the answer to a question of the host, in one view of the database."""
        return await self._readers.query(question)

    async def run(self, task: Callable[[Connection], T]) -> T:
        """Write something of the host's, in a transaction of its own."""
        return await self._writer.run_task(task)

    async def check(self) -> None:
        """Read a little and write a little; raises what they meet, and `condition` knows it then.

        What is read is another part each time, so that in the course of time all of it is. Nothing
        is written for the check while others write.
        """
        place = self._place
        self._place = reader.FIRST_PLACE
        self._place = await self._readers.query(lambda open_: reader.read_on(open_, place))
        if not self.health.wrote_within(PROVEN_SECONDS):
            now = time.time_ns() // 1_000_000
            await self._writer.run_task(lambda open_: transactions.mark(open_, "check", now))
        await asyncio.to_thread(self.health.check_disk)

    @property
    def waiting(self) -> int:
        """How many appends wait to be written."""
        return self._writer.waiting


def _health(url: URL, least_free: int) -> StorageHealth:
    if not is_sqlite(url):
        return StorageHealth(format_address(url))
    file = file_of(url).absolute()
    return StorageHealth(str(file), file.parent, least_free)


def _claim_file(url: URL) -> Claim | None:
    """The SQLite file for this process alone; PostgreSQL is there for everybody."""
    if not is_sqlite(url):
        return None
    make_folder(url)
    return Claim(file_of(url))
