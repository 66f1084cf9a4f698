"""The statements that write, made once."""

from __future__ import annotations

from sqlalchemy import (
    Executable,
    Table,
    TextClause,
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

from rollwright.server.schema import commands, events, nonces, tables, texts, tokens

LOCK = (
    select(tables.c.id, tables.c.head, tables.c.hash)
    .where(tables.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tables.c.id)
    .with_for_update()
)
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
REVOKE = (
    update(tokens)
    .where(
        tokens.c.table_id == bindparam("of_table"),
        tokens.c.kind == bindparam("of_kind"),
        or_(bindparam("of_role") == "", tokens.c.role == bindparam("of_role")),
        or_(bindparam("of_seat") == "", tokens.c.seat == bindparam("of_seat")),
    )
    .values(revoked=True)
)
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
