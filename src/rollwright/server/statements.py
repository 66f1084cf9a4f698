"""The statements that write, made once."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    FromClause,
    Insert,
    Integer,
    Table,
    TextClause,
    Update,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import sqlite

from rollwright.server.schema import commands, events, nonces, tables, texts, tokens

ENDS = (
    select(tables.c.id, tables.c.head, tables.c.hash)
    .where(tables.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tables.c.id)
)
LOCK = ENDS.with_for_update()
LOCK_FREE = (
    select(tables.c.id)
    .where(tables.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tables.c.id)
    .with_for_update(skip_locked=True)
)
THERE = select(tables.c.id).where(tables.c.id.in_(bindparam("ids", expanding=True)))
KNOWN = select(
    commands.c.table_id, commands.c.seat, commands.c.command_id, commands.c.first, commands.c.last
).where(
    tuple_(commands.c.table_id, commands.c.seat, commands.c.command_id).in_(
        bindparam("keys", expanding=True)
    )
)
MOVE_HEAD = (
    update(tables)
    .where(
        tables.c.id == bindparam("of_table"),
        tables.c.head == bindparam("expected"),
        tables.c.hash == bindparam("expected_hash"),
    )
    .values(
        head=bindparam("new_head"),
        hash=func.coalesce(bindparam("new_hash"), tables.c.hash),
        touched_at=bindparam("at"),
        size=tables.c.size + bindparam("more"),
    )
)
TOUCH = (
    update(tables)
    .where(tables.c.id == bindparam("of_table"), tables.c.touched_at < bindparam("at"))
    .values(touched_at=bindparam("at"))
)


def _named(some: FromClause) -> ColumnElement[bool]:
    """Links of a role, or tokens of a seat."""
    return and_(
        some.c.table_id == bindparam("of_table"),
        some.c.kind == bindparam("of_kind"),
        or_(bindparam("of_role") == "", some.c.role == bindparam("of_role")),
        or_(bindparam("of_seat") == "", some.c.seat == bindparam("of_seat")),
    )


_others = tokens.alias()
_newest = (
    select(_others.c.hash)
    .where(_named(_others), ~_others.c.revoked)
    .order_by(_others.c.created_at.desc(), _others.c.hash)
    .limit(bindparam("but", type_=Integer))
)
REVOKE = update(tokens).where(_named(tokens), tokens.c.hash.not_in(_newest)).values(revoked=True)
ERASE = delete(texts).where(
    texts.c.table_id == bindparam("of_table"), texts.c.seat == bindparam("of_seat")
)
USE = delete(nonces).where(
    nonces.c.table_id == bindparam("of_table"),
    nonces.c.commitment == bindparam("of_commitment"),
)
INSERT_EVENTS, INSERT_COMMANDS, INSERT_TEXTS = insert(events), insert(commands), insert(texts)
INSERT_TOKENS, INSERT_NONCES = insert(tokens), insert(nonces)

SET_MARK = text(
    "INSERT INTO marks (name, value) VALUES (:name, :value)"
    " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)

HANDOVERS = (
    select(events.c.body)
    .where(
        events.c.table_id == bindparam("of_table"),
        events.c.kind.in_(("table.created", "table.imported")),
    )
    .order_by(events.c.seq.desc())
    .limit(1000)
)
REMEMBER = text(
    "INSERT INTO deleted (id, handovers, at) VALUES (:id, :handovers, :at)"
    " ON CONFLICT (id) DO UPDATE SET handovers = excluded.handovers, at = excluded.at"
)


def _in_one(table: Table) -> TextClause:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    rows = f"json_populate_recordset(NULL::{table.name}, CAST(:rows AS json))"
    return text(f"INSERT INTO {table.name} ({names}) SELECT {names} FROM {rows}")


IN_ONE: dict[Executable, TextClause] = {
    INSERT_EVENTS: _in_one(events),
    INSERT_COMMANDS: _in_one(commands),
    INSERT_TEXTS: _in_one(texts),
}
"""PostgreSQL takes many rows as one JSON in half the time that it needs for one after another."""


def _for_sqlite(statement: Insert | Update) -> tuple[str, Callable[[dict[str, Any]], Any]]:
    compiled = statement.compile(dialect=sqlite.dialect())
    return str(compiled), itemgetter(*compiled.positiontup or ())


FOR_SQLITE: dict[Executable, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    statement: _for_sqlite(statement) for statement in (MOVE_HEAD, INSERT_EVENTS, INSERT_COMMANDS)
}
"""What every roll writes, as the driver takes it, and the values of a row in their order: rows of
texts and numbers need no conversion, which took longer than the writing."""
