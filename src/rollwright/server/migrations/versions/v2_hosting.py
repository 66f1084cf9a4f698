"""What a host needs: how large each log is, who is kept out, and the keys of the host."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None

EVENT_BYTES = 256
"""Of an event beside what it tells, as the server counts it."""


def upgrade() -> None:
    """Add them, and count what is there."""
    op.add_column("tables", sa.Column("size", sa.BigInteger, nullable=False, server_default="0"))
    op.execute(sa.text(_counted(op.get_bind().dialect.name)))
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


def _counted(dialect: str) -> str:
    def size(column: str) -> str:
        in_sqlite = f"length(CAST({column} AS BLOB))"
        return in_sqlite if dialect == "sqlite" else f"octet_length({column})"

    return (
        "UPDATE tables SET size = coalesce((SELECT sum("
        f"{EVENT_BYTES} + {size('open')} + {size('body')}"
        ") FROM events WHERE events.table_id = tables.id), 0) + coalesce((SELECT sum("
        f"{size('text')}) FROM texts WHERE texts.table_id = tables.id), 0)"
    )
