"""`rollwright db`: what it says, what it gives to programs, and what it refuses."""

import json
import time

import click
import pytest

from rollwright.cli.commands.db import db as command
from rollwright.server.storage.databases import default_database
from rollwright.server.storage.inventory import DAY
from rollwright.server.storage.store import Store
from rollwright.server.storage.versions import newest
from tests.cli.running import ROOT, environment, in_a_process, rollwright
from tests.server import parts
from tests.server.stored_logs import Log, make, run

VERSION = newest()


def db(*words, database=None):
    """Run a command of `rollwright db` on a database."""
    return rollwright("db", *words, *(["--database", database] if database else []))


def facts(*words, database=None):
    """The same, as JSON."""
    done = db(*words, "--json", database=database)
    assert (0, "") == (done.code, done.err)
    return json.loads(done.out)


async def fill(url, *ages):
    """Tables that were last touched so many days ago."""
    store = await Store.open(url)
    for days in ages:
        log = Log(f"table{days}")
        await store.create_table(log.creation(at=int(time.time() * 1000) - days * DAY))
    await store.close()


@pytest.fixture
def filled(tmp_path):
    """A SQLite file with a table of today, of last month and of last year."""
    url = f"sqlite:///{tmp_path}/table.sqlite"
    run(fill(url, 0, 30, 365))
    return url


@pytest.fixture
def postgresql():
    """The address of an empty PostgreSQL database."""
    yield parts.running_postgres().database()
    parts.stop_all()


def test_upgrade_makes_a_database(tmp_path):
    """The first time it is made, then it is up to date."""
    url = f"sqlite:///{tmp_path}/new/table.sqlite"
    done = db("upgrade", database=url)
    assert f"{url} has version {VERSION} now; it was empty.\n" == done.out
    assert f"{url} is up to date: version {VERSION}.\n" == db("upgrade", database=url).out
    assert {"database": url, "before": VERSION, "version": VERSION} == facts(
        "upgrade", database=url
    )


def test_status_tells_what_there_is(filled, tmp_path):
    """Version, tables, events, size and the last day; a database that is not there is told."""
    told = " ".join(db("status", database=filled).out.split())
    assert f"version {VERSION}, newest {VERSION}." in told
    assert "3 tables, 3 events, " in told
    plain = facts("status", database=filled)
    day = time.strftime("%Y-%m-%d", time.gmtime(plain["touched_at"] / 1000))
    assert f"last touched {day}" in told
    assert (3, 3, None) == (plain["tables"], plain["events"], plain["served_by"])
    assert "there is nothing yet" in db("status", database=f"{tmp_path}/other.sqlite").out


def test_status_names_the_process_that_serves(filled):
    """So that one knows what to stop."""

    async def story():
        store = await Store.open(filled)
        try:
            await make(store, "abc")
            return db("status", database=filled).out
        finally:
            await store.close()

    assert "Served by process " in run(story())


def test_backup_and_restore(filled, tmp_path):
    """There and back, in words and in JSON; nothing is overwritten unless told."""
    file, other = str(tmp_path / "backup.sqlite"), f"sqlite:///{tmp_path}/other.sqlite"
    done = db("backup", file, database=filled)
    assert (0, True) == (done.code, done.out.startswith("3 tables and 3 events are in"))
    assert "--replace would overwrite it" in db("backup", file, database=filled).err
    plain = facts("backup", file, "--replace", database=filled)
    assert {"to": file, "tables": 3, "events": 3, "rows": 6} == plain
    assert 3 == facts("restore", file, database=other)["tables"]
    refused = db("restore", file, database=other)
    assert (2, True) == (refused.code, "has 3 tables already" in refused.err)
    assert 0 == db("restore", file, "--replace", database=other).code


def test_move_to_postgresql_and_back(filled, postgresql, tmp_path):
    """One command each way, and each time every log says so in one more event."""
    back = f"sqlite:///{tmp_path}/back.sqlite"
    done = db("move", "--to", postgresql, database=filled)
    assert (0, True) == (done.code, "counts and heads agree" in done.out)
    assert 3 == facts("move", "--to", back, database=postgresql)["tables"]
    assert 3 + 2 * 3 == facts("status", database=back)["events"]
    assert 3 == facts("status", database=postgresql)["tables"]


def test_purge_deletes_what_is_idle(filled):
    """Tables that nobody came to for so many days; a dry run only names them."""
    words = ["purge", "--days", "30"]
    assert {"deleted": False, "tables": ["table365", "table30"]} == facts(
        *words, "--dry-run", database=filled
    )
    assert "2 tables would be deleted" in db(*words, "--dry-run", database=filled).out
    assert "1 table was deleted: table365.\n" == db("purge", "--days", "100", database=filled).out
    assert {"deleted": True, "tables": ["table30"]} == facts(*words, database=filled)
    assert "0 tables were deleted.\n" == db(*words, database=filled).out


def test_purge_asks_whether_everything_is_meant(tmp_path):
    """A clock that is far ahead makes every table look idle: that needs one word more."""
    url = f"sqlite:///{tmp_path}/table.sqlite"
    run(fill(url, 400, 401))
    done = db("purge", "--days", "30", database=url)
    assert (2, True) == (done.code, "these are all tables there are (2)" in done.err)
    assert 2 == len(facts("purge", "--days", "30", "--every", database=url)["tables"])


def test_the_database_can_be_named_by_the_environment(filled):
    """`ROLLWRIGHT_DATABASE` names it; without that it lies in the user's data folder."""
    with environment(ROLLWRIGHT_DATABASE=filled):
        assert 3 == facts("status")["tables"]


def test_without_a_name_it_lies_in_the_users_folder(tmp_path, monkeypatch):
    """Looking there makes nothing."""
    monkeypatch.delenv("ROLLWRIGHT_DATABASE", raising=False)
    for name in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    plain = facts("status")
    assert default_database() == plain["database"]
    assert str(tmp_path) in plain["database"]
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bakup", "x"], "there is no command db 'bakup'; did you mean 'backup'?"),
        (["backup"], "FILE is missing: rollwright db backup FILE would do"),
        (["move"], "--to is missing: rollwright db move --to URL would do"),
        (["move", "--to", "mysql://host/name"], "postgresql://HOST/NAME would do"),
        (["purge"], "--days is missing: rollwright db purge --days N would do"),
        (["purge", "--days", "0"], "'--days'"),
        (["restore", "nowhere.sqlite"], "there is no database nowhere.sqlite"),
        (["status", "--database", "x://y"], "is no address of a database"),
        (["status", "--databas", "x"], "did you mean '--database'?"),
    ],
)
def test_a_refusal_is_one_line(words, said, filled):
    """Nothing on standard output, one line on the other, exit code 2."""
    more = [] if "--database" in words or "--databas" in words else ["--database", filled]
    done = rollwright("db", *words, *more)
    assert (2, "", 1) == (done.code, done.out, len(done.err.splitlines()))
    assert said in done.err


def test_a_damaged_file_is_told_in_one_line(tmp_path):
    """No traceback for a file that is no database."""
    file = tmp_path / "notes.txt"
    file.write_text("nothing " * 100)
    for words in (["status"], ["upgrade"], ["purge", "--days", "1"], ["backup", "new.sqlite"]):
        done = db(*words, database=str(file))
        assert (2, "", 1) == (done.code, done.out, len(done.err.splitlines()))
        assert "not a database" in done.err


def test_a_password_is_never_shown(tmp_path):
    """Neither in a refusal nor in JSON."""
    done = db("status", database="postgresql://ann:secret@127.0.0.1:1/tables")
    assert 2 == done.code
    assert "secret" not in done.err + done.out


def test_every_command_has_json_and_is_in_the_docs():
    """Each command of `db`, and each of its options, stands on the page of servers' commands."""
    page = (ROOT / "docs" / "table" / "server-commands.md").read_text("utf-8")
    for name, one in command.commands.items():
        assert f"rollwright db {name}" in page
        options = {
            word for found in one.params if isinstance(found, click.Option) for word in found.opts
        }
        assert {"--json", "--database"} <= options
        assert set() == {option for option in options if option not in page}


@pytest.mark.long
def test_it_runs_as_a_process_of_its_own(tmp_path):
    """From the start of Python to the exit code."""
    done = in_a_process("db", "status", "--json", "--database", f"{tmp_path}/table.sqlite")
    assert (0, "") == (done.returncode, done.stderr)
    assert "" == json.loads(done.stdout)["version"]
