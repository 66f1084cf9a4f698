"""Two processes serve one table: what each knows belongs to one place of one log.

Everything goes to either of them, databases fail in between, and tables are replaced: the log
still verifies from every seat, and everybody is told all of it.
"""

import asyncio
import contextlib
import json
import secrets
import sqlite3

import psycopg
import pytest

from rollwright.server.rooms import broadcast, room
from rollwright.server.rooms.creation import come_in, make_table
from rollwright.server.storage.appends import StoreDown
from rollwright.table.events import export
from rollwright.table.refusals import MissingNonce, Refusal
from rollwright.table.state import TableState
from rollwright.table.verify.log import verify_log
from rollwright.table.visibility import seen
from tests.server.guests import Founded, Guest, Serving, new_id, new_token
from tests.server.test_rooms import hall_at, rolling

pytestmark = pytest.mark.storm

OFFERED = 8


@pytest.fixture
def two(postgres, redis_server):
    """The addresses of two servers that share a database and a bus."""
    shared = {"redis": redis_server.url}
    database = postgres.fresh()
    with Serving(database, **shared) as one, Serving(database, **shared) as other:
        yield one.address, other.address


def at(guest, address):
    """The same person at another server."""
    return type(guest)(address, guest.table, guest.token, guest.seat)


def nonces(count=OFFERED):
    """Nonces of a witness."""
    return [secrets.token_hex(32) for _ in range(count)]


def verified(*people):
    """How many throws had a witness; the log must be true for each of these people."""
    for person in people:
        report = verify_log(person.ask("GET", "/log.json").json())
        assert report.ok, report.said()
    return report.counts.get("witnessed throws", 0)


def brought(address, log):
    """The answer of a server to which a log is brought."""
    tokens = {"seat": new_token()[1]}
    return Guest(address).ask("POST", "/import", {**log, "id": new_id(), "tokens": tokens})


def test_nonces_offered_at_one_process_are_used_at_the_other(two, tmp_path):
    """Nobody is connected where the roll is made, and the log is true and taken elsewhere."""
    here, there = two
    table = Founded(here)
    player = table.join()
    at(table.referee, there).rolls()  # the other process has the table in memory now
    player.does("witness.offer", nonces=nonces())
    for place in (there, here, there):
        at(table.referee, place).rolls()
    assert 3 == verified(table.referee, player)
    with Serving(tmp_path / "elsewhere.sqlite") as elsewhere:
        answer = brought(elsewhere.address, table.referee.ask("GET", "/log.json").json())
    assert 201 == answer.status_code, answer.text


def test_whoever_comes_back_at_the_other_process_rolls_with_a_witness(two):
    """Sockets at one process, of which one is closed and opened again at the other."""
    here, there = two
    table = Founded(here)
    player = table.join()
    at(table.referee, there).rolls()

    def roll(line):
        roll = {"expression": "2d6", "nonce": secrets.token_hex(32)}
        assert line.command("roll.start", **roll)["ok"]

    with player.socket() as offering:
        with table.referee.socket() as line:
            assert offering.command("witness.offer", nonces=nonces())["ok"]
            roll(line)
        with at(table.referee, there).socket() as line:
            roll(line)
            roll(line)
    assert 3 == verified(table.referee, player)


class Failing:
    """A database that does not answer one of the next questions of a server."""

    def __init__(self, services, number):
        self._readers = services.store._readers
        self._ask = self._readers.ask
        self._left = number

    async def _asked(self, question):
        self._left -= 1
        if self._left == 0:
            raise StoreDown("in this moment")
        return await self._ask(question)

    def __enter__(self):
        self._readers.ask = self._asked

    def __exit__(self, *_):
        del self._readers.ask


class Listening:
    """Somebody with a socket, as far as a room knows: all that they were told."""

    def __init__(self, room, token):
        self.news = asyncio.Event()
        self.seat, self.token, self.sent = "s1", token, room.state.head
        self.first = self.sent + 1
        self.wanted_at = 0.0
        self.waiting_bytes = 0
        self.seqs, self.byes = [], []
        room.everybody.guests.add(self)
        room.everybody.live.add(self)

    def push(self, message):
        """Take note of the events of a frame; after a goodbye nothing is sent."""
        if not self.byes:
            frame = json.loads(message.json)
            self.seqs += [event["seq"] for event in frame.get("events", ())]

    def say_bye(self, code, message):
        """Take note of a goodbye."""
        self.byes.append(code)

    def knows(self, head):
        """Whether they were told everything up to there, once and in order, or sent away."""
        return bool(self.byes) or self.seqs == [*range(self.first, head + 1)]


async def logged(services, table, seat):
    """What the log tells a seat, as it is verified."""
    events = await services.store.load(table)
    state = TableState.of(events)
    views = [seen(event, state.seats[seat], state) for event in events]
    return verify_log(export(table, views, seat))


async def table_for_two(services):
    """A table with a referee s1 and a player s2, and the hash of the referee's token."""
    tokens = {role: new_token()[1] for role in ("seat", "referee", "player", "spectator")}
    made = await make_table(services, {"id": new_id(), "game": "", "name": "Ada", "tokens": tokens})
    room = await services.rooms.room(made.table)
    await come_in(room, "player", {"id": new_id(), "name": "Bo", "token_hash": new_token()[1]})
    return made.table, tokens["seat"]


def offering(count=OFFERED):
    """The command of a witness."""
    return {"id": new_id(), "do": "witness.offer", "nonces": nonces(count)}


@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize("listened", [False, True], ids=["alone", "listened"])
def test_whatever_the_database_does_not_answer_nothing_is_half_known(postgres, number, listened):
    """A read that fails between others leaves neither stale nonces nor events that are untold."""

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, token = await table_for_two(one)
            here, there = await one.rooms.room(table), await other.rooms.room(table)
            guest = Listening(there, token) if listened else None
            await here.act("s2", offering())
            with Failing(other, number), contextlib.suppress(StoreDown):
                await there.catch_up()
            with contextlib.suppress(StoreDown):
                await there.act("s1", rolling())
            await there.act("s1", rolling())
            report = await logged(one, table, "s1")
            assert report.ok, report.said()
            assert guest is None or guest.knows(there.state.head), (guest.seqs, guest.byes)

    asyncio.run(go())


@pytest.mark.parametrize("at_once", [1, 400])
def test_nonces_are_known_however_much_of_a_log_is_read_at_once(postgres, monkeypatch, at_once):
    """Rolls bring none, so they are not read again; those that came before the rolls are known."""
    for place, most in ((room, "BATCH"), (broadcast, "BATCH"), (room, "LOADED_EVENTS")):
        monkeypatch.setattr(place, most, at_once)
    monkeypatch.setattr(room, "FOLDED_EVENTS", at_once)

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, _ = await table_for_two(one)
            here, there = await one.rooms.room(table), await other.rooms.room(table)
            for commands in ((offering(), rolling()), (rolling(),), (rolling(), offering())):
                for command in commands:
                    await here.act("s2" if command["do"] == "witness.offer" else "s1", command)
                await there.catch_up()
                assert there.state.offers.keys() == there._nonces.keys()
                assert here._nonces == there._nonces
            await there.act("s1", rolling())
            report = await logged(one, table, "s1")
            assert report.ok, report.said()

    asyncio.run(go())


def test_whoever_is_broken_off_while_folding_knows_all_nonces_afterwards(postgres, monkeypatch):
    """What is read at once is folded in parts; the rest of it alone would say that none came."""
    monkeypatch.setattr(room, "FOLDED_EVENTS", 1)

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, _ = await table_for_two(one)
            here, there = await one.rooms.room(table), await other.rooms.room(table)
            offered = there.state.head + 1
            for seat, command in (("s2", offering()), ("s1", rolling())):
                await here.act(seat, command)
            reading = asyncio.create_task(there.catch_up())
            while there.state.head < offered:
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            assert offered == there.state.head
            await there.catch_up()
            assert here.state.head == there.state.head
            assert here._nonces == there._nonces

    asyncio.run(go())


def test_whose_token_was_taken_back_hears_nothing_more_elsewhere(postgres):
    """What is said after a seat was moved does not reach the old holder at another process."""

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, token = await table_for_two(one)
            here, there = await one.rooms.room(table), await other.rooms.room(table)
            guest = Listening(there, token)
            moved = {"do": "seat.move", "seat": "s1", "token_hash": new_token()[1]}
            await here.act("s1", {"id": new_id(), **moved})
            await here.act("s2", {"id": new_id(), "do": "say", "text": "psst", "to": ["s1"]})
            with Failing(other, 2), contextlib.suppress(StoreDown):
                await there.catch_up()
            assert ["unauthorized"] == guest.byes
            assert [] == guest.seqs

    asyncio.run(go())


def replaced(server, table, referee, log):
    """The referee of a table that is deleted and brought again from its log, with its new token."""
    assert 200 == referee.ask("DELETE").status_code
    token, hashed = new_token()
    asked = {**log, "id": new_id(), "tokens": {"seat": hashed}}
    answer = Guest(server).ask("POST", "/import", asked)
    assert 201 == answer.status_code, answer.text
    return Guest(server, table, token, "s1")


@pytest.mark.parametrize("missing", [0, 1], ids=["longer", "as long"])
def test_a_table_that_was_replaced_is_another_one_everywhere(two, missing):
    """A process that knows the old log serves and goes on with the new one, under its new keys."""
    here, there = two
    table = Founded(here)
    table.referee.rolls()
    log = table.referee.ask("GET", "/log.json").json()
    log["events"] = log["events"][: len(log["events"]) - 2 * missing]
    if missing:  # the event that says that it was brought makes the log as long as it was
        table.referee.does("say", text="one more")
        log = {**log, "events": table.referee.ask("GET", "/log.json").json()["events"][:-1]}
    at(table.referee, there).ask("GET")  # so that it is in memory there
    referee = replaced(here, table.id, table.referee, log)
    for place in (there, here, there):
        at(referee, place).rolls()
    assert 0 == verified(referee, at(referee, there))


def test_an_append_to_another_log_of_the_same_length_is_refused(postgres):
    """Two logs may end at the same place: whoever knows the other one decides again."""

    async def go():
        database = postgres.fresh()
        async with hall_at(database) as one, hall_at(database, poll_seconds=3600) as other:
            table, _ = await table_for_two(one)
            here, there = await one.rooms.room(table), await other.rooms.room(table)
            state = here.state
            with contextlib.closing(psycopg.connect(plain(database))) as connection, connection:
                text = "UPDATE tables SET hash = %s WHERE id = %s"
                connection.execute(text, ("00" * 32, table))
            with pytest.raises(Refusal, match="read again") as refused:
                await there.act("s1", rolling())
            assert "unavailable" == refused.value.code
            assert there.lost
            assert {table: state.head} == await one.store.heads([table])

    asyncio.run(go())


def plain(address):
    """The address of a database as its driver takes it."""
    return address.replace("postgresql+psycopg", "postgresql")


def test_a_nonce_that_is_lost_is_told_and_never_passed_over(tmp_path, caplog):
    """Nothing is thrown, the host's log says why, and a log with a gap in it is never written."""

    async def go():
        file = tmp_path / "t.sqlite"
        async with hall_at(file) as services:
            table, _ = await table_for_two(services)
            await (await services.rooms.room(table)).act("s2", offering(2))
        with contextlib.closing(sqlite3.connect(file)) as database, database:
            database.execute("DELETE FROM nonces")
        async with hall_at(file) as services:
            room = await services.rooms.room(table)
            with pytest.raises(MissingNonce) as refused:
                await room.act("s1", rolling())
            assert ("internal", "s2") == (refused.value.code, refused.value.seat)
            await room.act("s2", rolling())  # it needs no nonce of their own
            report = await logged(services, table, "s1")
            assert report.ok, report.said()

    asyncio.run(go())
    assert ["the database lacks a nonce of a witness"] == [
        record.message for record in caplog.records if record.levelname == "ERROR"
    ]


def test_two_who_are_connected_to_two_processes_are_witnesses(two):
    """Each process asks whom it has for nonces, though it has but one person of the two."""
    here, there = two
    table = Founded(here)
    player = at(table.join(), there)
    with table.referee.socket() as one, player.socket() as other:
        for line in (one, other):
            wanted = line.until("want")["want"]["witness"]
            assert line.command("witness.offer", nonces=nonces(wanted))["ok"]
        table.referee.rolls()
        player.rolls()
    assert 2 == verified(table.referee, player)
