"""The Python client against a real server: done once, tried again, heard to the end."""

from __future__ import annotations

import asyncio
import gc
import re
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import aclosing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from benchmarks.soak.servers import App

import rollwright as rw
from rollwright.client import AsyncServer, Link, RollView, Server, ServerError, Table, Unreachable
from rollwright.client.http import BadLink

pytestmark = pytest.mark.long

SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}


@pytest.fixture
def server(app: App) -> Iterator[Server]:
    """A client of it."""
    with Server(app.address, patience=60) as server:
        yield server


def test_namesakes_are_refused_or_have_numbers(server: Server) -> None:
    """Nobody is called so that they look to be somebody else."""
    table = server.create_table(name="Ana")
    link = table.links["player"]
    with pytest.raises(ServerError) as refused:
        server.join(link, name="ana")
    assert ("bad_field", "name") == (refused.value.code, refused.value.field)
    for _ in range(2):
        assert server.join(link, name="Ana", numbered=True).roll("1d6").has_outcome

    async def come() -> None:
        async with AsyncServer(server.address) as another:
            await another.join(link, name="Ana", numbered=True)

    asyncio.run(come())
    called = [seat["name"] for seat in table.snapshot()["seats"]]
    assert ["Ana", "Ana 2", "Ana 3", "Ana 4"] == called


def test_a_whole_roll(server: Server) -> None:
    """Create, join, roll with real dice, take advice, choose, throw, and verify the log."""
    table = server.create_table("twilight2000", name="Ana", title="Kalisz")
    bo = server.join(str(table.links["player"]), name="Bo")
    assert ("s1", "s2") == (table.seat, bo.seat)
    roll = bo.roll(SKILL, physical=True)
    assert ("throw", ["d8", "d10"]) == (roll.waits_for, roll.after["dice"])
    roll = bo.enter(roll, [3, 2])
    assert ("choice", ("keep", "push")) == (roll.waits_for, roll.options)
    roll = bo.throw(bo.choose(roll, bo.advise(roll)["best"]))
    assert roll.has_outcome
    assert roll.outcome["pushed"] is True
    assert re.match(r"D\d.* thrown: .*; pushed .*\.$", roll.told)
    assert server.verify(log=table.log())["true"] is True
    assert "Bo" in table.history()
    assert "seats" in table.statistics()


OPPOSED = {
    "roll": "opposed",
    "active": {"attribute": "C", "skill": "C"},
    "passive": {"attribute": "B"},
}


def test_what_is_told_is_a_text(app: App, server: Server) -> None:
    """In the reader's language, with the names that people have now; dice alone as they are."""
    table = server.create_table("twilight2000", name="Ana")
    roll = table.enter(table.enter(table.roll(OPPOSED, physical=True), [3, 2]), [3])
    assert roll.told.endswith("Ana may choose: keep / push.")
    with Server(app.address, language="de") as german:
        again = german.table(table.move())
        assert "W8 3 und W8 2 geworfen" in again.choose(roll, "keep").told
    table.do("seat.rename", name="Ada")
    roll = table.enter(table.enter(table.roll(OPPOSED, physical=True), [3, 2]), [3])
    assert roll.told.endswith("Ada may choose: keep / push.")
    assert "2d6 [3 4] = 7" == table.enter(table.roll("2d6", physical=True), [3, 4]).told


def test_a_table_is_looked_at_by_a_link_that_only_invites(server: Server) -> None:
    """Whoever has not sat down yet learns what they are invited to, and no more."""
    table = server.create_table("twilight2000", name="Ana", title="Kalisz")
    assert ["door"] == [*server.table(table.links["player"]).snapshot()]


def test_a_mistyped_face_is_taken_back(server: Server) -> None:
    """The last faces are taken back and entered again."""
    table = server.create_table("twilight2000", name="Ana")
    roll = table.enter(table.roll(SKILL, physical=True), [3, 2])
    assert "throw" == table.take_back(roll).waits_for
    assert ((7, 2),) == table.enter(roll, [7, 2]).faces


def test_a_secret_is_revealed(server: Server) -> None:
    """Others learn the faces of a private roll when it is revealed, and not before."""
    table = server.create_table(name="Ana")
    bo = server.join(table.links["player"], name="Bo")
    roll = table.roll("3d6", visibility="private")
    assert not any("faces" in (event.get("body") or {}) for event in bo.events())
    table.reveal(roll)
    assert any("faces" in (event.get("body") or {}) for event in bo.events())


def test_refusals_are_told(server: Server) -> None:
    """A refusal has its code, its field and everything else that the server said."""
    with pytest.raises(ServerError) as caught:
        server.odds("2d6+kq")
    problem = caught.value
    assert ("bad_expression", "expression", 422) == (problem.code, problem.field, problem.status)
    assert (4, 6) == (problem.details["start"], problem.details["end"])


NO_LINKS = (
    "https://dice.example/t/abcdefgh2345",
    "https://dice.example/t/../../elsewhere#token",
    "https://dice.example@elsewhere.example/t/abcdefgh2345#token",
    "ftp://dice.example/t/abcdefgh2345#token",
)


def test_links_are_read_and_written() -> None:
    """A link is the same after a trip through a chat; other texts are refused."""
    link = Link("https://dice.example/games", "abcdefgh2345", "T" * 43)
    assert link == Link.parse(f" {link}\n")
    for text in NO_LINKS:
        with pytest.raises(BadLink):
            Link.parse(text)


def test_a_server_that_is_not_there() -> None:
    """After as much patience as it has, the client says that nobody answers."""
    with Server("http://127.0.0.1:9", patience=0.2) as server, pytest.raises(Unreachable):
        server.games()


def test_stateless_questions(server: Server) -> None:
    """Odds, advice, previews, comparisons and rolls without a table."""
    request = {"game": "twilight2000", **SKILL}
    assert "1/6" == server.odds("2d6", where="it >= 10")["chance"]
    assert "139/160" == server.advise(request)["value"]["exact"]
    assert "11/16" == server.preview(request, parts=["odds"])["chance"]["exact"]
    assert 2 == len(server.compare("2d6", "1d12")["rolls"])
    opened = server.roll(request, faces=[3, 2])
    done = server.continue_roll(opened["transcript"], option="keep")
    assert server.verify(transcript=done["transcript"])["true"] is True
    assert server.game("dust")["title"] == "A Thousand Miles of Dust"


def listening(
    table: Table,
    wanted: int,
    after: int | None,
    meanwhile: Callable[[], None],
    hears: threading.Event | None = None,
) -> list[dict[str, Any]]:
    """The events that a listener hears while something happens in another thread.

    That thread may wait until the first event was heard.
    """

    async def heard() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        events = table.listen(after)
        doing = threading.Thread(target=meanwhile)
        doing.start()
        try:
            async for event in events:
                found.append(event)
                if hears is not None:
                    hears.set()
                if len(found) == wanted:
                    return found
        finally:
            await events.aclose()
            await asyncio.to_thread(doing.join)
        return found

    return _run(heard())


def _run(work: Coroutine[Any, Any, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return asyncio.run(asyncio.wait_for(work, 120))


@pytest.mark.long
def test_listening_goes_on_through_a_kill(app: App, server: Server) -> None:
    """Every event is heard once and in order although the server is killed again and again.

    Commands that were under way are sent again under their own id, and are done once.
    """
    table = server.create_table(name="Ana")

    def busy() -> None:
        for number in range(12):
            if number in (3, 8):
                app.kill9()
                starting = threading.Thread(target=app.start)
                starting.start()
                table.do("chat.send", text=f"{number}")
                starting.join()
            else:
                table.do("chat.send", text=f"{number}")

    seqs = [event["seq"] for event in listening(table, 14, 0, busy)]
    assert list(range(1, 15)) == seqs
    said = [event for event in table.events() if event["kind"] == "chat.sent"]
    texts = [next(iter(event["texts"].values()))["text"] for event in said]
    assert [str(number) for number in range(12)] == texts


def test_what_is_opened_is_heard_again(server: Server) -> None:
    """A listener gets the events of a secret roll twice: without their bodies, then with them."""
    table = server.create_table(name="Ana")
    bo = server.join(table.links["player"], name="Bo")
    head = bo.snapshot()["head"]

    def secret() -> None:
        hears.wait(60)
        table.reveal(table.roll("2d6", visibility="private"))

    hears = threading.Event()
    _, *events = listening(bo, 6, head - 1, secret, hears)
    bodies = [("body" in event, event["seq"] - head) for event in events]
    assert [(False, 1), (False, 2), (True, 3), (True, 1), (True, 2)] == sorted(
        bodies, key=lambda pair: (pair[0] and pair[1] < 3, pair[1])
    )


def test_listeners_are_witnesses(server: Server) -> None:
    """Where two listen, numbers are ready when the table wants some, and dice wait for them."""
    table = server.create_table(name="Ana", witnesses=True)
    bo = server.join(table.links["player"], name="Bo")

    async def listen(seat: Table) -> None:
        async with aclosing(seat.listen(after=3)) as events:
            async for _ in events:
                pass

    def opened() -> bool:
        return any(event["kind"] == "witness.revealed" for event in table.events())

    def roll_until_witnessed() -> None:
        while not opened():  # a busy machine may be late
            assert bo.roll("2d6").has_outcome
            assert table.roll("2d6").has_outcome

    async def evening() -> None:
        listeners = [asyncio.create_task(listen(seat)) for seat in (table, bo)]
        await asyncio.to_thread(roll_until_witnessed)
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)

    _run(evening())
    found = server.verify(log=table.log())
    assert (True, True) == (found["true"], found["checked"]["witnessed throws"] > 0)


def test_a_removed_listener_is_told(server: Server) -> None:
    """A listener whose seat is removed hears so, and does not come again."""
    table = server.create_table(name="Ana")
    bo = server.join(table.links["player"], name="Bo")
    with pytest.raises(ServerError) as caught:
        listening(bo, 99, bo.snapshot()["head"], lambda: _remove(table, bo))
    assert caught.value.code in ("removed", "gone", "unauthorized")


def _remove(table: Table, other: Table) -> None:
    table.do("seat.remove", seat=other.seat)


def test_a_roll_is_read_from_its_events() -> None:
    """Where nothing may be seen of a roll, nothing is told of it."""
    hidden = RollView.from_events([{"seq": 4, "kind": "roll.started", "open": {"roll": "r1"}}])
    assert ("r1", "", False, {}) == (
        hidden.id,
        hidden.waits_for,
        hidden.has_outcome,
        hidden.outcome,
    )


def test_the_examples_of_the_page(app: App, server: Server) -> None:
    """What the page about the client shows works against a real server."""
    page = (Path(__file__).parents[2] / "docs" / "table" / "client.md").read_text("utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S):
        exec(block, names)
    attack = {"game": "twilight2000", **SKILL, "roll": "attack", "ammo_dice": 3}
    hit = rw.odds(attack, "if-failed").p(lambda outcome: outcome.hit)
    assert str(hit) == names["chance_to_hit"](app.address)
    why, told, verdict = names["evening"](app.address)[:3]
    assert why.startswith("push: 68.8 % against 0 % with keep")
    assert re.match(r"D\d.* thrown: .*; pushed .*\.$", told)
    assert verdict.startswith("True: chain")
    table = server.create_table(name="Ana")
    table.do("chat.send", text="Ready?")
    link = str(table.links["player"])
    assert asyncio.run(names["quick_roll"](app.address, link)).startswith("Dicebot: 4d6kh3")
    said, rolled = names["overheard"](table)
    assert ("s1: Ready?", True) == (said, rolled.startswith("Dicebot: 4d6kh3"))


async def async_evening(address: str) -> tuple[str, list[str], str]:
    """Two people with an event loop: a roll with a choice, heard by the other, and verified."""
    async with AsyncServer(address, patience=60) as server:
        table = await server.create_table("twilight2000", name="Ana")
        bo = await server.join(table.links["player"], name="Bo")
        roll = await bo.enter(await bo.roll(SKILL, physical=True), [3, 2])
        best = (await bo.advise(roll))["best"]
        roll = await bo.throw(await bo.choose(roll, best))
        seen = [event["kind"] async for event in table.events()]
        verified = await server.verify(log=await table.log())
        assert (await table.text(roll)).startswith("Bo: Skill roll")
        assert (await table.picture(roll)).startswith(b"<svg")
        assert (await server.odds("2d6", where="it >= 10"))["chance"] == "1/6"
        assert verified["true"] is True
        pushed = await bo.enter(await bo.roll(SKILL, physical=True), [3, 2])
        return pushed.told, seen, roll.told


def test_a_whole_roll_with_an_event_loop(app: App) -> None:
    """The async client does what the other does: make, join, roll, choose, look, verify."""
    asked, seen, told = asyncio.run(async_evening(app.address))
    assert asked.endswith("Bo may choose: keep / push.")
    assert "roll.chosen" in seen
    assert re.match(r"D\d.* thrown: .*; pushed .*\.$", told)


def test_events_are_watched_without_an_event_loop(server: Server) -> None:
    """What was there and what comes, once and in order, until it is quiet."""
    table = server.create_table(name="Ana")
    table.roll("2d6")
    kinds = [event["kind"] for event in table.watch(after=0, quiet=1.0)]
    assert [event["kind"] for event in table.events()] == kinds[: len(list(table.events()))]
    assert {"roll.started", "roll.thrown"} < set(kinds)


def test_events_are_watched_where_a_loop_runs_already(server: Server) -> None:
    """As in a notebook; whoever stops early leaves no thread and no connection behind."""
    table = server.create_table(name="Ana")
    before = {*threading.enumerate()}

    async def cell() -> list[str]:
        return [event["kind"] for event in islice(table.watch(after=0), 2)]

    assert ["table.created", "seat.joined"] == asyncio.run(cell())
    gc.collect()
    assert {*threading.enumerate()} <= before
