"""Counting for a bot: in a process of its own, whose memory is bounded, asked from any thread.

    counting = BotCounting()
    counting.answer("odds", {"expression": "4d6kh3"}, "somebody")

A bot is asked by strangers as the server is. So nothing is counted in the bot itself: an event loop
in a thread hands each question to the process, and the caller may wait in a thread or in an event
loop of its own.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from rollwright.i18n.locale import reader_language
from rollwright.server.json_codec import encode
from rollwright.workers.cache import PrivacyScope
from rollwright.workers.memory import STANDARD_CEILING, bot_ceiling
from rollwright.workers.pool import WorkerLimits, WorkerPool, one_piece

VERIFY_SECONDS = 40.0
"""A long log takes its time."""
KEPT, KEPT_BYTES = 500, 2 * 2**20
"""Answers of a bot that are kept."""


def bot_limits(ceiling: int = STANDARD_CEILING) -> WorkerLimits:
    """How much counting a bot may do of what an installation may: one count at a time."""
    memory = bot_ceiling(ceiling)
    return WorkerLimits(
        workers=1,
        each=WorkerLimits().from_one,
        memory=memory,
        long_memory=memory,
        kept=KEPT,
        kept_bytes=KEPT_BYTES,
    )


class BotWorker:
    """Answers questions as `queries.answer` does; its thread and process begin with the first."""

    def __init__(self, limits: WorkerLimits | None = None) -> None:
        self.limits = limits or bot_limits()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._counting: WorkerPool | None = None
        self._ended = asyncio.Event()

    def answer(self, kind: str, body: Mapping[str, Any], share: str) -> dict[str, Any]:
        """The answer to a question, waited for; refusals are raised."""
        return self.submit(kind, body, share).result()

    def submit(self, kind: str, body: Mapping[str, Any], share: str) -> Future[dict[str, Any]]:
        """Return the future of the answer; if it is cancelled, nobody counts on.

        Questions of one share stay with it: neither a cached answer nor the process's memory
        reveals them to others.
        """
        question = {"language": reader_language(), **body}
        loop = self.start()
        return asyncio.run_coroutine_threadsafe(self._answer(kind, question, share), loop)

    async def _answer(self, kind: str, question: dict[str, Any], share: str) -> dict[str, Any]:
        assert self._counting is not None
        scope = PrivacyScope(whose=share)
        if kind == "verify":  # a log may be long: it is read where it is checked
            body = encode(question)
            return await self._counting.answer(
                {"ask": kind},
                share,
                scope=scope,
                pieces=one_piece(body),
                size=len(body),
                seconds=VERIFY_SECONDS,
            )
        return await self._counting.answer({"ask": kind, **question}, share, scope=scope)

    def start(self) -> asyncio.AbstractEventLoop:
        """Begin, unless it has begun; the process comes when it is quiet, or is asked."""
        with self._lock:
            if self._loop is None:
                self._ended = asyncio.Event()
                ready: Future[asyncio.AbstractEventLoop] = Future()
                threading.Thread(
                    target=lambda: asyncio.run(self._serve(ready)), name="counting", daemon=True
                ).start()
                self._loop = ready.result()
            return self._loop

    async def _serve(self, ready: Future[asyncio.AbstractEventLoop]) -> None:
        async with WorkerPool(self.limits) as counting:
            self._counting = counting
            ready.set_result(asyncio.get_running_loop())
            await self._ended.wait()

    def close(self) -> None:
        """End the process; questions that still wait fail."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(self._ended.set)

    @property
    def pids(self) -> tuple[int, ...]:
        """The number of the process, once it is ready."""
        return self._counting.pids if self._counting else ()
