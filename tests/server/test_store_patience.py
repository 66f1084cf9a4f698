"""The storage when others freeze or read on, and what is erased: nobody waits for ever."""

import asyncio
import contextlib
import threading
from pathlib import Path

import psycopg
import pytest

from rollwright.server.storage import databases
from rollwright.server.storage.appends import AppendRepeat, AppendResult, StoreUnavailableError
from rollwright.server.storage.inventory import purge
from rollwright.table.commands.writer import EraseTexts
from tests.server.stored_logs import NOW, add, make, roll, run, said

WORDS = "words that nobody else writes"


@pytest.fixture
def gate():
    """Something that holds a thread up until it is opened."""
    made = threading.Event()
    yield made
    made.set()


@pytest.mark.long
def test_a_frozen_database_is_told_in_time(sqlite_url, open_store, monkeypatch, gate):
    """Writing and reading fail as if it were lost; when it goes on, what was written is known."""
    monkeypatch.setattr(databases, "LATE_SECONDS", 3.0)

    async def story():
        async with open_store(sqlite_url, patience=0.1, readers=1) as store:
            log = await make(store, "abc")
            inside = threading.Semaphore(0)

            def freeze(_):
                inside.release()
                gate.wait(60)

            frozen = [
                asyncio.ensure_future(ask(freeze))
                for ask in (store._writer.run_task, store._readers.query)
            ]
            for _ in frozen:
                await asyncio.to_thread(inside.acquire)
            append = log.append(roll(), command="command-1")
            with pytest.raises(StoreUnavailableError):
                await store.append(append)
            with pytest.raises(StoreUnavailableError):
                await store.check()
            gate.set()
            await asyncio.gather(*frozen, return_exceptions=True)
            while await store.find_command("abc", "s1", "command-1") is None:
                await asyncio.sleep(0.01)
            assert AppendRepeat(2, 2) == await store.append(append)

    run(asyncio.wait_for(story(), 60))


def test_a_locked_table_holds_up_no_other(postgres, open_store, monkeypatch):
    """While its append waits for the lock, those of other tables are written; then it is too."""
    monkeypatch.setattr(databases, "LOCK_SECONDS", 50)
    url = postgres.fresh()

    async def story():
        async with open_store(url, patience=50) as store:
            held, free = await make(store, "held"), await make(store, "free")
            with psycopg.connect(url) as frozen:
                frozen.execute("SELECT * FROM tables WHERE id = 'held' FOR UPDATE")
                waiting = asyncio.ensure_future(store.append(held.append(roll())))
                for _ in range(3):
                    await asyncio.wait_for(add(store, free), 40)
                assert not waiting.done()
            assert AppendResult(2, 2) == await waiting
            assert 4 == len(await store.load("free"))

    run(story())


def traces(url, words=WORDS):
    """The files of a database that hold some words."""
    file = databases.file_of(databases.address(url))
    files = [*Path(file.parent).glob(f"{file.name}*")]
    return sorted(one.name for one in files if words.encode() in one.read_bytes())


async def wiped(url):
    """Wait until no file holds the words."""
    async with asyncio.timeout(60):
        while traces(url):
            await asyncio.sleep(0.02)


@pytest.mark.long
def test_what_is_erased_is_in_no_file(sqlite_url, open_store):
    """Neither a person's texts nor a deleted table, while the server goes on."""

    async def story():
        async with open_store(sqlite_url) as store:
            log, other = await make(store, "abc"), await make(store, "xyz")
            await add(store, log, said("t2.0", "s1", WORDS))
            await add(store, other, said("t2.0", "s1", WORDS))
            assert ["table.sqlite-wal"] == traces(sqlite_url)
            await store.append(log.append(roll(), side=(EraseTexts("s1"),)))
            await store.delete_table("xyz")
            await wiped(sqlite_url)
            assert 3 == len(await store.load("abc"))

    run(story())


@pytest.mark.long
def test_traces_are_wiped_when_nobody_reads_any_more(sqlite_url, open_store, gate):
    """A long look at the file holds up no command, and what it kept is wiped afterwards."""

    async def story():
        async with open_store(sqlite_url) as store:
            log = await make(store, "abc")
            await add(store, log, said("t2.0", "s1", WORDS))

            def look(connection):
                connection.exec_driver_sql("SELECT count(*) FROM texts").all()
                looking.set()
                gate.wait(60)

            looking = threading.Event()
            long = asyncio.ensure_future(store._readers.query(look))
            await asyncio.to_thread(looking.wait, 60)
            await add(store, log, roll())
            append = log.append(roll(), side=(EraseTexts("s1"),))
            assert AppendResult(4, 4) == await store.append(append)
            log.moved(append.events)
            assert traces(sqlite_url)
            await add(store, log)
            gate.set()
            await long
            await wiped(sqlite_url)

    run(story())


def test_a_purge_leaves_nothing_in_the_files(sqlite_url, open_store):
    """Also while a server has the file open."""

    async def story():
        async with open_store(sqlite_url) as store:
            log = await make(store, "abc")
            await add(store, log, said("t2.0", "s1", WORDS))
            url = databases.address(sqlite_url)
            assert ["abc"] == await asyncio.to_thread(purge, url, NOW + 1, every=True)
            assert [] == traces(sqlite_url)

    with contextlib.closing(asyncio.new_event_loop()) as loop:
        loop.run_until_complete(story())
