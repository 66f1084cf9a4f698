"""A table's open events, sent to an address on this machine by the command that does it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from benchmarks.soak.servers import App

from rollwright.client import Server, Table, webhooks
from rollwright.client.events import ChatSent, RollEnded

pytestmark = pytest.mark.storm
SECONDS = 90


@pytest.fixture
def ana(app: App) -> Iterator[Table]:
    """A referee at a table of hers."""
    with Server(app.address, patience=60) as server:
        yield server.create_table("twilight2000", name="Ana")


class Receiver:
    """Somebody who gets deliveries: takes each once, and may be told to refuse for a while."""

    def __init__(self) -> None:
        self.secret = ""
        self.taken: list[webhooks.Delivery] = []
        self.tries: list[int] = []
        self.bodies: list[bytes] = []
        self.answers: list[int] = []
        """What is answered next, instead of taking it."""
        self.hears = threading.Condition()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                self.send_response(outer.answered(dict(self.headers.items()), body))
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.listener.server_port}/dice"

    def answered(self, headers: dict[str, str], body: bytes) -> int:
        """One delivery, checked as the docs tell it."""
        with self.hears:
            self.bodies.append(body)
            last = self.taken[-1].number if self.taken else 0
            try:
                delivery = webhooks.verify(self.secret, headers, body, after=last)
            except webhooks.Replayed as again:
                self.tries.append(again.number)
                return 204
            self.tries.append(delivery.number)
            if self.answers:
                self.hears.notify_all()
                return self.answers.pop(0)
            self.taken.append(delivery)
            self.hears.notify_all()
            return 204

    def wait(self, ready: Any) -> None:
        """Wait until something is so."""
        with self.hears:
            assert self.hears.wait_for(ready, SECONDS), (self.tries, self.bodies[-1:])


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Somebody on this machine."""
    found = Receiver()
    thread = threading.Thread(target=found.listener.serve_forever, daemon=True)
    thread.start()
    yield found
    found.listener.shutdown()
    found.listener.server_close()
    thread.join(SECONDS)


def words(folder: Path, link: object, *more: str) -> list[str]:
    """The command line of a hook."""
    file = str(folder / "hooks.sqlite")
    call = [sys.executable, "-m", "rollwright", "webhooks", "--link", str(link)]
    return [*call, "--database", file, *more]


@contextmanager
def hook(folder: Path, table: Table, receiver: Receiver, *more: str) -> Iterator[Any]:
    """The command while it runs; the first start shows the secret."""
    call = words(folder, table.links["spectator"], "--to", receiver.address, *more)
    process = subprocess.Popen(call, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        if not receiver.secret:
            line = process.stderr.readline()
            assert "shown this once" in line
            receiver.secret = line.split()[-1]
        yield process
    finally:
        process.kill()
        process.wait(SECONDS)
        process.stderr.close()


def seen_by_spectators(table: Table) -> list[Any]:
    """The events that have an inside for who only watches."""
    with Server(table.asking.address) as server:
        watching = server.table(table.links["spectator"])
        return [event for event in watching.events() if "body" in event]


def test_an_evening_is_told_in_order_and_no_secret_of_it(
    tmp_path: Path, ana: Table, receiver: Receiver
) -> None:
    """What spectators see and nothing else, numbered from one on; secrets when they are opened."""
    with Server(ana.asking.address) as server, hook(tmp_path, ana, receiver, "--all"):
        bo = server.join(ana.links["player"], name="Bo")
        bo.do("chat.send", text="Ready?")
        bo.roll("2d6")
        secret = ana.roll("7d4+1000", visibility="private")
        ana.do("sheet.create", sheet="npc", values={"name": "Zyklop"}, shown=False)
        bo.do("chat.send", text="What was that?")
        receiver.wait(lambda: ChatSent(bo.seat, "What was that?") in said(receiver))
        assert not any(b"Zyklop" in body or b"7d4+1000" in body for body in receiver.bodies)
        expected = seen_by_spectators(ana)
        assert expected == [one.event for one in receiver.taken]
        ana.reveal(secret)
        ana.do("chat.send", text="The last word")
        receiver.wait(lambda: ChatSent("s1", "The last word") in said(receiver))
    numbers = [one.number for one in receiver.taken]
    assert [*range(1, len(numbers) + 1)] == numbers
    opened = [one.event["seq"] for one in receiver.taken if b"7d4+1000" in one.body]
    assert opened
    assert min(opened) < max(event["seq"] for event in expected)
    key = lambda event: event["seq"]  # noqa: E731
    assert seen_by_spectators(ana) == sorted((one.event for one in receiver.taken), key=key)
    assert not any(b"Zyklop" in body for body in receiver.bodies)


def said(receiver: Receiver) -> list[Any]:
    """What was delivered, as typed values."""
    return [one.typed_event for one in receiver.taken]


def test_nothing_is_lost_or_doubled_when_both_sides_fall(
    tmp_path: Path, ana: Table, receiver: Receiver
) -> None:
    """The address refuses, the command is killed, the table goes on: each event once, in order."""
    with hook(tmp_path, ana, receiver, "--all") as process:
        ana.do("chat.send", text="0")
        receiver.wait(lambda: ChatSent("s1", "0") in said(receiver))
        receiver.answers = [500] * 1000
        secret = ana.roll("1d6", visibility="private")
        ana.do("chat.send", text="1")
        refused = receiver.taken[-1].number + 1
        receiver.wait(lambda: refused in receiver.tries)
        assert "is not taken yet: the address answered 500" in process.stderr.readline()
        process.kill()
    ana.reveal(secret)
    for text in "234":
        ana.do("chat.send", text=text)
    receiver.answers = []
    with hook(tmp_path, ana, receiver):
        receiver.wait(lambda: len(seen_by_spectators(ana)) == len(receiver.taken))
    numbers = [one.number for one in receiver.taken]
    assert [*range(1, len(numbers) + 1)] == numbers
    assert [ChatSent("s1", text) for text in "01234"] == [
        one for one in said(receiver) if isinstance(one, ChatSent)
    ]
    assert 1 == sum(isinstance(one, RollEnded) for one in said(receiver))
    seqs = sorted(one.event["seq"] for one in receiver.taken)
    assert [event["seq"] for event in seen_by_spectators(ana)] == seqs


def test_it_says_why_it_ends(tmp_path: Path, ana: Table, receiver: Receiver) -> None:
    """A second one, a link that is no spectator's, a bad address, a table that is deleted."""

    def refused(link: object, *more: str) -> str:
        done = subprocess.run(
            words(tmp_path, link, *more), capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
        return done.stderr.strip()

    to = ("--to", receiver.address)
    for role in ("player", "referee"):
        assert "a spectator's link is needed" in refused(ana.links[role], *to)
    assert "a spectator's link is needed" in refused(ana.link, *to)
    assert "everybody on the way" in refused(ana.links["spectator"], "--to", "http://log.example/")
    with hook(tmp_path, ana, receiver) as process:
        assert "database is locked" in refused(ana.links["spectator"], *to)
        ana.do("chat.send", text="Still there")
        receiver.wait(lambda: ChatSent("s1", "Still there") in said(receiver))
        ana.delete()
        assert 0 != process.wait(SECONDS)
        assert "deleted" in process.stderr.read()
