"""What somebody can make grow has a bound in bytes, in the memory of a real server process too."""

import asyncio
import base64
import contextlib
import json
import os
import socket
import sys
from pathlib import Path

import pytest
from benchmarks.soak.servers import App, place

from rollwright.server.app import open_services
from rollwright.server.limits import KEPT_BYTES
from rollwright.server.live.connections import (
    FRAME_BYTES,
    ClientGoneError,
    Connection,
    MessageStream,
    SocketMessage,
)
from rollwright.server.live.creation import open_table
from rollwright.server.live.snapshots import SnapshotStream
from rollwright.server.settings import Settings
from rollwright.table.errors import CodedError
from tests.server.guests import (
    API,
    GENEROUS,
    Founded,
    Guest,
    Line,
    Serving,
    new_id,
    new_token,
    wait_until,
)

pytestmark = pytest.mark.storm

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
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    line.sendall(
        masked({"hello": {"protocol": 3, "token": guest.token, "after": after, "recent": 1000}})
    )
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
            guests[0].tries("chat.send", text=f"{number}")
        wait_until(lambda: all(is_greeted(line) for line in lines))
        assert peak(app) < 400


def test_a_long_welcome_comes_whole(tmp_path):
    """However many frames it takes: sheets, open rolls and recent events, each once."""
    with Serving(tmp_path / "table.sqlite") as server:
        table = Founded(server.address)
        table.referee.does("sheet.create", values={"n": "x" * 40_000})
        for _ in range(2):
            table.referee.does("roll.start", expression=MANY_DICE)
        with table.referee.socket() as line:
            picture = line.welcome["snapshot"]
            looked = table.referee.ask("GET", "?recent=50").json()
            assert {"r1": 101, "r2": 101} == {r: len(e) for r, e in picture["rolls"].items()}
            assert 40_000 == len(picture["sheets"][0]["values"]["n"])
            head = line.welcome["head"]
            assert [*range(head - 49, head + 1)] == [event["seq"] for event in picture["recent"]]
            shared = ("table", "seats", "sheets", "asks", "session", "rolls", "recent")
            assert [picture[name] for name in shared] == [looked[name] for name in shared]
            table.referee.does("chat.send", text="hello")
            line.until_seq(head + 1)


def test_an_old_roll_is_rolled_again(tmp_path):
    """What the room keeps no more is read from the log."""
    with Serving(tmp_path / "table.sqlite") as server:
        table = Founded(server.address)
        table.referee.rolls("3d8+1")
        for _ in range(KEPT_BYTES // 1000 + 5):
            table.referee.rolls("2d6")
        room = server.services.registry.find(table.id)
        assert "r1" in room.state.old_rolls
        again = table.referee.does("roll.repeat", roll="r1")
        assert {"expression": "3d8+1"} == again["events"][0]["body"]["what"]


class SlowLine:
    """A line that takes one frame whenever somebody waits for it."""

    def __init__(self):
        self.taken = []
        self.ahead = 0
        self.most_ahead = 0

    def put(self, data):
        if self.ahead:
            return False
        self.ahead += len(data)
        self.most_ahead = max(self.most_ahead, self.ahead)
        self.taken.append(data)
        return True

    async def free(self):
        await asyncio.sleep(0)
        self.ahead = 0

    def backlog(self):
        return self.ahead

    def abort(self):
        pass


def test_a_message_is_made_as_it_is_taken():
    """Never more than a frame ahead of the client; what comes meanwhile waits for its end."""
    made, line = [], SlowLine()

    async def pieces():
        for number in range(20):
            made.append((number, len(line.taken)))
            yield b"x" * FRAME_BYTES

    async def go():
        connection = Connection(None, Settings(), address="", line=line)
        connection.start()
        await asyncio.sleep(0)
        connection.stream(MessageStream(pieces))
        connection.push(SocketMessage({"pong": 1}))
        await connection.drain()

    asyncio.run(go())
    assert all(number <= taken + 2 for number, taken in made)
    assert line.most_ahead < FRAME_BYTES + 20
    assert [0x01, *[0x00] * 19, 0x80, 0x81] == [frame[0] for frame in line.taken]


def test_a_goodbye_is_told_whatever_is_under_way():
    """Whoever has just sent a command hears what happened, and then why they must go."""

    async def go(line):
        connection = Connection(None, Settings(), address="", line=line)
        connection.start()
        await asyncio.sleep(0)
        connection.pending_commands = 1
        connection.push(SocketMessage({"events": 1}))
        connection.close("removed", "go")
        return line.taken

    bye = SocketMessage({"bye": {"code": "removed", "message": "go"}}).framed
    assert [SocketMessage({"events": 1}).framed + bye] == asyncio.run(go(SlowLine()))


def test_a_message_that_was_sent_is_let_go():
    """A picture of a table takes much, and nobody needs it once it is sent."""

    async def go():
        connection = Connection(None, Settings(), address="", line=SlowLine())
        connection.start()
        await asyncio.sleep(0)
        message = SocketMessage({"pong": "x" * FRAME_BYTES})
        connection.push(message)
        await connection.drain()
        return sys.getrefcount(message)

    assert 2 == asyncio.run(go())


def test_what_happened_is_sent_together_with_the_acknowledgement():
    """Both at once and in order; alone in a moment, and nothing is lost on a line that is full."""

    async def taken(*others, full=False):
        line = SlowLine()
        connection = Connection(None, Settings(), address="", line=line)
        connection.start()
        await asyncio.sleep(0)
        line.ahead = int(full)
        connection.pending_commands = 1
        connection.push(SocketMessage({"events": 1}))
        for other in others:
            connection.send_json({"ack": other})
        assert bool(others) == bool(line.taken) or full
        await asyncio.sleep(0)
        await connection.drain()
        return line.taken

    event, first, second = (
        SocketMessage(one).framed for one in ({"events": 1}, {"ack": 1}, {"ack": 2})
    )
    assert [event] == asyncio.run(taken())
    assert [event + first] == asyncio.run(taken(1))
    assert [event + first, second] == asyncio.run(taken(1, 2))
    assert [event, first] == asyncio.run(taken(1, full=True))
    assert [event] == asyncio.run(taken(full=True))


def test_a_picture_that_cannot_be_ended_ends_the_line():
    """Half of a message is sent, so nothing else can follow it."""
    aborted, line = [], SlowLine()
    line.abort = lambda: aborted.append(True)

    async def pieces():
        for _ in range(3):
            yield b"x" * FRAME_BYTES
        raise ValueError("gone")

    async def go():
        connection = Connection(None, Settings(), address="", line=line)
        connection.start()
        connection.stream(MessageStream(pieces))
        with contextlib.suppress(ClientGoneError):
            await connection.drain()
        assert connection.is_over

    asyncio.run(go())
    assert [True] == aborted


def test_what_a_full_log_spares_has_a_bound(tmp_path):
    """A quarter more for it, then only what ends something that nobody can make anew."""
    with Serving(tmp_path / "table.sqlite", table_bytes=90_000) as server:
        table = Founded(server.address)
        bo = table.join()
        waits = bo.does("roll.start", expression="2d6", physical=True)["events"][0]["body"]["roll"]
        while bo.tries("chat.send", text="x" * 4000)["ok"]:
            pass
        done = 0
        while (ack := table.referee.tries("session.end", keep_open=True))["ok"]:
            done += 1
            assert done < 1000
        assert ("too_large", True) == (ack["error"]["code"], done > 10)
        room = server.services.registry.find(table.id)
        assert room.log_bytes <= 90_000 * 1.25
        bo.does("roll.cancel", roll=waits)
        bo.does("person.erase")
        table.referee.does("seat.remove", seat=bo.seat)
        while table.referee.tries("person.erase")["ok"]:
            pass
        assert room.log_bytes <= 90_000 * 1.5
        assert 200 == table.referee.ask("DELETE").status_code


def test_a_seat_is_used_on_eight_devices_at_most(tmp_path):
    """The ninth token takes the oldest back, and no other."""
    with Serving(tmp_path / "table.sqlite") as server:
        table = Founded(server.address)
        bo = table.join()
        tokens = [bo.token]
        for _ in range(9):
            token, hashed = new_token()
            newest = Guest(server.address, table.id, tokens[-1], bo.seat)
            newest.does("seat.move", token_hash=hashed, keep_old=True)
            tokens.append(token)
        asked = [Guest(server.address, table.id, token).ask("GET") for token in tokens]
        assert [401, 401, *[200] * 8] == [answer.status_code for answer in asked]


def heavy(server):
    """A table whose sheets take about three megabytes of memory."""
    table = Founded(server.address)
    for number in range(9):
        npc = {"n": f"{number}" + "x" * 47_000}
        table.referee.does("sheet.create", sheet="npc", values=npc)
    return table


def test_all_tables_together_have_a_bound(tmp_path):
    """Those that rest are let go first; with all in use, none comes and large ones do not grow."""
    most = 16_777_216
    with Serving(tmp_path / "table.sqlite", memory_bytes=most) as server:
        rooms = server.services.registry
        tables = [heavy(server) for _ in range(8)]
        assert len(rooms) < 8
        assert rooms.weight <= most
        with contextlib.ExitStack() as held:
            refused = []
            for table in tables:
                line = held.enter_context(Line(table.referee, hello=False))
                line.send({"hello": {"protocol": 3, "token": table.referee.token}})
                came = line.read()
                if "bye" in came:
                    assert "unavailable" == came["bye"]["code"]
                    refused.append(table)
            assert 0 < len(refused) < 8
            ack = refused[0].referee.tries("chat.send", text="hello")
            assert "unavailable" == ack["error"]["code"]
            assert rooms.weight < 2 * most
        wait_until(lambda: refused[0].referee.tries("chat.send", text="hello")["ok"])


def opened(tmp_path, use):
    """Use a room with a table in it, without a server."""

    async def go():
        chosen = {**GENEROUS, "counters": 1, "database": str(tmp_path / "t.sqlite")}
        async with open_services(Settings(**chosen)) as services:
            tokens = {"seat": new_token()[1]}
            asked = {"id": new_id(), "game": "", "name": "Ada", "tokens": tokens}
            await use(await services.registry.get((await open_table(services, asked)).table))

    asyncio.run(go())


def test_a_picture_that_nobody_reads_is_weighed_and_can_be_let_go(tmp_path):
    """Each may hold sheets as nobody else has them by now: they count until they are sent."""

    async def use(room):
        change = {"do": "sheet.create", "sheet": "s1", "values": {"n": "x" * 40_000}}
        await room.run_command("s1", {"id": new_id(), **change})
        first, seat = room.weight, room.state.seats["s1"]
        pictures = []
        for number in range(5):
            pictures.append(SnapshotStream(room, lambda: seat, 1, HERE).pieces(b"{", b"}"))
            change = {"do": "sheet.change", "sheet": "s1", "values": {"m": number}}
            await room.run_command("s1", {"id": new_id(), **change})
        assert room.weight > first + 5 * 40_000
        json.loads(b"".join([piece async for piece in pictures.pop()]))
        assert 4 * 40_000 < room.weight - first < 5 * 40_000
        room.free_memory()
        assert room.weight < first + 40_000
        with pytest.raises(CodedError, match="come again"):
            async for _ in pictures.pop():
                pass

    opened(tmp_path, use)


def test_what_waits_for_people_who_see_other_things_is_weighed_for_each(tmp_path):
    """Those of one seat are sent the same bytes; those of two seats need not be."""

    async def nobody_reads(_):
        await asyncio.Event().wait()

    async def use(room):
        def waiting(seat):
            guest = Connection(nobody_reads, room.services.settings, address=HERE)
            guest.seat = seat
            guest.push(SocketMessage("x" * 100_000))
            room.broadcast.guests.add(guest)

        first = room.weight
        for seat in ("s1", "s1", "s2"):
            waiting(seat)
        assert 200_000 <= room.weight - first < 201_000
        room.broadcast.guests.clear()

    opened(tmp_path, use)


def test_long_commands_wait_one_by_one(tmp_path):
    """They are all done, in order, and no two of them wait as values; a long word is none."""
    with Serving(tmp_path / "table.sqlite") as server:
        table = Founded(server.address)
        table.referee.does("sheet.create", values={"n": ""})
        with table.referee.socket() as line:
            for number in range(10):
                values = {"n": f"{number} " + "x" * 30_000}
                change = {"do": "sheet.change", "sheet": "s1", "values": values}
                line.send({"command": {"id": f"command{number}", **change}})
            line.send({"x": "y" * 5000})
            line.send("[" * 5000)
            line.send({"ping": 1})
            line.until("pong")
            acks = [frame["ack"] for frame in line.frames if "ack" in frame]
            assert [(f"command{number}", True) for number in range(10)] == [
                (ack["id"], ack["ok"]) for ack in acks
            ]
            while sum("error" in frame for frame in line.frames) < 2:
                line.read()
