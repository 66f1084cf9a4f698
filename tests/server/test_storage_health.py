"""Broken storage behind a running server: readiness is true, host and people are told."""

import contextlib
import json
import random
import resource
import sqlite3

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from rollwright.server.storage import databases
from rollwright.server.storage.appends import DiskFullError, StoreDamageError, StoreUnavailableError
from rollwright.server.storage.health import HealthState, StorageHealth, failure, health_state_of
from tests.server.guests import CLIENT, Founded, Guest, wait_until
from tests.server.stored_logs import add, make, roll, run
from tests.server.test_serve import Served

pytestmark = pytest.mark.storm


def ready(served):
    """What it says of itself."""
    answer = CLIENT.get(f"{served.address}/ready")
    return answer.status_code, answer.json()["database"]


def told(served):
    """What the host was told of the storage: the state and the sentence of each line."""
    lines = [json.loads(line) for line in served.errors.splitlines() if line.startswith("{")]
    assert {"rollwright.server.storage"} >= {line["from"] for line in lines}, lines
    return [(line["state"], line["message"]) for line in lines]


def spoil(file, first_page):
    """Write garbage over the pages of a file, from one of them on."""
    with file.open("r+b") as handle:
        size = handle.seek(0, 2)
        handle.seek(first_page)
        handle.write(random.Random(1).randbytes(size - first_page))


@pytest.fixture
def serve(tmp_path):
    """`with serve() as served`: a real server on a file of its own."""
    return lambda **more: Served("--port", "0", database=tmp_path / "table.sqlite", **more)


def test_damaged_pages_are_told(serve, tmp_path):
    """Garbage in the file: not ready, one line that names it and the remedy, no "try again"."""
    file = tmp_path / "table.sqlite"
    with serve() as served:
        table = Founded(served.address)
        for _ in range(30):
            table.referee.does("chat.send", text="x" * 3000)
            table.referee.rolls("100d6")
        assert 0 == served.end()
    assert not file.with_name("table.sqlite-wal").exists()
    with serve() as served:
        assert (200, "up") == ready(served)
        spoil(file, 12 * 4096)
        wait_until(lambda: (503, "corrupt") == ready(served))
        referee = Guest(served.address, table.id, table.referee.token)
        answer = referee.ask("GET", "/log.json")
        assert (500, "storage_broken") == (answer.status_code, answer.json()["error"]["code"])
        assert "to try again will not help" in answer.json()["error"]["message"]
        assert str(tmp_path) not in answer.text
        assert (503, "corrupt") == ready(served)
        served.end()
    ((state, sentence),) = told(served)
    assert "corrupt" == state
    assert all(word in sentence for word in (str(file), "`rollwright db check`", "db restore"))


def test_a_full_disk_is_told_and_told_when_it_is_over(serve, tmp_path):
    """Where nothing can be written: not ready, one line with what is free, and ready again then."""
    most = resource.RLIM_INFINITY
    with serve() as served:
        table = Founded(served.address)
        table.referee.rolls()
        size = (tmp_path / "table.sqlite-wal").stat().st_size
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (size, most))
        refused = table.referee.tries("chat.send", text="x" * 3000)["error"]
        assert ("disk_full", True) == (refused["code"], "its host must" in refused["message"])
        assert (503, "full") == ready(served)
        for _ in range(5):
            table.referee.tries("chat.send", text="x" * 3000)
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (most, most))
        wait_until(lambda: (200, "up") == ready(served))
        table.referee.does("chat.send", text="x" * 3000)
        served.end()
    (full, over) = told(served)
    assert ("full", "up") == (full[0], over[0])
    assert all(word in full[1] for word in (" bytes are free", str(tmp_path), "make room"))


def test_a_full_disk_is_noticed_while_nobody_writes(serve, tmp_path):
    """Readiness tries to write: who only asks whether it is ready learns it."""
    most = resource.RLIM_INFINITY
    with serve() as served:
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (100, most))
        wait_until(lambda: (503, "full") == ready(served))


def test_a_file_that_was_moved_away_is_told(serve, tmp_path):
    """A database without its name: not ready, and nothing is said to be written."""
    file = tmp_path / "table.sqlite"
    with serve() as served:
        table = Founded(served.address)
        file.rename(tmp_path / "other.sqlite")
        wait_until(lambda: (503, "moved") == ready(served))
        assert "storage_broken" == table.referee.tries("chat.send", text="hello")["error"]["code"]
        served.end()
    ((state, sentence),) = told(served)
    assert ("moved", True) == (state, "put the file back" in sentence)


def test_little_room_is_told_in_time(serve):
    """With less free than the host wants there is a warning, and it serves on."""
    with serve(free_bytes=10**18) as served:
        wait_until(lambda: (200, "low") == ready(served))
        Founded(served.address).referee.rolls()
        served.end()
    ((state, sentence),) = told(served)
    assert ("low", True) == (state, "make room" in sentence)


def test_damage_in_postgresql_is_told(postgres, open_store, caplog):
    """A page of a relation that is no page: the row behind it is broken storage, told once."""
    url = postgres.fresh()

    async def filled():
        async with open_store(url) as store:
            log = await make(store, "abc")
            for _ in range(50):
                await add(store, log, roll(size=2000))

    run(filled())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        (path,) = connection.execute("SELECT pg_relation_filepath('events')").fetchone()
        connection.execute("CHECKPOINT")
    postgres.kill9()
    spoil(postgres.data / path, 0)
    postgres.start()

    async def story():
        async with open_store(url) as store:
            for _ in range(3):
                with pytest.raises(StoreDamageError):
                    await store.load("abc")
            assert HealthState.CORRUPT is store.health.state
            with pytest.raises(StoreDamageError):
                await store.check()

    run(story())
    lines = [record for record in caplog.records if record.name.endswith("storage")]
    assert ["corrupt"] == [record.state for record in lines]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP TABLE events CASCADE")


class Raised(psycopg.Error):
    """What PostgreSQL says, by its code."""

    def __init__(self, sqlstate):
        super().__init__("chat.sent")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("state", "trouble", "kind"),
    [
        ("53100", HealthState.FULL, DiskFullError),
        ("XX001", HealthState.CORRUPT, StoreDamageError),
        ("XX002", HealthState.CORRUPT, StoreDamageError),
        ("58030", HealthState.FAILING, StoreDamageError),
        ("25006", HealthState.READ_ONLY, StoreDamageError),
        ("57P01", HealthState.LOST, StoreUnavailableError),
    ],
)
def test_what_postgresql_says(state, trouble, kind):
    """Each code of a broken database has its word, and what people are told."""
    Raised.__module__ = "psycopg.errors"
    problem = DBAPIError("INSERT", None, Raised(state))
    assert (trouble, kind) == (health_state_of(problem), type(failure(problem)))


def test_what_sqlite_says(tmp_path):
    """A file that may only be read, and a text that is none, are known for what they are."""
    with contextlib.closing(sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)) as file:
        file.execute("CREATE TABLE t (a TEXT)")
        file.execute("INSERT INTO t VALUES (CAST(x'ff' AS TEXT))")
        file.execute("PRAGMA query_only = ON")
        for statement, trouble in (
            ("INSERT INTO t VALUES (1)", HealthState.READ_ONLY),
            ("SELECT a FROM t", HealthState.CORRUPT),
            ("SELECT nothing", HealthState.NONE),
        ):
            with pytest.raises(sqlite3.Error) as caught:
                file.execute(statement).fetchall()
            assert trouble is health_state_of(caught.value)


def test_a_row_that_is_no_json_is_damage(sqlite_url, open_store):
    """What SQLite does not notice, the reading of rows does."""

    async def story():
        async with open_store(sqlite_url) as store:
            await make(store, "abc")
            file = databases.file_of(databases.address(sqlite_url))
            with contextlib.closing(sqlite3.connect(file)) as other:
                other.execute("UPDATE events SET body = '{garbage'")
                other.commit()
            with pytest.raises(StoreDamageError):
                await store.load("abc")
            assert HealthState.CORRUPT is store.health.state

    run(story())


def test_a_trouble_that_comes_and_goes_is_told_once_a_minute(caplog):
    """The host's log is not filled by a disk on which some things still fit."""
    now = [0.0]
    condition = StorageHealth("here", clock=lambda: now[0])
    for _ in range(100):
        condition.note_failure("write", HealthState.FULL, "why")
        condition.note_success("write")
        now[0] += 1
    states = [record.state for record in caplog.records]
    assert ["full", "up", "full", "up"] == states


def test_damage_stays_and_the_rest_passes(caplog):
    """What is read well elsewhere does not mend a page; room on the disk is room."""
    condition = StorageHealth("here")
    condition.note_failure("write", HealthState.FULL)
    condition.note_failure("read", HealthState.CORRUPT)
    condition.note_success("read")
    condition.note_success("write")
    assert HealthState.CORRUPT is condition.state
    assert ["full", "corrupt"] == [record.state for record in caplog.records]
