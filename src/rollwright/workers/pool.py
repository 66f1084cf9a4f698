"""Counting outside the event loop: processes that answer questions, shared fairly by all tables.

    async with Counting() as counting:
        answer = await counting.ask({"ask": "odds", "expression": "4d6kh3"}, "table abc")

Addresses take turns by the seconds they use, and so do the shares of each (a table, or somebody
without one). A question may take so many steps of work and so many seconds, then it is refused
with `too_much_work`; a process that counts too long, or dies, is replaced. Equal questions are
counted once, and their answers kept, but only among those who may know of each other's: a
question has a `Scope`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from dataclasses import asdict, dataclass
from math import inf
from typing import NamedTuple

from rollwright.budget import STANDARD_WORK
from rollwright.errors import RollwrightError
from rollwright.i18n.catalogs import say
from rollwright.i18n.messages import msg
from rollwright.jsonable import Json
from rollwright.queries.errors import QueryError, to_query_error
from rollwright.server.json_codec import encode_sorted
from rollwright.workers.cache import PUBLIC, PrivacyScope, QueryResult, ScopedCaches
from rollwright.workers.costs import CostMeter
from rollwright.workers.memory import LONG_BODIES, ONE_COUNT
from rollwright.workers.payloads import is_repeatable, with_language
from rollwright.workers.pipes import WorkerBounds, WorkerReply
from rollwright.workers.queue import FairQueue, Job, Waiter
from rollwright.workers.worker import LONGEST_START, Worker, WorkerLostError

log = logging.getLogger("rollwright.server")

LONG = 4 * 2**20
"""Bytes of a body beyond which it is long: read, it takes about ten times as much memory."""
SLOW_AGAIN = 60.0
"""For so many seconds a question that took too long is not tried again."""
PAUSES = (0.0, 0.1, 0.5, 2.0, 5.0)
"""How long to wait before a process is started again that would not start."""


@dataclass
class WorkCounters:
    """How many questions came, and how they ended."""

    asked: int = 0
    answered: int = 0
    """Counted to the end by a process, refusals with it."""
    from_cache: int = 0
    joined: int = 0
    """Questions that were being counted for somebody else already."""
    refused: int = 0
    """Questions that were one too many."""
    superseded: int = 0
    cancelled: int = 0
    """Questions whose askers all went away."""
    killed: int = 0
    """Processes that counted for too long."""
    crashed: int = 0
    seconds: float = 0.0
    """Time that processes spent counting."""
    steps: int = 0

    def add_answer(self, seconds: float, steps: int) -> None:
        """Note one answer."""
        self.answered += 1
        self.seconds += seconds
        self.steps += steps

    def to_json(self) -> dict[str, float]:
        """All numbers by name."""
        return asdict(self)


class WorkerLimits(NamedTuple):
    """How much counting there may be."""

    workers: int = 0
    """Processes; 0 for as many as there are processors, but at least two."""
    work: int = STANDARD_WORK
    """Steps of work for one question."""
    seconds: float = 8.0
    """How long a process may count on one question."""
    start: float = LONGEST_START
    """How long a process may take to start, with every game to be loaded."""
    each: int = 32
    """Questions of one share that may wait."""
    from_one: int = 128
    """Questions of one address that may wait, for however many tables."""
    in_all: int = 2_000
    """Questions that may wait in all."""
    patience: float = 0.25
    """How long a question that was replaced by a newer one may still be counted on."""
    wait: float = 30.0
    """How long anybody waits for an answer."""
    kept: int = 4_000
    """Answers that are kept."""
    kept_bytes: int = 48 * 2**20
    memory: int = ONE_COUNT
    """Bytes of memory that one count may take; 0 for no limit. Linux only."""
    long_memory: int = LONG_BODIES * ONE_COUNT
    """The same for a long body, of which one at a time is worked on."""
    idle_memory: int = 16 * 2**20
    """Bytes beyond what it began with that a process may hold between two questions."""
    quiet: float = 1.5
    """Seconds without activity before a process is started in advance, and between two of them:
    those who play have the processors to themselves.
    """

    @property
    def bounds(self) -> WorkerBounds:
        """The limits of each process."""
        return WorkerBounds(self.work, self.memory, self.long_memory, self.idle_memory)

    @property
    def processes(self) -> int:
        """How many processes there are."""
        return self.workers or max(2, min(8, os.cpu_count() or 2))


class WorkInterruptedError(QueryError):
    """A process ended while it worked, maybe because of what it worked on."""


class WorkerPool:
    """Asked questions as plain data, it gives answers as plain data, or raises `QueryError`."""

    def __init__(self, limits: WorkerLimits | None = None) -> None:
        self.limits = limits or WorkerLimits()
        self.idle: Callable[[], float] = lambda: inf
        """For how many seconds nobody has done anything."""
        self.numbers = WorkCounters()
        """About the questions that anybody may ask."""
        self.unpublished = WorkCounters()
        """Numbers about all other questions: publishing them would reveal their results."""
        most = self.limits.processes
        self._shares = FairQueue(
            each=self.limits.each,
            from_one=self.limits.from_one,
            in_all=self.limits.in_all,
            at_once=max(1, most - 1),  # nobody gets all processes for themselves
        )
        self._answers = ScopedCaches(most=self.limits.kept, most_bytes=self.limits.kept_bytes)
        self._jobs: dict[bytes, Job] = {}
        self._slots: dict[tuple[str, str], tuple[Job, Waiter]] = {}
        self._at_work: dict[int, Worker] = {}
        self._workers: dict[int, Worker] = {}
        self._unstarted = set(range(self.limits.processes))
        """Places for a process where none could be started yet."""
        self._desks: list[asyncio.Task[None]] = []
        self._stirred = asyncio.Event()
        self._needed = [asyncio.Event() for _ in range(most)]
        """For each process: set when there are more questions than those before it can take."""
        self._latest = 0.0
        """When the latest process was ready, or before that, when all this began."""
        self._number = 0

    async def __aenter__(self) -> WorkerPool:
        await self.start()
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start the processes one by one, in quiet or when a question needs one."""
        if self._desks:
            return
        self._latest = _now()
        for place in range(self.limits.processes):
            self._desks.append(asyncio.create_task(self._worker_loop(place)))

    async def warm(self) -> None:
        """Start all processes that are not, and wait until every one is ready."""
        for needed in self._needed:
            needed.set()
        while len(self._workers) < self.limits.processes:
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        """End the processes; questions that still wait fail."""
        desks, self._desks = self._desks, []
        for desk in desks:
            desk.cancel()
        await asyncio.gather(*desks, return_exceptions=True)
        gone = QueryError("unavailable", msg("count.closing"))
        self._shares.drain()
        for job in list(self._jobs.values()):
            self._refuse(job, gone)

    @property
    def waiting(self) -> int:
        """How many questions wait for a process."""
        return self._shares.waiting

    @property
    def running(self) -> int:
        """How many questions are being counted."""
        return self._shares.running

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes that are ready."""
        return tuple(worker.pid for worker in self._workers.values())

    def metrics(self) -> dict[str, float]:
        """The numbers that may be published, by name.

        Of what is asked at tables only how many questions there were: even how long they took, or
        that one came from the cache, says something about what was asked.
        """
        jobs = [job for job in self._jobs.values() if job.scope.is_public]
        now = {
            "waiting": sum(job.started is None for job in jobs),
            "running": sum(job.started is not None for job in jobs),
            "workers": self.limits.processes - len(self._unstarted),
            "kept": len(self._answers.public),
            "kept_bytes": self._answers.public.bytes,
            "private": self.unpublished.asked,
        }
        return now | self.numbers.to_json()

    def _counters_of(self, scope: PrivacyScope) -> WorkCounters:
        return self.numbers if scope.is_public else self.unpublished

    async def answer(
        self,
        question: Mapping[str, Json],
        share: str,
        *,
        scope: PrivacyScope = PUBLIC,
        address: str = "",
        slot: str = "",
        pieces: AsyncIterable[bytes] | None = None,
        size: int = 0,
        seconds: float | None = None,
        spent: CostMeter | None = None,
    ) -> dict[str, Json]:
        """Return the answer to a question, for one share of an address, within a scope.

        A newer question of the same share and `slot` (a slider that moves on) takes the place of an
        older one, which fails as `superseded`. The `pieces` are a long body of about that `size`
        which goes with the question unread; `seconds` is how long this question may take. What a
        question with a body costs is added to `spent`.
        """
        question = with_language(question)
        self._counters_of(scope).asked += 1
        if not self._desks:
            raise QueryError("unavailable", msg("count.not_now"))
        place = (share, slot) if slot else None
        if place is not None:
            self._supersede(place)
        key = encode_sorted([scope, question]) if pieces is None else b""
        found = self._answers.for_scope(scope).find(key, _now()) if key else None
        if found is not None:
            self._counters_of(scope).from_cache += 1
            return _unwrap(found)["answer"]
        job = self._join_or_add(key, scope, question, share, address, long=size > LONG)
        job.seconds = seconds
        if pieces is not None:
            job.payload, job.spent = pieces, spent or CostMeter()
        asker = Waiter(asyncio.get_running_loop().create_future(), place)
        job.askers.append(asker)
        if place is not None:
            self._slots[place] = (job, asker)
        return (await self._wait_for(job, asker))["answer"]

    async def run(
        self,
        question: Mapping[str, Json],
        share: str,
        *,
        address: str = "",
        pieces: AsyncIterable[bytes],
        size: int = 0,
        seconds: float | None = None,
        spent: CostMeter | None = None,
    ) -> bytes:
        """Return what a process makes of some pieces, as bytes; add what it cost to `spent`.

        The `size` is about how many bytes there are: of long things one at a time is worked on.

        It knows nothing of other tables then, and forgets all of this one.
        """
        question, scope = with_language(question), PrivacyScope(whose=share)
        self._counters_of(scope).asked += 1
        if not self._desks:
            raise QueryError("unavailable", msg("count.closing"))
        job = self._join_or_add(b"", scope, question, share, address, long=size > LONG)
        job.payload, job.seconds, job.spent = pieces, seconds, spent or CostMeter()
        asker = Waiter(asyncio.get_running_loop().create_future(), None)
        job.askers.append(asker)
        return (await self._wait_for(job, asker))["raw"]

    def _join_or_add(
        self,
        key: bytes,
        scope: PrivacyScope,
        question: Mapping[str, Json],
        share: str,
        address: str,
        *,
        long: bool,
    ) -> Job:
        """The job that counts this: one that is there already, or a new one in its line."""
        alone = not key or not is_repeatable(question)
        same = None if alone else self._jobs.get(key)
        if same is not None:
            self._counters_of(scope).joined += 1
            self._shares.join(same, share, address)
            return same
        self._number += 1
        if alone:
            key = b"%d" % self._number
        job = Job(self._number, key, question, share, address)
        job.scope, job.is_long = scope, long
        try:
            self._shares.add(job)
        except QueryError:
            self._counters_of(scope).refused += 1
            raise
        self._jobs[key] = job
        for needed in self._needed[: self.waiting + self.running]:
            needed.set()
        self._stirred.set()
        return job

    async def _wait_for(self, job: Job, asker: Waiter) -> QueryResult:
        try:
            async with asyncio.timeout(self.limits.wait + (job.seconds or 0)):
                return _unwrap(await asker.future)
        except TimeoutError:
            self._counters_of(job.scope).refused += 1
            waited = f"{self.limits.wait:g}"
            raise QueryError("too_many", msg("count.waited", seconds=waited)) from None
        finally:
            self._leave(job, asker)

    def _leave(self, job: Job, asker: Waiter) -> None:
        """Somebody no longer waits; what nobody waits for is not counted on."""
        if asker.slot is not None and self._slots.get(asker.slot) == (job, asker):
            del self._slots[asker.slot]
        if asker in job.askers:
            job.askers.remove(asker)
        if job.askers or job.key not in self._jobs:
            return
        self._counters_of(job.scope).cancelled += 1
        if job.started is None:
            del self._jobs[job.key]
            self._shares.drop(job)
        elif job.number in self._at_work:
            self._at_work[job.number].cancel(job.number)
            self._forget(job)

    def _forget(self, job: Job) -> None:
        """Forget a job that is to stop, so that nobody joins it."""
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]

    def _supersede(self, place: tuple[str, str]) -> None:
        """Fail the question that was asked before in this place, because a newer one has come."""
        before = self._slots.pop(place, None)
        if before is None:
            return
        job, asker = before
        if job.started is None:
            self._announce_newer(job, asker)
            return
        left = max(0.0, self.limits.patience - (_now() - job.started))
        asyncio.get_running_loop().call_later(left, self._announce_newer, job, asker)

    def _announce_newer(self, job: Job, asker: Waiter) -> None:
        if not asker.future.done():
            self._counters_of(job.scope).superseded += 1
            asker.future.set_exception(QueryError("superseded", msg("count.superseded")))

    async def _worker_loop(self, place: int) -> None:
        """One process after the other, each asked question after question."""
        await self._wait_to_start(place)
        failures = 0
        while True:
            try:
                worker = await Worker.start(
                    self.limits.bounds, self._stirred.set, seconds=self.limits.start
                )
            except (WorkerLostError, OSError) as problem:
                failures += 1
                self._unstarted.add(place)
                log.error("a counting process did not start: %s", problem)
                await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])
                continue
            failures = 0
            self._unstarted.discard(place)
            self._workers[place] = worker
            self._latest = _now()
            try:
                while (job := await self._next_job(worker)) and await self._run_job(worker, job):
                    pass
            finally:
                del self._workers[place]
                await worker.end()

    async def _wait_to_start(self, place: int) -> None:
        """Start no process in the midst of a game, unless somebody waits for it."""
        needed = self._needed[place]
        while not needed.is_set():
            rest = self.limits.quiet - min(self.idle(), _now() - self._latest)
            is_next = place == min(self._unstarted)
            if is_next and rest <= 0:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(rest if rest > 0 else self.limits.quiet):
                    await needed.wait()

    async def _next_job(self, worker: Worker) -> Job | None:
        """The next job for a process; None where the process has ended meanwhile."""
        while not worker.is_gone:
            if (job := self._shares.take()) is not None:
                return job
            self._stirred.clear()
            await self._stirred.wait()
        self.numbers.crashed += 1
        return None

    async def _run_job(self, worker: Worker, job: Job) -> bool:
        """Have a job counted; False where the process is of no use any more."""
        job.started = _now()
        seconds = job.seconds or self.limits.seconds
        numbers = self._counters_of(job.scope)
        self._at_work[job.number] = worker
        try:
            async with asyncio.timeout(seconds):
                payload = None if job.payload is None else _pieces_until_cancel(job, job.payload)
                reply = await worker.answer(
                    job.number, job.question, payload, scope=job.scope.name, long=job.is_long
                )
        except TimeoutError:
            numbers.killed += 1
            log.warning("a counting process took longer than %g s and is replaced", seconds)
            job.spent.seconds += seconds
            late = msg("count.late", seconds=f"{seconds:g}")
            told = say(late, str(job.question.get("language") or ""))
            error: QueryResult = {"error": {"code": "too_much_work", "message": told}}
            if job.payload is None:
                self._answers.for_scope(job.scope).put(job.key, error, _now() + SLOW_AGAIN)
            self._settle(job, error)
            return False
        except WorkerLostError:
            numbers.crashed += 1
            log.error("a counting process ended while it counted a %s", job.question.get("ask"))
            self._refuse(job, WorkInterruptedError("unavailable", msg("count.interrupted")))
            return False
        except RollwrightError as problem:  # what was to be worked on cannot be had
            self._refuse(job, problem)
            return True
        finally:
            del self._at_work[job.number]
            self._shares.finish(job, _now() - job.started)
            self._stirred.set()
        numbers.add_answer(_now() - job.started, reply["spent"])
        job.spent.seconds += reply["seconds"]
        found = _result_of(reply)
        if _is_cacheable(job, found):
            self._answers.for_scope(job.scope).put(job.key, found)
        self._settle(job, found)
        return True

    def _settle(self, job: Job, found: QueryResult) -> None:
        """Give the answer to everybody who waits for it."""
        self._forget(job)
        for asker in job.askers:
            if not asker.future.done():
                asker.future.set_result(found)

    def _refuse(self, job: Job, problem: RollwrightError) -> None:
        self._forget(job)
        for asker in job.askers:
            if not asker.future.done():
                asker.future.set_exception(problem)


def _result_of(reply: WorkerReply) -> QueryResult:
    if "error" in reply:
        return {"error": reply["error"]}
    answer = reply.get("answer")
    return {"raw": answer} if isinstance(answer, bytes) else {"answer": answer or {}}


def _is_cacheable(job: Job, found: QueryResult) -> bool:
    if job.payload is not None:
        return False
    if "error" in found:
        return found["error"]["code"] not in ("superseded", "internal", "unavailable")
    return is_repeatable(job.question)


def _unwrap(found: QueryResult) -> QueryResult:
    if "error" in found:
        raise to_query_error(found["error"])
    return found


async def one_piece(body: bytes) -> AsyncIterator[bytes]:
    """A body that is there already."""
    yield body


async def _pieces_until_cancel(job: Job, pieces: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The pieces, as long as somebody waits for what is made of them."""
    async for piece in pieces:
        if not job.askers:
            return
        yield piece


def _now() -> float:
    return asyncio.get_running_loop().time()
