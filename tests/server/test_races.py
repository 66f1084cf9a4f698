"""Several processes at one busy table: who lost a race takes turns from then on."""

import asyncio
from math import inf

import pytest

from rollwright.server.live import live_table
from rollwright.server.storage import databases
from rollwright.server.storage.appends import AppendConflict
from rollwright.server.storage.databases import address, engine_for
from rollwright.server.storage.locks import Leases
from tests.server.test_two_processes import hall_at, logged, rolling, table_for_two

pytestmark = pytest.mark.storm


def counted(store, lost):
    """The store's appends, with a note of each that came too late."""
    append = store.append

    async def noted(ready):
        outcome = await append(ready)
        lost.append(isinstance(outcome, AppendConflict))
        return outcome

    return noted


def test_a_race_is_lost_once(postgres, monkeypatch):
    """Two who know nothing of each other and roll by turns: each is late once, then reads first."""
    monkeypatch.setattr(live_table, "RACED_SECONDS", inf)
    lost = []

    async def go():
        database, quiet = postgres.fresh(), {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, _ = await table_for_two(one)
            for services in (one, other):
                services.store.append = counted(services.store, lost)
            rooms = [await services.registry.get(table) for services in (one, other)]
            for _ in range(5):
                for here in rooms:
                    await here.run_command("s1", rolling())
            report = await logged(one, table, "s1")
            assert report.ok, report.sentences()

    asyncio.run(go())
    assert (2, 12) == (sum(lost), len(lost))


def test_all_that_wait_at_both_are_done_once(postgres):
    """Whoever is quicker, every roll is in the log, in a place of its own."""

    async def go():
        database, quiet = postgres.fresh(), {"poll_seconds": 3600}
        async with hall_at(database, **quiet) as one, hall_at(database, **quiet) as other:
            table, _ = await table_for_two(one)
            rooms = [await services.registry.get(table) for services in (one, other)]
            done = await asyncio.gather(
                *(here.run_command("s1", rolling()) for _ in range(20) for here in rooms)
            )
            assert 40 == len({roll.first for roll in done})
            report = await logged(one, table, "s1")
            assert report.ok, report.sentences()

    asyncio.run(go())


def test_a_turn_is_waited_for_but_not_for_ever(postgres, monkeypatch):
    """One table's turn is one process's; another table is free, and who freezes is passed over."""
    monkeypatch.setattr(databases, "GLANCE_SECONDS", 0.2)
    url = address(postgres.fresh())

    async def go():
        one, other = (Leases(engine_for(url, serving=True, connections=2), 2) for _ in range(2))
        try:
            held = await one.take("abc")
            assert held is not None
            assert await other.take("abc") is None
            elsewhere = await other.take("xyz")
            assert elsewhere is not None
            waiting = asyncio.create_task(other.take("abc"))
            one.release(held)
            other.release(await waiting)
            other.release(elsewhere)
            again = await one.take("abc")
            assert again is not None
            one.release(again)
        finally:
            one.close()
            other.close()

    asyncio.run(go())
