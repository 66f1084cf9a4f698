"""Answers that must come in time, for a database that is frozen never says that it is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from rollwright.server.appends import StoreDown


class Deadlines:
    """Answers that somebody waits for, all for equally long.

    One timer watches them all: nearly every answer comes in a moment, so a timer for each would
    cost more than it is worth.
    """

    def __init__(self, seconds: float, late: Callable[[], None]) -> None:
        self._seconds = seconds
        self._late = late
        """Called when an answer did not come."""
        self._waiting: dict[asyncio.Future[Any], float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, answer: asyncio.Future[Any]) -> None:
        """From now on it must come in time; if it does not, it is StoreDown."""
        loop = answer.get_loop()
        self._waiting[answer] = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_later(self._seconds, self._look, loop)

    def over(self, answer: asyncio.Future[Any]) -> None:
        """Nobody waits for it any more."""
        self._waiting.pop(answer, None)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give up what is late; the others are looked at when the first of them would be."""
        now = loop.time()
        for answer, until in tuple(self._waiting.items()):
            if until > now:
                self._timer = loop.call_at(until, self._look, loop)
                return
            if not answer.done():
                answer.set_exception(StoreDown("no answer came"))
                self._late()
        self._timer = None
