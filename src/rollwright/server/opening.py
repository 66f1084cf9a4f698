"""Opening a database for use: made where there is none, brought up to date where that is safe."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic, sleep

from sqlalchemy import Engine
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from rollwright.server.appends import BadDatabase, StoreBroken, StoreDown, StoreError
from rollwright.server.claims import own_file
from rollwright.server.databases import Tuning, engine_for, file_of, is_sqlite, said
from rollwright.server.failures import Trouble, failure, is_lost, reason, trouble_of
from rollwright.server.migrating import check_known, check_newest, newest, upgrade, version_of

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
        while not _prepared(engine, url, last_try=monotonic() > until):
            sleep(PAUSE_SECONDS)
    finally:
        engine.dispose()


def _prepared(engine: Engine, url: URL, *, last_try: bool) -> bool:
    try:
        with engine.connect() as connection, connection.begin():
            version = version_of(connection)
            check_known(version)
            if version != newest() and (not version or is_sqlite(url)):
                upgrade(connection)
            check_newest(version_of(connection))
            return True
    except SQLAlchemyError as problem:
        if not is_lost(problem):
            raise unusable(url, problem) from None
        if last_try:
            raise StoreDown(reason(problem)) from None
    return False


def unusable(url: URL, problem: SQLAlchemyError) -> StoreError:
    """Why a database cannot be opened."""
    known = failure(problem)
    if isinstance(known, StoreDown | StoreBroken):
        look = ""
        if trouble_of(problem) is Trouble.CORRUPT:
            look = (
                "; `rollwright db check` tells more: put it aside, and fill a new one "
                "from a backup with `rollwright db restore`"
            )
        why = reason(problem)
        return BadDatabase(f"{said(url)} cannot be used as database: {why}{look}", why)
    return known


def make_folder(url: URL) -> None:
    """Make the folder of a SQLite file."""
    folder = file_of(url).parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise BadDatabase(f"{folder} cannot be made: {problem.strerror}") from None


def make_file(url: URL) -> None:
    """Make the SQLite file, readable for its owner alone: it holds the secrets of the tables."""
    if not is_sqlite(url):
        return
    make_folder(url)
    if file_of(url).is_file() and os.access(file_of(url), os.W_OK):
        return  # to open and close it would free what SQLite has locked in this process
    place = Path(os.path.realpath(file_of(url)))
    try:
        os.close(own_file(place, like=place.parent))
    except OSError as problem:
        raise BadDatabase(f"{file_of(url)} cannot be written: {problem.strerror}") from None
