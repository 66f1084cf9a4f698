"""Backup, restore and move: the copy is the original, and nothing is lost on the way."""

import asyncio
import contextlib
import json
import os
import sqlite3

import pytest
from sqlalchemy import select, text

from rollwright.server.storage import backups, copies, versions
from rollwright.server.storage.appends import Append, BadDatabaseError, Creation
from rollwright.server.storage.backups import backup, move, open_connection, restore
from rollwright.server.storage.copies import CopyCounts, CopyError, NotEmptyError
from rollwright.server.storage.databases import address
from rollwright.server.storage.locks import FileInUseError
from rollwright.server.storage.schema import ALL
from rollwright.table import TableState, decide
from rollwright.table.commands.writer import AddToken, Secrets
from rollwright.table.fairness import TABLE_LANE, slot_at
from rollwright.table.history.documents import history_markdown
from rollwright.table.verify.log import verify_log
from tests.server.stored_logs import NOW, Log, add, is_whole, link, make, roll, run, said
from tests.table.tables import Host

pytestmark = pytest.mark.long


async def fill(store, count=12):
    """Tables with something of everything."""
    for number in range(count):
        log = Log(f"t{number:02}")
        token = AddToken(f"seat-{number}", "seat", "player", "s1")
        await store.create_table(log.creation(side=(link(f"h{number}"), token)))
        await add(store, log, said("t2.0", "s1", "Ännchen"), roll(), command="command-1")
        await add(store, log, command="command-2")


def rows(url):
    """Everything that is stored, as plain rows."""
    with open_connection(address(url), reading=True) as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in ALL
        }


def is_taken_up(copied, original):
    """Whether a copy holds all rows, and each table goes on with a key that nobody knows."""
    events = {row[:2]: row for row in copied.pop("events")}
    old, new = original.pop("events"), copied.pop("tables")
    heads = {row[0]: (row[4], row[6], row[7]) for row in original.pop("tables")}
    assert old == [events.pop(row[:2]) for row in old]
    assert {(table, head + 1) for table, (head, *_) in heads.items()} == set(events)
    for table, *_, head, hash_, secret, size in new:
        event = events[table, head]
        assert ("table.imported", hash_) == (event[3], event[10])
        assert heads[table][1] != secret
        assert heads[table][2] < size
        assert json.loads(event[6]) == {"slots": {TABLE_LANE: slot_at(secret, TABLE_LANE, 1)}}
    return copied == original


@pytest.fixture
def filled(database_url, open_store):
    """A database with some tables, which nobody serves."""

    async def story():
        async with open_store(database_url) as store:
            await fill(store)

    run(story())
    return database_url


def test_a_backup_is_the_database(filled, tmp_path):
    """Row by row, in one file that is for its owner alone and stands by itself."""
    file = tmp_path / "backup.sqlite"
    done = backup(address(filled), file)
    assert CopyCounts(tables=12, events=48, rows=12 + 48 + 24 + 12 + 24) == done
    assert rows(filled) == rows(str(file))
    assert ["backup.sqlite"] == [found.name for found in tmp_path.glob("backup*")]
    assert 0o600 == file.stat().st_mode & 0o777
    with contextlib.closing(sqlite3.connect(file)) as found:
        assert "delete" == found.execute("PRAGMA journal_mode").fetchone()[0]


def test_a_backup_is_not_overwritten_unawares(filled, tmp_path):
    """A file that is there stays, unless told."""
    file = tmp_path / "backup.sqlite"
    file.write_text("precious")
    with pytest.raises(BadDatabaseError, match=r"exists already; --replace would overwrite it"):
        backup(address(filled), file)
    assert "precious" == file.read_text()
    backup(address(filled), file, replace=True)
    assert rows(filled) == rows(str(file))


def test_a_backup_while_the_server_writes(database_url, open_store, tmp_path):
    """Each of several backups under load is one moment: logs whole, all acknowledged before it."""

    async def story():
        async with open_store(database_url) as store:
            logs = [await make(store, f"t{number}") for number in range(6)]
            done = asyncio.Event()

            async def play(log):
                while not done.is_set():
                    await add(store, log, command=f"command-{log.head + 1}")

            players = [asyncio.ensure_future(play(log)) for log in logs]
            for turn in range(4):
                before = {log.table: log.head for log in logs}
                file = tmp_path / f"{turn}.sqlite"
                await asyncio.to_thread(backup, address(database_url), file)
                async with open_store(str(file)) as copy_of_it:
                    for table, head in before.items():
                        events = await copy_of_it.load(table)
                        assert is_whole(table, events)
                        assert head <= len(events)
                while any(log.head < before[log.table] + 3 for log in logs):
                    await asyncio.sleep(0.005)
            done.set()
            await asyncio.gather(*players)
            assert {log.table: log.head for log in logs} == await store.heads(before)

    run(story())


def test_a_restored_database_is_the_backup(filled, tmp_path, open_store):
    """Into an empty place, or over what came later."""
    file, url = tmp_path / "backup.sqlite", address(filled)
    backup(url, file)

    async def go_on():
        async with open_store(filled) as store:
            await make(store, "later")

    run(go_on())
    with pytest.raises(NotEmptyError, match=r"13 tables already; --replace would delete"):
        restore(file, url)
    assert 13 == len(rows(filled)["tables"])
    assert CopyCounts(12, 48, 120) == restore(file, url, replace=True)
    assert is_taken_up(rows(filled), rows(str(file)))
    assert CopyCounts(12, 48, 120) == restore(file, address(f"{tmp_path}/new/other.sqlite"))


async def thrown(store, table="abcdefgh2345"):
    """The slot and the key of a d20 that the referee throws now."""
    events, row = await store.load(table), await store.table(table)
    state = TableState.of(events)
    command = {"do": "roll.start", "expression": "1d20", "nonce": "ab" * 32}
    made = decide(state, "s1", command, Secrets(row.secret), NOW, os.urandom)
    log = Log(table)
    log.head, log.hash = state.head, state.hash
    added = log.drafted(*made.drafts, at=events[-1].at)
    await store.append(Append(table, log.head, log.hash, added, NOW, side=made.side))
    return added[0].body["call"]["slot"], added[-1].body["fair"]["key"]


def test_nobody_knows_the_dice_of_a_restored_table(sqlite_url, open_store, tmp_path):
    """Keys that were seen after the backup are not used again, and the log is true."""
    host = Host("", players=1)
    host.offer("s2", "ready")
    file, url = tmp_path / "backup.sqlite", address(sqlite_url)

    async def story():
        async with open_store(sqlite_url) as store:
            creation = Creation("abcdefgh2345", "make-it", host.secret, tuple(host.events), NOW)
            await store.create_table(creation._replace(side=tuple(host.sides)))
            first = await thrown(store)
            await asyncio.to_thread(backup, url, file)
            seen = await thrown(store)
        await asyncio.to_thread(restore, file, url, replace=True)
        async with open_store(sqlite_url) as store:
            again = await thrown(store)
            assert 3 == len({slot for slot, _ in (first, seen, again)})
            assert seen[1] != again[1]
            return await store.load("abcdefgh2345")

    host.events = run(story())
    host.state = TableState.of(host.events)
    report = verify_log(host.log("s2"))
    assert ((), 1) == (report.problems, report.counts["imports"])
    assert "taken up again from a copy" in history_markdown(host.seen("s2"))


def test_a_move_to_postgresql_and_back_loses_nothing(sqlite_url, postgres, tmp_path, open_store):
    """SQLite → PostgreSQL → SQLite: all rows in all three, and new keys each time."""
    there, back = postgres.fresh(), f"{tmp_path}/back.sqlite"

    async def story():
        async with open_store(sqlite_url) as store:
            await fill(store)

    run(story())
    told = []
    move(address(sqlite_url), address(there), progress=lambda *now: told.append(now))
    move(address(there), address(back))
    assert is_taken_up(rows(there), rows(sqlite_url))
    assert is_taken_up(rows(back), rows(there))
    assert (120, 120) == told[-1]

    async def go_on():
        async with open_store(there) as store:
            row = await store.table("t00")
            log = Log("t00")
            log.head, log.hash = row.head, row.hash
            await add(store, log)
            assert is_whole("t00", await store.load("t00"))

    run(go_on())


def test_what_is_served_is_not_moved(database_url, open_store, tmp_path):
    """Events that come during a move would be lost, so it is refused, either way."""
    file = tmp_path / "other.sqlite"

    async def story():
        async with open_store(database_url) as store:
            await fill(store, 1)
            await asyncio.to_thread(backup, address(database_url), file)
            for task in (
                lambda: move(address(database_url), address(f"{tmp_path}/new.sqlite")),
                lambda: restore(file, address(database_url), replace=True),
            ):
                with pytest.raises(BadDatabaseError, match=r"in use by process|is being served"):
                    await asyncio.to_thread(task)
            assert 4 == len(await store.load("t00"))

    run(story())


def test_a_broken_log_is_not_copied(filled, tmp_path):
    """A missing event or a wrong hash is found, named, and nothing is left behind."""
    with open_connection(address(filled)) as connection:
        connection.execute(text("DELETE FROM events WHERE table_id = 't03' AND seq = 2"))
        connection.execute(text("UPDATE tables SET hash = 'x' WHERE id = 't05'"))
    file, other = tmp_path / "backup.sqlite", f"{tmp_path}/other.sqlite"
    with pytest.raises(CopyError, match="not whole: t03, t05;"):
        backup(address(filled), file)
    with pytest.raises(CopyError, match="not whole: t03, t05;"):
        move(address(filled), address(other))
    assert [] == list(tmp_path.glob("backup*"))
    assert [] == rows(other)["tables"]


def test_a_failed_replacement_leaves_the_old_tables(filled, tmp_path, open_store):
    """Deleting what was there and copying are one transaction."""
    other = f"{tmp_path}/other.sqlite"

    async def story():
        async with open_store(other) as store:
            await make(store, "abc")

    run(story())
    before = rows(other)
    with open_connection(address(filled)) as connection:
        connection.execute(text("DELETE FROM events WHERE table_id = 't03' AND seq = 2"))
    with pytest.raises(CopyError):
        move(address(filled), address(other), replace=True)
    assert before == rows(other)


def test_a_backup_of_an_older_version_can_be_restored(
    sqlite_url,
    open_store,
    tmp_path,
    later,
    monkeypatch,
):
    """It is upgraded on the way, and the file itself stays as it was."""

    async def story():
        async with open_store(sqlite_url) as store:
            await fill(store)

    run(story())
    file = tmp_path / "backup.sqlite"
    backup(address(sqlite_url), file)
    expected, data = rows(str(file)), file.read_bytes()
    monkeypatch.setattr(versions, "SCRIPTS", later)
    target = f"{tmp_path}/target.sqlite"
    restore(file, address(target))
    assert is_taken_up(rows(target), expected)
    assert data == file.read_bytes()
    with open_connection(address(target), reading=True) as connection:
        assert "later" == versions.version_of(connection)


def test_what_is_no_backup(tmp_path, sqlite_url):
    """A missing file, a text and a database of somebody else are refused in one sentence."""
    notes, other = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    notes.write_text("nothing " * 100)
    with contextlib.closing(sqlite3.connect(other)) as file:
        file.execute("CREATE TABLE things (id)")
    url = address(sqlite_url)
    for file, said_ in [
        (tmp_path / "nowhere", "there is no database"),
        (notes, "not a database"),
        (other, "is no backup of Rollwright"),
    ]:
        with pytest.raises(BadDatabaseError, match=said_):
            restore(file, url)
    with pytest.raises(BadDatabaseError, match="there is no database"):
        backup(url, tmp_path / "backup.sqlite")
    with pytest.raises(BadDatabaseError, match="where it lies already"):
        move(address(str(other)), address(str(other)))


def test_an_older_database_is_upgraded_before_it_is_moved(filled, tmp_path, later, monkeypatch):
    """Otherwise the copy would not be of one version; it is said what to do."""
    monkeypatch.setattr(versions, "SCRIPTS", later)
    with pytest.raises(BadDatabaseError, match=r"the source has version .*`rollwright db upgrade`"):
        move(address(filled), address(f"{tmp_path}/other.sqlite"))


def test_many_batches(sqlite_url, postgres, open_store):
    """More rows than fit in some batches arrive, all of them."""

    async def story():
        async with open_store(sqlite_url) as store:
            log = await make(store, "abc")
            for _ in range(4):
                await add(store, log, *[roll(number) for number in range(copies.BATCH)])

    run(story())
    there = postgres.fresh()
    done = move(address(sqlite_url), address(there))
    assert 4 * copies.BATCH + 1 == done.events
    assert is_taken_up(rows(there), rows(sqlite_url))


def test_two_restores_do_not_meet(filled, tmp_path):
    """The place that is filled belongs to one command at a time."""
    file, other = tmp_path / "backup.sqlite", address(f"{tmp_path}/other.sqlite")
    backup(address(filled), file)
    with backups.lock_database(other), pytest.raises(FileInUseError):
        restore(file, other)
