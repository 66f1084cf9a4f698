"""A storm: tables under load while a server is killed again and again."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle, islice
from typing import NamedTuple

from benchmarks.soak.clusters import Cluster, Victim
from benchmarks.soak.doors import Doors, Json
from benchmarks.soak.people import Counts
from benchmarks.soak.playing import GAMES, Waiting, play
from benchmarks.soak.servers import App, orphans, place
from benchmarks.soak.tables import Table, seated
from benchmarks.soak.verdict import judged

KINDS = {
    "app": "one of two app processes on PostgreSQL and Redis",
    "postgres": "PostgreSQL under two app processes",
    "redis": "Redis between two app processes",
    "sqlite": "the app process on SQLite",
}


CALM = 6
"""So many times more slowly do people act while a killed server is started again."""


class Plan(NamedTuple):
    """How hard it blows."""

    kind: str
    kills: int
    tables: int = len(GAMES)
    """Each of another game, as far as there are so many; every second has live witnesses."""
    players: int = 3
    rolls: int = 0
    """So many rolls are begun at least."""
    pause: float = 0.2
    """Seconds between two deeds of a person, on average."""
    between: int = 12
    """So many commands are acknowledged between two kills at least."""
    seed: int = 1


class Outcome(NamedTuple):
    """What a storm came to."""

    plan: Plan
    faults: list[str]
    kills: int
    commands: int
    """Acknowledged."""
    events: int
    rolls: int
    secret: int
    """Rolls that not everybody might see."""
    witnessed: int
    """Throws with the number of a witness."""
    lost: int
    """Answers that did not come, so that a command was sent again."""
    reconnected: int
    in_flight: int
    """Commands that waited for their answer at the moment of a kill, over all kills."""
    waited: int
    """Rolls that waited at a choice through all of it, and were ended afterwards."""
    seconds: float
    longest: float
    """The longest time without any acknowledgement, from a kill on."""
    used: Counter[tuple[str, str, int]]
    """How often each table came through each door, by socket or by request."""
    logs: list[Json]
    """As the referees may see them."""


@asynccontextmanager
async def people_at(
    apps: list[App], plan: Plan
) -> AsyncIterator[tuple[Doors, Counts, list[Table]]]:
    """Tables with everybody at them; they go home in the end."""
    doors, counts = Doors([app.address for app in apps], plan.seed), Counts()
    games = islice(cycle(GAMES), plan.tables)
    tables = [
        await seated(doors, counts, plan.players, game, witnesses=number % 2 == 0)
        for number, game in enumerate(games)
    ]
    try:
        yield doors, counts, tables
    finally:
        for person in [person for table in tables for person in table.people]:
            await person.leave()
        await doors.close()


class Killer:
    """Kills its victims in turn, in the middle of load."""

    def __init__(self, victims: Sequence[Victim], counts: Counts, plan: Plan) -> None:
        self.victims = victims
        self.counts = counts
        self.plan = plan
        self.kills = 0
        self.in_flight = 0
        self.longest = 0.0

    async def work(self) -> None:
        """Kill as often as planned; each time the load must have come up again before."""
        dice = random.Random(self.plan.seed)
        for number in range(self.plan.kills):
            await self._acknowledged(self.plan.between)
            await asyncio.sleep(dice.random() * 0.1)
            while not self.counts.waiting:
                await asyncio.sleep(0.001)
            await self._strike(self.victims[number % len(self.victims)])
        await self._acknowledged(self.plan.between)
        while self.counts.rolls < self.plan.rolls:
            await self._acknowledged(1)

    async def _acknowledged(self, more: int) -> None:
        wanted = self.counts.acked + more
        end = time.monotonic() + 60
        while self.counts.acked < wanted:
            if time.monotonic() > end:
                raise TimeoutError(f"only {self.counts.acked} of {wanted} commands in a minute")
            await asyncio.sleep(0.005)

    async def _strike(self, victim: Victim) -> None:
        self.in_flight += self.counts.waiting
        self.kills += 1
        await asyncio.to_thread(victim.kill9)
        silence = asyncio.create_task(self._silence(time.monotonic()))
        self.counts.calm = CALM  # starting takes most of the time: the load need not grow by it
        await asyncio.to_thread(victim.start)
        self.counts.calm = 1
        await silence

    async def _silence(self, since: float) -> None:
        await self._acknowledged(1)
        self.longest = max(self.longest, time.monotonic() - since)


async def storm(plan: Plan, servers: Cluster) -> Outcome:
    """Let people play while servers are killed, then compare everything."""
    async with people_at(servers.apps, plan) as (doors, counts, tables):
        waiting = Waiting()
        for table in tables:
            await waiting.begin(table)
        began = time.monotonic()
        killer = Killer(servers.victims(plan.kind), counts, plan)
        await under_load(tables, plan, killer)
        took = time.monotonic() - began
        waited = await waiting.end(str(plan.seed))
        for person in [person for table in tables for person in table.people]:
            await person.rest()
        verdicts = [await judged(doors, table) for table in tables]
    faults = [fault for verdict in verdicts for fault in verdict.faults]
    left = await asyncio.to_thread(orphans, servers.apps)
    faults += [f"process {pid} outlived the app that started it" for pid in left]
    return Outcome(
        plan=plan,
        faults=faults,
        kills=killer.kills,
        commands=counts.acked,
        events=sum(len(verdict.log["events"]) for verdict in verdicts),
        rolls=sum(verdict.rolls for verdict in verdicts),
        secret=sum(verdict.secret for verdict in verdicts),
        witnessed=sum(verdict.witnessed for verdict in verdicts),
        lost=counts.lost,
        reconnected=counts.reconnected,
        in_flight=killer.in_flight,
        waited=waited,
        seconds=took,
        longest=killer.longest,
        used=doors.used,
        logs=[verdict.log for verdict in verdicts],
    )


def blown(plan: Plan) -> Outcome:
    """A storm on servers of its own."""
    with place() as folder, Cluster(plan.kind, folder) as servers:
        return asyncio.run(storm(plan, servers))


async def under_load(tables: list[Table], plan: Plan, killer: Killer) -> None:
    """Everybody plays until the killer is done."""
    enough = asyncio.Event()
    async with asyncio.TaskGroup() as playing:
        for number, table in enumerate(tables):
            for person in table.people[:-1]:
                seed = f"{plan.seed}/{number}/{person.seat}"
                playing.create_task(play(person, table.game, enough, seed, plan.pause))
        await killer.work()
        enough.set()
