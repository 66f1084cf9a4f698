"""The one thread that writes: it takes all that waits and commits it as a group."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from rollwright.server.appends import Append, Appended, StoreDown, StoreError, Unstorable
from rollwright.server.failures import failure, is_lost, reason
from rollwright.server.writing import Outcome, Ready, ready, write_boldly, write_carefully

T = TypeVar("T")
Task = Callable[[Connection], Any]
MOST_IN_A_GROUP = 512
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0


class Waiting(NamedTuple):
    """Something to be written, and who waits for it."""

    what: Ready | Task
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


class Writer:
    """Writes appends in groups, and other tasks one by one, in the order in which they came."""

    def __init__(self, engine: Engine, patience: float) -> None:
        self._engine = engine
        self._patience = patience
        self._connection: Connection | None = None
        self._lost_at: float | None = None
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="rollwright-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How much waits."""
        return self._queue.qsize()

    async def append(self, append: Append) -> Appended:
        """Write an append with the others that wait."""
        answer: Appended = await self._ask(ready(append))
        return answer

    async def do(self, task: Callable[[Connection], T]) -> T:
        """Run a task in a transaction of its own."""
        answer: T = await self._ask(task)
        return answer

    def stop(self) -> None:
        """Take nothing more."""
        if not self._closing.is_set():
            self._closing.set()
            self._queue.put(None)

    def join(self) -> None:
        """Wait until what was taken is written; blocks."""
        self._thread.join()

    async def _ask(self, what: Ready | Task) -> Any:
        if self._closing.is_set():
            raise StoreDown("the server is closing")
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        self._queue.put(Waiting(what, loop, answer))
        return await answer

    def _run(self) -> None:
        open_ = True
        while open_:
            batch = [self._queue.get(), *self._rest()]
            open_ = None not in batch
            for group in _groups([one for one in batch if one is not None]):
                _tell(group, self._written(group))
        self._let_go()
        self._engine.dispose()

    def _rest(self) -> Iterator[Waiting | None]:
        with contextlib.suppress(Empty):
            for _ in range(MOST_IN_A_GROUP - 1):
                yield self._queue.get_nowait()

    def _written(self, group: Sequence[Waiting]) -> list[Any]:
        """The answers of a group; a failure that one of it caused strikes that one alone."""
        try:
            return self._together(group)
        except Unreachable as problem:
            return [StoreDown(problem.why) for _ in group]
        except Exception as problem:
            if len(group) == 1:
                return [_ours(problem)]
        return [answer for one in group for answer in self._written([one])]

    def _together(self, group: Sequence[Waiting]) -> list[Any]:
        first = group[0].what
        if not isinstance(first, Ready):
            return [self.transact(first)]
        appends = [one.what for one in group if isinstance(one.what, Ready)]
        with contextlib.suppress(Unstorable, _NotBoldly):
            return self.transact(lambda open_: _boldly(open_, appends))
        return self.transact(lambda open_: write_carefully(open_, appends))

    def transact(self, task: Callable[[Connection], T]) -> T:
        """Do it in one transaction, again if the connection was lost before the commit."""
        for pause in _pauses():
            try:
                return self._transaction(task)
            except _Lost as lost:
                if lost.in_commit or not self._may_wait(pause):
                    raise Unreachable(lost.why) from None
        raise AssertionError("pauses never end")

    def _transaction(self, task: Callable[[Connection], T]) -> T:
        in_commit = False
        try:
            connection = self._connected()
            with connection.begin() as transaction:
                answer = task(connection)
                in_commit = True
                transaction.commit()
        except SQLAlchemyError as problem:
            if not is_lost(problem):
                self._roll_back()
                raise failure(problem) from problem
            self._let_go()
            raise _Lost(reason(problem), in_commit) from problem
        self._lost_at = None
        return answer

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _roll_back(self) -> None:
        """Leave nothing open: a full disk may have ended the transaction halfway."""
        if self._connection is not None:
            try:
                self._connection.rollback()
            except SQLAlchemyError:
                self._let_go()

    def _let_go(self) -> None:
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


class Unreachable(StoreDown):
    """There is no connection, so that nobody in the group can be served."""


class _NotBoldly(Exception):
    """A head had moved; the group must be looked at one by one."""


def _boldly(connection: Connection, appends: Sequence[Ready]) -> list[Outcome]:
    answers = write_boldly(connection, appends)
    if answers is None:
        raise _NotBoldly
    return answers


class _Lost(Exception):
    """The connection is gone; in the commit, nobody knows what became of the transaction."""

    def __init__(self, why: str, in_commit: bool) -> None:
        super().__init__(why)
        self.why = why
        self.in_commit = in_commit


def _pauses() -> Iterator[float]:
    pause = SHORTEST_PAUSE
    while True:
        yield pause
        pause = min(pause * 2, LONGEST_PAUSE)


def _groups(batch: Sequence[Waiting]) -> Iterator[list[Waiting]]:
    """Appends that stand together, and every other task alone, in order."""
    group: list[Waiting] = []
    for one in batch:
        if isinstance(one.what, Ready):
            group.append(one)
            continue
        if group:
            yield group
            group = []
        yield [one]
    if group:
        yield group


def _ours(problem: Exception) -> Exception:
    return problem if isinstance(problem, StoreError) else StoreError(f"storing failed: {problem}")


def _tell(group: Sequence[Waiting], answers: Sequence[Any]) -> None:
    """Hand the answers over to the loops that wait for them, once for each loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for one, answer in zip(group, answers):
        by_loop.setdefault(one.loop, []).append((one.answer, answer))
    for loop, pairs in by_loop.items():
        with contextlib.suppress(RuntimeError):  # that loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, pairs)


def _settle(pairs: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
    for answer, value in pairs:
        if answer.done():
            continue
        if isinstance(value, BaseException):
            answer.set_exception(value)
        else:
            answer.set_result(value)
