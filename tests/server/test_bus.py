"""The bus over a real Redis: heads and presence, lost and found again."""

import asyncio
import contextlib
import signal
from collections import Counter

import pytest

from rollwright.server.live.bus import TABLES_AT_ONCE, Bus, RedisBus, cancel_tasks
from rollwright.server.settings import BadSetting
from tests.server.harness import until
from tests.server.parts import free_port

TABLE = "abcdefghij23"


class Heard:
    """A bus with everything that was heard on it."""

    def __init__(self, address):
        self.bus = RedisBus(address)
        self.heads = []
        self.present = []

    async def __aenter__(self):
        await self.bus.start(
            lambda table, head: self.heads.append((table, head)),
            lambda table, seats: self.present.append((table, seats)),
        )
        return self

    async def __aexit__(self, *_):
        await self.bus.stop()


def address(redis):
    """The address of a running Redis."""
    return f"redis://127.0.0.1:{redis.port}"


def test_a_head_reaches_the_others_and_not_oneself(redis_server):
    """Of several heads at once the last is enough."""

    async def go():
        async with Heard(address(redis_server)) as one, Heard(address(redis_server)) as other:
            await until(lambda: one.bus.state == other.bus.state == "up")
            for head in range(1, 6):
                one.bus.announce(TABLE, head)
            await until(lambda: (TABLE, 5) in other.heads)
            assert [] == one.heads
            assert len(other.heads) <= 5

    asyncio.run(go())


def test_nothing_but_names_and_numbers_goes_over_the_bus(redis_server):
    """Whoever listens on Redis learns which table goes on, and nothing else."""
    import redis.asyncio

    async def go():
        async with (
            redis.asyncio.Redis.from_url(address(redis_server)) as client,
            client.pubsub() as listener,
            Heard(address(redis_server)) as one,
        ):
            await listener.psubscribe("*")
            await until(lambda: one.bus.state == "up")
            one.bus.announce(TABLE, 7)
            while (message := await listener.get_message(timeout=60))["type"] != "pmessage":
                pass
            assert f"head {TABLE} 7 {one.bus.process}".encode() == message["data"]

    asyncio.run(go())


def test_seats_of_other_processes_are_known(redis_server):
    """Who is connected elsewhere is heard when it changes, and gone when they leave."""

    async def go():
        async with Heard(address(redis_server)) as one, Heard(address(redis_server)) as other:
            await until(lambda: one.bus.state == other.bus.state == "up")
            one.bus.publish_presence(TABLE, {"s1", "s2"})
            other.bus.publish_presence(TABLE, {"s3"})
            await until(lambda: (TABLE, {"s1", "s2"}) in other.present)
            await until(lambda: (TABLE, {"s3"}) in one.present)
            one.bus.publish_presence(TABLE, set())
            await until(lambda: other.present[-1] == (TABLE, set()))

    asyncio.run(go())


def test_the_people_of_thousands_of_tables_are_noted_with_few_questions(redis_server):
    """Asked table by table, a refresh of some thousand took longer than Redis may take."""
    tables = [f"{number:012d}".translate(str.maketrans("01", "ab")) for number in range(1200)]

    class Counted(RedisBus):
        most = 0

        async def _note_some(self, redis, tables):
            Counted.most = max(Counted.most, len(tables))
            await super()._note_some(redis, tables)

    async def go():
        async with Heard(address(redis_server)) as one, Heard(address(redis_server)) as other:
            one.bus.__class__ = Counted
            await until(lambda: one.bus.state == other.bus.state == "up")
            for table in tables:
                other.bus.publish_presence(table, {"s2"})
            await until(lambda: {table for table, _ in other.present} >= {*tables})
            for table in tables:
                one.bus.publish_presence(table, {"s1"})
            await until(lambda: {table for table, seats in one.present if seats} >= {*tables})
            assert TABLES_AT_ONCE == Counted.most

    asyncio.run(go())


def test_a_redis_that_was_lost_is_found_again(redis_server):
    """Meanwhile nothing waits and nothing fails; afterwards heads and seats are told again."""

    async def go():
        async with Heard(address(redis_server)) as one, Heard(address(redis_server)) as other:
            await until(lambda: one.bus.state == other.bus.state == "up")
            one.bus.publish_presence(TABLE, {"s1"})
            other.bus.publish_presence(TABLE, {"s2"})
            await until(lambda: (TABLE, {"s1"}) in other.present)
            await asyncio.to_thread(redis_server.kill9)
            await until(lambda: one.bus.state == other.bus.state == "lost")
            one.bus.announce(TABLE, 1)
            other.present.clear()
            await asyncio.to_thread(redis_server.start)
            await until(lambda: one.bus.state == other.bus.state == "up")
            one.bus.announce(TABLE, 2)
            await until(lambda: (TABLE, 2) in other.heads)
            await until(lambda: (TABLE, {"s1"}) in other.present)

    asyncio.run(go())


def test_a_redis_that_never_was_there_is_told_once(caplog, monkeypatch):
    """Whoever named the wrong port hears of it, not only who loses a Redis that was there."""
    tries, lost = [], RedisBus._note_loss

    def lost_again(bus):
        tries.append(bus)
        lost(bus)

    monkeypatch.setattr(RedisBus, "_note_loss", lost_again)

    async def go():
        async with Heard(f"redis://127.0.0.1:{free_port()}"):
            await until(lambda: len(tries) >= 3)

    asyncio.run(go())
    [told] = caplog.messages
    assert "Redis is lost" in told


@pytest.mark.parametrize("given", ["redis://u:hush@x:y/0", "http://x", "x", "redis://[x/0"])
def test_an_address_that_is_none_is_refused(given):
    """At the start, and without the password in it."""
    with pytest.raises(BadSetting) as refused:
        asyncio.run(RedisBus(given).start(print, print))
    assert "redis://HOST" in str(refused.value)
    assert "hush" not in str(refused.value)


def test_a_redis_that_hangs_is_lost_too(redis_server, monkeypatch):
    """One that takes connections and never answers is found out, and found again."""
    from redis.asyncio.client import PubSub

    monkeypatch.setattr("rollwright.server.live.bus.ANSWER_SECONDS", 0.5)
    pings, ping = Counter(), PubSub.ping

    def counted(line):
        pings[line] += 1
        return ping(line)

    monkeypatch.setattr(PubSub, "ping", counted)

    async def go():
        async with Heard(address(redis_server)) as one:
            # Nobody is asked twice on a line on which the first ping had no answer.
            await until(lambda: max(pings.values(), default=0) == 3)
            await until(lambda: one.bus.state == "up")
            redis_server.process.send_signal(signal.SIGSTOP)
            try:
                await until(lambda: one.bus.state == "lost")
            finally:
                redis_server.process.send_signal(signal.SIGCONT)
            await until(lambda: one.bus.state == "up")

    asyncio.run(go())


@pytest.mark.parametrize(
    "text", ["", "head", f"head {TABLE} x 1", f"head {TABLE} 1", "head ../../x 1 " + "0" * 16]
)
def test_nonsense_on_the_channel_is_ignored(redis_server, text):
    """Somebody else's messages do no harm."""

    async def go():
        async with Heard(address(redis_server)) as one:
            await one.bus._receive(None, text)
            assert ([], []) == (one.heads, one.present)

    asyncio.run(go())


def test_one_process_needs_no_bus():
    """Everything can be said to nobody."""

    async def go():
        bus = Bus()
        await bus.start(lambda table, head: None, lambda table, seats: None)
        bus.announce(TABLE, 1)
        bus.publish_presence(TABLE, {"s1"})
        await bus.stop()
        assert "none" == bus.state

    asyncio.run(go())


def test_a_task_that_shrugs_off_its_end_is_ended_all_the_same(monkeypatch):
    """A cancellation that something takes for a failure of its own is said again."""
    monkeypatch.setattr("rollwright.server.live.bus.LAST_WORD_SECONDS", 0.01)

    async def stubborn():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        await asyncio.sleep(3600)

    async def go():
        task = asyncio.create_task(stubborn())
        await asyncio.sleep(0)
        async with asyncio.timeout(60):
            await cancel_tasks([task])
        assert task.cancelled()

    asyncio.run(go())
