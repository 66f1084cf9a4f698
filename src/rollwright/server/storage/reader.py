"""Reading what is committed, beside the writer, on a few connections of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal
from time import monotonic
from typing import TypeVar

from sqlalchemy import (
    BigInteger,
    Connection,
    Engine,
    RowMapping,
    Select,
    Text,
    bindparam,
    func,
    select,
    tuple_,
)
from sqlalchemy.exc import SQLAlchemyError

from rollwright.server.json_codec import JsonError
from rollwright.server.storage import databases
from rollwright.server.storage.appends import (
    AppendRepeat,
    EventRange,
    LogLine,
    LogUpdate,
    StoreDamageError,
    StoreUnavailableError,
    TableContents,
    TableRow,
    TableToken,
)
from rollwright.server.storage.health import (
    HealthState,
    StorageHealth,
    failure,
    health_state_of,
    is_unreachable,
    reason,
)
from rollwright.server.storage.rows import (
    EVENT_BYTES,
    StoredEvent,
    bytes_of,
    event_of,
    line_of,
    size_of,
)
from rollwright.server.storage.schema import commands, events, tables, texts, tokens
from rollwright.table.events import ErasableText, Event

T = TypeVar("T")
EventQuery = Select[int, int, str, str | None, str, str, str, str, str]
PAUSE_SECONDS = 0.1
MOST_NAMES = 5_000
"""How many tables one question may name: databases limit the values of a statement."""

AT_A_TIME = 64
"""Events that are fetched at once: a driver holds all that a statement finds."""
NO_TEXTS: Mapping[str, ErasableText] = {}

OF_A_LOG = select(
    events.c.seq,
    events.c.at,
    events.c.kind,
    events.c.audience,
    events.c.open,
    events.c.body,
    events.c.salt,
    events.c.digest,
    events.c.hash,
).where(events.c.table_id == bindparam("of_table"))
EVENTS = OF_A_LOG.where(events.c.seq > bindparam("place")).order_by(events.c.seq)
NEXT = EVENTS.limit(bindparam("most"))
LATEST = (
    OF_A_LOG.where(events.c.seq < bindparam("place"))
    .order_by(events.c.seq.desc())
    .limit(bindparam("most"))
)
SIZES = (
    select(events.c.seq, func.length(events.c.open) + func.length(events.c.body))
    .where(events.c.table_id == bindparam("of_table"), events.c.seq < bindparam("place"))
    .order_by(events.c.seq.desc())
)
TEXTS = select(texts.c.seq, texts.c.ref, texts.c.seat, texts.c.salt, texts.c.text).where(
    texts.c.table_id == bindparam("of_table"),
    texts.c.seq > bindparam("after"),
    texts.c.seq <= bindparam("last"),
)

Place = tuple[str, int]
"""A table and a sequence number: a place in all logs, one after the other."""
FIRST_PLACE: Place = ("", 0)
READ_AT_ONCE = 200
NEXT_FEW = (
    # The lengths touch every page of a text, and send none of it.
    select(events.c.table_id, events.c.seq, func.length(events.c.open), func.length(events.c.body))
    .where(
        tuple_(events.c.table_id, events.c.seq)
        > tuple_(bindparam("of_table", type_=Text), bindparam("seq", type_=BigInteger))
    )
    .order_by(events.c.table_id, events.c.seq)
    .limit(READ_AT_ONCE)
)


class Readers:
    """Asks questions of the database in threads; a lost connection is tried again."""

    def __init__(
        self, engine: Engine, patience: float, threads: int, condition: StorageHealth
    ) -> None:
        self._engine = engine
        self._condition = condition
        self._patience = patience
        self._closing = Signal()
        self._lost_at: float | None = None
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="rollwright-reader")

    async def query(self, question: Callable[[Connection], T]) -> T:
        """Return the answer to a question, in one view of the database.

        While the database has been away for longer than patience lasts, the question fails at once.
        """
        if self._closing.is_set():
            raise StoreUnavailableError("the server is closing")
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._patience + databases.LATE_SECONDS):
                return await loop.run_in_executor(self._threads, self._answer, question)
        except TimeoutError:
            self._condition.note_failure("read", HealthState.LOST, "no answer came")
            raise StoreUnavailableError("no answer came") from None

    def stop(self) -> None:
        """Take no more questions."""
        self._closing.set()

    def join(self) -> None:
        """Wait for the questions that run; blocks."""
        self._threads.shutdown()
        self._engine.dispose()

    def _answer(self, question: Callable[[Connection], T]) -> T:
        while True:
            try:
                with self._engine.connect() as connection, connection.begin():
                    answer = question(connection)
            except SQLAlchemyError as problem:
                if not is_unreachable(problem):
                    self._condition.note_failure("read", health_state_of(problem), reason(problem))
                    raise failure(problem) from problem
                if not self._may_wait():
                    self._condition.note_failure("read", health_state_of(problem), reason(problem))
                    raise StoreUnavailableError(reason(problem)) from None
            except (JsonError, UnicodeError) as problem:
                why = f"a row cannot be read: {type(problem).__name__}"
                self._condition.note_failure("read", HealthState.CORRUPT, why)
                raise StoreDamageError(why) from problem
            else:
                self._lost_at = None
                self._condition.note_success("read")
                return answer

    def _may_wait(self) -> bool:
        """Wait before the next try, as long as patience lasts since the connection was lost."""
        lost_at = self._lost_at = self._lost_at or monotonic()
        if monotonic() > lost_at + self._patience:
            return False
        return not self._closing.wait(PAUSE_SECONDS)


def load(
    connection: Connection, table: str, after: int = 0, limit: int | None = None
) -> list[Event]:
    """The events behind a sequence number, each with those of its texts that still exist."""
    statement = EVENTS if limit is None else EVENTS.limit(limit)
    rows = connection.execute(statement, {"of_table": table, "place": after}).all()
    if not rows:
        return []
    sealed = _texts(connection, table, after, rows[-1].seq)
    return [event_of(row, sealed.get(row.seq, {})) for row in rows]


def events_after(
    connection: Connection, table: str, after: int, limit: int, most_bytes: int
) -> EventRange:
    """The events behind a place: so many, and of so many bytes, but one at least."""
    return EventRange(*_read_rows(connection, NEXT, table, after, limit, most_bytes, event_of))


def lines_after(
    connection: Connection, table: str, after: int, limit: int, most_bytes: int
) -> list[LogLine]:
    """The same events for somebody who passes them on."""
    return _read_rows(connection, NEXT, table, after, limit, most_bytes, line_of)[0]


def events_before(
    connection: Connection, table: str, before: int, limit: int, most_bytes: int
) -> EventRange:
    """The last events before a place, in order, no more of them than `stretch` gives."""
    found, sizes = _read_rows(connection, LATEST, table, before, limit, most_bytes, event_of)
    return EventRange(found[::-1], sizes[::-1])


def first_seq(connection: Connection, table: str, before: int, limit: int, most_bytes: int) -> int:
    """The place of the first of the last events before a place, by their sizes alone."""
    first, total = before, 0
    values = {"of_table": table, "place": before}
    for seq, size in connection.execute(SIZES.limit(limit), values):
        total += EVENT_BYTES + size
        if first < before and total > most_bytes:
            break
        first = seq
    return first


def _read_rows(
    connection: Connection,
    statement: EventQuery,
    table: str,
    place: int,
    limit: int,
    most_bytes: int,
    made: Callable[[StoredEvent, Mapping[str, ErasableText]], T],
) -> tuple[list[T], list[int]]:
    """Return what is made of the rows that a statement finds, with the bytes of each, texts too."""
    rows = _rows(connection, statement, table, place, limit, most_bytes)
    if not rows:
        return [], []
    ends = rows[0][0].seq, rows[-1][0].seq
    sealed = _texts(connection, table, min(ends) - 1, max(ends))
    told: list[T] = []
    sizes: list[int] = []
    for row, bare in rows:
        texts = sealed.get(row[0], NO_TEXTS)
        size = bare + sum([bytes_of(one.text) for one in texts.values()]) if texts else bare
        most_bytes -= size
        if told and most_bytes < 0:
            break
        told.append(made(row, texts))
        sizes.append(size)
    return told, sizes


def _rows(
    connection: Connection,
    statement: EventQuery,
    table: str,
    place: int,
    limit: int,
    most_bytes: int,
) -> list[tuple[StoredEvent, int]]:
    """Rows, fetched a few at a time: so many, and of so many bytes, but one at least."""
    taken: list[tuple[StoredEvent, int]] = []
    while limit > 0 and most_bytes > 0:
        asked = min(limit, AT_A_TIME)
        values = {"of_table": table, "place": place, "most": asked}
        rows = connection.execute(statement, values).all()
        for row in rows:
            size = size_of(row[4], row[5])
            most_bytes -= size
            if taken and most_bytes < 0:
                return taken
            taken.append((row, size))
        if len(rows) < asked:
            return taken
        limit, place = limit - asked, rows[-1].seq
    return taken


def _texts(
    connection: Connection, table: str, after: int, last: int
) -> dict[int, dict[str, ErasableText]]:
    """The texts of a stretch of the log that still exist, by the event that brought them."""
    sealed: dict[int, dict[str, ErasableText]] = {}
    place = {"of_table": table, "after": after, "last": last}
    for seq, ref, seat, salt, text in connection.execute(TEXTS, place):
        sealed.setdefault(seq, {})[ref] = ErasableText(seat, salt, text)
    return sealed


def table_row(connection: Connection, table: str) -> TableRow | None:
    """Return a table's row, without its log."""
    found = connection.execute(select(tables).where(tables.c.id == table)).mappings().first()
    return None if found is None else TableRow(**found)


def heads(connection: Connection, ids: Collection[str]) -> dict[str, int]:
    """The heads of those of the tables that exist."""
    names, found = sorted(ids), {}
    for start in range(0, len(names), MOST_NAMES):
        part = names[start : start + MOST_NAMES]
        statement = select(tables.c.id, tables.c.head).where(tables.c.id.in_(part))
        found.update({row.id: row.head for row in connection.execute(statement)})
    return found


def find_token(connection: Connection, hash: str) -> TableToken | None:
    """The token with that hash."""
    found = connection.execute(select(tokens).where(tokens.c.hash == hash)).mappings().first()
    return None if found is None else _token(found)


def tokens_of(connection: Connection, table: str) -> list[TableToken]:
    """All tokens of a table, oldest first."""
    statement = select(tokens).where(tokens.c.table_id == table)
    ordered = statement.order_by(tokens.c.created_at, tokens.c.hash)
    return [_token(row) for row in connection.execute(ordered).mappings()]


def _token(row: RowMapping) -> TableToken:
    return TableToken(
        hash=row["hash"],
        table=row["table_id"],
        kind=row["kind"],
        role=row["role"],
        seat=row["seat"],
        created_at=row["created_at"],
        revoked=row["revoked"],
    )


def find_command(
    connection: Connection, table: str, seat: str, command: str
) -> AppendRepeat | None:
    """Return the events a command led to, if it was stored."""
    statement = select(commands.c.first, commands.c.last).where(
        commands.c.table_id == table,
        commands.c.seat == seat,
        commands.c.command_id == command,
    )
    found = connection.execute(statement).first()
    return None if found is None else AppendRepeat(found.first, found.last)


def revoked_of(connection: Connection, table: str, guests: Collection[str]) -> frozenset[str]:
    """Return which of the guests' tokens are no longer valid."""
    if not guests:
        return frozenset()
    of_guests = tokens.c.table_id == table, tokens.c.hash.in_(sorted(guests))
    return frozenset(connection.scalars(select(tokens.c.hash).where(*of_guests, tokens.c.revoked)))


def read_since(
    connection: Connection,
    table: str,
    after: int,
    limit: int,
    most_bytes: int,
    guests: Collection[str] = (),
    *,
    is_known: bool = False,
) -> LogUpdate | None:
    """Return the continuation of a log after a place; None if there is no such table.

    `is_known` says that the tokens are known up to that place.
    """
    row = table_row(connection, table)
    if row is None:
        return None
    found = events_after(connection, table, after=after, limit=limit, most_bytes=most_bytes)
    if after + len(found.events) < row.head:
        return LogUpdate(row, *found, False, frozenset())
    if is_known and found.events and all(event.kind.startswith("roll.") for event in found.events):
        return LogUpdate(row, *found, True, frozenset())
    return LogUpdate(row, *found, True, revoked_of(connection, table, guests))


def table_contents(connection: Connection, table: str) -> TableContents | None:
    """Everything that is needed to serve a table."""
    row = table_row(connection, table)
    if row is None:
        return None
    return TableContents(
        row=row,
        events=load(connection, table, after=0, limit=None),
        tokens=tokens_of(connection, table),
    )


def idle_tables(connection: Connection, since: int) -> list[str]:
    """Tables that nobody touched since then, longest idle first."""
    statement = select(tables.c.id).where(tables.c.touched_at < since)
    return list(connection.scalars(statement.order_by(tables.c.touched_at, tables.c.id)))


def read_on(connection: Connection, place: Place) -> Place:
    """Read the next few events with all their pages; where to go on, from the start at the end."""
    found = connection.execute(NEXT_FEW, {"of_table": place[0], "seq": place[1]}).all()
    return (found[-1].table_id, found[-1].seq) if len(found) == READ_AT_ONCE else FIRST_PLACE
