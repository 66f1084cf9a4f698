"""A group of appends as one transaction: who may go, then everything in a few statements."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Delete, Insert, Update, delete, insert, select

from rollwright.server.json_codec import JsonError, decode, encode
from rollwright.server.storage.appends import (
    Append,
    AppendConflict,
    AppendOutcome,
    AppendRepeat,
    AppendResult,
    Creation,
    CreationResult,
    NoTableError,
    OtherLogError,
)
from rollwright.server.storage.rows import Row, Rows, check_order, rows_of, sizes_of
from rollwright.server.storage.schema import (
    ENDS,
    ERASE,
    FOR_SQLITE,
    HANDOVERS,
    IN_ONE,
    INSERT_COMMANDS,
    INSERT_EVENTS,
    INSERT_TEXTS,
    INSERT_TOKENS,
    KNOWN,
    LOCK,
    LOCK_FREE,
    MOVE_HEAD,
    REMEMBER,
    REVOKE,
    SET_MARK,
    THERE,
    TOUCH,
    deleted,
    tables,
)
from rollwright.table.events import first_hash

Key = tuple[str, str, str]
End = tuple[int, str]
"""The head of a log and its hash."""
Outcome = AppendOutcome | NoTableError


class PreparedAppend(NamedTuple):
    """An append, its rows, and how many bytes each of its events adds to the log."""

    append: Append
    rows: Rows
    sizes: list[int]


def prepare_append(append: Append) -> PreparedAppend:
    """Prepare an append; what cannot be stored is refused here, before it meets the others."""
    check_order(append, append.after)
    rows = rows_of(append)
    return PreparedAppend(append, rows, sizes_of(rows))


def write_optimistic(
    connection: Connection, group: Sequence[PreparedAppend]
) -> list[Outcome] | None:
    """Write a group in which everything goes well; None if not, and then nothing may stay.

    Heads that moved and commands that were stored before are rare, so nobody asks for them
    first: the update of the heads and the keys of the commands find them.
    """
    in_order = sorted(group, key=_table_of)  # all lock in one order: nobody waits in a circle
    for run in _runs(in_order):
        if not _move_heads(connection, run):
            return None
        _write_rows(connection, [one.rows for one in run])
    return [_result_of(one.append) for one in group]


def refusal_of(connection: Connection, one: PreparedAppend) -> Outcome | None:
    """Why the head of an append could not be moved; None if it could be now.

    Nothing is written or locked for that, so no commit has to reach the disk.
    """
    ends: dict[str, End] = {
        id: (head, hash) for id, head, hash in connection.execute(ENDS, {"ids": [one.append.table]})
    }
    answer = _outcome_of(one.append, ends, _find_repeats(connection, [one]))
    return None if isinstance(answer, AppendResult) else answer


def write_with_locks(connection: Connection, group: Sequence[PreparedAppend]) -> list[Outcome]:
    """Find out who may go, then write those; answers in the order of the group."""
    ids = sorted({one.append.table for one in group})
    locked = connection.execute(LOCK, {"ids": ids})
    ends: dict[str, End] = {row.id: (row.head, row.hash) for row in locked}
    known = _find_repeats(connection, group)
    answers = [_outcome_of(one.append, ends, known) for one in group]
    going = [one for one, answer in zip(group, answers) if isinstance(answer, AppendResult)]
    for run in _runs(sorted(going, key=_table_of)):
        if not _move_heads(connection, run):
            raise AssertionError("a head moved although it was locked")
        _write_rows(connection, [one.rows for one in run])
    return answers


def write_skipping_locks(
    connection: Connection, group: Sequence[PreparedAppend]
) -> list[Outcome | None]:
    """Write what no other process keeps locked; None for what is."""
    ids = {"ids": sorted({one.append.table for one in group})}
    free = {*connection.scalars(LOCK_FREE, ids)}
    held = {*connection.scalars(THERE, ids)} - free
    going = [one for one in group if one.append.table not in held]
    answers = iter(write_with_locks(connection, going) if going else ())
    return [None if one.append.table in held else next(answers) for one in group]


def _table_of(one: PreparedAppend) -> str:
    return one.append.table


def _find_repeats(
    connection: Connection, group: Iterable[PreparedAppend]
) -> dict[Key, AppendRepeat]:
    keys = [_key(one.append) for one in group if one.append.command]
    if not keys:
        return {}
    found = connection.execute(KNOWN, {"keys": keys})
    return {(table, seat, id): AppendRepeat(first, last) for table, seat, id, first, last in found}


def _key(append: Append) -> Key:
    return append.table, append.seat, append.command


def _outcome_of(append: Append, ends: dict[str, End], known: dict[Key, AppendRepeat]) -> Outcome:
    """Return the outcome of an append; note in `ends` and `known` what the later ones will find."""
    if append.table not in ends:
        return NoTableError(append.table)
    if repeated := known.get(_key(append)) if append.command else None:
        return repeated
    if ends[append.table] != (append.after, append.before):
        return AppendConflict(ends[append.table][0])
    if append.events:
        ends[append.table] = append.events[-1].seq, append.events[-1].hash
    stored = _result_of(append)
    if append.command:
        known[_key(append)] = AppendRepeat(*stored)
    return stored


def _result_of(append: Append) -> AppendResult:
    if not append.events:
        return AppendResult(None, None)
    return AppendResult(append.events[0].seq, append.events[-1].seq)


def _runs(going: Iterable[PreparedAppend]) -> Iterator[list[PreparedAppend]]:
    """Cut where order matters: before and behind what revokes or erases."""
    run: list[PreparedAppend] = []
    for one in going:
        if one.rows.is_barrier and run:
            yield run
            run = []
        run.append(one)
        if one.rows.is_barrier:
            yield run
            run = []
    if run:
        yield run


def _move_heads(connection: Connection, run: Sequence[PreparedAppend]) -> bool:
    """Move the heads; whether every one of them was where it was expected."""
    return execute(connection, MOVE_HEAD, [_move(one) for one in run]) == len(run)


def _write_rows(connection: Connection, run: Sequence[Rows]) -> None:
    for statement, rows in (
        (REVOKE, [row for one in run for row in one.revoked]),
        (ERASE, [row for one in run for row in one.erased]),
        (INSERT_EVENTS, [row for one in run for row in one.events]),
        (INSERT_COMMANDS, [row for one in run for row in one.commands]),
        (INSERT_TEXTS, [row for one in run for row in one.texts]),
        (INSERT_TOKENS, [row for one in run for row in one.tokens]),
    ):
        if rows:
            execute(connection, statement, rows)


def execute(
    connection: Connection, statement: Insert | Update | Delete, rows: Sequence[Row]
) -> int:
    """Run a statement for every row, in as few steps as the database allows; how many it met."""
    if statement in FOR_SQLITE and connection.dialect.name == "sqlite":
        plain, values = FOR_SQLITE[statement]
        return connection.exec_driver_sql(plain, [values(row) for row in rows]).rowcount
    if len(rows) == 1:
        return connection.execute(statement, rows[0]).rowcount
    if statement in IN_ONE and connection.dialect.name == "postgresql":
        whole = {"rows": encode(rows).decode()}
        return connection.execute(IN_ONE[statement], whole).rowcount
    return connection.execute(statement, rows).rowcount


def _move(one: PreparedAppend) -> Row:
    """How the head moves; an append without events only touches the table."""
    append = one.append
    return {
        "of_table": append.table,
        "expected": append.after,
        "expected_hash": append.before,
        "new_head": append.after + len(append.events),
        "new_hash": append.events[-1].hash if append.events else None,
        "at": append.at,
        "more": sum(one.sizes),
    }


def create(connection: Connection, creation: Creation, rows: Rows) -> CreationResult:
    """Make a table, or find the one that was made for the same `create_id`."""
    if found := find_creation(connection, creation.create_id):
        return found
    _check_same(connection, creation)
    last = creation.events[-1] if creation.events else None
    row = {
        "id": creation.table,
        "create_id": creation.create_id,
        "created_at": creation.at,
        "touched_at": creation.at,
        "head": last.seq if last else 0,
        "hash": last.hash if last else first_hash(creation.table),
        "secret": creation.secret,
        "size": sum(sizes_of(rows)),
    }
    connection.execute(insert(tables), row)
    _write_rows(connection, [rows])
    return CreationResult(creation.table, new=True)


def find_creation(connection: Connection, create_id: str) -> CreationResult | None:
    """The table that was made for a `create_id`."""
    found = connection.scalar(select(tables.c.id).where(tables.c.create_id == create_id))
    return None if found is None else CreationResult(found, new=False)


def _check_same(connection: Connection, creation: Creation) -> None:
    """Refuse another log in the place of a table that was deleted: hashes can be made again."""
    known = connection.scalar(select(deleted.c.handovers).where(deleted.c.id == creation.table))
    if known is not None and not {*creation.handovers} <= {*known.split()}:
        raise OtherLogError(creation.table)


def delete_table(connection: Connection, table: str, idle_since: int | None = None) -> bool:
    """Delete a table; everything of it goes with it. False if it is not there, or not idle.

    Its id stays, with what its log had committed to, so that nobody takes its place.
    """
    statement = delete(tables).where(tables.c.id == table)
    if idle_since is not None:
        statement = statement.where(tables.c.touched_at < idle_since)
    bodies = list(connection.scalars(HANDOVERS, {"of_table": table}))
    if not connection.execute(statement).rowcount:
        return False
    told = " ".join(filter(None, map(_handover_in, bodies)))
    now = time.time_ns() // 1_000_000
    connection.execute(REMEMBER, {"id": table, "handovers": told, "at": now})
    return True


def _handover_in(body: str) -> str:
    try:
        found = decode(body)
        return str(found.get("handover", "")) if isinstance(found, dict) else ""
    except JsonError:  # a damaged event keeps nobody from deleting its table
        return ""


def prune_deletions(connection: Connection, most: int) -> None:
    """Keep the ids of so many deleted tables, the latest of them."""
    newest = select(deleted.c.at).order_by(deleted.c.at.desc()).offset(most).limit(1)
    if (oldest := connection.scalar(newest)) is not None:
        connection.execute(delete(deleted).where(deleted.c.at <= oldest))


def touch(connection: Connection, ids: Collection[str], at: int) -> None:
    """Note that somebody was at these tables."""
    if ids:
        connection.execute(TOUCH, [{"of_table": table, "at": at} for table in sorted(ids)])


def mark(connection: Connection, name: str, value: int) -> None:
    """Note a number under a name, in the place of the one before."""
    connection.execute(SET_MARK, {"name": name, "value": value})
