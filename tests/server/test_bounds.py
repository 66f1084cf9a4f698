"""What somebody can make grow has a bound in bytes, in the memory of a real server process too."""

import base64
import contextlib
import json
import os
import socket
import sys
from pathlib import Path

import pytest
from benchmarks.soak.servers import App, place

from tests.server.guests import API, Founded, wait_until

MEGABYTE = 2**20
HERE = "127.0.0.1"
ONLY_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="of Linux only")
MANY_DICE = "+".join(["190d6"] * 105)
"""More throws than one command makes: the roll stays open."""


@contextlib.contextmanager
def running(**settings):
    """A server in a process of its own."""
    with place() as folder:
        app = App(folder, "app", database=folder / "tables.db", **settings)
        try:
            app.start()
            yield app
        finally:
            app.stop()


def peak(app):
    """The most memory that the process ever had, in megabytes; its children are not counted."""
    status = Path(f"/proc/{app.process.pid}/status").read_text("ascii")
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


def masked(message):
    """A message of a client as a frame; a mask of zeros changes nothing."""
    text = json.dumps(message).encode()
    length = (
        bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
    )
    return b"\x81" + length + bytes(4) + text


def deaf(guest, after=None):
    """A socket that says hello and reads nothing."""
    port = int(guest.address.rpartition(":")[2])
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect((HERE, port))
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET {API}/tables/{guest.table}/socket HTTP/1.1\r\nHost: {HERE}:{port}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    while not line.recv(1, socket.MSG_PEEK | socket.MSG_WAITALL) or line.recv(1) != b"\n":
        pass
    while line.recv(2, socket.MSG_PEEK) != b"\r\n":
        while line.recv(1) != b"\n":
            pass
    line.recv(2)
    line.sendall(masked({"hello": {"token": guest.token, "after": after, "recent": 1000}}))
    return line


def is_greeted(line):
    """Whether something of the welcome has come."""
    with contextlib.suppress(BlockingIOError):
        return len(line.recv(1024, socket.MSG_PEEK | socket.MSG_DONTWAIT)) == 1024
    return False


@ONLY_LINUX
def test_open_rolls_and_deaf_sockets_take_little_memory():
    """The attack with 100 endless rolls and 104 sockets that read nothing stays below 400 MB."""
    with running() as app, contextlib.ExitStack() as held:
        table = Founded(app.address)
        guests = [table.referee, *[table.join(f"Bo {number}") for number in range(8)]]
        for number in range(100):
            guests[number % 9].tries("roll.start", expression=MANY_DICE)
        lines = []
        for number in range(104):
            lines.append(held.enter_context(deaf(guests[number % 9])))
            guests[0].tries("say", text=f"{number}")
        wait_until(lambda: all(is_greeted(line) for line in lines))
        assert peak(app) < 400
