"""The storage when things break: killed servers, full disks, frozen and second processes."""

import asyncio
import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import psycopg
import pytest

from rollwright.server.storage import databases
from rollwright.server.storage.appends import (
    AppendRepeat,
    AppendResult,
    BadDatabaseError,
    DiskFullError,
    StoreError,
    StoreUnavailableError,
)
from rollwright.server.storage.locks import FileInUseError, owner_of
from rollwright.server.storage.store import Store
from tests.server.parts import wait_until
from tests.server.stored_logs import add, is_whole, make, roll, run

pytestmark = pytest.mark.storm

ROOT = Path(__file__).parent.parent.parent
BIG = 40_000
"""Faces that fill some twenty pages."""


def integrity(url):
    """What SQLite says about the state of its file."""
    with contextlib.closing(sqlite3.connect(databases.file_of(databases.address(url)))) as file:
        return file.execute("PRAGMA integrity_check").fetchone()[0]


@contextlib.contextmanager
def child(script, *arguments, **more):
    """Another process with a script of these tests; what it prints can be read."""
    command = [sys.executable, "-c", script, *arguments]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, **more) as process:
        try:
            yield process
        finally:
            process.kill()


async def insist(store, log, command):
    """Append until it is answered, as a room does; the answer, or None if it was there already."""
    append = log.append(roll(), command=command)
    while True:
        try:
            outcome = await store.append(append)
        except StoreUnavailableError:
            await asyncio.sleep(0.02)
            continue
        log.moved(append.events)
        assert (log.head, log.head) == tuple(outcome)
        assert isinstance(outcome, AppendResult | AppendRepeat)
        return


def test_nothing_is_lost_when_postgresql_is_killed(postgres, open_store):
    """Through ten kills under load, every acknowledged append is in the log exactly once."""
    url, kills = postgres.fresh(), 10

    async def story():
        async with open_store(url, patience=1.0) as store:
            logs = [await make(store, f"t{number}") for number in range(8)]
            done = asyncio.Event()

            async def play(log):
                while not done.is_set():
                    await insist(store, log, f"command-{log.head + 1}")

            players = [asyncio.ensure_future(play(log)) for log in logs]
            for _ in range(kills):
                heads = [log.head for log in logs]
                while any(log.head < head + 3 for log, head in zip(logs, heads)):
                    await asyncio.sleep(0.005)
                await asyncio.to_thread(postgres.restart)
            done.set()
            await asyncio.gather(*players)
            for log in logs:
                events = await store.load(log.table)
                assert (log.head, True) == (len(events), is_whole(log.table, events))
                for head in range(2, log.head + 1):
                    found = await store.find_command(log.table, "s1", f"command-{head}")
                    assert AppendRepeat(head, head) == found

    run(story())


class Wire:
    """A way to PostgreSQL that breaks when a word goes by, before or after it has arrived."""

    def __init__(self, port):
        self.port = port
        self.word = None
        self.arrives = False
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near = self.server.accept()[0]
                far = socket.create_connection(("127.0.0.1", self.port))
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self.carry, args=ends, daemon=True).start()

    def carry(self, source, target):
        with contextlib.suppress(OSError), source, target:
            while data := source.recv(65536):
                word = self.word
                if word is None or word not in data:
                    target.sendall(data)
                    continue
                self.word = None
                if self.arrives:
                    source.shutdown(socket.SHUT_RDWR)
                    target.sendall(data)
                    target.shutdown(socket.SHUT_WR)
                    while target.recv(65536):
                        pass
                break
            for end in (source, target):
                end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def wire(postgres):
    """A way to PostgreSQL that can be cut."""
    made = Wire(postgres.port)
    yield made
    made.server.close()


@pytest.mark.parametrize("arrives", [False, True])
def test_a_connection_cut_in_the_commit(postgres, wire, open_store, arrives):
    """Nobody can know what became of it: StoreDown, and the command's key tells it afterwards."""
    url = postgres.fresh().replace(str(postgres.port), str(wire.server.getsockname()[1]))

    async def story():
        async with open_store(url) as store:
            log = await make(store, "abc")
            wire.arrives, wire.word = arrives, b"COMMIT\0"
            append = log.append(roll(), command="command-1")
            with pytest.raises(StoreUnavailableError):
                await store.append(append)
            again = await store.append(append)
            assert (AppendRepeat(2, 2) if arrives else AppendResult(2, 2)) == again
            assert 2 == len(await store.load("abc"))

    run(story())


def test_a_connection_cut_before_the_commit(postgres, wire, open_store):
    """Nothing can have been written, so it is written again, and nobody notices."""
    url = postgres.fresh().replace(str(postgres.port), str(wire.server.getsockname()[1]))

    async def story():
        async with open_store(url) as store:
            log = await make(store, "abc")
            wire.word = b"INSERT INTO events"
            await add(store, log, command="command-1")
            assert None is wire.word
            assert 2 == len(await store.load("abc"))

    run(story())


def test_a_restart_between_commands_is_not_noticed(postgres, open_store):
    """Connections that died meanwhile are opened again, for writing and for reading."""
    url = postgres.fresh()

    async def story():
        async with open_store(url) as store:
            log = await make(store, "abc")
            await store.load("abc")
            await asyncio.to_thread(postgres.restart)
            await add(store, log)
            assert 2 == len(await store.load("abc"))

    run(story())


def test_a_database_that_stays_away(postgres, open_store):
    """Whoever asks is told in time, the next ones at once; when it is back, all is well."""
    url = postgres.fresh()

    async def story():
        async with open_store(url, patience=0.3) as store:
            log = await make(store, "abc")
            await asyncio.to_thread(postgres.kill9)
            for _ in range(2):
                with pytest.raises(StoreUnavailableError, match="does not answer"):
                    await store.append(log.append(roll()))
            with pytest.raises(StoreUnavailableError):
                await store.check()
            await asyncio.to_thread(postgres.start)
            await add(store, log)
            await store.check()

    run(story())


def test_a_frozen_transaction_holds_up_its_own_table_only(postgres, open_store, monkeypatch):
    """Where another process keeps a row locked, its table fails in time and the others go on."""
    monkeypatch.setattr(databases, "LOCK_SECONDS", 0.3)
    url = postgres.fresh()

    async def story():
        async with open_store(url) as store:
            logs = [await make(store, name) for name in ("abc", "def", "xyz")]
            with psycopg.connect(url) as frozen:
                frozen.execute("SELECT * FROM tables WHERE id = 'def' FOR UPDATE")
                waiting = [store.append(log.append(roll())) for log in logs]
                one, two, three = await asyncio.gather(*waiting, return_exceptions=True)
            assert (AppendResult(2, 2), StoreUnavailableError, AppendResult(2, 2)) == (
                one,
                type(two),
                three,
            )
            await add(store, logs[1])

    run(story())


def test_a_full_file_is_told_and_harms_nothing(sqlite_url, open_store):
    """At the cap of bytes an append is refused, small ones still fit, and room can be made."""

    async def story():
        async with open_store(sqlite_url, most_bytes=400_000) as store:
            log, other = await make(store, "abc"), await make(store, "xyz")
            with pytest.raises(DiskFullError, match="the disk of the server is full"):
                while True:
                    await add(store, log, roll(size=BIG))
            assert log.head > 1
            group = [other.append(roll()), log.append(roll(size=BIG))]
            outcomes = await asyncio.gather(*map(store.append, group), return_exceptions=True)
            assert (AppendResult(2, 2), DiskFullError) == (outcomes[0], type(outcomes[1]))
            assert "ok" == integrity(sqlite_url)
            events = await store.load("abc")
            assert (log.head, True) == (len(events), is_whole("abc", events))
            await store.delete_table("abc")
            other.moved(group[0].events)
            await add(store, other, roll(size=BIG))
            assert is_whole("xyz", await store.load("xyz"))

    run(story())


FULL_DISK = """
import asyncio, resource, sys
from rollwright.server.storage.appends import DiskFullError
from rollwright.server.storage.store import Store
from tests.server.stored_logs import add, make, roll

async def story(url):
    store = await Store.open(url)
    log = await make(store, "abc")
    most = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, most))
    try:
        while True:
            await add(store, log, roll(size=20_000), command=f"command-{log.head + 1}")
    except DiskFullError as problem:
        print("full", log.head, problem, flush=True)
    assert log.head == len(await store.load("abc"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    await add(store, log, roll(size=20_000), command=f"command-{log.head + 1}")
    print("again", log.head, flush=True)
    await store.close()

asyncio.run(story(sys.argv[1]))
"""


def test_a_full_disk_is_told_and_harms_nothing(sqlite_url, open_store):
    """Where the system writes no more, that is an error; with room again it goes on, all whole."""
    with child(FULL_DISK, sqlite_url) as process:
        full, again = process.communicate()[0].splitlines()
    assert 0 == process.returncode
    assert "full" == full.split()[0]
    assert f"again {int(full.split()[1]) + 1}" == again
    assert "ok" == integrity(sqlite_url)

    async def story():
        async with open_store(sqlite_url) as store:
            events = await store.load("abc")
            assert (int(again.split()[1]), True) == (len(events), is_whole("abc", events))

    run(story())


UNDER_LOAD = """
import asyncio, sys
from rollwright.server.storage.store import Store
from tests.server.stored_logs import add, make

async def play(store, log):
    while True:
        await add(store, log, command=f"command-{log.head + 1}")
        print(log.table, log.head, flush=True)

async def story(url, turn):
    store = await Store.open(url)
    logs = [await make(store, f"t{turn}{number}") for number in range(8)]
    await asyncio.gather(*[play(store, log) for log in logs])

asyncio.run(story(*sys.argv[1:]))
"""


def killed_under_load(url, turn, lines):
    """Start a process that writes, kill it after so many acknowledgements; what it was told."""
    heads = {}
    with child(UNDER_LOAD, url, turn) as process:
        for _ in range(lines):
            table, head = process.stdout.readline().split()
            heads[table] = int(head)
        process.send_signal(signal.SIGKILL)
        for line in process.stdout.read().splitlines(keepends=True):
            if line.endswith("\n"):
                table, head = line.split()
                heads[table] = int(head)
    return heads


def test_nothing_is_lost_when_the_process_is_killed(sqlite_url, open_store):
    """After kill -9 in the middle of load, what was acknowledged is there once, all whole."""
    told = {}
    for turn in "abc":
        told |= killed_under_load(sqlite_url, turn, 150)
        assert "ok" == integrity(sqlite_url)

    async def story():
        async with open_store(sqlite_url) as store:
            for table, head in told.items():
                events = await store.load(table)
                assert is_whole(table, events)
                assert head <= len(events) <= head + 1
                assert AppendRepeat(head, head) == await store.find_command(
                    table, "s1", f"command-{head}"
                )

    run(story())


OPEN = """
import asyncio, sys
from rollwright.server.storage.store import Store

async def story():
    store = await Store.open(sys.argv[1])
    print("open", flush=True)
    await asyncio.sleep(60)

asyncio.run(story())
"""


def test_a_second_server_on_a_file_is_refused(sqlite_url, open_store):
    """It is told which process has the file, and may have it when that one is killed."""
    file = databases.file_of(databases.address(sqlite_url))
    with child(OPEN, sqlite_url) as process:
        assert "open\n" == process.stdout.readline()
        assert process.pid == owner_of(file)
        with pytest.raises(
            FileInUseError, match=f"in use by process {process.pid}; .*`rollwright db"
        ):
            run(Store.open(sqlite_url))
        process.kill()
        process.wait()
    assert None is owner_of(file)

    async def story():
        async with open_store(sqlite_url):
            with pytest.raises(FileInUseError, match=str(os.getpid())):
                await Store.open(sqlite_url)
        async with open_store(sqlite_url) as store:
            await store.check()

    run(story())


def test_a_file_that_somebody_else_locks_for_a_moment(sqlite_url, open_store):
    """An append waits for a transaction of another program and is stored then."""

    async def story():
        async with open_store(sqlite_url) as store:
            log = await make(store, "abc")
            file = databases.file_of(databases.address(sqlite_url))
            with contextlib.closing(
                sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            ) as other:
                other.execute("BEGIN IMMEDIATE")
                waiting = asyncio.ensure_future(store.append(log.append(roll())))
                await asyncio.to_thread(wait_until, lambda: store.waiting == 0)
                threading.Timer(0.1, other.execute, ["ROLLBACK"]).start()
                assert AppendResult(2, 2) == await waiting

    run(story())


def test_a_file_of_secrets_is_for_its_owner_alone(tmp_path, open_store):
    """A new database, its log and its folder cannot be read by others."""
    url = f"sqlite:///{tmp_path}/new/folder/table.sqlite"

    async def story():
        async with open_store(url) as store:
            await make(store, "abc")
            files = sorted((tmp_path / "new" / "folder").iterdir())
            assert [
                "table.sqlite",
                "table.sqlite-shm",
                "table.sqlite-wal",
                "table.sqlite.lock",
            ] == [file.name for file in files]
            if os.name != "nt":
                assert {0o600} == {file.stat().st_mode & 0o777 for file in files}

    run(story())


@pytest.mark.parametrize(("said", "level"), [("full", 2), ("normal", 1)])
def test_how_safely_sqlite_writes_can_be_chosen(said, level):
    """`full` and `normal` reach the connection that writes; it is a log written ahead."""
    tuning = databases.Tuning(synchronous=said, most_bytes=8192)
    settings = databases.sqlite_settings(tuning, reading=False)
    with contextlib.closing(sqlite3.connect(":memory:")) as file:
        for setting in settings:
            file.execute(f"PRAGMA {setting}").close()
        assert level == file.execute("PRAGMA synchronous").fetchone()[0]
        assert 2 == file.execute("PRAGMA max_page_count").fetchone()[0]
    assert "journal_mode = WAL" in settings


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://host/name", "sqlite:///FILE or postgresql://HOST/NAME would do"),
        ("nonsense://", "would do"),
        ("sqlite://", "SQLite needs a file"),
        ("sqlite:///:memory:", "SQLite needs a file"),
        ("postgresql://me:secret@host:port/name", "would do"),
    ],
)
def test_an_address_that_will_not_do(address, said):
    """It is refused with what would do, and without the password."""
    with pytest.raises(BadDatabaseError, match=said) as caught:
        run(Store.open(address))
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database(tmp_path):
    """A text file and a folder are refused in one sentence, and are left as they were."""
    file = tmp_path / "notes.txt"
    file.write_text("no database " * 100)
    for place in (file, tmp_path):
        with pytest.raises(BadDatabaseError, match="cannot be"):
            run(Store.open(str(place)))
    assert "no database " * 100 == file.read_text()


def test_a_database_that_cannot_be_reached(postgres):
    """A wrong port is told after a moment of patience."""
    url = postgres.fresh().replace(str(postgres.port), "1")
    with pytest.raises(StoreError, match=r"does not answer: .*refused"):
        run(Store.open(url, patience=0.1))


def test_where_the_database_lies_by_default():
    """In the folder that each system has for it."""
    home = {"HOME": "/home/ann", "XDG_DATA_HOME": "", "LOCALAPPDATA": ""}
    folders = [databases.data_folder(home, platform).as_posix() for platform in ("linux", "darwin")]
    assert [
        "/home/ann/.local/share/rollwright",
        "/home/ann/Library/Application Support/rollwright",
    ] == folders
    local = {"LOCALAPPDATA": "C:/Data"}
    assert "C:/Data/rollwright" == databases.data_folder(local, "win32").as_posix()
    assert "sqlite:////data/rollwright/table.sqlite" == databases.default_database(
        {"XDG_DATA_HOME": "/data"}
    )
