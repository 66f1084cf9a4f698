"""Two processes serve one table: what each knows belongs to one place of one log.

Everything goes to either of them, databases fail in between, and tables are replaced: the log
still verifies from every seat, and everybody is told all of it.
"""

import asyncio
import contextlib
import json
import secrets

import psycopg
import pytest

from rollwright.server.live import broadcast, live_table
from rollwright.server.live.creation import join_table, open_table
from rollwright.server.storage.appends import StoreUnavailableError
from rollwright.table.errors import CodedError
from rollwright.table.events import export
from rollwright.table.fairness import commitment_of
from rollwright.table.state import TableState
from rollwright.table.verify.log import verify_log
from rollwright.table.visibility import view_event
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


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Nobody is passed over as a witness, however slow the machine is."""
    monkeypatch.setattr(live_table, "WITNESS_SECONDS", 600)


class Witness:
    """What somebody has ready for the dice of others, and keeps until it is asked for."""

    def __init__(self):
        self.numbers = {}

    def offers(self, count=OFFERED):
        """The fields of an offer of so many numbers more."""
        fresh = [secrets.token_bytes(32) for _ in range(count)]
        made = {commitment_of(number): number.hex() for number in fresh}
        self.numbers |= made
        return {"commitments": [*made]}

    def answer(self, started):
        """The fields that tell the number which a roll waits for."""
        wanted = started["open"]["witness"]["offer"]
        return {"asked": started["seq"], "number": self.numbers[wanted]}


def verified(*people):
    """How many throws had a witness; the log must be true for each of these people."""
    for person in people:
        report = verify_log(person.ask("GET", "/log.json").json())
        assert report.ok, report.sentences()
    return report.counts.get("witnessed throws", 0)


def brought(address, log):
    """The answer of a server to which a log is brought."""
    tokens = {"seat": new_token()[1]}
    return Guest(address).ask("POST", "/import", {**log, "id": new_id(), "tokens": tokens})


def started(person):
    """The event of a roll that somebody begins, and that waits for a witness."""
    first = person.rolls()["first"]
    return person.ask("GET", f"/events?after={first - 1}").json()["events"][0]


def test_numbers_offered_at_one_process_are_asked_for_at_the_other(two, tmp_path):
    """Nobody is connected where the roll is made, and the log is true and taken elsewhere."""
    here, there = two
    table = Founded(here, witnesses=True)
    player, witness = table.join(), Witness()
    at(table.referee, there).rolls()  # the other process has the table in memory now
    player.does("witness.commit", **witness.offers())
    for place in (there, here, there):
        begun = started(at(table.referee, place))
        player.does("witness.reveal", **witness.answer(begun))
    assert 3 == verified(table.referee, player)
    with Serving(tmp_path / "elsewhere.sqlite") as elsewhere:
        answer = brought(elsewhere.address, table.referee.ask("GET", "/log.json").json())
    assert 201 == answer.status_code, answer.text


def test_whoever_comes_back_at_the_other_process_rolls_with_a_witness(two):
    """Sockets at one process, of which one is closed and opened again at the other."""
    here, there = two
    table = Founded(here, witnesses=True)
    player, witness = table.join(), Witness()
    at(table.referee, there).rolls()

    def roll(line):
        ack = line.command("roll.start", expression="2d6", nonce=secrets.token_hex(32))
        assert ack["ok"], ack
        begun = player.ask("GET", f"/events?after={ack['first'] - 1}").json()["events"][0]
        assert offering.command("witness.reveal", **witness.answer(begun))["ok"]

    with player.socket() as offering:
        with table.referee.socket() as line:
            assert offering.command("witness.commit", **witness.offers())["ok"]
            roll(line)
        with at(table.referee, there).socket() as line:
            roll(line)
            roll(line)
    assert 3 == verified(table.referee, player)


class Failing:
    """A database that does not answer one of the next questions of a server."""

    def __init__(self, services, number):
        self._readers = services.store._readers
        self._ask = self._readers.query
        self._left = number

    async def _asked(self, question):
        self._left -= 1
        if self._left == 0:
            raise StoreUnavailableError("in this moment")
        return await self._ask(question)

    def __enter__(self):
        self._readers.query = self._asked

    def __exit__(self, *_):
        del self._readers.query


class Listening:
    """Somebody with a socket, as far as a room knows: all that they were told."""

    def __init__(self, room, token):
        self.news = asyncio.Event()
        self.seat, self.token, self.sent = "s1", token, room.state.head
        self.first = self.sent + 1
        self.wanted_at = 0.0
        self.waiting_bytes = 0
        self.seqs, self.byes = [], []
        room.broadcast.guests.add(self)
        room.broadcast.live.add(self)

    def push(self, message):
        """Take note of the events of a frame; after a goodbye nothing is sent."""
        if not self.byes:
            frame = json.loads(message.json)
            self.seqs += [event["seq"] for event in frame.get("events", ())]

    def close(self, code, message):
        """Take note of a goodbye."""
        self.byes.append(code)

    def knows(self, head):
        """Whether they were told everything up to there, once and in order, or sent away."""
        return bool(self.byes) or self.seqs == [*range(self.first, head + 1)]


async def logged(services, table, seat):
    """What the log tells a seat, as it is verified."""
    events = await services.store.load(table)
    state = TableState.of(events)
    views = [view_event(event, state.seats[seat], state) for event in events]
    return verify_log(export(table, views, seat))


async def table_for_two(services, *, witnesses=False):
    """A table with a referee s1 and a player s2, and the hash of the referee's token."""
    tokens = {role: new_token()[1] for role in ("seat", "referee", "player", "spectator")}
    asked = {"id": new_id(), "game": "", "name": "Ada", "tokens": tokens, "witnesses": witnesses}
    made = await open_table(services, asked)
    room = await services.registry.get(made.table)
    await join_table(room, "player", {"id": new_id(), "name": "Bo", "token_hash": new_token()[1]})
    return made.table, tokens["seat"]


def offering(witness=None):
    """The command of a witness."""
    return {"id": new_id(), "do": "witness.commit", **(witness or Witness()).offers()}


async def answered(services, table, witness):
    """Let the witness tell every number that is asked for."""
    at_table = await services.registry.get(table)
    await at_table.catch_up()
    events = {event.seq: event for event in await services.store.load(table)}
    for asked in [one.witness.asked for one in at_table.state.going.values() if one.witness]:
        fields = witness.answer({"seq": asked, "open": events[asked].open})
        await at_table.run_command("s2", {"id": new_id(), "do": "witness.reveal", **fields})


@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize("listened", [False, True], ids=["alone", "listened"])
def test_whatever_the_database_does_not_answer_nothing_is_half_known(postgres, number, listened):
    """A read that fails between others leaves neither stale offers nor events that are untold."""

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, token = await table_for_two(one, witnesses=True)
            here, there = await one.registry.get(table), await other.registry.get(table)
            guest, witness = Listening(there, token) if listened else None, Witness()
            await here.run_command("s2", offering(witness))
            with Failing(other, number), contextlib.suppress(StoreUnavailableError):
                await there.catch_up()
            with contextlib.suppress(StoreUnavailableError):
                await there.run_command("s1", rolling())
            await there.run_command("s1", rolling())
            await answered(other, table, witness)
            report = await logged(one, table, "s1")
            assert report.ok, report.sentences()
            assert report.counts["throws"] == report.counts["witnessed throws"]
            assert guest is None or guest.knows(there.state.head), (guest.seqs, guest.byes)

    asyncio.run(go())


@pytest.mark.parametrize("at_once", [1, 400])
def test_offers_are_known_however_much_of_a_log_is_read_at_once(postgres, monkeypatch, at_once):
    """Rolls bring none; those that came before the rolls are known."""
    for place, most in ((live_table, "BATCH"), (broadcast, "BATCH"), (live_table, "LOADED_EVENTS")):
        monkeypatch.setattr(place, most, at_once)
    monkeypatch.setattr(live_table, "FOLDED_EVENTS", at_once)

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, _ = await table_for_two(one)
            here, there = await one.registry.get(table), await other.registry.get(table)
            for commands in ((offering(), rolling()), (rolling(),), (rolling(), offering())):
                for command in commands:
                    await here.run_command(
                        "s2" if command["do"] == "witness.commit" else "s1", command
                    )
                await there.catch_up()
                assert here.state.offers == there.state.offers != {}
            await there.run_command("s1", rolling())
            report = await logged(one, table, "s1")
            assert report.ok, report.sentences()

    asyncio.run(go())


def test_whoever_is_broken_off_while_folding_knows_all_offers_afterwards(postgres, monkeypatch):
    """What is read at once is folded in parts; the rest of it alone would say that none came."""
    monkeypatch.setattr(live_table, "FOLDED_EVENTS", 1)

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, _ = await table_for_two(one)
            here, there = await one.registry.get(table), await other.registry.get(table)
            offered = there.state.head + 1
            for seat, command in (("s2", offering()), ("s1", rolling())):
                await here.run_command(seat, command)
            reading = asyncio.create_task(there.catch_up())
            while there.state.head < offered:
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            assert offered == there.state.head
            await there.catch_up()
            assert here.state.head == there.state.head
            assert here.state.offers == there.state.offers != {}

    asyncio.run(go())


def test_whose_token_was_taken_back_hears_nothing_more_elsewhere(postgres):
    """What is said after a seat was moved does not reach the old holder at another process."""

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, token = await table_for_two(one)
            here, there = await one.registry.get(table), await other.registry.get(table)
            guest = Listening(there, token)
            moved = {"do": "seat.move", "seat": "s1", "token_hash": new_token()[1]}
            await here.run_command("s1", {"id": new_id(), **moved})
            await here.run_command(
                "s2", {"id": new_id(), "do": "chat.send", "text": "psst", "to": ["s1"]}
            )
            with Failing(other, 2), contextlib.suppress(StoreUnavailableError):
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
        table.referee.does("chat.send", text="one more")
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
            here, there = await one.registry.get(table), await other.registry.get(table)
            state = here.state
            with contextlib.closing(psycopg.connect(plain(database))) as connection, connection:
                text = "UPDATE tables SET hash = %s WHERE id = %s"
                connection.execute(text, ("00" * 32, table))
            with pytest.raises(CodedError, match="read again") as refused:
                await there.run_command("s1", rolling())
            assert "unavailable" == refused.value.code
            assert there.is_lost
            assert {table: state.head} == await one.store.heads([table])

    asyncio.run(go())


def plain(address):
    """The address of a database as its driver takes it."""
    return address.replace("postgresql+psycopg", "postgresql")


async def waits_for_a_witness(one, other):
    """A table of two where a throw waits for the number of the other; its rooms in two halls."""
    table, _ = await table_for_two(one, witnesses=True)
    here, there = await one.registry.get(table), await other.registry.get(table)
    await here.run_command("s2", offering())
    await here.run_command("s1", rolling())
    return table, here, there


async def passed_over(hall, table):
    """Dice were thrown without the number of a witness, and the log is true."""
    report = await logged(hall, table, "s1")
    assert report.ok, report.sentences()
    assert 1 == report.counts["silent witnesses"]
    assert 1 == report.counts["throws"]


def test_a_witness_whom_a_process_asked_that_is_gone_is_passed_over_by_another(
    postgres, monkeypatch
):
    """Dice do not wait for ever: whoever reads that somebody was asked waits for them as well."""

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, here, there = await waits_for_a_witness(one, other)
            for waiting in here._waits:
                waiting.cancel()
            monkeypatch.setattr(live_table, "WITNESS_SECONDS", 0)
            await there.catch_up()
            await asyncio.gather(*there._waits)
            await passed_over(one, table)

    asyncio.run(go())


def test_nobody_waits_for_a_witness_who_has_left(postgres):
    """Dice follow at once, also where the table wants no witnesses any more."""

    async def go():
        database = postgres.fresh()
        quiet = {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, here, there = await waits_for_a_witness(one, other)
            await here.run_command("s1", {"id": new_id(), "do": "seat.remove", "seat": "s2"})
            await here.run_command("s1", {"id": new_id(), "do": "table.change", "witnesses": False})
            for waiting in here._waits:
                waiting.cancel()
            await there.catch_up()
            await asyncio.gather(*there._waits)
            await passed_over(one, table)

    asyncio.run(go())


def test_two_who_are_connected_to_two_processes_are_witnesses(two):
    """Each process asks whom it has for numbers, though it has but one person of the two."""
    here, there = two
    table = Founded(here, witnesses=True)
    player, witness = at(table.join(), there), Witness()
    with table.referee.socket() as one, player.socket() as other:
        for line in (one, other):
            wanted = line.until("want")["want"]["witness"]
            assert line.command("witness.commit", **witness.offers(wanted))["ok"]
        player.does("witness.reveal", **witness.answer(started(table.referee)))
        table.referee.does("witness.reveal", **witness.answer(started(player)))
    assert 2 == verified(table.referee, player)
