"""Copying all tables from one database to another: whole, checked, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, Table, and_, delete, func, insert, or_, select
from sqlalchemy.sql.dml import Insert

from rollwright.server.storage import schema
from rollwright.server.storage.appends import BadDatabaseError, StoreError
from rollwright.server.storage.rows import Row
from rollwright.server.storage.schema import (
    INSERT_COMMANDS,
    INSERT_EVENTS,
    INSERT_TEXTS,
    INSERT_TOKENS,
    events,
    tables,
)
from rollwright.server.storage.transactions import execute
from rollwright.server.storage.versions import check_newest, version_of

BATCH = 500
Progress = Callable[[int, int], None]
"""Callback that gets how many rows are done, and how many there are."""

INSERTS: dict[Table, Insert] = {
    tables: insert(tables),
    events: INSERT_EVENTS,
    schema.commands: INSERT_COMMANDS,
    schema.texts: INSERT_TEXTS,
    schema.tokens: INSERT_TOKENS,
    schema.bans: insert(schema.bans),
    schema.keys: insert(schema.keys),
}


class CopyCounts(NamedTuple):
    """The numbers of what was copied."""

    tables: int
    events: int
    rows: int


class CopyError(StoreError):
    """A copy that is not what it was made from; nothing of it stays."""


class NotEmptyError(BadDatabaseError):
    """A target that has tables already."""

    def __init__(self, where: str, count: int) -> None:
        has = "a table" if count == 1 else f"{count:,} tables"
        super().__init__(f"{where} has {has} already; --replace would delete what is there")
        self.count = count


def copy(
    source: Connection,
    target: Connection,
    *,
    replace: bool = False,
    where: str = "the target",
    progress: Progress | None = None,
) -> CopyCounts:
    """Copy everything within the two transactions that are open, and check it."""
    check_newest(version_of(source), "the source")
    check_newest(version_of(target), where)
    _empty_target(target, replace, where)
    counts = counts_of(source)
    total, done = sum(counts.values()), 0
    for table in schema.ALL:
        for rows in _batches(source, table):
            execute(target, INSERTS[table], rows)
            done += len(rows)
            if progress is not None:
                progress(done, total)
    _check(target, counts)
    return copy_counts(counts)


def copy_counts(counts: dict[str, int]) -> CopyCounts:
    """Return the counts as the summary of a copy."""
    return CopyCounts(counts["tables"], counts["events"], sum(counts.values()))


def _empty_target(target: Connection, replace: bool, where: str) -> None:
    count = target.scalar(select(func.count()).select_from(tables)) or 0
    if count and not replace:
        raise NotEmptyError(where, count)
    for table in (tables, schema.bans, schema.keys):  # what is of a table goes with it
        target.execute(delete(table))


def _batches(source: Connection, table: Table) -> Iterator[list[Row]]:
    statement = select(table).order_by(*table.primary_key.columns)
    found = source.execution_options(stream_results=True, yield_per=BATCH).execute(statement)
    for part in found.mappings().partitions(BATCH):
        yield [dict(row) for row in part]


def counts_of(connection: Connection) -> dict[str, int]:
    """How many rows every table of the schema has."""
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0
        for table in schema.ALL
    }


def _check(target: Connection, counts: dict[str, int]) -> None:
    if counts_of(target) != counts:
        raise CopyError("the copy has not as many rows as the original; nothing was changed")
    if broken := broken_tables(target):
        names = ", ".join(broken)
        raise CopyError(f"the logs of these tables are not whole: {names}; nothing was changed")


def broken_tables(connection: Connection, most: int = 10) -> list[str]:
    """Tables whose log has a gap, or does not end where it should; at most so many."""
    length = (
        select(events.c.table_id, func.count().label("count"), func.max(events.c.seq).label("last"))
        .group_by(events.c.table_id)
        .subquery()
    )
    last = events.alias("last_event")
    statement = (
        select(tables.c.id)
        .outerjoin(length, length.c.table_id == tables.c.id)
        .outerjoin(last, and_(last.c.table_id == tables.c.id, last.c.seq == tables.c.head))
        .where(
            or_(
                func.coalesce(length.c.count, 0) != tables.c.head,
                func.coalesce(length.c.last, 0) != tables.c.head,
                and_(tables.c.head > 0, func.coalesce(last.c.hash, "") != tables.c.hash),
            )
        )
        .order_by(tables.c.id)
        .limit(most)
    )
    return list(connection.scalars(statement))
