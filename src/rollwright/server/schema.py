"""The tables of the database, one schema for SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

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

nonces = Table(
    "nonces",
    metadata,
    _table_id(),
    Column("commitment", Text, primary_key=True),
    Column("seat", Text, nullable=False),
    Column("nonce", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# Of the host, not of a table: networks that are kept out, and hashes of the host's own keys.
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

ALL = (tables, events, commands, texts, tokens, nonces, bans, keys)
"""In the order in which rows are written: what others refer to comes first."""

# What servers note for themselves; no copy of the tables has it.
marks = Table(
    "marks",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

# Of a deleted table, what its log had committed to: who brings it back must be a referee of it.
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
