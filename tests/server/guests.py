"""A server of our own in a thread, reached over the network, and people who come to its tables."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import secrets
import socket
import tempfile
import threading
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from rollwright.server.app import create_app
from rollwright.server.process import Process, bind, close, port_of
from rollwright.server.settings import Settings
from rollwright.server.storage.databases import Tuning, address
from rollwright.server.storage.versions import prepare
from tests import nursery

PATIENCE = 60.0
"""Seconds that nothing here takes, however slow or busy the machine is."""
API = "/api/v1"
GENEROUS = {
    "seat_rate": 100_000,
    "seat_burst": 100_000,
    "address_rate": 100_000,
    "address_burst": 100_000,
    "tables_per_hour": 100_000,
    "wrong_tokens": 100_000,
    "joins_per_minute": 100_000,
    "metrics": "open",
    "tables": "anybody",
}

# One for all, since making one takes longer than a request; no line is kept for the next one.
CLIENT = httpx.Client(
    timeout=PATIENCE, verify=False, limits=httpx.Limits(max_keepalive_connections=0)
)


def made_ready(database):
    """Give a file that is not there yet its tables, for a tenth of what a server pays for them."""
    if isinstance(database, Path) and database.parent.is_dir() and not database.exists():
        database.touch(mode=0o600)
        database.write_bytes(empty())


@functools.cache
def empty():
    """The bytes of a database that no table is in yet, as a server makes it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "empty.sqlite")
        prepare(address(str(file)), Tuning())
        return file.read_bytes()


class Serving:
    """A server that runs in a thread of this process."""

    def __init__(self, database, **settings):
        made_ready(database)
        chosen = {"port": 0, "counters": 1, "open": False, "log_level": "error", **GENEROUS}
        asked = Settings(**{**chosen, "database": str(database), **settings})
        self.listeners = bind(asked)
        self.port = port_of(self.listeners)
        self.settings = dataclasses.replace(asked, port=self.port)
        self.address = f"http://127.0.0.1:{self.port}"
        self.started = threading.Event()
        self.app = create_app(self.settings)
        self.process = Process(self.settings, self.app, self.started.set)
        self.problem = None
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        try:
            with nursery.in_use():
                self.process.run([*self.listeners])
        except BaseException as problem:
            self.problem = problem
        finally:
            self.started.set()

    def __enter__(self):
        self.thread.start()
        assert self.started.wait(PATIENCE)
        if self.problem is not None:
            raise self.problem
        return self

    def __exit__(self, *_):
        self.process.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        close(self.listeners)

    @property
    def services(self):
        """What the server consists of; look, do not touch."""
        return self.app.state.services

    def raw(self, data, *, seconds=PATIENCE):
        """Send bytes as they are and read whatever comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as line:
            with contextlib.suppress(OSError):
                line.sendall(data)
            return read_all(line)


def read_all(line):
    """Everything that comes on a line before it is closed, or falls silent."""
    came = b""
    with contextlib.suppress(OSError):
        while part := line.recv(65536):
            came += part
            if b"\r\n\r\n" in came and _whole(came):
                break
    return came


def _whole(came):
    head, _, body = came.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return len(body) >= int(line.partition(b":")[2])
    return False


def new_token():
    """A token as clients make them, and its hash."""
    token = secrets.token_urlsafe(32)
    return token, sha256(token.encode()).hexdigest()


def new_id():
    """The id of a command."""
    return secrets.token_urlsafe(12)


class Guest:
    """Somebody with a token."""

    def __init__(self, address, table="", token="", seat=""):
        self.address = address
        self.table = table
        self.token = token
        self.seat = seat

    @property
    def headers(self):
        """The token, where it belongs."""
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    def ask(self, method, path="", body=None, headers=None):
        """One request to the table."""
        place = f"{self.address}{API}/tables" + (f"/{self.table}{path}" if self.table else path)
        sent = {} if body is None else {"json": body}
        return CLIENT.request(method, place, headers={**self.headers, **(headers or {})}, **sent)

    def tries(self, do, **fields):
        """A command, however it ends."""
        return self.ask("POST", "/commands", {"id": new_id(), "do": do, **fields}).json()

    def does(self, do, **fields):
        """A command that must be done."""
        ack = self.tries(do, **fields)
        assert ack["ok"], ack
        return ack

    def rolls(self, expression="2d6", **fields):
        """A roll that must be made."""
        return self.does("roll.start", expression=expression, nonce=secrets.token_hex(32), **fields)

    def socket(self, after=None, **more):
        """A socket of this guest, welcomed."""
        return Line(self, after, **more)


class Founded:
    """A table with its referee and its links."""

    def __init__(self, address, game="", **fields):
        token, hashed = new_token()
        self.names = Counter()
        self.links, hashes = {}, {"seat": hashed}
        for role in ("referee", "player", "spectator"):
            self.links[role], hashes[role] = new_token()
        self.asked = {"id": new_id(), "game": game, "name": "Ada", "tokens": hashes, **fields}
        made = Guest(address).ask("POST", body=self.asked)
        assert made.status_code == 201, made.text
        self.id = made.json()["table"]
        self.address = address
        self.referee = Guest(address, self.id, token, "s1")

    def link(self, role="player", address=""):
        """Somebody who has a link and no seat."""
        return Guest(address or self.address, self.id, self.links[role])

    def join(self, name="Bo", role="player", address=""):
        """Somebody new at the table; namesakes have numbers."""
        token, hashed = new_token()
        self.names[name] += 1
        called = f"{name} {self.names[name]}" if self.names[name] > 1 else name
        asked = {"id": new_id(), "name": called, "token_hash": hashed}
        joined = self.link(role, address).ask("POST", "/join", asked)
        assert joined.status_code == 201, joined.text
        return Guest(address or self.address, self.id, token, joined.json()["seat"])


class Line:
    """A socket with everything that came on it."""

    def __init__(self, guest, after=None, *, hello=True, headers=None, language="", **more):
        self.guest = guest
        self.frames = []
        self._opened = contextlib.ExitStack()
        self.line = self._opened.enter_context(
            connect(
                f"ws{guest.address[4:]}{API}/tables/{guest.table}/socket"
                + (f"?language={language}" if language else ""),
                compression=None,
                open_timeout=PATIENCE,
                ping_timeout=PATIENCE,
                close_timeout=2,
                max_size=None,
                additional_headers=headers or {},
                **more,
            )
        )
        if hello:
            self.send(
                {"hello": {"protocol": 3, "token": guest.token, "after": after, "recent": 50}}
            )
            self.welcome = self.until("welcome")["welcome"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, message):
        """A message, as JSON unless it is text already."""
        self.line.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def read(self, seconds=PATIENCE):
        """The next frame."""
        frame = json.loads(self.line.recv(timeout=seconds))
        self.frames.append(frame)
        return frame

    def until(self, kind, seconds=PATIENCE):
        """Read on to the next frame of a kind."""
        end = time.monotonic() + seconds
        while True:
            frame = self.read(max(0.01, end - time.monotonic()))
            if kind in frame:
                return frame

    def until_seq(self, seq):
        """Read on until an event has come."""
        while not any(event["seq"] >= seq for frame in self.frames for event in events_in(frame)):
            self.read()

    def command(self, do, **fields):
        """Send a command and wait for its acknowledgement."""
        sent = {"id": new_id(), "do": do, **fields}
        self.send({"command": sent})
        while (ack := self.until("ack")["ack"])["id"] not in (sent["id"], None):
            pass
        return ack

    @property
    def seqs(self):
        """The numbers of all events that came, in the order in which they came."""
        return [event["seq"] for frame in self.frames for event in events_in(frame)]

    def closed(self, seconds=PATIENCE):
        """Read on to the end; how the server closed."""
        try:
            while True:
                self.read(seconds)
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else None

    @property
    def bye(self):
        """The last word of the server."""
        return next(frame["bye"] for frame in self.frames if "bye" in frame)

    def close(self):
        """Leave."""
        self._opened.close()


def events_in(frame):
    """The events of a frame, those before a welcome's snapshot left out."""
    return frame.get("events", [])


def wait_until(happened, seconds=PATIENCE):
    """Wait for something that nobody announces."""
    end = time.monotonic() + seconds
    while not (found := happened()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.01)
    return found
