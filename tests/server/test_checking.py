"""`rollwright db check`: what is whole is called whole, and every kind of damage is found."""

import asyncio
import json
import os
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import text

from rollwright.server.storage.backups import backup, open_connection, restore
from rollwright.server.storage.check import check
from rollwright.server.storage.databases import address, file_of, is_sqlite
from tests.cli.running import rollwright
from tests.server.stored_logs import run
from tests.server.test_rooms import founded, hall_at, rolling
from tests.server.test_storage_health import spoil

pytestmark = pytest.mark.long


async def fill(url, turns=5):
    """Two tables as a server makes them, with rolls, texts and offers of a witness."""
    async with hall_at(url) as services:
        for _ in range(2):
            room = await services.registry.get(await founded(services))
            offer = {"id": "offers-1", "do": "witness.commit", "commitments": ["cd" * 32]}
            await room.run_command("s1", offer)
            for turn in range(turns):
                await room.run_command("s1", rolling())
                await room.run_command(
                    "s1", {"id": f"said-{turn:04}", "do": "chat.send", "text": "x" * 2000}
                )


@pytest.fixture
def filled(database_url):
    """The address of a database with two tables."""
    run(fill(database_url))
    return database_url


def damage(url, *statements):
    """Change rows behind everybody's back."""
    with open_connection(address(url), migrating=True) as connection:
        if not is_sqlite(address(url)):
            connection.execute(text("SET session_replication_role = replica"))
        for statement in statements:
            connection.execute(text(statement))


def found(url):
    """What is wrong, in one text; and it is never called well then."""
    checked = check(address(url))
    assert not checked.ok
    assert all(fault.remedy for fault in checked.faults)
    return "\n".join(f"{fault.where}: {fault.what}" for fault in checked.faults)


def test_what_is_whole_is_called_so(filled):
    """Two tables, their events and sizes; a server may run meanwhile."""
    checked = check(address(filled))
    assert (True, [], 2, 36) == (checked.ok, checked.faults, checked.tables, checked.events)
    assert 2 == len(checked.largest)
    assert 0 < checked.log_bytes < checked.bytes

    async def served():
        async with hall_at(filled):
            assert (await asyncio.to_thread(check, address(filled))).ok

    run(served())


def test_a_check_changes_nothing(filled):
    """The rows are the same before and after, also those that servers note for themselves."""

    def rows():
        with open_connection(address(filled), reading=True) as connection:
            return [
                connection.execute(text(f"SELECT * FROM {name} ORDER BY 1, 2")).all()
                for name in ("tables", "events", "texts", "tokens", "commands", "marks")
            ]

    before = rows()
    check(address(filled))
    assert before == rows()


FIRST = "(SELECT min(id) FROM tables)"
DAMAGES = {
    f"DELETE FROM events WHERE seq = 5 AND table_id = {FIRST}": "events 5 to 5 are missing",
    f"DELETE FROM events WHERE seq > 10 AND table_id = {FIRST}": "its log ends at event 10, and",
    "UPDATE events SET body = '{}' WHERE seq = 4": "the contents of event 4 do not fit",
    "UPDATE events SET at = at + 1 WHERE seq = 4": "event 4 does not follow by its hash",
    "UPDATE events SET body = '{broken' WHERE seq = 4": "an event cannot be read",
    "UPDATE tables SET hash = 'ab'": "with another hash",
    "UPDATE tables SET head = head + 1": "and should at 19",
    "UPDATE texts SET text = 'forged'": "does not fit its seal",
    "UPDATE commands SET last = 999": "name events behind their log's head",
    "INSERT INTO idle VALUES ('nowhere', 1)": "idle: a row belongs to no table",
    f"DELETE FROM tables WHERE id = {FIRST}": "rows belong to no table",
}


@pytest.mark.parametrize("statement", DAMAGES)
def test_damage_is_found(filled, statement):
    """Each in its place, and told with what to do."""
    damage(filled, statement)
    assert DAMAGES[statement] in found(filled)


def test_another_secret_is_found_and_new_keys_mend_it(filled, tmp_path):
    """A secret that is not the one committed to; the remedy that is told is one."""
    with open_connection(address(filled)) as connection:
        secret = text("UPDATE tables SET secret = :other")
        connection.execute(secret, {"other": bytes(32)})
    assert "its secret does not fit" in found(filled)
    backup(address(filled), tmp_path / "copy.sqlite")
    restore(tmp_path / "copy.sqlite", address(filled), replace=True)
    assert check(address(filled)).ok


def test_damaged_pages_are_found(sqlite_url):
    """Garbage in the middle of the file, met by SQLite or by the reading of logs."""
    run(fill(sqlite_url, turns=30))
    spoil(file_of(address(sqlite_url)), 20 * 4096)
    assert "pages: " in found(sqlite_url)
    spoil(file_of(address(sqlite_url)), 0)
    told = found(sqlite_url)
    assert "pages: it cannot be read: file is not a database" in told
    assert "`rollwright db check` tells more" not in told  # it is what tells


def test_the_way_back_from_damage(sqlite_url, tmp_path):
    """A damaged file put aside, and a new one filled from a backup: all is well."""
    run(fill(sqlite_url, turns=30))
    file, kept = file_of(address(sqlite_url)), tmp_path / "kept.sqlite"
    backup(address(sqlite_url), kept)
    spoil(file, 20 * 4096)
    assert "pages: " in found(sqlite_url)
    again = rollwright("db", "restore", str(kept), "--replace", "--database", sqlite_url)
    assert (2, True) == (again.code, "put it aside" in again.err)
    file.rename(tmp_path / "damaged.sqlite")
    for beside in ("-wal", "-shm"):
        file.with_name(file.name + beside).unlink(missing_ok=True)
    assert 0 == rollwright("db", "restore", str(kept), "--database", sqlite_url).code
    assert check(address(sqlite_url)).ok


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_a_file_that_others_may_read(sqlite_url):
    """It holds secrets, so that is wrong too."""
    run(fill(sqlite_url, turns=1))
    file_of(address(sqlite_url)).chmod(0o644)
    assert "file: others than its owner may read" in found(sqlite_url)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_nobody_is_told_to_change_the_rights_of_a_file_that_is_not_ours(tmp_path):
    """Neither of a text nor of somebody else's database."""
    text, other = tmp_path / "text", tmp_path / "other.sqlite"
    text.write_text("not a database, but everybody may read it\n" * 100)
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE theirs (id INTEGER)")
    for file in (text, other):
        file.chmod(0o644)
        told = rollwright("db", "check", "--database", f"sqlite:///{file}")
        assert (True, False) == (told.code != 0, "chmod" in told.out + told.err), told


def test_an_old_or_unknown_version(filled):
    """What cannot be looked through is said to be so."""
    damage(filled, "UPDATE alembic_version SET version_num = 'future'")
    assert "version: version 'future' is not known here" in found(filled)


def test_the_command_tells_it(sqlite_url, tmp_path):
    """In sentences and as JSON, with an exit code of its own for what is broken."""
    run(fill(sqlite_url, turns=1))
    done = rollwright("db", "check", "--database", sqlite_url)
    assert (0, True) == (done.code, "All is well" in done.out)
    damage(sqlite_url, "UPDATE tables SET head = head + 1")
    done = rollwright("db", "check", "--database", sqlite_url)
    assert (1, True, True) == (done.code, "2 things are wrong" in done.out, "to do: " in done.out)
    plain = rollwright("db", "check", "--json", "--database", sqlite_url)
    assert (1, False, 2) == (
        plain.code,
        json.loads(plain.out)["ok"],
        len(json.loads(plain.out)["faults"]),
    )
    missing = rollwright("db", "check", "--database", str(tmp_path / "none.sqlite"))
    assert (2, True) == (missing.code, "there is no database" in missing.err)
