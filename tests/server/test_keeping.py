"""How a database is, and tables that nobody comes to any more."""

import asyncio
import os

import pytest

from rollwright.server.storage import inventory, versions
from rollwright.server.storage.appends import BadDatabaseError
from rollwright.server.storage.databases import address
from rollwright.server.storage.inventory import purge, status, upgrade_database
from tests.server.stored_logs import NOW, Log, add, make, run

DAY = inventory.DAY


async def fill(store):
    """A table of today, one of yesterday and one of last week."""
    for days, name in [(0, "new"), (1, "old"), (7, "older")]:
        log = Log(name)
        await store.create_table(log.creation(at=NOW - days * DAY))


def test_the_status_of_a_database(database_url, open_store):
    """Versions, counts, size, the last touch; before there is anything, it makes nothing."""
    url = address(database_url)
    empty = status(url)
    assert ("", versions.newest(), 0, 0) == (
        empty.version,
        empty.newest,
        empty.tables,
        empty.events,
    )

    async def story():
        async with open_store(database_url) as store:
            await fill(store)
            return await asyncio.to_thread(status, url)

    served = run(story())
    assert (3, 3, NOW) == (served.tables, served.events, served.touched_at)
    assert served.bytes > 10_000
    if database_url.startswith("sqlite"):
        assert os.getpid() == served.served_by
    assert served.newest == served.version
    assert None is status(url).served_by


def test_a_look_makes_no_file(sqlite_url, tmp_path):
    """Asking how a database is that does not exist leaves nothing behind."""
    assert "" == status(address(sqlite_url)).version
    assert [] == list(tmp_path.iterdir())


def test_idle_tables_are_purged(database_url, open_store):
    """Those that nobody touched since then go; looking first shows them and keeps them."""
    url = address(database_url)

    async def story():
        async with open_store(database_url) as store:
            await fill(store)
            since = NOW - 3 * DAY
            assert ["older"] == await asyncio.to_thread(purge, url, since, dry_run=True)
            assert ["older"] == await asyncio.to_thread(purge, url, since)
            assert [] == await asyncio.to_thread(purge, url, since)
            assert {"new": 1, "old": 1} == await store.heads(["new", "old", "older"])

    run(story())


def test_purging_under_load(database_url, open_store):
    """A server goes on writing while old tables go."""
    url = address(database_url)

    async def story():
        async with open_store(database_url) as store:
            for number in range(50):
                await store.create_table(Log(f"idle{number:02}").creation(at=1))
            log = await make(store, "abc")
            purging = asyncio.ensure_future(asyncio.to_thread(purge, url, NOW))
            while not purging.done():
                await add(store, log)
            assert 50 == len(await purging)
            assert {"abc": log.head} == await store.heads(["abc", "idle00"])

    run(story())


def test_a_database_is_made_and_is_then_up_to_date(database_url):
    """The version before and after; the second time nothing changes."""
    url, newest = address(database_url), versions.newest()
    assert ("", newest) == upgrade_database(url)
    assert (newest, newest) == upgrade_database(url)


def test_there_must_be_something_to_purge(sqlite_url):
    """A missing file is not made in order to be purged."""
    with pytest.raises(BadDatabaseError, match="there is no database"):
        purge(address(sqlite_url), NOW)
