"""The order of turns: questions wait in a line for each share, and addresses and shares take turns.

A turn is not one question but some seconds: the one that has used the fewest of them is next, first
among the addresses, then among the shares of that address. So anyone who asks for much waits for
themselves, with however many tables.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterable, Iterable, Mapping
from typing import NamedTuple

from rollwright.i18n.messages import msg
from rollwright.jsonable import Json
from rollwright.queries.errors import QueryError
from rollwright.workers.cache import PUBLIC, QueryResult
from rollwright.workers.costs import CostMeter

MOST_REMEMBERED = 10_000
LEAST_SECONDS = 0.001
"""Seconds that any turn counts as, at least."""


class Waiter(NamedTuple):
    """Somebody who waits for an answer."""

    future: asyncio.Future[QueryResult]
    slot: tuple[str, str] | None


class Job:
    """A question that waits or is being counted, and everybody who wants the answer."""

    __slots__ = (
        "address",
        "askers",
        "is_long",
        "key",
        "number",
        "payload",
        "question",
        "scope",
        "seconds",
        "share",
        "spent",
        "started",
    )

    def __init__(
        self, number: int, key: bytes, question: Mapping[str, Json], share: str, address: str = ""
    ) -> None:
        self.number = number
        self.key = key
        self.question = question
        self.share = share
        self.address = address or share
        self.scope = PUBLIC
        self.is_long = False
        """Whether it needs the memory of a long body, of which there is one at a time."""
        self.payload: AsyncIterable[bytes] | None = None
        """The body of the question, which may be long, piece by piece and unread."""
        self.spent = CostMeter()
        """Its costs, for anyone who wants to know."""
        self.seconds: float | None = None
        """How long it may take; None for as long as any question."""
        self.askers: list[Waiter] = []
        self.started: float | None = None
        """When counting began; None while it waits."""


class Turns:
    """Names that take turns by the seconds they have used.

    A newcomer, even one who comes again, begins where the others are by now: nobody saves up turns.
    """

    def __init__(self) -> None:
        self.running: Counter[str] = Counter()
        self._used: dict[str, float] = {}
        self._now = 0.0

    def add(self, name: str) -> None:
        """Somebody wants a turn from now on."""
        self._used[name] = max(self._used.get(name, 0.0), self._now)

    def order(self, names: Iterable[str], at_once: int) -> list[str]:
        """Those who may have a turn, the next one first."""
        free = [name for name in names if self.running[name] < at_once]
        return sorted(free, key=self._rank)

    def _rank(self, name: str) -> tuple[int, float]:
        return self.running[name], self._used[name]

    def begin(self, name: str) -> None:
        """A turn begins."""
        self._now = max(self._now, self._used[name])
        self.running[name] += 1

    def end(self, name: str, seconds: float) -> None:
        """A turn is over and took so long."""
        self._used[name] = self._used.get(name, self._now) + max(seconds, LEAST_SECONDS)
        self.running[name] -= 1
        if not self.running[name]:
            del self.running[name]

    def forget(self, waiting: Iterable[str]) -> None:
        """Nobody need be remembered who neither waits nor owes a turn."""
        kept = {*waiting, *self.running}
        if not kept:
            self._used.clear()
        elif len(self._used) > MOST_REMEMBERED:
            self._used = {name: used for name, used in self._used.items() if name in kept}


class AddressQueue:
    """The questions of one address: a line for each of its shares."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.queues: dict[str, deque[Job]] = {}
        self.waiting = 0

    def remove(self, job: Job) -> None:
        """Take a job out of its line."""
        line = self.queues[job.share]
        line.remove(job)
        self.waiting -= 1
        if not line:
            del self.queues[job.share]


class FairQueue:
    """The jobs that wait. A share is a table, or the client's address without one."""

    def __init__(self, *, each: int, in_all: int, at_once: int, from_one: int = 0) -> None:
        self._each = each
        self._from_one = from_one or in_all
        self._in_all = in_all
        self._at_once = at_once
        self._turns = Turns()
        self._addresses: dict[str, AddressQueue] = {}
        self._has_long = False
        """Whether a long job is being done."""
        self.waiting = 0

    def add(self, job: Job) -> None:
        """Put a job at the end of its share's line, or refuse it."""
        house = self._addresses.get(job.address) or AddressQueue()
        line = house.queues.get(job.share, ())
        if len(line) >= self._each or house.waiting >= self._from_one:
            yours = max(len(line), house.waiting)
            raise QueryError("too_many", msg("count.yours", n=yours))
        if self.waiting >= self._in_all:
            raise QueryError("too_many", msg("count.all"))
        if not house.waiting:
            self._turns.add(job.address)
        if not line:
            house.turns.add(job.share)
        house.queues.setdefault(job.share, deque()).append(job)
        self._addresses[job.address] = house
        house.waiting += 1
        self.waiting += 1

    def join(self, job: Job, share: str, address: str) -> None:
        """Let another share of the same question move it, if that has nothing else here.

        So nobody waits for the many questions of the one who asked it first.
        """
        if job.started is None and (address or share) not in self._addresses:
            self.drop(job)
            job.share, job.address = share, address or share
            self.add(job)

    def take(self) -> Job | None:
        """The next job: of the address and share whose turn it is; None where all must wait.

        A long job waits until the one before is done, and lets those behind it pass.
        """
        asking = [name for name, house in self._addresses.items() if house.waiting]
        for address in self._turns.order(asking, self._at_once):
            house = self._addresses[address]
            for share in house.turns.order(house.queues, self._at_once):
                able = (job for job in house.queues[share] if not (job.is_long and self._has_long))
                job = next(able, None)
                if job is None:
                    continue
                self._has_long = self._has_long or job.is_long
                house.remove(job)
                self.waiting -= 1
                self._turns.begin(address)
                house.turns.begin(share)
                return job
        return None

    def drop(self, job: Job) -> None:
        """Take a job out of its line."""
        self._addresses[job.address].remove(job)
        self.waiting -= 1
        self._remove_idle(job.address)

    def finish(self, job: Job, seconds: float = 0.0) -> None:
        """A job that was taken is through, and took so many seconds."""
        self._has_long = self._has_long and not job.is_long
        house = self._addresses[job.address]
        house.turns.end(job.share, seconds)
        house.turns.forget(house.queues)
        self._turns.end(job.address, seconds)
        self._remove_idle(job.address)

    def drain(self) -> list[Job]:
        """Everything that waits, taken out."""
        jobs = [
            job
            for house in self._addresses.values()
            for line in house.queues.values()
            for job in line
        ]
        for job in jobs:
            self.drop(job)
        return jobs

    @property
    def running(self) -> int:
        """How many jobs are being counted."""
        return sum(self._turns.running.values())

    def _remove_idle(self, address: str) -> None:
        house = self._addresses[address]
        if not house.waiting and not house.turns.running:
            del self._addresses[address]
        self._turns.forget(self._addresses)
