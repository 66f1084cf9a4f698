"""The parent's end of a counting process: it is started, asked, stopped, and replaced.

A thread listens to each process. That works in every event loop and on every system, which the
processes of asyncio do not.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterable, Callable, Mapping
from threading import Thread

from rollwright.errors import RollwrightError
from rollwright.jsonable import Json
from rollwright.server.json_codec import decode, encode
from rollwright.workers.fork_server import START
from rollwright.workers.pipes import JobHeader, WorkerBounds, WorkerReply, frame, read_frame

GROUP = 0 if os.name == "posix" else None
"""A group of its own: it and all that count for it are ended together."""
LONG = 2**15
"""Bytes that a pipe takes at once; more are written in a thread, so that nothing waits."""


LONGEST_START = 120.0
"""Seconds in which a process is ready, however slow the machine is."""


class WorkerLostError(RollwrightError):
    """A counting process that ended before it had answered."""


class Worker:
    """One counting process, which answers one question at a time."""

    def __init__(self, process: subprocess.Popen[bytes], gone: Callable[[], None]) -> None:
        self.is_gone = False
        """Whether the process has ended; `gone` was called then."""
        self._process = process
        self._gone = gone
        self._is_writing = False
        self._answers: asyncio.Queue[WorkerReply | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._listener = Thread(target=self._listen, daemon=True, name="counting listener")
        self._listener.start()

    @classmethod
    async def start(
        cls,
        bounds: WorkerBounds,
        gone: Callable[[], None] = lambda: None,
        *,
        seconds: float = LONGEST_START,
    ) -> Worker:
        """A process with every game loaded; one that is not ready in so many seconds is ended."""
        path = encode(sys.path).decode()
        worker = cls(
            subprocess.Popen(
                [sys.executable, "-c", START.format("main"), path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                process_group=GROUP,
            ),
            gone,
        )
        try:
            async with asyncio.timeout(seconds):
                await worker._put(_encode_frame(bounds._asdict()))
                await worker._receive()
        except TimeoutError:
            await worker.end()
            raise WorkerLostError(f"it was not ready in {seconds:g} s") from None
        except BaseException:
            await worker.end()
            raise
        return worker

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def answer(
        self,
        number: int,
        question: Mapping[str, Json],
        payload: AsyncIterable[bytes] | None = None,
        *,
        scope: str = "",
        long: bool = False,
    ) -> WorkerReply:
        """Return the process's reply to a question.

        It is counted by somebody who knows what the same `scope` asked before, and nothing else;
        what comes with a payload of its own, by somebody who knows nothing and then forgets it.
        """
        head: JobHeader = {
            "number": number,
            "asks": True,
            "scope": scope,
            "payload": payload is not None,
            "long": long,
        }
        await self._put(_encode_frame(head) + _encode_frame(question))
        if payload is not None:
            await self._put_pieces(payload)
        while True:
            answer = await self._receive()
            if answer.get("number") == number:
                if answer["grown"] and payload is None:
                    self._drop(scope)
                return answer

    def _drop(self, scope: str) -> None:
        """End the process of a scope, which holds too much of what it counted."""
        with contextlib.suppress(WorkerLostError):
            self._write(
                _encode_frame({"number": 0, "asks": False, "payload": False, "drops": scope})
            )

    def cancel(self, number: int) -> None:
        """Nobody waits for this answer any more."""
        if not self._is_writing:  # what is half sent must be sent whole; it is soon answered
            with contextlib.suppress(WorkerLostError):
                self._write(_encode_frame({"number": number, "asks": False, "payload": False}))

    async def end(self) -> None:
        """End the process at once, whatever it is doing."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        await asyncio.shield(asyncio.to_thread(self._bury))

    def _bury(self) -> None:
        self._process.wait()
        self._listener.join()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()

    async def _put_pieces(self, payload: AsyncIterable[bytes]) -> None:
        """Send piece by piece, and then that there is no more."""
        self._is_writing = True
        try:
            async for piece in payload:
                if piece:
                    await self._put(frame(piece))
        finally:
            await self._put(frame(b""))
            self._is_writing = False

    async def _put(self, data: bytes) -> None:
        if len(data) <= LONG and not self._is_writing:
            self._write(data)
        else:  # a pipe that is still full of the piece before would hold up everybody
            await asyncio.to_thread(self._write, data)

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._process.stdin.write(rest) or 0 :]
        except (OSError, ValueError):
            raise WorkerLostError("the counting process has gone") from None

    async def _receive(self) -> WorkerReply:
        answer = await self._answers.get()
        if answer is None:
            raise WorkerLostError("the counting process ended before it had answered")
        return answer

    def _listen(self) -> None:
        """Hand what the process says to the event loop, as long as both are there."""
        assert self._process.stdout is not None
        with contextlib.suppress(RuntimeError):  # the loop has ended before the process
            while (message := read_frame(self._process.stdout)) is not None:
                answer: WorkerReply = decode(message)
                if answer.get("raw"):
                    answer["answer"] = read_frame(self._process.stdout)
                self._loop.call_soon_threadsafe(self._answers.put_nowait, answer)
            self._loop.call_soon_threadsafe(self._on_end)

    def _on_end(self) -> None:
        self.is_gone = True
        self._answers.put_nowait(None)
        self._gone()


def _encode_frame(message: JobHeader | Mapping[str, Json]) -> bytes:
    return frame(encode(message))
