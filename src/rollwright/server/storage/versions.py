"""Bringing a database to the version that this Rollwright knows."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic, sleep

from alembic.config import Config
from alembic.migration import MigrationContext, RevisionStep
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from rollwright.server.storage.appends import (
    BadDatabaseError,
    StoreDamageError,
    StoreError,
    StoreUnavailableError,
)
from rollwright.server.storage.databases import (
    Tuning,
    engine_for,
    file_of,
    format_address,
    is_sqlite,
)
from rollwright.server.storage.health import (
    HealthState,
    failure,
    health_state_of,
    is_unreachable,
    reason,
)
from rollwright.server.storage.locks import open_own_file
from rollwright.server.storage.schema import metadata

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


def can_start_from(version: str, scripts: Path | None = None) -> bool:
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
    check_version(version_of(connection), scripts)
    if connection.dialect.name == "sqlite" and connection.scalar(text("PRAGMA foreign_keys")):
        raise AssertionError("a migration of SQLite needs engine_for(…, migrating=True)")
    directory = ScriptDirectory(scripts or SCRIPTS)

    def steps(version: str, _: MigrationContext) -> list[RevisionStep]:
        return directory._upgrade_revs(to, version)

    with EnvironmentContext(Config(), directory, fn=steps) as environment:
        environment.configure(
            connection=connection, target_metadata=metadata, transactional_ddl=True
        )
        environment.run_migrations()
    if connection.dialect.name == "sqlite" and connection.scalar(text("PRAGMA foreign_key_check")):
        raise BadDatabaseError("after the upgrade some rows refer to nothing; nothing was changed")
    return version_of(connection)


def check_version(version: str, scripts: Path | None = None) -> None:
    """Refuse a database that a newer Rollwright has made, or one before the first release."""
    if version in BEFORE_RELEASE:
        raise BadDatabaseError(
            f"the database has version {version!r}, which is older than any release, and is read "
            "no more: begin with a new one"
        )
    if not can_start_from(version, scripts):
        raise BadDatabaseError(
            f"the database has version {version!r}, which this Rollwright does not know; "
            f"it knows {newest(scripts)!r} and older: use a newer Rollwright"
        )


def check_newest(version: str, what: str = "the database") -> None:
    """Refuse a database that is not up to date."""
    check_version(version)
    if version != newest():
        has = f"has version {version!r}" if version else "is empty"
        raise BadDatabaseError(f"{what} {has}, {newest()!r} is needed: run `rollwright db upgrade`")


PAUSE_SECONDS = 0.2


def prepare(url: URL, tuning: Tuning) -> None:
    """Make the database usable; raises BadDatabase or StoreDown.

    An empty one is filled. An older one is upgraded if it is a SQLite file, which nobody else
    serves; on PostgreSQL other processes may still run the older version, so people decide.
    """
    make_file(url)
    engine = engine_for(url, tuning, migrating=True)
    until = monotonic() + tuning.patience
    try:
        while not _try_prepare(engine, url, last_try=monotonic() > until):
            sleep(PAUSE_SECONDS)
    finally:
        engine.dispose()


def _try_prepare(engine: Engine, url: URL, *, last_try: bool) -> bool:
    try:
        with engine.connect() as connection, connection.begin():
            version = version_of(connection)
            check_version(version)
            if version != newest() and (not version or is_sqlite(url)):
                upgrade(connection)
            check_newest(version_of(connection))
            return True
    except SQLAlchemyError as problem:
        if not is_unreachable(problem):
            raise open_error(url, problem) from None
        if last_try:
            raise StoreUnavailableError(reason(problem)) from None
    return False


def open_error(url: URL, problem: SQLAlchemyError) -> StoreError:
    """Why a database cannot be opened."""
    known = failure(problem)
    if isinstance(known, StoreUnavailableError | StoreDamageError):
        look = ""
        if health_state_of(problem) is HealthState.CORRUPT:
            look = (
                "; `rollwright db check` tells more: put it aside, and fill a new one "
                "from a backup with `rollwright db restore`"
            )
        why = reason(problem)
        return BadDatabaseError(
            f"{format_address(url)} cannot be used as database: {why}{look}", why
        )
    return known


def make_folder(url: URL) -> None:
    """Make the folder of a SQLite file."""
    folder = file_of(url).parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise BadDatabaseError(f"{folder} cannot be made: {problem.strerror}") from None


def make_file(url: URL) -> None:
    """Make the SQLite file, readable for its owner alone: it holds the secrets of the tables."""
    if not is_sqlite(url):
        return
    make_folder(url)
    if file_of(url).is_file() and os.access(file_of(url), os.W_OK):
        return  # to open and close it would free what SQLite has locked in this process
    place = Path(os.path.realpath(file_of(url)))
    try:
        os.close(open_own_file(place, like=place.parent))
    except OSError as problem:
        raise BadDatabaseError(f"{file_of(url)} cannot be written: {problem.strerror}") from None
