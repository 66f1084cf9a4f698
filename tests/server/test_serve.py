"""`rollwright serve` as a process: how it starts, what it says, how it ends."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys

import httpx
import psutil
import pytest

from rollwright.cli.commands import serve as serve_command
from rollwright.server.settings import Settings
from rollwright.server.storage.databases import address
from rollwright.server.storage.inventory import upgrade_database
from tests.server.guests import API, CLIENT, GENEROUS, Founded, Guest, Line, read_all, wait_until
from tests.server.parts import free_port

pytestmark = pytest.mark.storm

SECONDS = 60
OURS = {f"ROLLWRIGHT_{name.upper()}": str(value) for name, value in GENEROUS.items()}


class Served:
    """A server process, its words and its end."""

    def __init__(self, *options, **variables):
        environ = {name: text for name, text in os.environ.items() if "ROLLWRIGHT" not in name}
        environ |= OURS | {"ROLLWRIGHT_COUNTERS": "1"}
        environ |= {f"ROLLWRIGHT_{name.upper()}": str(text) for name, text in variables.items()}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rollwright", "serve", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environ,
        )
        self.said = ""

    def __enter__(self):
        try:
            return self.started()
        except BaseException:
            self.__exit__()
            raise

    def started(self):
        """Wait until it says that it is ready."""
        while "Ctrl+C" not in self.said and (line := self.process.stdout.readline()):
            self.said += line
        found = re.search(r"http://\S+", self.said)
        assert found, (self.said, self.process.stderr.read())
        self.address = found[0].rstrip("/")
        wait_until(self.is_ready)
        return self

    def is_ready(self):
        """Whether it says so."""
        with contextlib.suppress(httpx.TransportError):
            return CLIENT.get(f"{self.address}/ready").status_code == 200
        return False

    def end(self, sign=signal.SIGTERM):
        """End it politely; its exit code."""
        self.process.send_signal(sign)
        return self.wait()

    def wait(self):
        """Its exit code, and everything that it said."""
        out, self.errors = self.process.communicate(timeout=SECONDS)
        self.said += out
        return self.process.returncode

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def refused(*options, **variables):
    """What a server says that does not start."""
    served = Served(*options, **variables)
    try:
        assert 2 == served.wait(), served.errors
    finally:
        served.__exit__()
    assert 1 == len(served.errors.splitlines()), served.errors
    return served.errors


def test_it_says_where_it_is_and_ends_politely(tmp_path):
    """The address and what to do; at the end everybody hears of it, and the exit code is 0."""
    with Served(port=0, database=tmp_path / "t.sqlite") as served:
        table = Founded(served.address)
        with table.referee.socket() as line:
            ack = line.command("roll.start", expression="2d6", nonce="")
            served.process.send_signal(signal.SIGTERM)
            assert 1012 == line.closed()
            assert "shutdown" == line.bye["code"]
        assert 0 == served.wait()
        assert "" == served.errors
    assert "make a table" in served.said
    with Served(port=0, database=tmp_path / "t.sqlite") as served:
        referee = Guest(served.address, table.id, table.referee.token)
        assert ack["last"] == referee.ask("GET").json()["head"]
        assert 0 == served.end(signal.SIGINT)


FIRST_ROLL = """
import asyncio, sys, uvicorn
from secrets import token_bytes, token_hex
from rollwright.server.app import create_app
from rollwright.server.process import Process
from rollwright.server.live.creation import first_events
from rollwright.server.settings import Settings
from rollwright.table import Secrets, TableState, create_table, decide

async def listen(self, sockets=None):
    pass

uvicorn.Server.startup = listen
settings = Settings()
asyncio.run(Process(settings, create_app(settings), lambda: None).startup())
tokens = {name: token_hex(32) for name in ("seat", "referee", "player", "spectator")}
founded = {"game": "dust", "name": "Ada", "tokens": tokens}
decision = create_table(founded, table="t", secret=bytes(32), entropy=token_bytes)
state = TableState.of(first_events("t", decision.drafts, 0))
loaded = set(sys.modules)
for dice in ({"expression": "1d20+3"}, {"expression": "2d6", "dialect": "avrae"}):
    decide(state, "s1", {"do": "roll.start", **dice}, Secrets(bytes(32)), 0, token_bytes)
print(sorted(set(sys.modules) - loaded))
"""


def test_the_first_roll_has_nothing_left_to_load():
    """A process has rehearsed one before it listens: everybody would wait while modules load."""
    done = subprocess.run([sys.executable, "-c", FIRST_ROLL], capture_output=True, text=True)
    assert "[]" == done.stdout.strip(), done.stdout + done.stderr


def test_a_second_signal_ends_it_at_once(tmp_path):
    """A request that is never finished does not hold up whoever insists."""
    seconds = 100 * SECONDS
    with Served(port=0, database=tmp_path / "t.sqlite", shutdown_seconds=seconds) as served:
        host, port = served.address[7:].split(":")
        with socket.create_connection((host, int(port)), timeout=SECONDS) as line:
            head = f"POST {API}/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            begin(line, head + "Content-Length: 100\r\n", b"{")
            served.process.send_signal(signal.SIGTERM)
            wait_until(lambda: not _accepts(host, port))
            assert 1 == served.end(signal.SIGTERM)


def begin(line, head, body):
    """Send a part of a request; the server reads it once it says that the rest may come."""
    line.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
    go_on = b"HTTP/1.1 100 Continue\r\n\r\n"
    came = b""
    while len(came) < len(go_on) and (part := line.recv(len(go_on) - len(came))):
        came += part
    assert go_on == came
    line.sendall(body)


def _accepts(host, port):
    with contextlib.suppress(OSError), socket.create_connection((host, int(port))):
        return True
    return False


def test_a_request_under_way_is_finished(tmp_path):
    """What was being sent when the end came is still answered."""
    with Served(port=0, database=tmp_path / "t.sqlite", shutdown_seconds=60) as served:
        table = Founded(served.address)
        body = b'{"id": "12345678", "do": "chat.send", "text": "late"}'
        host, port = served.address[7:].split(":")
        with socket.create_connection((host, int(port)), timeout=SECONDS) as line:
            head = (
                f"POST {API}/tables/{table.id}/commands HTTP/1.1\r\nHost: x\r\n"
                f"Authorization: Bearer {table.referee.token}\r\nConnection: close\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            )
            begin(line, head, body[:10])
            served.process.send_signal(signal.SIGTERM)
            wait_until(lambda: not _accepts(host, port))
            line.sendall(body[10:])
            assert b'"ok":true' in read_all(line)
        assert 0 == served.wait()


def test_what_cannot_be_is_refused_in_one_line(tmp_path):
    """Several workers on SQLite, a wrong setting, an unknown option, a database that is none."""
    file = str(tmp_path / "t.sqlite")
    assert "SQLite serves one process" in refused("--workers", "2", "--database", file)
    assert "a number would do" in refused(port="many")
    assert "no address of a database" in refused("--database", "mysql://x/y", port=0)
    assert "did you mean" in refused("--prot", "1")
    assert "no setting" in refused("--config", _file(tmp_path, "prot = 1"))
    assert "nowhere.toml" in refused("--config", str(tmp_path / "nowhere.toml"))


def _file(folder, text):
    file = folder / "table.toml"
    file.write_text(text, "utf-8")
    return str(file)


def test_a_port_or_a_database_that_is_taken_is_told(tmp_path):
    """By another server, with what would do."""
    with Served(port=0, database=tmp_path / "t.sqlite") as served:
        port = served.address.rpartition(":")[2]
        assert "--port 0 takes a free one" in refused(port=port, database=tmp_path / "u.sqlite")
        told = refused(port=0, database=tmp_path / "t.sqlite")
        assert f"in use by process {served.process.pid}" in told


def test_options_variables_and_files_are_all_read(tmp_path):
    """The option wins, then the variable, then the file."""
    file = _file(tmp_path, 'host = "127.0.0.9"\nmetrics = "off"\nkeep-days = 3\n')
    database = str(tmp_path / "t.sqlite")
    with Served(
        "--config", file, "--host", "127.0.0.1", "--port", "0", metrics="open", database=database
    ) as served:
        assert served.address.startswith("http://127.0.0.1:")
        assert 200 == CLIENT.get(f"{served.address}/metrics").status_code
        assert 0 == served.end()


def test_whoever_listens_to_the_world_is_warned(capsys):
    """About TLS, unless only this machine can come or a proxy was named."""
    for settings, warned in (
        (Settings(host="0.0.0.0"), True),
        (Settings(), False),
        (Settings(host="0.0.0.0", trust_proxy=("127.0.0.1",)), False),
    ):
        serve_command.tell(settings, "http://127.0.0.1:7655/")
        assert warned == ("TLS" in capsys.readouterr().err)


def test_a_host_is_told_where_the_tables_are(tmp_path, capsys):
    """The file in full, wherever it was named from; of a database not the password."""
    page = "http://127.0.0.1:7655/"
    file = tmp_path / "t.sqlite"
    serve_command.tell(Settings(database=f"sqlite:///{file}"), page)
    assert f"They are kept in {file}\n" in capsys.readouterr().out
    serve_command.tell(Settings(database="postgresql://me:hush@db.example/tables"), page)
    told = capsys.readouterr().out
    assert "@db.example/tables\n" in told
    assert "hush" not in told


def test_a_host_of_the_world_is_told_who_makes_tables(tmp_path, capsys, monkeypatch):
    """In one line how to change it; with a link that has a key, but only on a terminal."""
    database = str(tmp_path / "t.sqlite")
    settings, page = Settings(host="0.0.0.0", database=database), "http://127.0.0.1:7655/"
    assert "" == serve_command.makers_link(settings, page)
    serve_command.tell(settings, page)
    told = capsys.readouterr().out
    assert "Only you can make tables (--tables anybody or passphrase changes that)" in told
    assert f"`rollwright admin invite --page {page} --database {database}` gives" in told
    elsewhere = Settings(host="0.0.0.0", database="postgresql://me:hush@db.example/tables")
    serve_command.tell(elsewhere, page)
    told = capsys.readouterr().out
    assert "--database postgresql://…` gives you a link" in told
    assert "hush" not in told
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert "" == serve_command.makers_link(settings, page)  # there is no database yet
    upgrade_database(address(database))
    link = serve_command.makers_link(settings, page)
    assert re.fullmatch(re.escape(page) + "#[A-Za-z0-9_-]{43}", link)
    serve_command.tell(settings, page, link)
    assert link in capsys.readouterr().out
    assert "" == serve_command.makers_link(Settings(database=database), page)


def test_the_page_is_opened_only_for_a_person_at_a_desktop(monkeypatch):
    """Not where output goes to a file or a pipe, and not without a screen."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", ":0")
    assert not serve_command.has_desktop()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert serve_command.has_desktop()
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not serve_command.has_desktop()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert serve_command.has_desktop()


def shared(postgres, redis_server):
    """The settings of processes that serve the same tables."""
    return {"port": 0, "database": postgres.fresh(), "redis": redis_server.url}


def test_two_processes_see_each_others_events(postgres, redis_server):
    """On PostgreSQL and Redis: rolls, presence and an open log reach the other at once."""
    settings = {**shared(postgres, redis_server), "poll_seconds": 60}
    with Served(**settings) as one, Served(**settings) as other:
        table = Founded(one.address)
        bo = table.join("Bo", address=other.address)
        for served in (one, other):
            wait_until(lambda at=served: _redis(at) == "up")
        with table.referee.socket() as here, bo.socket() as there:
            ack = here.command("roll.start", expression="2d6", nonce="")
            there.until_seq(ack["last"])
            back = there.command("roll.start", expression="3d8", nonce="")
            here.until_seq(back["last"])
            assert [*range(4, back["last"] + 1)] == here.seqs == there.seqs
            both = {"present": {"seats": ["s1", "s2"]}}
            for line in (here, there):
                while both not in line.frames:
                    line.read()


def _redis(served):
    return CLIENT.get(f"{served.address}/ready").json()["redis"]


def test_a_ban_holds_at_every_process(postgres, redis_server):
    """Made at one server of a database, it is known to the other within seconds."""
    token, bad = "h" * 40, {"x-forwarded-for": "203.0.113.9"}
    settings = {**shared(postgres, redis_server), "trust_proxy": "127.0.0.1", "admin_token": token}
    with Served(**settings) as one, Served(**settings) as other:
        host = {"authorization": f"Bearer {token}"}
        asked = {"network": "203.0.113.0/24", "hours": 1}
        made = CLIENT.post(f"{one.address}{API}/admin/bans", json=asked, headers=host)
        assert 201 == made.status_code
        wait_until(lambda: 403 == CLIENT.get(f"{other.address}{API}/", headers=bad).status_code)


def test_a_hangup_is_not_the_end_where_logs_are_rotated(tmp_path):
    """Logrotate moves the file and sends the signal; the next line goes to a new one."""
    log = tmp_path / "access.log"
    with Served(port=0, database=tmp_path / "t.sqlite", access_log=log) as served:
        log.rename(tmp_path / "access.log.1")
        served.process.send_signal(signal.SIGHUP)
        assert 200 == CLIENT.get(f"{served.address}/health").status_code
        wait_until(lambda: log.exists() and "/health" in log.read_text("utf-8"))
        assert 0 == served.end()


def test_without_redis_events_come_later_but_they_come(postgres, redis_server):
    """Redis is killed: both stay ready, and the log is asked for news."""
    settings = {**shared(postgres, redis_server), "poll_seconds": 0.3}
    with Served(**settings) as one, Served(**settings) as other:
        table = Founded(one.address)
        bo = table.join("Bo", address=other.address)
        with table.referee.socket() as here, bo.socket() as there:
            redis_server.kill9()
            wait_until(lambda: _redis(one) == _redis(other) == "lost")
            ack = here.command("roll.start", expression="2d6", nonce="")
            there.until_seq(ack["last"])
            redis_server.start()
            wait_until(lambda: _redis(one) == _redis(other) == "up")
            ack = there.command("roll.start", expression="2d6", nonce="")
            here.until_seq(ack["last"])
            assert here.seqs == there.seqs


def test_workers_serve_together_and_are_replaced(postgres, redis_server):
    """Two workers behind one port; one that is killed is replaced, and all end together."""
    settings = {**shared(postgres, redis_server), "metrics_port": free_port()}
    with Served(**settings, workers=2, log_level="error") as served:
        first = psutil.Process(served.process.pid)
        table = Founded(served.address)
        people = [table.join(name) for name in ("Bo", "Cy", "Di", "Ed")]
        with contextlib.ExitStack() as lines:
            here = [lines.enter_context(guest.socket()) for guest in people]
            ack = table.referee.rolls()
            for line in here:
                line.until_seq(ack["last"])
            wait_until(lambda: 2 == len(_workers(first)))
            killed = _workers(first)[0]
            killed.kill()
            wait_until(lambda: 2 == len(_workers(first)) and killed not in _workers(first))
            wait_until(served.is_ready)
            ack = table.referee.rolls()
            for guest, line in zip(people, here):
                known = max(line.seqs)
                with Line(guest, after=known) as again:
                    again.until_seq(ack["last"])
        wait_until(lambda: 2 == len(_told_of(settings["metrics_port"])))
        everybody = first.children(recursive=True)
        assert 0 == served.end()
        _, alive = psutil.wait_procs(everybody, timeout=SECONDS)
        assert [] == alive


def _told_of(port):
    """The processes whose numbers are on the port of their own."""
    page = CLIENT.get(f"http://127.0.0.1:{port}/metrics").text
    assert "rollwright_events_total" in page
    return set(re.findall(r'rollwright_process{pid="(\d+)",what="cpu_seconds"}', page))


def _workers(process):
    """The workers among the children of the first process."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return [
            child
            for child in process.children()
            if child.is_running() and "spawn_main" in " ".join(child.cmdline())
        ]
    return []


@pytest.mark.parametrize("words", [["--port"], ["x"], ["--workers", "x"], ["--open=3"]])
def test_slips_on_the_command_line_are_met_with_one_line(words):
    """Whatever is typed beside it, nothing is served."""
    refused(*words)
