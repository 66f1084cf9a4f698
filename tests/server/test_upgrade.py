"""A running installation is brought to a newer version, and restarted process by process."""

import asyncio
import contextlib

import pytest
from benchmarks.soak.clusters import Cluster
from benchmarks.soak.servers import App, Failed, place
from benchmarks.soak.storm import Plan, storm

from rollwright.client import Server
from rollwright.server.storage.databases import address, engine_for
from rollwright.server.storage.versions import newest, version_of
from rollwright.table.verify.log import verify_log
from tests.gates import first

pytestmark = pytest.mark.storm

NEWER = """
import sys
from pathlib import Path
from rollwright.server.storage import versions

versions.SCRIPTS = Path(sys.argv.pop(1))
from rollwright.cli import main

main()
"""


@pytest.fixture
def newer(later, tmp_path):
    """A program that is the Rollwright of here with one version of the database more."""
    program = tmp_path / "newer.py"
    program.write_text(NEWER, "utf-8")
    return [str(program), str(later)]


def version(database):
    """The version of a database."""
    engine = engine_for(address(database), reading=True)
    try:
        with engine.connect() as connection:
            return version_of(connection)
    finally:
        engine.dispose()


@pytest.fixture
def apps(tmp_path):
    """Apps on SQLite files by name, ended whatever happens."""
    made = []

    def make(name):
        made.append(App(tmp_path, name, database=tmp_path / f"{name}.sqlite"))
        made[-1].start()
        return made[-1]

    yield make
    for app in made:
        app.stop()


async def heard(person, wanted):
    """The numbers of the events that come until so many have come."""
    async with contextlib.aclosing(person.listen(after=0)) as events:
        return [(await anext(events))["seq"] for _ in range(wanted)]


def test_a_sqlite_installation_is_upgraded_by_starting_the_newer_version(apps, newer):
    """Stop, start: clients come back by themselves, the log goes on and verifies.

    The file as it was lies beside it, from which the older version can be served again.
    """
    app = apps("table")
    database = app.folder / "table.sqlite"
    with Server(app.address, patience=60) as server:
        ana = server.create_table("dust", name="Ana")
        bo = server.join(ana.links["player"], name="Bo")
        before = {ana.roll("2d6").id, bo.roll("1d20").id}
        told = ana.log()["events"]
        app.end()
        app.program = newer
        app.start()
        assert "later" == version(str(database))
        assert bo.roll("3d6").id not in before
        log = ana.log()
        assert told == log["events"][: len(told)]
        assert verify_log(log).ok
        seqs = [event["seq"] for event in log["events"]]
        assert seqs == asyncio.run(heard(bo, len(seqs)))
    app.end()
    app.program = ["-m", "rollwright"]
    with pytest.raises(Failed, match="use a newer Rollwright"):
        app.start()
    kept = database.with_name(f"table-version-{newest()}.sqlite")
    assert newest() == version(str(kept))
    kept.rename(database.with_name("again.sqlite"))
    again = apps("again")
    with Server(again.address) as server:
        link = str(ana.link).replace(app.address, again.address)
        assert told == server.table(link).log()["events"]


def test_a_listener_stays_through_an_upgrade(apps, newer):
    """Somebody who listens hears what happens before and after it, each event once."""
    app = apps("table")

    async def story():
        with Server(app.address, patience=60) as server:
            ana = await asyncio.to_thread(server.create_table, "dust", name="Ana")
            bo = await asyncio.to_thread(server.join, ana.links["player"], name="Bo")
            async with contextlib.aclosing(bo.listen(after=0)) as events:
                await asyncio.to_thread(ana.roll, "1d6")
                seqs = [(await anext(events))["seq"] for _ in range(3)]
                await asyncio.to_thread(app.end)
                app.program = newer
                await asyncio.to_thread(app.start)
                await asyncio.to_thread(ana.roll, "1d6")
                last = (await asyncio.to_thread(ana.log))["events"][-1]["seq"]
                while seqs[-1] < last:
                    seqs.append((await anext(events))["seq"])
            return seqs, last

    seqs, last = asyncio.run(story())
    assert list(range(1, last + 1)) == seqs


def test_a_postgresql_installation_waits_for_all_its_servers_to_stop(newer):
    """While one of the older version serves, the newer one changes nothing; then it starts."""
    with place() as folder, Cluster("app", folder) as servers:
        first, second = servers.apps
        database = servers.postgres.url()
        with Server(first.address, patience=60) as server:
            ana = server.create_table("dust", name="Ana")
            ana.roll("2d6")
            told = ana.log()["events"]
            first.end()
            first.program = newer
            with pytest.raises(Failed, match="run `rollwright db upgrade`"):
                first.start()
            first.environment["ROLLWRIGHT_UPGRADE"] = "yes"
            with pytest.raises(Failed, match="stop every server of it first"):
                first.start()
            assert newest() == version(database)
            second.end()
            first.start()
            assert "later" == version(database)
            second.program = newer
            second.start()
            ana.roll("2d6")
            log = ana.log()
            assert told == log["events"][: len(told)]
            assert verify_log(log).ok


class Restarted(App):
    """An app that is ended politely where a storm would kill it."""

    def kill9(self):
        """End it as a host does."""
        self.end()


@pytest.mark.parametrize("restarts", first([2, 4]))
def test_processes_are_restarted_one_by_one_while_people_roll(restarts):
    """SIGTERM to each in turn, under load: every acknowledged command is in the log exactly once.

    Nobody is refused for good, the logs verify, and everybody saw what they tell.
    """
    plan = Plan("app", restarts, tables=2, players=2)
    with place() as folder:
        servers = Cluster("app", folder)
        for app in servers.apps:
            app.__class__ = Restarted
        with servers:
            outcome = asyncio.run(storm(plan, servers))
    assert [] == outcome.faults
    assert restarts == outcome.kills
    assert outcome.reconnected > 0
