"""Bringing a database to the version that this Rollwright knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text

from rollwright.server.appends import BadDatabase
from rollwright.server.schema import metadata

SCRIPTS = Path(__file__).parent / "migrations"
BEFORE_RELEASE = ("1", "2")
"""Versions whose logs are of the first format, which nothing reads any more."""
ONE_AT_A_TIME = 7_655_744_912
"""The number of the lock that keeps two processes from migrating at once."""


def newest(scripts: Path | None = None) -> str:
    """The version that this Rollwright knows."""
    return ScriptDirectory(scripts or SCRIPTS).get_current_head() or ""


def version_of(connection: Connection) -> str:
    """The version of a database; "" if there is nothing in it yet."""
    return MigrationContext.configure(connection).get_current_revision() or ""


def is_known(version: str, scripts: Path | None = None) -> bool:
    """Whether it is a version that this Rollwright can start from."""
    try:
        return not version or ScriptDirectory(scripts or SCRIPTS).get_revision(version) is not None
    except CommandError:
        return False


def upgrade(connection: Connection, to: str = "head", scripts: Path | None = None) -> str:
    """Bring the database up to date in the transaction that is open; answers with its version."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = 0"))  # another one may take its time
        lock = text("SELECT pg_advisory_xact_lock(:number)")
        connection.execute(lock, {"number": ONE_AT_A_TIME})
    check_known(version_of(connection), scripts)
    if connection.dialect.name == "sqlite" and connection.scalar(text("PRAGMA foreign_keys")):
        raise AssertionError("a migration of SQLite needs engine_for(…, migrating=True)")
    directory = ScriptDirectory(scripts or SCRIPTS)

    def steps(version: Any, _: MigrationContext) -> Any:
        return directory._upgrade_revs(to, version)

    with EnvironmentContext(Config(), directory, fn=steps) as environment:
        environment.configure(
            connection=connection, target_metadata=metadata, transactional_ddl=True
        )
        environment.run_migrations()
    if connection.dialect.name == "sqlite" and connection.scalar(text("PRAGMA foreign_key_check")):
        raise BadDatabase("after the upgrade some rows refer to nothing; nothing was changed")
    return version_of(connection)


def check_known(version: str, scripts: Path | None = None) -> None:
    """Refuse a database that a newer Rollwright has made, or one before the first release."""
    if version in BEFORE_RELEASE:
        raise BadDatabase(
            f"the database has version {version!r}, which is older than any release, and is read "
            "no more: begin with a new one"
        )
    if not is_known(version, scripts):
        raise BadDatabase(
            f"the database has version {version!r}, which this Rollwright does not know; "
            f"it knows {newest(scripts)!r} and older: use a newer Rollwright"
        )


def check_newest(version: str, what: str = "the database") -> None:
    """Refuse a database that is not up to date."""
    check_known(version)
    if version != newest():
        has = f"has version {version!r}" if version else "is empty"
        raise BadDatabase(f"{what} {has}, {newest()!r} is needed: run `rollwright db upgrade`")
