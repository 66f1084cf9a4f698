"""The tables of the database, one schema for SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import itemgetter

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Executable,
    ForeignKey,
    FromClause,
    Index,
    Insert,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
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

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


def _table_id(*, primary_key: bool = True) -> Column[str]:
    """The table that a row belongs to; it goes when the table goes."""
    return Column(
        "table_id",
        Text,
        ForeignKey("tables.id", ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=False,
    )


tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("create_id", Text, nullable=False, unique=True),
    Column("created_at", BigInteger, nullable=False),
    Column("touched_at", BigInteger, nullable=False),
    Column("head", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("size", BigInteger, nullable=False, server_default="0"),
)

# A roll's events are loaded by the table's log, so `roll` is there for those who look into the
# database by hand, and for an index the day it is needed.
events = Table(
    "events",
    metadata,
    _table_id(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("roll", Text, nullable=False),
    Column("audience", Text),
    Column("open", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("hash", Text, nullable=False),
)

commands = Table(
    "commands",
    metadata,
    _table_id(),
    Column("seat", Text, primary_key=True),
    Column("command_id", Text, primary_key=True),
    Column("first", BigInteger),
    Column("last", BigInteger),
    sqlite_with_rowid=False,
)

# `seq` is the event that brought the text, so that a stretch of the log finds its texts.
texts = Table(
    "texts",
    metadata,
    _table_id(),
    Column("ref", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("seat", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("text", Text, nullable=False),
    Index("ix_texts_seq", "table_id", "seq"),
    sqlite_with_rowid=False,
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", Text, primary_key=True),
    _table_id(primary_key=False),
    Column("kind", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("seat", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("revoked", Boolean, nullable=False),
    Index("ix_tokens_table_id", "table_id"),
    sqlite_with_rowid=False,
)

# They belong to the host, not to a table: networks that are kept out, and hashes of the host's own
# keys.
bans = Table(
    "bans",
    metadata,
    Column("network", Text, primary_key=True),
    Column("made_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger),
    sqlite_with_rowid=False,
)

keys = Table(
    "keys",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger),
    sqlite_with_rowid=False,
)

ALL = (tables, events, commands, texts, tokens, bans, keys)
"""In the order in which rows are written: what others refer to comes first."""

# Servers' own notes; no copy of the tables has them.
marks = Table(
    "marks",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

# The commitments of a deleted table's log: only its referee may bring it back.
deleted = Table(
    "deleted",
    metadata,
    Column("id", Text, primary_key=True),
    Column("handovers", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_deleted_at", "at"),
)

# Tables that are to be deleted when nobody comes, and when that was first seen: in the time that
# servers have watched, not by a clock that somebody may set.
idle = Table("idle", metadata, _table_id(), Column("since", BigInteger, nullable=False))


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


def _tokens_of(some: FromClause) -> ColumnElement[bool]:
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
    .where(_tokens_of(_others), ~_others.c.revoked)
    .order_by(_others.c.created_at.desc(), _others.c.hash)
    .limit(bindparam("but", type_=Integer))
)
REVOKE = (
    update(tokens).where(_tokens_of(tokens), tokens.c.hash.not_in(_newest)).values(revoked=True)
)
ERASE = delete(texts).where(
    texts.c.table_id == bindparam("of_table"), texts.c.seat == bindparam("of_seat")
)
INSERT_EVENTS, INSERT_COMMANDS, INSERT_TEXTS = insert(events), insert(commands), insert(texts)
INSERT_TOKENS = insert(tokens)

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


ForDriver = tuple[str, Callable[[Mapping[str, object]], tuple[object, ...]]]
"""A statement as text, and what takes its values out of a row in their order."""


def _for_sqlite(statement: Insert | Update) -> ForDriver:
    compiled = statement.compile(dialect=sqlite.dialect())
    return str(compiled), itemgetter(*compiled.positiontup or ())


FOR_SQLITE: dict[Executable, ForDriver] = {
    statement: _for_sqlite(statement) for statement in (MOVE_HEAD, INSERT_EVENTS, INSERT_COMMANDS)
}
"""Statements that every roll writes, as the driver takes them, with the values of a row in their
order: rows of texts and numbers need no conversion, which took longer than the writing.
"""
