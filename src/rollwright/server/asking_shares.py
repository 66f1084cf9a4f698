"""Whose turn it is: questions wait in a line for each share, and the shares take turns."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from typing import Any, NamedTuple

from rollwright.server.asking_errors import Unanswered


class Asker(NamedTuple):
    """Somebody who waits for an answer."""

    future: asyncio.Future[dict[str, Any]]
    slot: tuple[str, str] | None


class Job:
    """A question that waits or is being counted, and everybody who wants the answer."""

    __slots__ = ("askers", "key", "number", "payload", "question", "seconds", "share", "started")

    def __init__(self, number: int, key: bytes, question: dict[str, Any], share: str) -> None:
        self.number = number
        self.key = key
        self.question = question
        self.share = share
        self.payload = b""
        """A long body that belongs to the question, unread."""
        self.seconds: float | None = None
        """How long it may take; None for as long as any question."""
        self.askers: list[Asker] = []
        self.started: float | None = None
        """When counting began; None while it waits."""


class Shares:
    """The jobs that wait, by share. A share is a table, or the address of whoever asks."""

    def __init__(self, *, each: int, in_all: int, at_once: int) -> None:
        self._each = each
        self._in_all = in_all
        self._at_once = at_once
        self._lines: OrderedDict[str, deque[Job]] = OrderedDict()
        self._running: Counter[str] = Counter()
        self.waiting = 0

    def add(self, job: Job) -> None:
        """Put a job at the end of its share's line, or refuse it."""
        line = self._lines.get(job.share)
        if line is not None and len(line) >= self._each:
            raise Unanswered("too_many", f"{len(line)} questions of yours wait already; wait a bit")
        if self.waiting >= self._in_all:
            raise Unanswered("too_many", "too many questions wait already; try again in a moment")
        if line is None:
            line = self._lines[job.share] = deque()
        line.append(job)
        self.waiting += 1

    def take(self) -> Job | None:
        """The next job: the first of the share whose turn it is; None where all must wait."""
        for share, line in self._lines.items():
            if self._running[share] < self._at_once:
                job = line.popleft()
                self._lines.move_to_end(share)
                self._left(share)
                self._running[share] += 1
                return job
        return None

    def drop(self, job: Job) -> None:
        """Take a job out of its line."""
        self._lines[job.share].remove(job)
        self._left(job.share)

    def done(self, job: Job) -> None:
        """A job that was taken is through."""
        self._running[job.share] -= 1
        if not self._running[job.share]:
            del self._running[job.share]

    def empty(self) -> list[Job]:
        """Everything that waits, taken out."""
        jobs = [job for line in self._lines.values() for job in line]
        self._lines.clear()
        self.waiting = 0
        return jobs

    @property
    def running(self) -> int:
        """How many jobs are being counted."""
        return sum(self._running.values())

    def _left(self, share: str) -> None:
        self.waiting -= 1
        if not self._lines[share]:
            del self._lines[share]
