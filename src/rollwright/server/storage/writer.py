"""The one thread that writes: it takes all that waits and commits it as a group."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from rollwright.server.storage import databases
from rollwright.server.storage.appends import (
    AppendOutcome,
    StoreDamageError,
    StoreError,
    StoreUnavailableError,
    TableLockedError,
    UnstorableError,
)
from rollwright.server.storage.databases import wipe_log
from rollwright.server.storage.health import (
    HealthState,
    StorageHealth,
    failure,
    health_state_of,
    is_unreachable,
    reason,
)
from rollwright.server.storage.locks import Claim
from rollwright.server.storage.transactions import (
    Outcome,
    PreparedAppend,
    refusal_of,
    write_optimistic,
    write_skipping_locks,
    write_with_locks,
)

T = TypeVar("T")
Task = Callable[[Connection], object]
Promise = asyncio.Future[Any]
"""Future of the result that somebody waits for."""
MOST_IN_A_GROUP = 512
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
AGAIN_SECONDS = 0.1
"""How soon something that was locked is tried again."""
WIPE_SECONDS = 1.0
"""How often the traces of what was erased are wiped away at most."""


class RetryLater(Enum):
    """The answer to what could not be written yet, for another process keeps it locked."""

    LATER = 0


LATER = RetryLater.LATER


class QueuedWrite(NamedTuple):
    """Something to be written, and who waits for it."""

    what: PreparedAppend | Task
    loop: asyncio.AbstractEventLoop
    answer: Promise
    erases: bool = False
    """Whether it leaves something that must not be readable any more."""
    until: float = 0.0
    """How long it may wait for a lock, once it has met one."""


class StoreWriter:
    """Writes appends in groups, and other tasks one by one, in the order in which they came."""

    def __init__(
        self, engine: Engine, patience: float, condition: StorageHealth, claim: Claim | None = None
    ) -> None:
        self._engine = engine
        self._claim = claim
        self._patience = patience
        self._condition = condition
        late = partial(condition.note_failure, "write", HealthState.LOST, "no answer came")
        self._deadlines = Deadlines(patience + databases.LATE_SECONDS, late)
        self._connection: Connection | None = None
        self._lost_at: float | None = None
        self._aside: list[QueuedWrite] = []
        """Tasks that another process's lock has held up."""
        self._has_traces = False
        self._wipe_at = 0.0
        self._asked: dict[asyncio.AbstractEventLoop, list[QueuedWrite]] = {}
        """Tasks of each loop for us by the end of its turn: to wake us up for each takes longer."""
        self._queue: SimpleQueue[list[QueuedWrite] | None] = SimpleQueue()
        self._ever_asked = self._ever_taken = 0
        self._closing = Event()
        self._thread = Thread(target=self._run, name="rollwright-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How much waits."""
        return self._ever_asked - self._ever_taken

    async def append(self, append: PreparedAppend) -> AppendOutcome:
        """Write an append with the others that wait."""
        answer: AppendOutcome = await self._submit(append)
        return answer

    async def run_task(self, task: Callable[[Connection], T], *, erases: bool = False) -> T:
        """Run a task in a transaction of its own."""
        answer: T = await self._submit(task, erases)
        return answer

    def stop(self) -> None:
        """Take nothing more."""
        if not self._closing.is_set():
            self._closing.set()
            for loop in tuple(self._asked):
                self._hand_over(loop)
            self._queue.put(None)

    def join(self) -> None:
        """Wait until what was taken is written; blocks."""
        self._thread.join()

    async def _submit(self, what: PreparedAppend | Task, erases: bool = False) -> Any:
        if self._closing.is_set():
            raise StoreUnavailableError("the server is closing")
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        if loop not in self._asked:
            self._asked[loop] = []
            loop.call_soon(self._hand_over, loop)
        self._asked[loop].append(QueuedWrite(what, loop, answer, erases))
        self._deadlines.watch(answer)
        try:
            return await answer
        finally:
            self._deadlines.remove(answer)

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        asked = self._asked.pop(loop, None)
        if asked is not None:
            self._ever_asked += len(asked)
            self._queue.put(asked)

    def _run(self) -> None:
        open_ = True
        while open_:
            batch = self._batch()
            open_ = None not in batch
            waiting = [one for some in batch if some is not None for one in some]
            self._ever_taken += len(waiting)
            aside, self._aside = self._aside, []
            for group in _groups(aside):
                self._serve(group, around=True)
            for group in _groups(waiting):
                self._serve(group, around=bool(self._aside))
            self._wipe()
        _deliver(self._aside, [StoreUnavailableError("it is kept locked")] * len(self._aside))
        self._disconnect()
        self._engine.dispose()

    def _batch(self) -> list[list[QueuedWrite] | None]:
        """All that waits, as soon as something does or must be tried again."""
        pause = AGAIN_SECONDS if self._aside else WIPE_SECONDS if self._has_traces else None
        found: list[list[QueuedWrite] | None] = []
        with contextlib.suppress(Empty):
            found.append(self._queue.get(timeout=pause))
            while sum(len(some or ()) for some in found) < MOST_IN_A_GROUP:
                found.append(self._queue.get_nowait())
        return found

    def _serve(self, group: Sequence[QueuedWrite], *, around: bool) -> None:
        """Write a group and answer it; what is locked is set aside for a while."""
        answers = self._write_group(group, around)
        if any(map(_erases, group)):
            self._has_traces = True
            self._wipe()
        if LATER not in answers:
            _deliver(group, answers)
            return
        for one, answer in zip(group, answers):
            until = one.until or monotonic() + databases.LOCK_SECONDS
            if answer is not LATER:
                _deliver([one], [answer])
            elif monotonic() < until:
                self._aside.append(one._replace(until=until))
            else:
                _deliver([one], [StoreUnavailableError("another process keeps it locked")])

    def _wipe(self) -> None:
        """Wipe away what was erased, or try again later: nobody waits long for readers."""
        if not self._has_traces or monotonic() < self._wipe_at:
            return
        self._wipe_at = monotonic() + WIPE_SECONDS
        if self._connection is None or self._connection.dialect.name != "sqlite":
            self._has_traces = False
        else:
            self._has_traces = not self._try_wipe(self._connection)

    def _try_wipe(self, connection: Connection) -> bool:
        try:
            done = wipe_log(connection)
        except (sqlite3.Error, SQLAlchemyError) as problem:
            self._condition.note_failure("wipe", health_state_of(problem), reason(problem))
            return False
        self._condition.note_success("wipe")
        return done

    def _write_group(self, group: Sequence[QueuedWrite], around: bool) -> Sequence[object]:
        """The answers of a group; a failure that one of it caused strikes that one alone."""
        try:
            return self._write_together(group, around)
        except NoConnectionError as problem:
            return [StoreUnavailableError(problem.why) for _ in group]
        except TableLockedError as problem:
            if not isinstance(group[0].what, PreparedAppend):
                return [problem]
            if not around:
                return self._write_group(group, around=True)
            if len(group) == 1:
                return [LATER]
        except Exception as problem:
            if len(group) == 1:
                return [_store_error(problem)]
        return [answer for one in group for answer in self._write_group([one], around)]

    def _write_together(self, group: Sequence[QueuedWrite], around: bool) -> Sequence[object]:
        first = group[0].what
        if not isinstance(first, PreparedAppend):
            return [self.transact(first)]
        appends = [one.what for one in group if isinstance(one.what, PreparedAppend)]
        if around:
            found = self.transact(lambda open_: write_skipping_locks(open_, appends))
            return [LATER if answer is None else answer for answer in found]
        with contextlib.suppress(UnstorableError, _NotOptimistic):
            return self.transact(partial(_write_optimistic, appends=appends))
        return self.transact(partial(write_with_locks, group=appends))

    def transact(self, task: Callable[[Connection], T]) -> T:
        """Do it in one transaction, again if the connection was lost before the commit."""
        for pause in _pauses():
            try:
                return self._transaction(task)
            except _ConnectionLost as lost:
                if lost.in_commit or not self._may_wait(pause):
                    self._condition.note_failure("write", lost.trouble, lost.why)
                    raise NoConnectionError(lost.why) from None
        raise AssertionError("pauses never end")

    def _transaction(self, task: Callable[[Connection], T]) -> T:
        in_commit = False
        self._check_name()
        try:
            connection = self._connect()
            with connection.begin() as transaction:
                answer = task(connection)
                in_commit = True
                transaction.commit()
        except SQLAlchemyError as problem:
            if not is_unreachable(problem):
                self._roll_back()
                self._condition.note_failure("write", health_state_of(problem), reason(problem))
                raise failure(problem) from problem
            self._disconnect()
            raise _ConnectionLost(reason(problem), health_state_of(problem), in_commit) from problem
        self._lost_at = None
        self._condition.note_success("write")
        return answer

    def _check_name(self) -> None:
        """Write nothing into a file that nobody finds any more, though SQLite still would."""
        if self._claim is not None and not self._claim.is_there:
            self._condition.note_failure("write", HealthState.MOVED)
            raise StoreDamageError("the file is not where it was")

    def _connect(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _roll_back(self) -> None:
        """Leave nothing open: a full disk may have ended the transaction halfway."""
        if self._connection is not None:
            try:
                self._connection.rollback()
            except SQLAlchemyError:
                self._disconnect()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.invalidate()
            with contextlib.suppress(Exception):
                connection.close()

    def _may_wait(self, pause: float) -> bool:
        """Wait before the next try, as long as patience lasts since the connection was lost."""
        now = monotonic()
        self._lost_at = now if self._lost_at is None else self._lost_at
        if now + pause > self._lost_at + self._patience:
            return False
        return not self._closing.wait(pause)


class NoConnectionError(StoreUnavailableError):
    """There is no connection, so that nobody in the group can be served."""


class _NotOptimistic(Exception):
    """A head had moved; the group must be looked at one by one."""


def _write_optimistic(connection: Connection, appends: Sequence[PreparedAppend]) -> list[Outcome]:
    answers = write_optimistic(connection, appends)
    if answers is not None:
        return answers
    why = refusal_of(connection, appends[0]) if len(appends) == 1 else None
    if why is None:
        raise _NotOptimistic
    return [why]  # of one alone nothing was written before its head


class _ConnectionLost(Exception):
    """The connection is gone; in the commit, nobody knows what became of the transaction."""

    def __init__(self, why: str, trouble: HealthState, in_commit: bool) -> None:
        super().__init__(why)
        self.why = why
        self.trouble = trouble
        self.in_commit = in_commit


def _pauses() -> Iterator[float]:
    pause = SHORTEST_PAUSE
    while True:
        yield pause
        pause = min(pause * 2, LONGEST_PAUSE)


def _groups(batch: Sequence[QueuedWrite]) -> Iterator[list[QueuedWrite]]:
    """Yield neighbouring appends together, and every other task alone, in order."""
    group: list[QueuedWrite] = []
    for one in batch:
        if isinstance(one.what, PreparedAppend):
            group.append(one)
            continue
        if group:
            yield group
            group = []
        yield [one]
    if group:
        yield group


def _erases(one: QueuedWrite) -> bool:
    return bool(one.what.rows.erased) if isinstance(one.what, PreparedAppend) else one.erases


def _store_error(problem: Exception) -> Exception:
    return problem if isinstance(problem, StoreError) else StoreError(f"storing failed: {problem}")


def _deliver(group: Sequence[QueuedWrite], answers: Sequence[object]) -> None:
    """Hand the answers over to the loops that wait for them, once for each loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Promise, object]]] = {}
    for one, answer in zip(group, answers):
        by_loop.setdefault(one.loop, []).append((one.answer, answer))
    for loop, pairs in by_loop.items():
        with contextlib.suppress(RuntimeError):  # that loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, pairs)


def _settle(pairs: Sequence[tuple[Promise, object]]) -> None:
    for answer, value in pairs:
        if answer.done():
            continue
        if isinstance(value, BaseException):
            answer.set_exception(value)
        else:
            answer.set_result(value)


class Deadlines:
    """Answers that somebody waits for, all for equally long.

    One timer watches them all: nearly every answer comes in a moment, so a timer for each would
    cost more than it is worth.
    """

    def __init__(self, seconds: float, late: Callable[[], None]) -> None:
        self._seconds = seconds
        self._late = late
        """Called when an answer did not come."""
        self._waiting: dict[Promise, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, answer: Promise) -> None:
        """From now on it must come in time; if it does not, it is StoreDown."""
        loop = answer.get_loop()
        self._waiting[answer] = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_later(self._seconds, self._expire, loop)

    def remove(self, answer: Promise) -> None:
        """Nobody waits for it any more."""
        self._waiting.pop(answer, None)

    def _expire(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give up what is late; the others are looked at when the first of them would be."""
        now = loop.time()
        for answer, until in tuple(self._waiting.items()):
            if until > now:
                self._timer = loop.call_at(until, self._expire, loop)
                return
            if not answer.done():
                answer.set_exception(StoreUnavailableError("no answer came"))
                self._late()
        self._timer = None
