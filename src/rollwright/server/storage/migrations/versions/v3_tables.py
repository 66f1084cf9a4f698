"""The first version that is kept: tables with all that belongs to them, and what servers note."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make everything."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("create_id", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("touched_at", sa.BigInteger, nullable=False),
        sa.Column("head", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("create_id", name="uq_tables_create_id"),
    )
    _events()
    _beside_the_log()
    _for_hosts()
    _for_servers()


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("roll", sa.Text, nullable=False),
        sa.Column("audience", sa.Text),
        sa.Column("open", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("salt", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_events"),
        _of_a_table("events"),
    )


def _beside_the_log() -> None:
    op.create_table(
        "commands",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("first", sa.BigInteger),
        sa.Column("last", sa.BigInteger),
        sa.PrimaryKeyConstraint("table_id", "seat", "command_id", name="pk_commands"),
        _of_a_table("commands"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "texts",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("ref", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("salt", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "ref", name="pk_texts"),
        _of_a_table("texts"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_texts_seq", "texts", ["table_id", "seq"])
    op.create_table(
        "tokens",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
        _of_a_table("tokens"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tokens_table_id", "tokens", ["table_id"])


def _for_hosts() -> None:
    op.create_table(
        "bans",
        sa.Column("network", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("ends_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("network", name="pk_bans"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "keys",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("ends_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("hash", name="pk_keys"),
        sqlite_with_rowid=False,
    )


def _for_servers() -> None:
    op.create_table(
        "marks",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_marks"),
    )
    op.create_table(
        "deleted",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("handovers", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_deleted"),
    )
    op.create_index("ix_deleted_at", "deleted", ["at"])
    op.create_table(
        "idle",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_idle"),
        _of_a_table("idle"),
    )


def _of_a_table(name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["table_id"], ["tables.id"], name=f"fk_{name}_table_id", ondelete="CASCADE"
    )
