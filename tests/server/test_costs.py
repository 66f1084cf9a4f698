"""What somebody does is charged by what it costs, and what takes long holds up nobody else."""

import asyncio
import contextlib
import os
import pickle
import secrets
import signal
import sys
import threading
import time
from functools import partial
from itertools import pairwise

import pytest

from rollwright.client import Server, ServerError
from rollwright.server.app import open_services
from rollwright.server.limits import LONGEST_WAIT, Buckets, PacedSender, RateLimitError, RateLimits
from rollwright.server.live import commands
from rollwright.server.live.broadcast import Broadcast
from rollwright.server.live.commands import (
    LIGHT,
    SLOW,
    SLOW_FOR,
    BufferedEntropy,
    CommandExecutor,
    Task,
    TaskResult,
)
from rollwright.server.live.creation import open_table
from rollwright.server.live.live_table import LiveTable
from rollwright.server.routes import chances
from rollwright.server.routes.queries import SHEETS_AT_ONCE
from rollwright.server.settings import Settings
from rollwright.table import Secrets, decide, mentions
from rollwright.table.errors import NeedsWorker
from rollwright.table.verify.log import verify_log
from rollwright.workers import tasks
from rollwright.workers.costs import UNIT_SECONDS, UNIT_SENT, UNIT_WRITTEN, CostMeter
from tests.drafts import drafted
from tests.server.guests import (
    API,
    CLIENT,
    GENEROUS,
    PATIENCE,
    Founded,
    Serving,
    new_id,
    new_token,
    wait_until,
)
from tests.server.test_limits import Clock
from tests.table.tables import SOLDIER, Host

pytestmark = pytest.mark.storm

HEAVY = "20x 1000d6"
"""A roll that writes a quarter of a megabyte."""
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="processes are stopped by signals")


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server for most tests of this module."""
    with Serving(tmp_path_factory.mktemp("costs") / "table.sqlite") as server:
        yield server


@contextlib.contextmanager
def held(pids):
    """Processes that stand still meanwhile."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


class Doing:
    """Something that a thread does meanwhile; `result` waits for it."""

    def __init__(self, work):
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._found = None
        self._thread.start()

    def _run(self, work):
        self._found = work()

    @property
    def result(self):
        """What it came to."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return self._found


def decider(server):
    """The process that decides, ready."""
    Founded(server.address).referee.rolls("600d6")
    return wait_until(lambda: server.services.executor.pids)


def rolls_in(events):
    """The rolls of a log by their numbers, each with the kinds of its events."""
    found = {}
    for event in events:
        if event.kind.startswith("roll."):
            found.setdefault(event.body["roll"], []).append(event.kind)
    return found


def test_a_cost_is_counted_in_ordinary_commands():
    """Seconds of work, bytes that were written and bytes that were sent, added up."""
    spent = CostMeter()
    spent.seconds = 3 * UNIT_SECONDS
    spent.written = 2 * UNIT_WRITTEN
    spent.sent = UNIT_SENT
    assert 6 == pytest.approx(spent.units)


def test_work_is_counted_and_waiting_is_not():
    """A busy machine costs nobody anything: what counts is for how long the thread had worked."""
    waited, worked = CostMeter(), CostMeter()
    for _ in range(2):  # the clock of work is read now and then only
        with waited:
            time.sleep(0.1)
        with worked:
            until = time.thread_time() + 0.1
            while time.thread_time() < until:
                pass
    assert waited.seconds < 0.1 < 0.2 <= worked.seconds


def test_what_is_spent_may_be_owed_but_not_for_ever():
    """A bucket is overdrawn by what something cost; the wait follows from it, and has an end."""
    clock = Clock()
    buckets = Buckets("too fast", rate=2, burst=10, clock=clock)
    buckets.charge("a", 30)
    with pytest.raises(RateLimitError) as refused:
        buckets.take("a")
    assert 10_500 == refused.value.wait
    clock.now = 10.5
    buckets.take("a")
    buckets.charge("a", 1_000_000)
    with pytest.raises(RateLimitError) as refused:
        buckets.take("a")
    assert 1000 * (LONGEST_WAIT + 0.5) == refused.value.wait
    buckets.take("b")


def test_the_command_that_was_paid_before_is_not_charged_again(unfilled):
    """What costs no more than an ordinary command is paid with it; only the rest is owed."""
    limits = RateLimits(Settings(seat_burst=10, address_burst=10))
    ordinary, costly = CostMeter(), CostMeter()
    ordinary.written = UNIT_WRITTEN
    costly.written = 5 * UNIT_WRITTEN
    limits.charge(ordinary, "here", "t s1")
    assert 0 == len(limits.seat) == len(limits.address)
    limits.charge(costly, "here", "t s1")
    for buckets, name in ((limits.seat, "t s1"), (limits.address, "here")):
        for _ in range(6):
            buckets.take(name)
        with pytest.raises(RateLimitError):
            buckets.take(name)


@pytest.mark.parametrize("way", ["http", "socket"])
def test_a_seat_that_has_spent_much_waits_and_others_do_not(tmp_path, countable, way):
    """A quarter of a megabyte is worth more than twelve commands, by whichever way it came."""
    with Serving(tmp_path / "t.sqlite", seat_burst=13, address_burst=10_000) as server:
        table = Founded(server.address)
        other = table.join()
        with contextlib.ExitStack() as lines:
            does = table.referee.tries
            if way == "socket":
                does = lines.enter_context(table.referee.socket()).command
            assert does("roll.start", expression=HEAVY)["ok"]
            refused = does("roll.start", expression="1d6")
        assert (False, "too_many") == (refused["ok"], refused["error"]["code"])
        assert refused["error"]["wait"] > 0
        for _ in range(5):
            other.rolls("1d6")


def test_an_address_that_has_spent_much_waits(tmp_path, unfilled):
    """However many seats it has."""
    with Serving(tmp_path / "t.sqlite", seat_burst=10_000, address_burst=25) as server:
        table = Founded(server.address)
        other = table.join()
        table.referee.rolls(HEAVY)
        assert "too_many" == other.tries("roll.start", expression="1d6")["error"]["code"]


def test_what_is_taken_away_is_charged(tmp_path, unfilled):
    """Logs, parts of them, histories and statistics cost what they take; the next one waits."""
    with Serving(tmp_path / "t.sqlite") as server:
        table = Founded(server.address)
        for _ in range(5):
            table.referee.rolls(HEAVY)
        for way in ("", "/events?limit=1000", "/log.json", "/history.md", "/statistics"):
            before = server.services.limits.seat._level(f"{table.id} s1")[0]
            assert 200 == table.referee.ask("GET", way).status_code
            wait_until(
                lambda b=before: server.services.limits.seat._level(f"{table.id} s1")[0] < b - 2
            )


def test_what_a_socket_missed_is_charged_to_its_address(tmp_path, unfilled):
    """Coming again and again for a long log is not free; the seat may act as before."""
    with Serving(tmp_path / "t.sqlite") as server:
        table, limits = Founded(server.address), server.services.limits
        for _ in range(5):
            table.referee.rolls(HEAVY)
        here, seat = "127.0.0.1", f"{table.id} s1"
        before, had = limits.address._level(here)[0], limits.seat._level(seat)[0]
        with table.referee.socket(after=0) as line:
            line.until_seq(2 + 5 * 21)
        assert limits.address._level(here)[0] < before - 4
        assert had == limits.seat._level(seat)[0]


def test_a_greeting_is_charged_to_its_address(tmp_path, unfilled):
    """The first picture of a table with much on it is not free, however often somebody comes."""
    with Serving(tmp_path / "t.sqlite") as server:
        table, limits = Founded(server.address), server.services.limits
        for _ in range(5):
            table.referee.rolls(HEAVY)
        here, seat = "127.0.0.1", f"{table.id} s1"
        before, had = limits.address._level(here)[0], limits.seat._level(seat)[0]
        table.referee.socket().close()
        assert limits.address._level(here)[0] < before - 4
        assert had == limits.seat._level(seat)[0]


def test_whoever_rolls_does_not_pay_for_any_number_of_watchers():
    """To tell sixty-four is paid for; a stranger who watches with many more costs nobody's turn."""
    paid = []

    class Told(Broadcast):
        def _send_one(self, connection, events, again, frames):
            paid.append(spent.begun)
            return 1

    class Payer(CostMeter):
        begun = False

        def __enter__(self):
            self.begun = True

        def __exit__(self, *_):
            self.begun = False

    spent, everybody = Payer(), Told.__new__(Told)
    everybody.live = set(range(200))
    asyncio.run(everybody._send((), (), spent))
    assert [True] * 64 + [False] * 136 == paid


def test_an_answer_that_is_asked_for_again_is_charged_again(tmp_path, unfilled):
    """A command that was done before costs nothing to decide, but its events cost to be told."""
    with Serving(tmp_path / "t.sqlite") as server:
        table, limits = Founded(server.address), server.services.limits
        again = {"id": new_id(), "do": "roll.start", "expression": HEAVY}
        assert table.referee.ask("POST", "/commands", again).json()["ok"]
        before = limits.address._level("127.0.0.1")[0]
        for _ in range(10):
            assert table.referee.ask("POST", "/commands", again).json()["ok"]
        assert limits.address._level("127.0.0.1")[0] < before - 11


def test_pieces_for_many_are_made_one_at_a_time_and_nobody_else_waits():
    """An address that has spent all waits for the next piece; one that has not goes on."""

    async def go():
        clock = Clock()
        addresses = Buckets("", rate=1, burst=1, clock=clock)
        pace, made = PacedSender(addresses, addresses), []
        piece = bytes(2 * UNIT_SENT)

        async def many(address, count):
            for _ in range(count):
                await pace.make(lambda: made.append(address) or piece, address)

        greedy = [asyncio.create_task(many("greedy", 5)) for _ in range(3)]
        await asyncio.wait_for(many("modest", 1), PATIENCE)
        for _ in range(50):
            await asyncio.sleep(0)
        assert 1 == made.count("modest")
        assert len(made) <= 4  # those that had their turn before anything was charged
        clock.now = 1000.0
        for task in greedy:
            task.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)

    asyncio.run(go())


def test_only_what_takes_long_is_decided_elsewhere(serving):
    """An ordinary roll is decided at once, one of thousands of dice in a process of its own."""
    table, before = Founded(serving.address), serving.services.executor.decision_count
    for expression in ("1d20+4", "4d6kh3", "30d6", "3x 5d6!"):
        table.referee.rolls(expression)
    assert before == serving.services.executor.decision_count
    table.referee.rolls(HEAVY)
    assert before + 1 == serving.services.executor.decision_count


def test_what_was_decided_elsewhere_is_as_true_as_the_rest(serving):
    """Heavy and ordinary rolls of one socket come in order, acknowledged once, and verify."""
    table = Founded(serving.address)
    with table.referee.socket() as line:
        ids = [new_id() for _ in range(8)]
        for number, name in enumerate(ids):
            expression = HEAVY if number % 3 == 0 else "2d6"
            line.send({"command": {"id": name, "do": "roll.start", "expression": expression}})
        acks = [line.until("ack")["ack"] for _ in ids]
    assert ids == [ack["id"] for ack in acks]
    assert all(ack["ok"] for ack in acks)
    places = [(ack["first"], ack["last"]) for ack in acks]
    assert all(one[1] + 1 == other[0] for one, other in pairwise(places))
    assert verify_log(table.referee.ask("GET", "/log.json").json()).ok


def test_heavy_commands_of_one_table_do_not_undo_each_other(serving):
    """Each is decided once, however many come at the same moment, and all are done."""
    table, before = Founded(serving.address), serving.services.executor.decision_count
    table.referee.rolls("2d6")
    rolling = [Doing(lambda: table.referee.rolls(HEAVY)) for _ in range(4)]
    assert 4 == len({one.result["first"] for one in rolling})
    assert before + 4 == serving.services.executor.decision_count


def test_a_heavy_command_sent_again_is_not_decided_again(serving):
    """It has the same acknowledgement, and costs nobody anything."""
    table = Founded(serving.address)
    command = {"id": new_id(), "do": "roll.start", "expression": HEAVY}
    first = table.referee.ask("POST", "/commands", command).json()
    before = serving.services.executor.decision_count
    again = table.referee.ask("POST", "/commands", command).json()
    assert first == again
    assert before == serving.services.executor.decision_count


def test_a_heavy_command_that_is_refused_says_why(serving):
    """As it would if it were decided at once."""
    table = Founded(serving.address)
    table.referee.rolls("4x 300d6", physical=True)
    ack = table.referee.tries("roll.enter", roll="r1", faces=[7] * 300)
    assert "bad_answer" == ack["error"]["code"]
    assert "faces" == ack["error"]["field"]


@UNIX
def test_nobody_else_waits_for_a_heavy_roll(serving):
    """While one is being decided, however long, everybody goes on, at the same table too."""
    pids = decider(serving)
    slow, other = Founded(serving.address), Founded(serving.address)
    beside = slow.join()
    with held(pids):
        rolling = Doing(lambda: slow.referee.tries("roll.start", expression=HEAVY))
        wait_until(lambda: serving.services.executor.running)
        for _ in range(5):
            other.referee.rolls("2d6")
            beside.rolls("2d6")
    assert rolling.result["ok"]
    assert verify_log(slow.referee.ask("GET", "/log.json").json()).ok


@UNIX
def test_nobody_waits_for_a_history(serving):
    """While histories and statistics are being made, however long, everybody goes on."""
    table = Founded(serving.address)
    table.referee.rolls("3d6")
    wait_until(lambda: serving.services.workers.pids)
    with held(serving.services.workers.pids):
        telling = [
            Doing(partial(table.referee.ask, "GET", way)) for way in ("/history.md", "/statistics")
        ]
        wait_until(lambda: serving.services.workers.running)
        for _ in range(5):
            table.referee.rolls("2d6")
    assert [200, 200] == [one.result.status_code for one in telling]


@UNIX
def test_a_process_that_dies_while_it_decides_leaves_nothing_behind(serving):
    """The command is refused, nothing of it is in the log, and the next one is decided."""
    pids, table = decider(serving), Founded(serving.address)
    head = table.referee.ask("GET").json()["head"]
    with held(pids):
        rolling = Doing(lambda: table.referee.tries("roll.start", expression=HEAVY))
        wait_until(lambda: serving.services.executor.running)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
    assert "unavailable" == rolling.result["error"]["code"]
    assert head == table.referee.ask("GET").json()["head"]
    table.referee.rolls(HEAVY)


@UNIX
def test_a_signed_roll_that_cannot_be_decided_is_refused_in_the_log(serving):
    """Its dice may be why: were nothing said of it, whoever called had a way out of bad ones."""

    def tried():
        with pytest.raises(ServerError) as caught:
            table.roll(HEAVY)
        return caught.value.code

    pids = decider(serving)
    with Server(serving.address, patience=PATIENCE) as server:
        table = server.create_table(name="Ana")
        with held(pids):
            rolling = Doing(tried)
            wait_until(lambda: serving.services.executor.running)
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
        assert "too_much_work" == rolling.result
        report = verify_log(table.log())
    assert (True, 1) == (report.ok, report.counts["calls refused"])


@UNIX
def test_whoever_leaves_during_a_heavy_roll_leaves_a_whole_one(serving):
    """It is under way, so it is done: all of it, and the table goes on."""
    pids, table = decider(serving), Founded(serving.address)
    with held(pids), table.referee.socket() as line:
        line.send({"command": {"id": new_id(), "do": "roll.start", "expression": HEAVY}})
        wait_until(lambda: serving.services.executor.running)
    wait_until(lambda: table.referee.ask("GET", "?recent=0").json()["head"] > 2)
    table.referee.rolls("2d6")
    log = table.referee.ask("GET", "/log.json").json()
    kinds = [event["kind"] for event in log["events"]]
    assert (2, 21) == (kinds.count("roll.started"), kinds.count("roll.thrown"))
    assert verify_log(log).ok


@UNIX
def test_a_server_that_ends_during_a_heavy_roll_writes_none_of_it(tmp_path):
    """Nothing was acknowledged; at the next start the table is as it was."""
    with Serving(tmp_path / "t.sqlite", shutdown_seconds=1) as server:
        pids, table = decider(server), Founded(server.address)
        table.referee.rolls("2d6")
        head = table.referee.ask("GET").json()["head"]
        os.kill(pids[0], signal.SIGSTOP)
        line = table.referee.socket()
        line.send({"command": {"id": new_id(), "do": "roll.start", "expression": HEAVY}})
        wait_until(lambda: server.services.executor.running)
    with contextlib.suppress(OSError):
        line.close()
    with Serving(tmp_path / "t.sqlite") as server:
        table.referee.address = server.address
        assert head == table.referee.ask("GET").json()["head"]
        table.referee.rolls(HEAVY)
        assert verify_log(table.referee.ask("GET", "/log.json").json()).ok


@UNIX
def test_a_heavy_roll_is_decided_again_where_another_process_was_quicker(tmp_path):
    """The log went on while it was decided: it is decided on the newer table, and stored once."""

    async def go():
        settings = {**GENEROUS, "counters": 1, "database": str(tmp_path / "t.sqlite")}
        async with open_services(Settings(**settings)) as services:
            tokens = {"seat": new_token()[1]}
            asked = {"id": new_id(), "game": "", "name": "Ada", "tokens": tokens}
            table = (await open_table(services, asked)).table
            room = await services.registry.get(table)
            await room.run_command("s1", rolling("600d6"))
            other = LiveTable(services, table)
            await other.load()
            with held(services.executor.pids):
                heavy = asyncio.create_task(room.run_command("s1", rolling(HEAVY)))
                async with asyncio.timeout(PATIENCE):
                    while not services.executor.running:
                        await asyncio.sleep(0.01)
                quick = await other.run_command("s1", rolling("2d6"))
            done = await heavy
            assert quick.last + 1 == done.first
            assert 3 == services.executor.decision_count
            stored = rolls_in(await services.store.load(table))
            assert [2, 2, 21] == [len(kinds) for kinds in stored.values()]

    asyncio.run(go())


def test_an_old_roll_that_is_let_go_again_while_it_waits_is_read_again(tmp_path, monkeypatch):
    """A heavy roll is thrown anew though the table went on, and forgot it, before its turn came."""
    monkeypatch.setattr("rollwright.server.live.live_table.KEPT_BYTES", 1)

    async def go():
        settings = {**GENEROUS, "counters": 1, "database": str(tmp_path / "t.sqlite")}
        async with open_services(Settings(**settings)) as services:
            tokens = {"seat": new_token()[1]}
            asked = {"id": new_id(), "game": "", "name": "Ada", "tokens": tokens}
            room = await services.registry.get((await open_table(services, asked)).table)
            await room.run_command("s1", rolling("600d6"))
            await room.run_command("s1", rolling("1d6"))
            assert "r1" in room.state.old_rolls
            async with room._heavy:
                again = {"id": new_id(), "do": "roll.repeat", "roll": "r1"}
                waits = asyncio.create_task(room.run_command("s1", again))
                while "r1" in room.state.old_rolls:
                    await asyncio.sleep(0.01)
                await room.run_command("s1", rolling("1d6"))
                assert "r1" in room.state.old_rolls
            done = await asyncio.wait_for(waits, PATIENCE)
            assert done.last == room.state.head

    asyncio.run(go())


def rolling(expression):
    """The command of a roll."""
    nonce = secrets.token_hex(32)
    return {"id": new_id(), "do": "roll.start", "expression": expression, "nonce": nonce}


def elsewhere(host, seat, do, /, **fields):
    """What a command comes to in a process that knows only the part of the table it is sent."""

    async def pieces():
        task = Task(host.state, seat, {"do": do, **fields}, Secrets(host.secret), 7)
        return [piece async for piece in commands._pieces(*commands._pack(task), CostMeter())]

    placed = pickle.loads(tasks._decide({}, asyncio.run(pieces())))
    assert isinstance(placed, TaskResult)
    return placed


def said(events):
    """What events say, without what is random in them."""
    return [(event.kind, event.body, event.audience, event.open) for event in events]


def agree(host, seat, do, /, **fields):
    """Decide a command here and elsewhere, and do it: both come to the same."""
    here, there = host.decide(seat, do, **fields), elsewhere(host, seat, do, **fields)
    assert said(here.drafts) == said(there.events)
    assert here.side == there.side
    return host.do(seat, do, **fields)


def test_every_command_about_a_roll_comes_to_the_same_elsewhere():
    """The part of a table that is sent along is enough: expressions, requests, sheets, secrets."""
    host = Host()
    host.do("s2", "sheet.create", values=SOLDIER)
    host.offer("s3", "one", "two")
    host.do("s1", "roll_request.create", who=["s3"], expression="3d6")
    agree(host, "s2", "roll.start", expression="40x 30d6", nonce="ef" * 32)
    agree(host, "s3", "roll.start", ask="a1")
    agree(host, "s2", "roll.start", draft=drafted({"roll": "skill", "skill_name": "recon"}))
    agree(host, "s2", "roll.choose", roll="r3", number=0)
    agree(host, "s2", "roll.repeat", roll="r1")
    agree(host, "s2", "roll.start", expression="2x 3d6", physical=True)
    agree(host, "s2", "roll.enter", roll="r5", faces=[1, 2, 3])
    agree(host, "s2", "roll.take_back", roll="r5")
    agree(host, "s2", "roll.throw", roll="r5")
    for _ in range(2):
        host.do("s3", "roll.start", expression="1d6", visibility="private", announce=False)
    (revealed,) = agree(host, "s3", "roll.reveal", roll=host.latest("roll"))
    assert 1 == revealed.body["unshown"]


def test_heavy_is_told_before_anything_is_worked_on():
    """By the dice that are to be thrown, and by those that lie on the table already."""
    host = Host(game="", players=1)
    secrets_ = Secrets(host.secret)

    def tried(**command):
        return decide(host.state, "s2", command, secrets_, 0, host.entropy, light=LIGHT)

    assert tried(do="roll.start", expression="100d6").drafts
    with pytest.raises(NeedsWorker):
        tried(do="roll.start", expression="501d6")
    with pytest.raises(NeedsWorker):
        tried(do="roll.start", expression="40x 1d6")
    host.do("s2", "roll.start", expression="3x 300d6", physical=True)
    host.do("s2", "roll.throw", roll="r1")
    host.do("s2", "roll.throw", roll="r1")
    with pytest.raises(NeedsWorker):
        tried(do="roll.throw", roll="r1")
    assert tried(do="roll.cancel", roll="r1").drafts


def test_the_end_of_a_session_with_many_sheets_is_decided_elsewhere():
    """A few are changed at once; very many take long, and come to the same in another process."""
    host = Host(game="ghostburn", players=1)
    secrets_ = Secrets(host.secret)
    ended = partial(decide, seat_id="s1", command={"do": "session.end"}, secrets=secrets_, now_ms=0)

    def laid_out(sheets):
        for number in range(sheets):
            host.do("s1", "sheet.create", sheet="npc", values={"name": f"Runner {number}"})

    laid_out(8)
    assert 9 == len(ended(host.state, entropy=host.entropy, light=LIGHT).drafts)
    laid_out(72)
    with pytest.raises(NeedsWorker):
        ended(host.state, entropy=host.entropy, light=LIGHT)
    assert 81 == len(agree(host, "s1", "session.end"))


@pytest.mark.parametrize("do", ["roll.reveal", "roll.apply"])
def test_what_a_long_secret_roll_does_to_a_sheet_is_never_left_out(do):
    """To play it again is heavy: it is decided elsewhere, and does there what it would do here."""
    host = Host(game="dust", players=1)
    host.do("s2", "sheet.create", values={"tasks": [{"name": "a lock", "target": 40}]})
    dig = {"roll": "extended", "pool": 2, "target": 40, "task": "a lock"}
    ended = host.do("s2", "roll.start", request=dig, visibility="private")[-1]
    total = ended.body["after"]["fields"]["total"]
    assert ("s2",) == host.state.rolls["r1"].waits
    command = {"do": do, "roll": "r1"}
    with pytest.raises(NeedsWorker):
        decide(host.state, "s2", command, Secrets(host.secret), 0, host.entropy, light=LIGHT)
    agree(host, "s2", do, roll="r1")
    (task,) = host.state.sheets["s2"].values["tasks"]
    assert total == task["progress"] >= 40
    report = verify_log(host.log("s1"))
    assert report.ok, report.problems


def test_a_kind_of_roll_that_was_slow_is_decided_elsewhere_for_a_while(monkeypatch):
    """A rule may take long with few dice: seen once, it holds up nobody for the next minute."""
    host, clock = Host(game="", players=1), Clock()
    decisions, spent = CommandExecutor(clock=clock), CostMeter()
    command = {"do": "roll.start", "expression": "2d6"}
    task = Task(host.state, "s2", command, Secrets(host.secret), 0)
    other = task._replace(command={**command, "expression": "1d6"})
    decisions.decide_here(task, spent)
    monkeypatch.setattr(commands, "SLOW", -1.0)
    decisions.decide_here(task, spent)
    monkeypatch.setattr(commands, "SLOW", SLOW)
    decisions.decide_here(other, spent)
    with pytest.raises(NeedsWorker):
        decisions.decide_here(task, spent)
    clock.now = SLOW_FOR + 1
    assert decisions.decide_here(task, spent).drafts


def test_no_random_byte_is_given_twice():
    """However many are asked for at once."""
    entropy = BufferedEntropy()
    sizes = [32] * 300 + [5000, 1, 4096, 32]
    given = [entropy(size) for size in sizes]
    assert sizes == [len(some) for some in given]
    long = [some for some in given if len(some) >= 32]
    assert len(long) == len({*long})


BUSY = {**SOLDIER, "weapons": [{"name": f"M{n}", "rounds": 9} for n in range(12)]}


def test_what_is_worked_out_for_somebody_is_charged(tmp_path, unfilled, monkeypatch):
    """Forms, cards, previews and chances of a sheet cost what they take, like commands."""
    monkeypatch.setattr(CostMeter, "__exit__", lambda spent, *_: setattr(spent, "seconds", 0.05))
    with Serving(tmp_path / "t.sqlite") as server:
        table, limits = Founded(server.address, game="twilight2000"), server.services.limits
        table.referee.does("sheet.create", values=BUSY)
        skill = {"roll": "skill", "pick": {"skill_name": "recon"}}
        asked = {
            ("POST", "/form"): {"draft": skill},
            ("POST", "/preview"): {"draft": skill, "parts": ["odds"]},
            ("GET", "/sheets/s1/card"): None,
            ("GET", "/sheets/s1/chances"): None,
        }
        for (method, path), body in asked.items():
            held = (limits.seat, f"{table.id} s1"), (limits.address, "127.0.0.1")
            before = [buckets._level(name)[0] for buckets, name in held]
            assert 200 == table.referee.ask(method, path, body).status_code
            left = [buckets._level(name)[0] for buckets, name in held]
            assert [True, True] == [a < b - 9 for a, b in zip(left, before, strict=True)], path


def test_a_form_without_a_table_is_charged_too(tmp_path, unfilled, monkeypatch):
    """It is worked out while everybody waits, whoever asks; and how long it may be is bounded."""
    monkeypatch.setattr(CostMeter, "__exit__", lambda spent, *_: setattr(spent, "seconds", 0.05))
    request = {"game": "twilight2000", "roll": "skill", "attribute": "B"}
    with Serving(tmp_path / "t.sqlite") as server:
        level = partial(server.services.limits.address._level, "127.0.0.1")
        for path, body in (
            ("/form", {"game": "twilight2000", "draft": {"roll": "skill"}}),
            ("/marks", {"request": request}),
        ):
            before, place = level()[0], f"{server.address}{API}{path}"
            assert 200 == CLIENT.post(place, json=body).status_code
            assert level()[0] < before - 9
            long = CLIENT.post(place, json={**body, "more": "x" * 100_000})
            assert 413 == long.status_code


def test_the_people_at_a_table_are_looked_up_once_for_all_rows_of_a_sheet(serving, monkeypatch):
    """A sheet with sixty rows at a table of sixty people held everybody up for seconds."""
    looked = []
    seen = chances.visible_people
    monkeypatch.setattr(chances, "visible_people", lambda *args: looked.append(1) or seen(*args))
    table = Founded(serving.address, game="twilight2000")
    table.referee.does("sheet.create", values=BUSY)
    told = table.referee.ask("GET", "/sheets/s1/chances").json()["chances"]
    assert len(told) > 12
    assert 1 == len(looked)


@pytest.mark.parametrize(
    "asked", [("POST", "/form", {"draft": {"roll": "roll"}}), ("GET", "/sheets/s1/chances")]
)
def test_the_sheets_of_everybody_are_made_a_few_at_a_time(serving, monkeypatch, asked):
    """After a session all have changed; whoever asks first does not hold everybody up for all."""
    table = Founded(serving.address, game="ghostburn")
    table.referee.does("sheet.create", values={"name": "Ada"})
    for number in range(20):
        table.referee.does("sheet.create", sheet="npc", values={"name": f"Runner {number}"})
    turns, sheet_value = [[]], mentions.sheet_value

    def watched(state, name, values):
        if not turns[-1]:
            asyncio.get_running_loop().call_soon(lambda: turns.append([]))
        turns[-1].append(name)
        return sheet_value(state, name, values)

    monkeypatch.setattr(mentions, "sheet_value", watched)
    assert 200 == table.referee.ask(*asked).status_code
    assert 21 == len({name for turn in turns for name in turn})
    assert SHEETS_AT_ONCE == max(map(len, turns))


def test_a_piece_that_cannot_be_made_is_charged(monkeypatch):
    """Whoever asks for what fails after a long time has it paid as well."""

    async def go():
        addresses = Buckets("", rate=1, burst=100, clock=Clock())
        pace = PacedSender(addresses, addresses)
        monkeypatch.setattr(
            CostMeter, "__exit__", lambda spent, *_: setattr(spent, "seconds", 0.05)
        )
        with pytest.raises(ZeroDivisionError):
            await pace.make(lambda: 1 / 0, "here", "seat")
        assert [90.0, 90.0] == [addresses._level(name)[0] for name in ("here", "seat")]

    asyncio.run(go())
