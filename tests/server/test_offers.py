"""What may be chosen is told to everybody who sees the choice, by whichever process, and in no log.

Who is there, who comes, who comes back, after a restart and at another process: all are told the
same, and who may not see the roll is told nothing.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from benchmarks.soak.servers import App

from rollwright.client import Server
from rollwright.server.live import commands
from rollwright.server.live.creation import open_table
from rollwright.table.visibility import view_with_options
from tests.archive import make
from tests.server.guests import new_id, new_token
from tests.server.harness import Listener, Person, Table, found, nonce, one_app, two_apps
from tests.server.test_outside_games import SMALL, install
from tests.server.test_rooms import hall_at
from tests.table.tables import TABLE
from tests.table.test_options import names_in

pytestmark = pytest.mark.long

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
BOTH = ["keep", "push"]
PATHS = ("", "?recent=0", "?recent=1", "/events?after=0", "/events?before=9999")


def asked(person: Person, **how: Any) -> list[dict[str, Any]]:
    """A roll that waits for a choice: what the command was answered with."""
    person.do("roll.start", request=SKILL, physical=True, **how)
    rolls = [event for event in person.log()["events"] if event["kind"] == "roll.started"]
    roll = f"r{len(rolls)}"
    return person.do("roll.enter", roll=roll, faces=[3, 2])


def offers_in(value: Any) -> list[list[Any]]:
    """Every list of options that stands beside an event anywhere in what somebody was told."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    offers = value.get("offers") if isinstance(value, dict) else None
    own = [offers] if isinstance(offers, dict) else []  # a list is of numbers for others' dice
    return own + [one for part in parts for one in offers_in(part)]


def options_in(value: Any) -> list[list[Any]]:
    """The options of each of them, once."""
    told = [[one["option"] for one in offers["options"]] for offers in offers_in(value)]
    return [one for n, one in enumerate(told) if one not in told[:n]]


def told(person: Person, address: str = "") -> dict[str, list[list[Any]]]:
    """What somebody is told who asks for everything there is, and comes by a socket."""
    there = Person(address or person.address, person.table, person.token, person.seat)
    found = {path: options_in(there.get(path).json) for path in PATHS}
    for after in (None, 0):
        listener = Listener(there, after)
        if after == 0:
            head = there.get("").json["head"]
            listener.until(partial(_has, listener, head))
        found[f"socket {after}"] = options_in(listener.frames)
        listener.close()
    there.close()
    return found


def _has(listener: Listener, seq: int) -> bool:
    return seq in listener.seqs


EVERYWHERE = {name: [BOTH] for name in (*PATHS, "socket None", "socket 0")}
NOWHERE = {name: [] for name in EVERYWHERE}


def people(addresses: list[str]) -> tuple[Table, list[Person]]:
    """A table with two players and a watcher."""
    table = found(addresses)
    return table, [table.join("Bo"), table.join("Cy"), table.watcher()]


def test_everybody_is_told_what_may_be_chosen(app: App) -> None:
    """In the answer, in live frames, at every path and to whoever comes; and the log has none."""
    table, (bo, cy, watcher) = people([app.address])
    ears = [Listener(one) for one in (table.referee, bo, cy, watcher)]
    answer = asked(bo)
    assert [BOTH] == options_in(answer)
    last = answer[-1]["seq"]
    for ear in ears:
        ear.until(partial(_has, ear, last))
        assert [BOTH] == options_in(ear.frames)
    for person in (table.referee, bo, cy, watcher, table.join("Di")):
        assert EVERYWHERE == told(person)
        assert {"options", "offers"}.isdisjoint(names_in(person.log()))
    bo.do("roll.choose", roll="r1", option="keep")
    assert NOWHERE == told(cy)
    for ear in ears:
        ear.close()
    table.close()


def test_whoever_may_not_see_a_roll_is_told_of_no_option(app: App) -> None:
    """A private choice is told to its two people; once revealed, to everybody, though it waits."""
    table, (bo, cy, watcher) = people([app.address])
    ears = [Listener(one) for one in (cy, watcher)]
    last = asked(bo, visibility="private")[-1]["seq"]
    assert [EVERYWHERE] * 2 == [told(one) for one in (bo, table.referee)]
    for person, ear in zip((cy, watcher), ears, strict=True):
        ear.until(partial(_has, ear, last))
        assert NOWHERE == told(person)
        assert [] == options_in(ear.frames)
        assert not any("offers" in said for _, said in person.heard)
    last = bo.do("roll.reveal", roll="r1")[0]["seq"]
    for person, ear in zip((cy, watcher), ears, strict=True):
        ear.until(partial(_has, ear, last))
        assert [BOTH] == options_in(ear.frames)
        assert EVERYWHERE == told(person)
        ear.close()
    table.close()


def test_a_restart_forgets_no_option(app: App) -> None:
    """A server that knows only the log tells the same, to who comes and to who comes back."""
    table, (bo, cy, watcher) = people([app.address])
    asked(bo)
    app.end()
    app.start()
    everybody = (table.referee, bo, cy, watcher)
    assert [EVERYWHERE] * 4 == [told(one) for one in everybody]
    with Server(app.address, patience=60) as server:
        link = f"{app.address}/t/{table.id}#{table.links['player']}"
        later = server.join(link, name="Ed")
        events = [event for event in later.events() if event["kind"] == "roll.thrown"]
        assert [BOTH] == options_in(events)
    bo.do("roll.choose", roll="r1", option="push", nonce=nonce())
    table.close()


@pytest.mark.storm
def test_another_process_tells_the_same(postgres: object, redis_server: object) -> None:
    """What was decided at one is told by the other: to who is there, and to who comes."""
    with two_apps() as servers:
        here, there = [app.address for app in servers.apps]
        table = found([here])
        bo, cy = table.join("Bo"), table.join("Cy")
        ear = Listener(Person(there, cy.table, cy.token, cy.seat))
        last = asked(bo)[-1]["seq"]
        ear.until(partial(_has, ear, last))
        assert [BOTH] == options_in(ear.frames)
        assert [EVERYWHERE] * 2 == [told(cy, there), told(bo, here)]
        ear.close()
        table.close()


def test_a_stored_database_tells_its_open_choices(tmp_path: Path) -> None:
    """No log has options in it: they are worked out when the table is opened, and told beside."""
    for name in ("table", "choices"):
        file = tmp_path / f"{name}.sqlite"
        shutil.copy(make.HERE / "3" / f"{name}.sqlite", file)

        async def look(file: Path = file) -> tuple[Any, ...]:
            async with hall_at(file) as services:
                room = await services.registry.get(TABLE)
                await room.list_options()
                events = await room.events_after(0, 10_000)
                seats = (None, *room.state.seats.values())
                return tuple(
                    [view_with_options(one, seat, room.state) for one in events] for seat in seats
                )

        for views in asyncio.run(look()):
            asks = [v["body"]["after"] for v in views if "after" in v.get("body", ())]
            lists = ["options" in after for after in asks if after["step"] == "choice"]
            assert {False} == set(lists)
        assert (name == "choices") == bool(offers_in(list(views)))  # the other has none open


CHANGED = {
    "another version": lambda text: text.replace('title="Drop"', 'title="Drop", version="9"'),
    "other options": lambda text: text.replace('choose("keep", "again")', 'choose("again", "no")'),
    "broken": lambda text: "raise RuntimeError('half written')",
    "stumbling": lambda text: text.replace(
        'if await choose("keep"', 'raise KeyError("x")\n    if await choose("keep"'
    ),
    "leaving": lambda text: text.replace(
        'if await choose("keep"', 'raise SystemExit(3)\n    if await choose("keep"'
    ),
    "endless": lambda text: text.replace(
        'if await choose("keep"', 'while True: pass\n    if await choose("keep"'
    ),
}


@pytest.mark.long
def test_rules_that_are_gone_stop_no_table(tmp_path: Path) -> None:
    """The table is told that nothing can be listed, and goes on; so does every other."""
    site = tmp_path / "site"
    site.mkdir()
    names = [f"game{number}" for number in range(len(CHANGED))]
    install(site, {name: SMALL.format(name=name, card="", more="") for name in names})
    with pytest.MonkeyPatch.context() as patch:
        before = os.environ.get("PYTHONPATH", "")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(site), before])))
        with one_app(options_seconds=1) as app:  # one rule never ends, and all others fail
            tables = [found([app.address], game=name) for name in names]
            for table in tables:
                ann = table.referee
                ann.do("roll.start", request={"roll": "drop", "dice": 1}, physical=True)
                told = ann.do("roll.enter", roll="r1", faces=[4])
                assert [["keep", "again"]] == options_in(told)
            app.end()
            for name, change in zip(names, CHANGED.values(), strict=True):
                module = site / f"outside_{name}.py"
                module.write_text(change(module.read_text("utf-8")), "utf-8")
            app.start()
            for how, table in zip(CHANGED, tables, strict=True):
                (offers,) = offers_in(table.referee.get("?recent=0").json)
                assert ([], ["choice.unlisted"]) == (offers["options"], offers["why"]), how
                assert table.referee.do("chat.send", text="So what?", to="all")
                assert table.referee.do("roll.cancel", roll="r1")
                table.close()


async def begun(database: Path) -> str:
    """A table in a database that waits for a choice; its id."""
    async with hall_at(database) as services:
        tokens = {role: new_token()[1] for role in ("seat", "referee", "player", "spectator")}
        wanted = {"id": new_id(), "game": "twilight2000", "name": "Ada", "tokens": tokens}
        table: str = (await open_table(services, wanted)).table
        room = await services.registry.get(table)
        start = {"do": "roll.start", "request": SKILL, "physical": True}
        await room.run_command("s1", {"id": new_id(), **start})
        typed = {"do": "roll.enter", "roll": "r1", "faces": [3, 2]}
        await room.run_command("s1", {"id": new_id(), **typed})
        return table


def test_no_event_is_told_that_the_table_does_not_know_yet(tmp_path: Path) -> None:
    """The log may be ahead of a process: told then, an event would lack what may be chosen."""

    async def look(table: str) -> list[list[int]]:
        async with hall_at(tmp_path / "t.sqlite") as services:
            room = await services.registry.get(table)
            room.free_memory()  # from here on, everything is read from the database
            last = room.state.head
            room.state.head -= 1
            told = [await read(0, 99, 10**6) for read in (room.events_after, room.lines_after)]
            none = [await read(last, 9, 10**6) for read in (room.events_after, room.lines_after)]
            return [[last - events[-1].seq for events in told], [*map(len, none)]]

    assert [[1, 1], [0, 0]] == asyncio.run(look(asyncio.run(begun(tmp_path / "t.sqlite"))))


def test_what_takes_long_is_worked_out_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process where nobody waits for it, to the same end; and late is told as not at all."""
    database = tmp_path / "t.sqlite"

    async def look(table: str, **settings: Any) -> tuple[dict[int, Any], int]:
        async with hall_at(database, **settings) as services:
            room = await services.registry.get(table)
            await asyncio.gather(*[room.list_options() for _ in range(3)])
            return room.state.options, len(services.executor.pids)

    table = asyncio.run(begun(database))
    (here, none) = asyncio.run(look(table))
    monkeypatch.setattr(commands, "LIGHT", 0)
    (there, one) = asyncio.run(look(table))
    assert (here, 0, 1) == (there, none, one)
    assert BOTH == [option["option"] for option in next(iter(there.values()))["options"]]
    (late, _) = asyncio.run(look(table, options_seconds=0))
    assert ["choice.unlisted"] == next(iter(late.values()))["why"]
