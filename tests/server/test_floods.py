"""Whoever floods the server waits for themselves: bytes, bodies, lines, questions, exports."""

import asyncio
import contextlib
import json
import socket
import sys
import time
from secrets import token_bytes
from types import SimpleNamespace

import httpx
import pytest

from rollwright.queries.errors import QueryError
from rollwright.server import listener
from rollwright.server.limits import PIECE_BYTES, SPARED, RecentEvents
from rollwright.server.listener import SocketLine, http_line
from rollwright.server.live import creation as imports
from rollwright.server.live.connections import Connection, SocketMessage
from rollwright.server.live.creation import first_events, new_table_id
from rollwright.server.responses import SpooledBody
from rollwright.server.settings import Settings
from rollwright.server.storage.appends import Creation
from rollwright.server.storage.store import Store
from rollwright.table.commands.dispatch import COMMANDS
from rollwright.table.commands.seats import create_table
from rollwright.table.commands.writer import AddToken
from rollwright.table.errors import CodedError
from rollwright.table.events import EventDraft, export, place_event
from rollwright.table.fairness import handover_of
from rollwright.table.imports import import_log
from rollwright.table.state import TableState
from rollwright.table.visibility import view_event
from rollwright.workers.costs import CostMeter
from rollwright.workers.pool import WorkerLimits, WorkerPool
from rollwright.workers.queue import FairQueue, Job
from tests.server.guests import API, CLIENT, Founded, Guest, Serving, new_id, new_token, wait_until

HERE = "127.0.0.1"
DAY_MS = 86_400_000
JSON = {"content-type": "application/json"}
ONLY_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="of Linux only")


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server for most tests of this module."""
    with Serving(tmp_path_factory.mktemp("floods") / "table.sqlite") as server:
        yield server


@pytest.fixture(scope="module")
def large(serving):
    """A table with three megabytes of large events."""
    table = Founded(serving.address)
    table.referee.does("sheet.create", values={"n": ""})
    for number in range(30):
        table.referee.does("sheet.change", sheet="s1", values={"n": f"{number} " + "x" * 47_000})
    return table


def seqs(answer):
    """The numbers of the events in an answer."""
    return [event["seq"] for event in answer.json()["events"]]


def test_a_part_of_the_log_is_bounded_in_bytes(large):
    """What comes at once has a megabyte at most; asked again and again, everything comes."""
    first = large.referee.ask("GET", "/events?limit=1000")
    head = first.json()["head"]
    assert len(first.content) < 1.2 * PIECE_BYTES
    assert 33 == head
    found = seqs(first)
    while found[-1] < head:
        found += seqs(large.referee.ask("GET", f"/events?limit=1000&after={found[-1]}"))
    assert [*range(1, head + 1)] == found


def test_the_latest_events_are_bounded_in_bytes(large):
    """Of those before a place the last ones come, as many as fit."""
    head = large.referee.ask("GET", "?recent=0").json()["head"]
    found = []
    while not found or found[0] > 1:
        before = found[0] if found else head + 1
        answer = large.referee.ask("GET", f"/events?limit=1000&before={before}")
        assert len(answer.content) < 1.2 * PIECE_BYTES
        found = seqs(answer) + found
    assert [*range(1, head + 1)] == found


def test_a_welcome_is_bounded_in_bytes(serving, large):
    """However many recent events a socket asks for; the last of them is there."""
    with large.referee.socket() as line:
        recent = line.welcome["snapshot"]["recent"]
        assert line.welcome["head"] == recent[-1]["seq"]
        assert len(json.dumps(recent)) < 1.2 * PIECE_BYTES
    looked = large.referee.ask("GET", "?recent=1000")
    assert len(looked.content) < 1.3 * PIECE_BYTES
    room = serving.services.registry.find(large.id)
    assert room._recent.bytes <= PIECE_BYTES


def test_what_was_missed_comes_in_small_frames(large):
    """A client that comes again gets all of it, none of it in a frame beyond a megabyte."""
    with large.referee.socket(after=0) as line:
        line.until_seq(33)
        assert [*range(1, 34)] == line.seqs
        assert max(len(json.dumps(frame)) for frame in line.frames) < 1.2 * PIECE_BYTES


def test_the_end_of_a_log_in_memory_is_bounded():
    """By the number of events, and by their bytes, but the last one stays."""
    tail = RecentEvents(most=4, most_bytes=100)
    log = [
        place_event(EventDraft("chat.sent", {}), before="00", seq=seq, at=0, salt="00" * 32)
        for seq in range(1, 9)
    ]
    for event in log[:6]:
        tail.add(event, 10)
    assert log[2:6] == [*tail]
    tail.add(log[6], 70)
    assert (log[3:7], 100) == ([*tail], tail.bytes)
    tail.add(log[7], 500)
    assert (log[7:], log[7:]) == ([*tail], [*tail.after(7, 10)])
    assert tail.after(6, 10) is None


def test_a_log_is_sent_whole_and_in_pieces(serving, large):
    """All events of the log, as JSON; the place for an export is given back."""
    answer = large.referee.ask("GET", "/log.json")
    assert "chunked" == answer.headers["transfer-encoding"]
    log = answer.json()
    assert [*range(1, 34)] == [event["seq"] for event in log["events"]]
    assert (large.id, "s1") == (log["table"], log["for"])
    wait_until(lambda: serving.services.limits.exports.taken == 0)


@pytest.mark.long
def test_an_address_has_only_so_many_exports(serving, large):
    """One more is refused at once, for whatever reads a whole log."""
    places = serving.services.limits.exports
    with contextlib.ExitStack() as held:
        for _ in range(places.most_per_address):
            held.enter_context(places.slot(HERE))
        for way in ("/log.json", "/statistics", "/history.md", "/history.csv"):
            answer = large.referee.ask("GET", way)
            assert (429, "too_many") == (answer.status_code, answer.json()["error"]["code"])
    assert 200 == large.referee.ask("GET", "/statistics").status_code


@pytest.mark.long
def test_a_full_log_takes_no_more_than_its_end(tmp_path):
    """What grows is refused; an open roll is ended, an old one taken back, the table deleted."""
    with Serving(tmp_path / "table.sqlite", table_bytes=90_000) as server:
        table = Founded(server.address)
        bo = table.join()
        done = bo.rolls()
        waits = bo.does("roll.start", expression="2d6", physical=True)
        open_roll = waits["events"][0]["body"]["roll"]
        said = {"id": new_id(), "do": "chat.send", "text": "x" * 4000}
        assert bo.ask("POST", "/commands", said).json()["ok"]
        while (ack := bo.tries("chat.send", text="x" * 4000))["ok"]:
            pass
        assert "too_large" == ack["error"]["code"]
        again = bo.ask("POST", "/commands", said)
        assert (200, True) == (again.status_code, again.json()["ok"])
        bo.does("roll.enter", roll=open_roll, faces=[3, 4])
        table.referee.does("roll.undo", roll=done["events"][0]["body"]["roll"])
        bo.does("person.erase")
        assert 413 == table.referee.ask("POST", "/commands", {**said, "id": new_id()}).status_code
        assert 200 == table.referee.ask("DELETE").status_code


@pytest.mark.long
def test_whether_a_full_log_takes_a_roll_does_not_go_by_its_dice(tmp_path):
    """Room for the longest throw is looked for before: of many tries none is thrown and dropped.

    Once the bytes that the faces made decided, and all rolls that stood were low ones.
    """
    with Serving(tmp_path / "table.sqlite", table_bytes=90_000) as server:
        table = Founded(server.address)
        bo = table.join()
        while (ack := bo.tries("chat.send", text="x" * 1000))["ok"] and bo.tries(
            "roll.start", expression="1d20", physical=True
        )["ok"]:
            pass
        log = bo.ask("GET", "/log.json").json()["events"]
        said = set()
        for _ in range(12):
            ack = bo.tries("roll.start", expression="100d1000", nonce="ab" * 32)
            assert "too_large" == ack["error"]["code"]
            said.add(ack["error"]["message"])
        assert 1 == len(said)
        assert not any(sign.isdigit() for sign in said.pop())
        assert log == bo.ask("GET", "/log.json").json()["events"]


def test_what_a_full_log_spares_is_known_at_tables():
    """No name there is misspelt."""
    assert set() == SPARED - set(COMMANDS)


class StuckLine:
    """A line whose client reads nothing."""

    def __init__(self, held):
        self._held = held

    def put(self, data):
        return False

    def backlog(self):
        return self._held


def test_what_a_line_still_holds_counts_as_waiting():
    """A client is too slow when line and queue together hold more than may wait."""

    async def is_open(held):
        settings = Settings(queue_bytes=65_536)
        connection = Connection(None, settings, address="", line=StuckLine(held))
        connection.push(SocketMessage({"x": "y" * 40_000}))
        return connection.is_open

    assert [True, False] == [asyncio.run(is_open(held)) for held in (20_000, 30_000)]


class StuckTransport:
    """A transport that holds what it is told to hold, one look after the other."""

    def __init__(self, *held):
        self._held = [*held]
        self.looks = 0
        self.aborted = asyncio.Event()

    def get_write_buffer_size(self):
        self.looks += 1
        return self._held.pop(0)

    def abort(self):
        self.aborted.set()


def line_on(transport):
    """A socket of a server, on a transport of ours."""
    line = object.__new__(SocketLine)
    line.loop, line.transport = asyncio.get_running_loop(), transport
    line.writable = asyncio.Event()
    return line


def test_who_answers_no_ping_is_cut_off():
    """Not closed politely, for that would wait until everything is taken."""

    async def go():
        transport = StuckTransport()
        line_on(transport).keepalive_timeout()
        assert transport.aborted.is_set()

    asyncio.run(go())


def test_who_takes_nothing_is_cut_off(monkeypatch):
    """Slowly is enough: the line is cut when a look finds as much as the one before."""
    monkeypatch.setattr(listener, "STALLED_SECONDS", 0.01)

    async def go():
        transport = StuckTransport(300_000, 200_000, 100_000, 100_000)
        line_on(transport).pause_writing()
        await asyncio.wait_for(transport.aborted.wait(), 60)
        assert 4 == transport.looks

    asyncio.run(go())


@pytest.mark.long
@ONLY_LINUX
def test_lines_of_one_address_shut_nobody_out(tmp_path, monkeypatch):
    """Silent lines beyond those of an address are dropped; others come in, and places come back."""
    monkeypatch.setattr(listener, "SPARE", 5)
    with Serving(tmp_path / "table.sqlite", connections=20, connections_per_address=3) as server:
        places = server.process.config.http_protocol_class.places
        elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
        with contextlib.ExitStack() as held, httpx.Client(transport=elsewhere, timeout=60) as other:
            for _ in range(30):
                held.enter_context(socket.create_connection((HERE, server.port)))
            wait_until(lambda: places.taken == 8)
            assert 200 == other.get(f"{server.address}/health").status_code
        wait_until(lambda: places.taken == 0)
        table = Founded(server.address)
        with table.referee.socket():
            assert places.taken >= 1
        wait_until(lambda: places.taken == 0)


def test_lines_of_a_proxy_are_of_many_people():
    """A trusted proxy may have as many as there are; of IPv6 a network counts as one."""
    line = http_line(Settings(trust_proxy=("10.0.0.0/8", "::1")))
    assert ["", "", "203.0.113.9", "2001:db8::/64"] == [
        line.peer_of(host) for host in ("10.1.2.3", "::1", "203.0.113.9", "2001:db8::9")
    ]


def test_an_address_has_only_so_many_long_bodies(serving):
    """An import or a long log to be verified is refused before it is read; short ones go on."""
    places = serving.services.limits.bodies
    verify = f"{serving.address}{API}/verify"
    with contextlib.ExitStack() as held:
        for _ in range(places.most_per_address):
            held.enter_context(places.slot(HERE))
        brought = Guest(serving.address).ask("POST", "/import", {"id": new_id()})
        assert (429, "too_many") == (brought.status_code, brought.json()["error"]["code"])
        long = b"[" + b" " * serving.settings.body_bytes + b"]"
        assert 429 == CLIENT.post(verify, content=long, headers=JSON).status_code
        assert 422 == CLIENT.post(verify, content=b"[]", headers=JSON).status_code
    assert 422 == CLIENT.post(verify, content=long, headers=JSON).status_code
    assert 0 == places.taken


def log_at(at):
    """The log of a new table as its referee has it, and what is asked with it."""
    table, hashed = new_table_id(), new_token()[1]
    body = {"id": new_id(), "game": "", "name": "Ada", "tokens": {"seat": hashed}}
    secret = token_bytes(32)
    decision = create_table(body, table=table, secret=secret, entropy=token_bytes)
    events = first_events(table, decision.drafts, at)
    state = TableState.of(events)
    views = [view_event(event, state.seats["s1"], state) for event in events]
    log = export(table, views, "s1", handover_of(secret).hex())
    return {**log, "id": new_id(), "tokens": {"seat": new_token()[1]}}


def now():
    """The time in milliseconds."""
    return time.time_ns() // 1_000_000


@pytest.mark.long
@ONLY_LINUX
def test_a_log_is_read_where_memory_is_bounded():
    """Millions of small things in a body are refused there, not read here."""
    bomb = b'{"id": "%s", "events": [%s[]]}' % (new_id().encode(), b"[]," * 4_000_000)

    async def bring():
        limits = WorkerLimits(workers=2, memory=192 * 2**20, long_memory=192 * 2**20)
        body = SpooledBody(len(bomb))
        body.add(bomb)
        async with WorkerPool(limits) as counting:
            await imports._check_import(
                SimpleNamespace(workers=counting), body, "here", CostMeter()
            )

    with pytest.raises(CodedError, match="memory") as refused:
        asyncio.run(bring())
    assert "too_much_work" == refused.value.code


def test_a_log_of_the_future_is_not_gone_on_with():
    """A clock may be wrong by some hours; a log that ends later than tomorrow is refused."""
    imports._check_time(import_log(log_at(now() + DAY_MS // 2)))
    with pytest.raises(CodedError, match="future"):
        imports._check_time(import_log(log_at(now() + 2 * DAY_MS)))


@pytest.mark.long
def test_a_history_is_told_whatever_the_time_says(tmp_path):
    """A log that came here before this was checked: no calendar has the year 287396."""
    token, hashed = new_token()
    table = new_table_id()
    body = {"id": new_id(), "game": "", "name": "Ada", "tokens": {"seat": hashed}}
    decision = create_table(body, table=table, secret=bytes(32), entropy=token_bytes)
    events = first_events(table, decision.drafts, 2**53 - 1)
    sides = tuple(side for side in decision.side if isinstance(side, AddToken))

    async def store():
        kept = await Store.open(str(tmp_path / "table.sqlite"))
        await kept.create_table(Creation(table, "once", bytes(32), events, now(), sides))
        await kept.close()

    asyncio.run(store())
    with Serving(tmp_path / "table.sqlite") as server:
        referee = Guest(server.address, table, token, "s1")
        ways = ("/history.md", "/history.csv", "/statistics")
        assert [200, 200, 200] == [referee.ask("GET", way).status_code for way in ways]


def waiting(shares, *jobs):
    """Put jobs in their lines, each given as address and table."""
    for number, (address, table) in enumerate(jobs):
        shares.add(Job(number, b"%d" % number, {}, table, address))


def test_many_tables_of_one_address_are_one_turn():
    """A stranger's question comes after one of the forty, and not after all."""
    shares = FairQueue(each=10, in_all=100, at_once=1)
    waiting(shares, *[("flood", f"table {number}") for number in range(40)], ("bo", "his"))
    first = shares.take()
    assert ["flood", "bo"] == [first.address, shares.take().address]
    assert shares.take() is None


def test_turns_are_of_seconds_and_not_of_questions():
    """Whoever uses eight seconds waits until others have had as many (counted by hand)."""
    shares = FairQueue(each=20, in_all=100, at_once=1)
    waiting(shares, *[("slow", "hers")] * 3, *[("quick", "his")] * 12)
    served = []
    while (job := shares.take()) is not None:
        served.append(job.address[0])
        shares.finish(job, 8.0 if job.address == "slow" else 2.0)
    assert "sqqqqsqqqqsqqqq" == "".join(served)


def test_one_address_does_not_fill_the_line_of_all():
    """Its own places are gone long before the server's."""
    shares = FairQueue(each=2, in_all=100, at_once=1, from_one=3)
    waiting(shares, ("flood", "a"), ("flood", "a"), ("flood", "b"))
    with pytest.raises(QueryError) as refused:
        shares.add(Job(9, b"9", {}, "c", "flood"))
    assert "too_many" == refused.value.code
    waiting(shares, ("bo", "his"))
    assert 4 == shares.waiting


def test_who_asks_the_same_does_not_wait_behind_a_flood():
    """A question goes with whoever wants it too and has nothing else here."""
    shares = FairQueue(each=100, in_all=100, at_once=1)
    waiting(shares, *[("flood", "a")] * 9)
    running = shares.take()
    wanted = Job(50, b"50", {}, "a", "flood")
    shares.add(wanted)
    shares.join(wanted, "his", "bo")
    assert wanted is shares.take()
    shares.finish(running, 8.0)
    shares.finish(wanted, 0.1)
    assert 8 == len(shares.drain())
    assert (0, 0) == (shares.waiting, shares.running)
