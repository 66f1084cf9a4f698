"""The versions of the database: they lead to the schema of the code, and keep the data."""

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from rollwright.server.storage import versions
from rollwright.server.storage.appends import BadDatabaseError
from rollwright.server.storage.databases import address, engine_for
from rollwright.server.storage.schema import metadata
from rollwright.server.storage.store import Store
from tests.server.stored_logs import Log, add, is_whole, link, make, run, said


@contextlib.contextmanager
def connected(url):
    """A transaction on a database."""
    engine = engine_for(address(url), migrating=True)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


async def filled(url):
    """Two tables with something of everything; what the storage says about them."""
    store = await Store.open(url)
    try:
        for name in ("abc", "xyz"):
            log = Log(name)
            await store.create_table(log.creation(side=(link(f"h-{name}"),)))
            await add(store, log, said("t2.0", "s1", "hé"), command="command-1")
        return [await store.table_contents(name) for name in ("abc", "xyz")]
    finally:
        await store.close()


def test_migrations_lead_to_the_schema(database_url):
    """Alembic finds no difference between an upgraded database and the code's own tables."""
    with connected(database_url) as connection:
        assert "" == versions.version_of(connection)
        assert versions.newest() == versions.upgrade(connection)
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert [] == compare_metadata(context, metadata)
        assert {"alembic_version", *metadata.tables} == set(inspect(connection).get_table_names())


def test_the_comparison_sees_a_difference(database_url):
    """It would find a column that the code does not know, so the test above can fail."""
    with connected(database_url) as connection:
        versions.upgrade(connection)
        connection.execute(text("ALTER TABLE tables ADD COLUMN colour TEXT"))
        context = MigrationContext.configure(connection)
        assert ["remove_column"] == [found[0] for found in compare_metadata(context, metadata)]


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_database_from_before_the_first_release_is_refused(database_url, version):
    """Its logs are of a format that nothing reads any more, and that is said."""
    with connected(database_url) as connection:
        versions.upgrade(connection)
        connection.execute(text("UPDATE alembic_version SET version_num = :old"), {"old": version})
    with (
        connected(database_url) as connection,
        pytest.raises(BadDatabaseError, match="older than any release"),
    ):
        versions.upgrade(connection)
    with pytest.raises(BadDatabaseError, match="older than any release"):
        run(Store.open(database_url))


def test_an_upgrade_keeps_what_is_there(database_url, later):
    """A version behind the newest is put on a database in use: the same tables come back."""
    before = run(filled(database_url))
    with connected(database_url) as connection:
        assert "later" == versions.upgrade(connection, scripts=later)
    with connected(database_url) as connection:
        colours = connection.execute(text("SELECT colour FROM tables")).scalars().all()
        assert ["red", "red"] == colours
        for table in ("later", "alembic_version"):
            connection.execute(text(f"DELETE FROM {table}"))
        connection.execute(
            text("INSERT INTO alembic_version VALUES (:version)"), {"version": versions.newest()}
        )

    async def story():
        store = await Store.open(database_url)
        try:
            assert before == [await store.table_contents(name) for name in ("abc", "xyz")]
            assert is_whole("abc", before[0].events)
        finally:
            await store.close()

    run(story())


def test_a_failed_upgrade_changes_nothing(database_url, later):
    """An error in a later step undoes the steps before it."""
    script = later / "versions" / "later.py"
    script.write_text(script.read_text() + "    raise RuntimeError('no')\n")
    run(filled(database_url))
    with pytest.raises(RuntimeError), connected(database_url) as connection:
        versions.upgrade(connection, scripts=later)
    with connected(database_url) as connection:
        assert versions.newest() == versions.version_of(connection)
        assert "later" not in inspect(connection).get_table_names()


def test_a_database_of_a_newer_version_is_refused(database_url, later):
    """An older Rollwright says so and touches nothing."""
    with connected(database_url) as connection:
        versions.upgrade(connection, scripts=later)
    with pytest.raises(BadDatabaseError, match=r"version 'later', which .* use a newer Rollwright"):
        run(Store.open(database_url))


def test_who_upgrades_an_older_database(database_url, later, monkeypatch):
    """A SQLite file is upgraded when it is opened; PostgreSQL waits for `rollwright db upgrade`."""
    run(filled(database_url))
    monkeypatch.setattr(versions, "SCRIPTS", later)
    if database_url.startswith("sqlite"):
        run(opened_and_closed(database_url))
        with connected(database_url) as connection:
            assert "later" == versions.version_of(connection)
        return
    with pytest.raises(BadDatabaseError, match="'later' is needed: run `rollwright db upgrade`"):
        run(Store.open(database_url))


async def opened_and_closed(url):
    """Open a store for a moment."""
    store = await Store.open(url)
    await store.close()


def test_two_processes_may_upgrade_at_once(postgres):
    """One does it, the others find it done."""
    url = postgres.fresh()

    def upgraded(_):
        with connected(url) as connection:
            return versions.upgrade(connection)

    with ThreadPoolExecutor(4) as threads:
        assert [versions.newest()] * 4 == list(threads.map(upgraded, range(4)))


def test_two_servers_may_start_on_an_empty_database(postgres):
    """Both make it usable, and both are served."""
    url = postgres.fresh()

    async def story():
        stores = await asyncio.gather(*[Store.open(url) for _ in range(3)])
        await make(stores[0], "abc")
        assert [{"abc": 1}] * 3 == [await store.heads(["abc"]) for store in stores]
        for store in stores:
            await store.close()

    run(story())
