"""Tables in memory: loaded once, let go, and of one mind with the log whatever happens."""

import asyncio
import contextlib
import secrets
import sqlite3
import time
from collections import Counter

import pytest

from rollwright.server.app import open_services
from rollwright.server.live.creation import join_table, open_table
from rollwright.server.maintenance import TrustedClock, clean, poll
from rollwright.server.settings import Settings
from rollwright.server.storage.appends import StoreUnavailableError
from rollwright.table.errors import CodedError
from rollwright.workers.memory import STANDARD_CEILING
from rollwright.workers.pool import WorkerLimits
from tests.server.guests import GENEROUS, new_id, new_token
from tests.server.harness import until


@contextlib.asynccontextmanager
async def hall_at(database, **settings):
    """A server without a network."""
    chosen = {**GENEROUS, "counters": 1, "database": str(database), **settings}
    async with open_services(Settings(**chosen)) as services:
        yield services


async def founded(services):
    """The id of a new table with its referee s1."""
    tokens = {role: new_token()[1] for role in ("seat", "referee", "player", "spectator")}
    made = await open_table(services, {"id": new_id(), "game": "", "name": "Ada", "tokens": tokens})
    return made.table


def rolling(**fields):
    """The command of a roll."""
    nonce = secrets.token_hex(32)
    return {"id": new_id(), "do": "roll.start", "expression": "2d6", "nonce": nonce, **fields}


def test_a_table_is_loaded_once_however_many_ask(tmp_path):
    """Many who come at once share one room."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite") as services:
            table = await founded(services)
            rooms = await asyncio.gather(*(services.registry.get(table) for _ in range(20)))
            assert 1 == len(set(map(id, rooms)))

    asyncio.run(go())


def test_commands_of_one_table_come_one_after_the_other(tmp_path):
    """Many at once make a log without a gap, each command whole."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite") as services:
            room = await services.registry.get(await founded(services))
            done = await asyncio.gather(*(room.run_command("s1", rolling()) for _ in range(30)))
            taken = sorted(seq for one in done for seq in range(one.first, one.last + 1))
            assert [*range(3, 63)] == taken
            log = await services.store.load(room.table)
            assert [*range(1, 63)] == [event.seq for event in log]

    asyncio.run(go())


def test_a_command_sent_many_times_at_once_happens_once(tmp_path):
    """All get the same acknowledgement."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite") as services:
            room = await services.registry.get(await founded(services))
            command = rolling()
            done = await asyncio.gather(*(room.run_command("s1", command) for _ in range(10)))
            assert 1 == len(set(done))
            assert 4 == room.state.head

    asyncio.run(go())


def test_a_repeated_command_is_acknowledged_though_it_would_be_refused_now(tmp_path):
    """A choice that was made cannot be made again; sent again it is still acknowledged."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite") as services:
            room = await services.registry.get(await founded(services))
            await room.run_command("s1", rolling(visibility="private"))
            reveal = {"id": new_id(), "do": "roll.reveal", "roll": "r1"}
            first = await room.run_command("s1", reveal)
            await room.run_command("s1", rolling())
            assert first == await room.run_command("s1", reveal)
            with pytest.raises(CodedError):
                await room.run_command("s1", {**reveal, "id": new_id()})

    asyncio.run(go())


def test_a_command_without_an_event_is_acknowledged_too(tmp_path):
    """Nothing has changed, so there is no event; sent again it is still nothing."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite") as services:
            room = await services.registry.get(await founded(services))
            command = {"id": new_id(), "do": "table.change", "knock": False}
            try:
                first = await room.run_command("s1", command)
            except CodedError:
                return  # a change that changes nothing may as well be refused
            assert first == await room.run_command("s1", command)

    asyncio.run(go())


def test_rooms_are_let_go_when_nobody_needs_them(tmp_path):
    """The oldest first when there are too many, and all that rest too long."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite", rooms=3, room_seconds=600) as services:
            tables = [await founded(services) for _ in range(6)]
            for table in tables:
                await services.registry.get(table)
            assert tables[-3:] == [room.table for room in services.registry]
            room = await services.registry.get(tables[0])
            await room.run_command("s1", rolling())
            for resting in services.registry:
                resting.used -= 601
            services.registry.sweep()
            assert 0 == len(services.registry)
            again = await services.registry.get(tables[0])
            assert (room.state.head, room.state.hash) == (again.state.head, again.state.hash)

    asyncio.run(go())


def test_an_unknown_table_is_refused_and_not_kept(tmp_path):
    """Whatever it is called."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite") as services:
            for name in ("aaaaaaaaaaaa", "", "../../etc", "x" * 10_000, "\x00"):
                with pytest.raises(CodedError) as refused:
                    await services.registry.get(name)
                assert "not_found" == refused.value.code
            assert 0 == len(services.registry)

    asyncio.run(go())


def test_what_a_person_wrote_leaves_the_memory_with_the_log(tmp_path):
    """After `person.erased` no event of the room holds a text of them."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite") as services:
            room = await services.registry.get(await founded(services))
            joined = {"id": new_id(), "name": "Boswell", "token_hash": new_token()[1]}
            seat = await join_table(room, "player", joined)
            say = {"id": new_id(), "do": "chat.send", "text": "a word of mine"}
            await room.run_command(seat.id, say)
            await room.run_command("s1", {"id": new_id(), "do": "person.erase", "seat": seat.id})
            held = repr([*await room.events_after(0, 100), room.state, [*room._recent]])
            assert "Boswell" not in held
            assert "a word of mine" not in held

    asyncio.run(go())


def test_two_processes_write_one_log(postgres):
    """Both decide on what they know; who was slower decides again, and nothing is lost."""

    async def go():
        database = postgres.fresh()
        async with hall_at(database) as one, hall_at(database) as other:
            table = await founded(one)
            rooms = [await one.registry.get(table), await other.registry.get(table)]
            acts = [room.run_command("s1", rolling()) for _ in range(25) for room in rooms]
            done = await asyncio.gather(*acts)
            taken = Counter(seq for act in done for seq in range(act.first, act.last + 1))
            assert dict.fromkeys(range(3, 103), 1) == taken
            for room in rooms:
                await room.catch_up()
            assert 102 == rooms[0].state.head == rooms[1].state.head
            assert rooms[0].state.hash == rooms[1].state.hash

    asyncio.run(go())


def test_a_room_without_a_bus_learns_of_the_log_by_asking(postgres):
    """What another process wrote is there whenever somebody enters, and within a poll."""

    async def go():
        database = postgres.fresh()
        async with hall_at(database) as one, hall_at(database, poll_seconds=0.1) as other:
            table = await founded(one)
            room = await other.registry.get(table)
            await (await one.registry.get(table)).run_command("s1", rolling())
            assert 4 == (await other.registry.get(table)).state.head
            room.broadcast.guests.add(_Nobody())
            await (await one.registry.get(table)).run_command("s1", rolling())
            await until(lambda: room.state.head == 6)
            room.broadcast.guests.clear()

    asyncio.run(go())


class _Nobody:
    """Somebody who is connected and does not care."""

    token = ""

    def __init__(self):
        self.news = asyncio.Event()

    def close(self, code, message):
        """So be it."""


def test_a_table_that_another_process_deleted_is_given_up(postgres):
    """Its guests are sent away at the next poll, and nobody finds it any more."""

    async def go():
        database = postgres.fresh()
        async with hall_at(database) as one, hall_at(database) as other:
            table = await founded(one)
            room = await other.registry.get(table)
            room.broadcast.guests.add(_Nobody())
            await one.store.delete_table(table)
            await poll(other)
            assert room.is_lost
            with pytest.raises(CodedError) as refused:
                await other.registry.get(table)
            assert "not_found" == refused.value.code

    asyncio.run(go())


async def sent(room, command):
    """What becomes of a command, sent until the database answers in time."""
    while True:
        with contextlib.suppress(StoreUnavailableError):
            return await room.run_command("s1", command)


@pytest.mark.long
def test_a_lost_database_is_waited_for_and_nothing_is_done_twice(postgres):
    """A command that fails with the database happens once when it is sent again."""

    async def go():
        database = postgres.fresh()
        async with hall_at(database, patience_seconds=1) as services:
            room = await services.registry.get(await founded(services))
            await sent(room, rolling())
            await asyncio.to_thread(postgres.kill9)
            command = rolling()
            with pytest.raises(StoreUnavailableError):
                await room.run_command("s1", command)
            assert 4 == room.state.head
            await asyncio.to_thread(postgres.start)
            done = await sent(room, command)
            assert (5, 6) == (done.first, done.last)
            assert done == await sent(room, command)
            assert 6 == len(await services.store.load(room.table))

    asyncio.run(go())


def forget(file, *tables):
    """Let it be two days since anybody was at these tables."""
    two_days_ago = time.time_ns() // 1_000_000 - 2 * 86_400_000
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        for table in tables:
            database.execute("UPDATE tables SET touched_at=? WHERE id=?", (two_days_ago, table))


def test_old_tables_are_deleted_and_others_kept(tmp_path):
    """--keep-days: what nobody touched for so long goes, what somebody is connected to stays."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite", keep_days=1) as services:
            old, used, new = [await founded(services) for _ in range(3)]
            room = await services.registry.get(used)
            guest = _Nobody()
            room.broadcast.guests.add(guest)
            forget(tmp_path / "t.sqlite", old, used)
            clock = services.clock = Clock()
            for _ in range(25):
                assert 3 == len(await services.store.heads([old, used, new]))
                await clean(services)
                clock.go_on(hours=1)
            assert {used, new} == set(await services.store.heads([old, used, new]))
            room.broadcast.guests.clear()

    asyncio.run(go())


class Clock(TrustedClock):
    """Clocks that a test sets: the one on the wall, and the one that only goes on."""

    def __init__(self):
        super().__init__()
        self.gone, self.ahead = 0.0, 0.0

    def now(self):
        """Milliseconds since 1970, as the wall says."""
        return int(self.ahead * 1000) + super().now()

    def steady(self):
        """Seconds that certainly went by."""
        return self.gone

    def go_on(self, hours):
        """Time goes by, on both."""
        self.gone += hours * 3600
        self.ahead += hours * 3600


def test_a_clock_that_jumps_deletes_nothing(tmp_path, caplog):
    """400 days ahead for twenty hours: the host is warned, and every table is there afterwards."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite", keep_days=1) as services:
            table = await founded(services)
            clock = services.clock = Clock()
            await clean(services)
            clock.ahead += 400 * 86_400
            for _ in range(20):
                clock.go_on(hours=1)
                await clean(services)
            clock.ahead = 0
            for _ in range(20):
                await clean(services)
                clock.gone += 3600
            assert {table: 2} == await services.store.heads([table])

    asyncio.run(go())
    said = [record.message for record in caplog.records]
    assert any("the clock was set" in message for message in said)
    assert any("will be deleted" in message for message in said)


def test_a_start_with_a_clock_ahead_deletes_nothing_at_once(tmp_path):
    """The first hours of a server only announce, and somebody who comes meanwhile is safe."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite", keep_days=30) as services:
            table, lost = await founded(services), await founded(services)
            clock = services.clock = Clock()
            clock.ahead = 400 * 86_400
            for hour in range(30):
                await clean(services)
                clock.go_on(hours=1)
                if hour == 10:
                    await services.store.touch([table], clock.now())
            assert {table: 2} == await services.store.heads([table, lost])

    asyncio.run(go())


def test_two_processes_count_an_hour_once(tmp_path):
    """Processes that clean the same database do not make its days shorter."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite", keep_days=1) as services:
            table = await founded(services)
            forget(tmp_path / "t.sqlite", table)
            one, other = Clock(), Clock()
            for _ in range(20):
                for services.clock in (one, other):
                    await clean(services)
                one.go_on(hours=1)
                other.go_on(hours=1)
            assert {table: 2} == await services.store.heads([table])

    asyncio.run(go())


def test_without_keep_days_nothing_is_deleted(tmp_path):
    """Tables are kept for ever unless the host says otherwise."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite") as services:
            table = await founded(services)
            forget(tmp_path / "t.sqlite", table)
            await clean(services)
            assert {table: 2} == await services.store.heads([table])

    asyncio.run(go())


def test_workers_share_the_processors():
    """Several app processes together start as many counting processes as suit the machine."""
    from rollwright.server.app import _worker_limits

    shared = {"database": "postgresql://x/y", "redis": "redis://x"}
    several = Settings(workers=64, count_bytes=64 * STANDARD_CEILING, **shared)
    limits = _worker_limits(several)
    assert WorkerLimits(workers=2, wait=limits.wait) == limits
    assert 3 == _worker_limits(Settings(counters=3)).workers


def test_a_slow_machine_may_count_longer():
    """How long a question may take is a setting; what nobody set is as the pool has it."""
    from rollwright.server.app import _worker_limits

    assert WorkerLimits().seconds == _worker_limits(Settings()).seconds
    assert 25 == _worker_limits(Settings(count_seconds=25)).seconds


@pytest.mark.long
def test_a_room_that_is_let_go_while_somebody_waits_for_it_is_theirs_still(tmp_path):
    """More tables than may be in memory are asked for at once: everybody gets the one that is."""

    async def go():
        async with hall_at(tmp_path / "t.sqlite", rooms=1) as services:
            tables = [await founded(services) for _ in range(12)]
            rooms = await asyncio.gather(*(services.registry.get(table) for table in tables * 2))
            assert tables * 2 == [room.table for room in rooms]
            last = await services.registry.get(tables[0])
            assert last is services.registry.find(tables[0])

    asyncio.run(go())
