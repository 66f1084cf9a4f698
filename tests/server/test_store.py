"""The storage: what is acknowledged is there, once, in order; on SQLite and on PostgreSQL."""

import asyncio
import json

import pytest
from sqlalchemy import create_engine, func, select

from rollwright.server.json_codec import encode
from rollwright.server.live.broadcast import view_line
from rollwright.server.storage import schema
from rollwright.server.storage.appends import (
    AppendConflict,
    AppendRepeat,
    AppendResult,
    CreationResult,
    DuplicateError,
    EncodedEvent,
    NoTableError,
    OtherLogError,
    StoreUnavailableError,
    UnstorableError,
)
from rollwright.server.storage.databases import address
from rollwright.server.storage.inventory import DAY, IdleScan, IdleTables
from rollwright.server.storage.rows import rows_of, sizes_of
from rollwright.table.commands.writer import AddToken, EraseTexts, RevokeTokens
from rollwright.table.events import HERE, REMOVED, ErasableText, EventDraft, Seat
from rollwright.table.state import TableState
from rollwright.table.visibility import view_event
from tests.server.stored_logs import NOW, Log, add, is_whole, link, make, roll, run, said


def test_what_is_stored_comes_back_as_it_was(database_url, open_store):
    """Events with audience and texts, tokens and the secret are read as written."""
    log = Log("abc")
    seat = AddToken("h1", "seat", "referee", "s1")
    creation = log.creation(
        EventDraft(
            "table.created",
            {"table": "abc", "n": [1, None, True, "é\0"]},
            open={"slots": {"table": "00"}},
        ),
        EventDraft(
            "chat.sent",
            {"by": "s1"},
            ("s1", "referee"),
            texts={"t2.0": ErasableText("s1", "aa", "hé")},
        ),
        side=(seat, link("h2")),
    )

    async def story():
        async with open_store(database_url) as store:
            assert CreationResult("abc", True) == await store.create_table(creation)
            assert list(creation.events) == await store.load("abc")
            row = await store.table("abc")
            size = sum(sizes_of(rows_of(creation)))
            expected = ("make-abc", NOW, NOW, 2, log.hash, creation.secret, size)
            assert ("abc", *expected) == tuple(row)
            assert creation.secret == (await store.table("abc")).secret
            one, two = await store.tokens("abc")
            assert ("h1", "abc", "seat", "referee", "s1", NOW, False) == tuple(one)
            assert (two, None) == (await store.find_token("h2"), await store.find_token("h3"))
            whole = await store.table_contents("abc")
            assert (row, list(creation.events), [one, two]) == (
                whole.row,
                whole.events,
                whole.tokens,
            )

    run(story())


def test_a_table_is_made_once(database_url, open_store):
    """The same `create_id` is the same table, also for somebody who comes with another id."""

    async def story():
        async with open_store(database_url) as store:
            creation = Log("abc").creation(side=(link("h1"),))
            assert CreationResult("abc", True) == await store.create_table(creation)
            again = Log("xyz").creation()._replace(create_id=creation.create_id)
            assert CreationResult("abc", False) == await store.create_table(creation)
            assert CreationResult("abc", False) == await store.create_table(again)
            assert {"abc": 1} == await store.heads(["abc", "xyz"])

    run(story())


def test_a_stretch_of_the_log(database_url, open_store):
    """Events behind a place, at most so many, each with its own texts."""

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            for number in range(2, 6):
                await add(store, log, said(f"t{number}.0", "s1", f"text {number}"))
            events = await store.load("abc", after=2, limit=2)
            assert [3, 4] == [event.seq for event in events]
            assert ["text 3", "text 4"] == [
                sealed.text for event in events for sealed in event.texts.values()
            ]
            assert [] == await store.load("abc", after=5)
            assert [] == await store.load("nowhere")

    run(story())


def test_what_is_passed_on_is_told_as_if_it_had_been_read(database_url, open_store):
    """To everybody alike; what somebody may not see, or opens something earlier, is read."""
    drafts = (
        roll(1),
        EventDraft(
            "roll.thrown", {"roll": "r1", "é": "\0\u2028"}, open={"number": 1, "next": "ab"}
        ),
        EventDraft("roll.thrown", {"roll": "r1", "after": {"opened": [2]}}),
        EventDraft("roll.started", {"roll": "r2"}, ("s1", "referee")),
        EventDraft("sealed", {"kind": "roll.thrown", "roll": "r2"}, ("s1",)),
        EventDraft("roll.revealed", {"roll": "r2"}),
        said("t8.0", "s1", "a text"),
        EventDraft("roll.thrown", {"roll": "r1", "after": {"step": "done", "opened": []}}),
        EventDraft("roll.thrown", {"roll": "r1", "x": {"opened": []}, "after": {"opened": [3]}}),
    )
    seats = [Seat("s1", "referee", HERE), Seat("s2", "player", HERE), Seat("s1", "gone", REMOVED)]

    async def story():
        async with open_store(database_url) as store:
            log, state = await make(store, "abc"), TableState.new("abc")
            await add(store, log, *drafts)
            events = await store.load("abc")
            lines = await store.lines_after("abc", 0, 100, 10**6)
            assert [2, 3, 9] == [line.seq for line in lines if isinstance(line, EncodedEvent)]
            for seat in (None, *seats):
                views = [view_event(event, seat, state) for event in events]
                assert json.loads(encode(views)) == json.loads(
                    encode([view_line(line, seat, state) for line in lines])
                )
            some = await store.lines_after("abc", 2, 3, 10**6)
            assert [3, 4, 5] == [line.seq for line in some]
            few = await store.events_after("abc", 2, 3, 1)
            assert [3] == [line.seq for line in await store.lines_after("abc", 2, 3, 1)]
            assert events[2:3] == few.events

    run(story())


def test_a_log_that_went_on_is_a_conflict(database_url, open_store):
    """An append behind an old head writes nothing and is told the head."""

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            late = log.append(roll(7), command="late-one", side=(link("h1"),))
            await add(store, log)
            assert AppendConflict(2) == await store.append(late)
            assert None is await store.find_token("h1")
            assert None is await store.find_command("abc", "s1", "late-one")
            assert is_whole("abc", await store.load("abc"))

    run(story())


def test_an_append_to_another_log_is_a_conflict(database_url, open_store):
    """A log that was replaced may end at the same place: then its hash tells, alone or in a group.

    Written to all the same, its chain would be broken.
    """

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            other = Log("abc")
            other.creation()
            appends = [log.append(roll(1)), other.append(roll(2)), other.append(roll(3))]
            stored = await asyncio.gather(*map(store.append, appends))
            assert [AppendResult(2, 2), AppendConflict(2), AppendConflict(2)] == stored
            log.moved(appends[0].events)
            other.moved(appends[1].events)
            assert AppendConflict(2) == await store.append(other.append(roll(4)))
            assert is_whole("abc", await store.load("abc"))

    run(story())


def test_what_is_new_comes_with_what_belongs_to_the_end_of_the_log(database_url, open_store):
    """Revoked tokens of those here: with the last piece, with no piece before it."""

    async def story():
        async with open_store(database_url) as store:
            log, here = await make(store, "abc"), frozenset({"h1", "another"})
            await add(store, log, roll(1), side=(link("h1"),))
            await add(store, log, roll(2), side=(RevokeTokens("link", "player"),))
            piece = await store.read_since("abc", 0, 2, 10**6, here)
            assert ([1, 2], False) == ([event.seq for event in piece.events], piece.is_all)
            assert frozenset() == piece.revoked
            rest = await store.read_since("abc", 2, 2, 10**6, here)
            assert ([3], True) == ([event.seq for event in rest.events], rest.is_all)
            assert {"h1"} == rest.revoked
            assert (3, log.hash) == (rest.row.head, rest.row.hash)
            nothing = await store.read_since("abc", 3, 2, 10**6, here)
            assert rest._replace(events=[], sizes=[]) == nothing
            assert None is await store.read_since("xyz", 0, 2, 10**6)
            rolls = await store.read_since("abc", 2, 2, 10**6, here, is_known=True)
            assert rest._replace(revoked=frozenset()) == rolls
            await add(store, log, roll(3), EventDraft("witness.committed", {"commitments": []}))
            mixed = await store.read_since("abc", 2, 3, 10**6, here, is_known=True)
            assert {"h1"} == mixed.revoked

    run(story())


def test_a_command_is_stored_once(database_url, open_store):
    """Sent again, it is answered as before, at an old head, at the new one, changed or not."""

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            first = log.append(roll(1), roll(1), command="command-1")
            assert AppendResult(2, 3) == await store.append(first)
            log.moved(first.events)
            assert AppendRepeat(2, 3) == await store.append(first)
            assert AppendRepeat(2, 3) == await store.append(
                log.append(roll(9), command="command-1")
            )
            assert AppendRepeat(2, 3) == await store.find_command("abc", "s1", "command-1")
            other = log.append(roll(9), command="command-1", seat="s2")
            assert AppendResult(4, 4) == await store.append(other)
            assert {"abc": 4} == await store.heads(["abc"])

    run(story())


def test_a_command_without_events(database_url, open_store):
    """It has its key and its sides, and the log stays as it is."""

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            before = await store.table("abc")
            nothing = log.append(command="command-1", side=(link("h1"),))._replace(at=NOW + 5)
            assert AppendResult(None, None) == await store.append(nothing)
            assert AppendRepeat(None, None) == await store.append(nothing)
            assert before._replace(touched_at=NOW + 5) == await store.table("abc")
            assert "link" == (await store.find_token("h1")).kind

    run(story())


def test_what_cannot_be_stored_is_refused(database_url, open_store):
    """No table, events out of order, a NUL in a text, half a character: each with its error."""

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            with pytest.raises(NoTableError, match="'xyz'"):
                await store.append(Log("xyz").append(roll()))
            with pytest.raises(UnstorableError, match="one by one"):
                await store.append(log.append(roll())._replace(after=5))
            for text in ("a\0b", "\ud83d"):
                with pytest.raises(UnstorableError):
                    await store.append(log.append(said("t2.0", "s1", text)))
            assert AppendResult(2, 2) == await add(store, log)

    run(story())


def test_tokens_come_and_go(database_url, open_store):
    """Rotating a link revokes the links of that role alone; a seat's tokens go with the seat."""
    first = (
        link("player-1"),
        link("referee-1", "referee"),
        AddToken("s1-1", "seat", "player", "s1"),
        AddToken("s2-1", "seat", "player", "s2"),
    )

    async def story():
        async with open_store(database_url) as store:
            log = Log("abc")
            await store.create_table(log.creation(side=first))
            other = Log("xyz")
            await store.create_table(other.creation(side=(link("player-x"),)))
            rotate = (RevokeTokens("link", role="player"), link("player-2"))
            await add(store, log, side=rotate)
            move = (RevokeTokens("seat", seat="s1"), AddToken("s1-2", "seat", "player", "s1"))
            await add(store, log, side=move)
            revoked = {token.hash for token in await store.tokens("abc") if token.revoked}
            assert {"player-1", "s1-1"} == revoked
            assert not (await store.find_token("player-x")).revoked

    run(story())


def test_a_persons_texts_can_be_erased(database_url, open_store):
    """They go, those of others stay, and the chain is whole as before."""

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            await add(store, log, said("t2.0", "s1", "Ann"), said("t3.0", "s2", "Bob"))
            forget = EventDraft("person.erased", {"seat": "s1"})
            await add(store, log, forget, side=(EraseTexts("s1"),))
            events = await store.load("abc")
            assert is_whole("abc", events)
            assert [0, 0, 1, 0] == [len(event.texts) for event in events]

    run(story())


def test_order_holds_within_a_group(database_url, open_store):
    """Appends of one table that wait together are written in turn, and sides in that order."""

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            waiting = []
            for turn in range(20):
                drafts = (said(f"t{turn}.0", "s1", f"{turn}"), roll(turn))
                side = (RevokeTokens("link", role="player"), link(f"h{turn}"))
                if turn == 10:
                    side = (*side, EraseTexts("s1"))
                append = log.append(*drafts, command=f"command-{turn}", side=side)
                log.moved(append.events)
                waiting.append(store.append(append))
            outcomes = await asyncio.gather(*waiting)
            assert [AppendResult(2 * n + 2, 2 * n + 3) for n in range(20)] == outcomes
            good = [token.hash for token in await store.tokens("abc") if not token.revoked]
            assert ["h19"] == good
            events = await store.load("abc")
            assert is_whole("abc", events)
            texts = [text.text for event in events for text in event.texts.values()]
            assert [str(turn) for turn in range(10, 20)] == texts

    run(story())


def test_one_bad_append_does_not_spoil_the_group(database_url, open_store):
    """Beside a conflict, a repeat, a missing table and a taken token, all others are stored."""

    async def story():
        async with open_store(database_url) as store:
            logs = [await make(store, f"t{number}") for number in range(40)]
            await add(store, logs[0], command="command-0", side=(link("taken"),))
            group = [log.append(roll(), command="command-1") for log in logs]
            group[1] = group[1]._replace(side=(link("taken"),))
            group[2] = group[2]._replace(
                after=7, events=tuple(e._replace(seq=8) for e in group[2].events)
            )
            group[3] = group[3]._replace(table="nowhere")
            group[4] = group[0]._replace(command="command-0")
            outcomes = await asyncio.gather(*map(store.append, group), return_exceptions=True)
            assert (DuplicateError, NoTableError) == (type(outcomes[1]), type(outcomes[3]))
            assert (AppendConflict(1), AppendRepeat(2, 2)) == (outcomes[2], outcomes[4])
            assert {AppendResult(2, 2)} == set(outcomes[5:])
            assert AppendResult(3, 3) == outcomes[0]
            heads = await store.heads([log.table for log in logs])
            assert [3, 1, 1, 1, 1] + [2] * 35 == [heads[log.table] for log in logs]

    run(story())


@pytest.mark.long
def test_many_writers_make_one_log(postgres, open_store):
    """Two servers append to one table on PostgreSQL: no gap, and every command once."""
    url, commands = postgres.fresh(), [f"command-{number}" for number in range(40)]

    async def written(store, command):
        """The place of a command, whatever it takes."""
        while True:
            row = await store.table("abc")
            log = Log("abc")
            log.head, log.hash = row.head, row.hash
            outcome = await store.append(log.append(roll(), command=command))
            if not isinstance(outcome, AppendConflict):
                return outcome.first

    async def story():
        async with open_store(url) as one, open_store(url) as two:
            await make(one, "abc")
            asked = [written(store, command) for command in commands for store in (one, two)]
            places = await asyncio.gather(*asked)
            assert places[::2] == places[1::2]
            assert list(range(2, 42)) == sorted(places[::2])
            events = await one.load("abc")
            assert (41, True) == (len(events), is_whole("abc", events))

    run(story())


def test_many_processes_make_a_table_once(postgres, open_store):
    """The same `create_id` at the same moment in two servers is one table for both."""
    url = postgres.fresh()

    async def story():
        async with open_store(url) as one, open_store(url) as two:
            for turn in range(10):
                a, b = Log(f"a{turn}").creation(), Log(f"b{turn}").creation()
                b = b._replace(create_id=a.create_id)
                made = await asyncio.gather(one.create_table(a), two.create_table(b))
                assert 1 == len({created.table for created in made})
                assert [False, True] == sorted(created.new for created in made)

    run(story())


def test_a_deleted_table_leaves_nothing(database_url, open_store):
    """Every row of it goes, and other tables keep theirs."""

    async def story():
        async with open_store(database_url) as store:
            for name in ("abc", "xyz"):
                log = Log(name)
                await store.create_table(log.creation(side=(link(f"h-{name}"),)))
                await add(store, log, said("t2.0", "s1", "hello"), command="command-1")
            assert await store.delete_table("abc")
            assert not await store.delete_table("abc")
            assert (None, []) == (await store.table("abc"), await store.load("abc"))
            assert 2 == len(await store.load("xyz"))

    run(story())
    engine = create_engine(address(database_url))
    with engine.connect() as connection:
        counts = {
            table.name: connection.scalar(select(func.count()).select_from(table))
            for table in schema.ALL
        }
    engine.dispose()
    assert {
        "tables": 1,
        "events": 2,
        "commands": 1,
        "texts": 1,
        "tokens": 1,
        "bans": 0,
        "keys": 0,
    } == counts


def test_idle_tables_are_found_and_spared_when_touched(database_url, open_store):
    """Idle is announced first, then watched for a day; who is touched meanwhile is not deleted."""

    async def story():
        async with open_store(database_url) as store:
            for age, name in enumerate(["new", "old", "older"]):
                log = Log(name)
                await store.create_table(log.creation(at=NOW - age * 1000))
            assert IdleTables(2, []) == await store.mark_idle(IdleScan(NOW, NOW, 0))
            assert IdleTables(0, []) == await store.mark_idle(IdleScan(NOW + 1, NOW, DAY))
            later = NOW + DAY
            due = await store.mark_idle(IdleScan(later, NOW, DAY))
            assert (0, {"old", "older"}) == (due.announced, set(due.due))
            assert IdleTables(2, []) == await store.mark_idle(IdleScan(later, NOW, DAY, anew=True))
            await store.touch(["older", "new", "nowhere"], NOW + 1)
            await store.touch(["older"], 5)
            assert not await store.delete_table("older", idle_since=NOW)
            assert await store.delete_table("old", idle_since=NOW)
            assert IdleTables(0, []) == await store.mark_idle(IdleScan(later + DAY, NOW, DAY))

    run(story())


def test_heads_of_very_many_tables(database_url, open_store):
    """More names than a statement takes values."""

    async def story():
        async with open_store(database_url) as store:
            await make(store, "abc")
            names = [f"t{number}" for number in range(12_000)]
            assert {"abc": 1} == await store.heads([*names, "abc"])
            assert {} == await store.heads([])

    run(story())


def test_closing_writes_what_waits(database_url, open_store):
    """Everything that was handed over before is stored; what comes later is refused."""

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            waiting = []
            for _ in range(50):
                append = log.append(roll())
                log.moved(append.events)
                waiting.append(asyncio.ensure_future(store.append(append)))
            await asyncio.sleep(0)
            await store.close()
            assert {AppendResult} == set(map(type, await asyncio.gather(*waiting)))
            with pytest.raises(StoreUnavailableError):
                await store.append(log.append(roll()))
            with pytest.raises(StoreUnavailableError):
                await store.load("abc")
        async with open_store(database_url) as store:
            assert {"abc": 51} == await store.heads(["abc"])

    run(story())


def test_who_stops_waiting_does_not_stop_the_writing(database_url, open_store):
    """A client that goes away leaves its command in the log, and the writer goes on."""

    async def story():
        async with open_store(database_url) as store:
            log = await make(store, "abc")
            append = log.append(roll(), command="command-1")
            waiting = asyncio.ensure_future(store.append(append))
            await asyncio.sleep(0)
            waiting.cancel()
            log.moved(append.events)
            await add(store, log)
            assert AppendRepeat(2, 2) == await store.find_command("abc", "s1", "command-1")

    run(story())


def test_the_database_can_be_asked_whether_it_is_there(database_url, open_store):
    """`check` is quiet where all is well, and nothing waits."""

    async def story():
        async with open_store(database_url) as store:
            await store.check()
            assert 0 == store.waiting

    run(story())


def test_the_ids_of_deleted_tables_are_kept_within_bounds(database_url, open_store):
    """Another log may not take the place of a deleted table, as long as its id is remembered."""

    async def story():
        async with open_store(database_url) as store:
            for name in ("one", "two", "three"):
                drafts = EventDraft("table.created", {"table": name, "handover": f"hand-{name}"})
                await store.create_table(Log(name).creation(drafts))
                assert await store.delete_table(name)
            again = Log("one").creation()
            with pytest.raises(OtherLogError):
                await store.create_table(again._replace(handovers=("forged",)))
            with pytest.raises(OtherLogError):
                await store.create_table(again._replace(handovers=("hand-one", "forged")))
            assert (await store.create_table(again._replace(handovers=("hand-one",)))).new
            await store.prune_deletions(0)
            assert (await store.create_table(Log("two").creation())).new

    run(story())
