"""A counting process: a fork server that counts nothing, and processes that count for it.

The fork server has every game loaded and takes the questions. A process that counts knows what it
has worked out before, and that shows in the time it takes. So there is one for public questions,
which lives as long as the fork server, and fresh ones for private questions: each scope of people
who may know of each other's questions has one for a while. Where the system can split a process in
two, that costs a millisecond or two; where it cannot, a fresh one is started ahead.

A process that has grown much ends, so that nothing is kept of a large count; memory that was once
given back to Python is not given back to the system.

Answers go straight to the parent. A process that finds the parent gone ends, without a word.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections import OrderedDict
from collections.abc import Iterator
from queue import SimpleQueue
from threading import Lock, Thread
from time import process_time
from typing import IO, BinaryIO, NamedTuple, NoReturn

from rollwright.budget import Budget
from rollwright.server.json_codec import decode, encode
from rollwright.workers.memory import IN_WHOLE, bound_growth, own_bytes
from rollwright.workers.pipes import JobHeader, WorkerBounds, WorkerReply, frame, read_frame

READY = b'{"ready":true}'
MOST_WORKERS = 3
"""Scopes that have a process; the one that was silent longest gives way."""
MOST_QUESTIONS = 100
"""Questions after which a scope gets another process, so that none grows without end."""
MOST_BYTES = 2**20
"""Bytes of an answer: it is read and written once more for each client that asked."""
TOO_LONG = (
    "the answer would be {:.1f} MB long, and at most 1 MB is sent; "
    "fewer values, some of the fields (of) or an event (where) would do"
)
START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from rollwright.workers.fork_server import {0}; {0}()"
)


def main() -> None:
    """Serve questions until the other end of the pipe is gone."""
    reading, writing = _pipes()
    bounds = _read_bounds(reading)
    if bounds.forks:
        _warm_up()
    server = _ForkServer(reading, writing, bounds)
    _send(writing, READY)
    server.serve()


def count() -> None:
    """Run a process that the fork server started rather than split off."""
    reading, writing = _pipes()
    bounds = _read_bounds(reading)
    _warm_up()
    _AnswerLoop(reading, writing, bounds, bounds.memory).serve()


def _warm_up() -> None:
    import gc

    from rollwright.timeouts import interrupt_slow_calls
    from rollwright.workers.tasks import warm_up

    interrupt_slow_calls()
    warm_up()
    gc.collect()
    gc.freeze()  # what is loaded now stays for good


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the parent; whatever prints from now on prints to the error stream."""
    writing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    reading = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return reading, writing


def _read_bounds(reading: BinaryIO) -> WorkerBounds:
    """Leave signals of the terminal to the parent, and give way to it."""
    first = read_frame(reading)
    if first is None:
        os._exit(0)
    bounds = WorkerBounds(**decode(first))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice") and not bounds.gives_way:
        os.nice(2)
    return bounds


class _ForkServer:
    """Takes what comes from the parent and hands it to the process that counts it."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO, bounds: WorkerBounds) -> None:
        self._reading = reading
        self._writing = writing
        self._bounds = bounds
        self._forks = bounds.forks
        self._workers: list[_ForkWorker] = []
        """All who may still be asked."""
        if self._forks:
            signal.signal(signal.SIGCHLD, lambda *_: self._reap())
        self._common = self._start_worker(bounds.memory)
        self._scopes: OrderedDict[str, _ForkWorker] = OrderedDict()
        self._spare = None if self._forks else self._start_worker(bounds.memory)
        self._current = self._common
        """Who has the last question."""

    def serve(self) -> NoReturn:
        """Hand on message after message."""
        while (body := read_frame(self._reading)) is not None:
            message: JobHeader = decode(body)
            if (dropped := message.get("drops")) is not None:
                self._drop(dropped)
                continue
            if message["asks"]:
                self._current = self._worker_for(message)
            self._forward(body)
            if message["asks"]:  # the question itself is not read here
                self._forward(read_frame(self._reading) or b"{}")
            if message["payload"]:
                for piece in _each_piece(self._reading):
                    self._forward(piece)
        _end_all(0)

    def _forward(self, body: bytes) -> None:
        with contextlib.suppress(OSError):  # it has answered; what came too late is no matter
            self._current.send(body)

    def _drop(self, scope: str) -> None:
        """End the process of a scope; the next question gets another one."""
        if scope:
            dropped = self._scopes.pop(scope, None)
        else:
            dropped, self._common = self._common, self._new_worker()
        if dropped is not None:
            self._dismiss(dropped)
        if self._current is dropped:
            self._current = self._common

    def _worker_for(self, message: JobHeader) -> _ForkWorker:
        scope, once = message.get("scope", ""), message["payload"]
        if self._current.is_used_up:
            self._dismiss(self._current)
        if not scope and not once:
            return self._common
        found = None if once else self._scopes.pop(scope, None)
        if found is not None and found.question_count >= MOST_QUESTIONS:
            self._dismiss(found)
            found = None
        while not once and len(self._scopes) >= MOST_WORKERS:
            self._dismiss(self._scopes.popitem(last=False)[1])
        found = found or self._new_worker(long=message.get("long", False))
        found.question_count += 1
        found.is_used_up = once
        if not once:
            self._scopes[scope] = found
        return found

    def _dismiss(self, counter: _ForkWorker) -> None:
        counter.close()
        self._workers.remove(counter)

    def _new_worker(self, *, long: bool = False) -> _ForkWorker:
        """A process that has counted nothing yet; a `long` body needs more memory."""
        if self._spare is None:
            return self._start_worker(self._bounds.long_memory if long else self._bounds.memory)
        fresh, self._spare = self._spare, self._start_worker(self._bounds.memory)
        return fresh

    def _start_worker(self, memory: int) -> _ForkWorker:
        counter = self._fork(memory) if self._forks else _spawn(self._bounds, self._writing)
        self._workers.append(counter)
        return counter

    def _fork(self, memory: int) -> _ForkWorker:
        near, far = os.pipe()
        if os.fork() == 0:
            self._run_worker(near, far, memory)
        os.close(near)
        return _ForkWorker(os.fdopen(far, "wb"))

    def _run_worker(self, near: int, far: int, memory: int) -> NoReturn:
        """Run the new process: it must hold no end of a pipe that is not its own."""
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.close(far)
            self._reading.close()
            for counter in self._workers:
                counter.close()
            _AnswerLoop(os.fdopen(near, "rb"), self._writing, self._bounds, memory).serve()
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(1)

    def _reap(self) -> None:
        """Bury who has ended; where that was not as it should be, the parent hears of it."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                if status:
                    _end_all(1)


class _ForkWorker:
    """A process that counts, as the fork server sees it."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self.question_count = 0
        self.is_used_up = False
        """Whether it ends with the question that it has."""

    def send(self, body: bytes) -> None:
        """Send it a message."""
        _write(self._pipe, body)

    def close(self) -> None:
        """Nothing more will be sent to it, so it ends."""
        with contextlib.suppress(OSError):
            self._pipe.close()


def _spawn(bounds: WorkerBounds, writing: BinaryIO) -> _ForkWorker:
    """A process that was started, where none can be split off; a thread waits for its end."""
    import subprocess

    command = [sys.executable, "-c", START.format("count"), encode(sys.path).decode()]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writing)

    def watch() -> None:
        if process.wait():
            _end_all(1)

    assert process.stdin is not None
    counter = _ForkWorker(process.stdin)
    with contextlib.suppress(OSError):
        counter.send(encode(bounds._replace(gives_way=True)._asdict()))
    Thread(target=watch, daemon=True).start()
    return counter


def _end_all(code: int) -> NoReturn:
    """End this process, and at once all that count for it."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(code)


class _Assignment(NamedTuple):
    """A question as it came."""

    number: int
    question: bytes
    pieces: list[bytes] | None
    """The body of a long question."""


class _AnswerLoop:
    """Takes questions one after the other; a thread beside it hears cancellations."""

    def __init__(
        self, reading: BinaryIO, writing: BinaryIO, bounds: WorkerBounds, memory: int
    ) -> None:
        self._reading = reading
        self._writing = writing
        self._bounds = bounds
        self._memory = memory
        self._rest = own_bytes()
        self._questions: SimpleQueue[_Assignment] = SimpleQueue()
        self._lock = Lock()
        self._open: dict[int, Budget] = {}

    def serve(self) -> NoReturn:
        """Answer questions until one is the last."""
        Thread(target=self._listen, daemon=True).start()
        bound_growth(self._memory)
        last = False
        while not last:
            asked = self._questions.get()
            self._answer(asked)
            last = asked.pieces is not None  # then it is let go
        os._exit(0)

    def _listen(self) -> None:
        """Take messages; when the parent is gone, however it went, nobody waits for an answer."""
        while (body := read_frame(self._reading)) is not None:
            message: JobHeader = decode(body)
            number = message["number"]
            with self._lock:
                if message["asks"]:
                    room = self._memory // IN_WHOLE if self._memory else None
                    self._open[number] = Budget(self._bounds.work, room)
                elif number in self._open:
                    self._open[number].cancel()
            if message["asks"]:
                question = read_frame(self._reading) or b"{}"
                pieces = _pieces(self._reading) if message["payload"] else None
                self._questions.put(_Assignment(number, question, pieces))
        os._exit(0)

    def _answer(self, asked: _Assignment) -> None:
        from rollwright.workers.tasks import run_query

        begun = process_time()
        with self._lock:
            budget = self._open[asked.number]
        found = run_query(decode(asked.question), budget, asked.pieces)
        with self._lock:
            del self._open[asked.number]
        raw = found.get("raw")
        reply: WorkerReply = {
            "number": asked.number,
            "spent": budget.spent,
            "seconds": process_time() - begun,
            "raw": raw is not None,
            "grown": own_bytes() - self._rest > self._bounds.idle_memory,
        }
        if "answer" in found:
            reply["answer"] = found["answer"]
        if "error" in found:
            reply["error"] = found["error"]
        written = encode(reply)
        if len(written) > MOST_BYTES:
            said = TOO_LONG.format(len(written) / 1e6)
            reply.pop("answer", None)
            reply["error"] = {"code": "too_much_work", "message": said}
            written = encode(reply)
        _send(self._writing, written)
        if raw is not None:
            _send(self._writing, raw)


def _pieces(reading: BinaryIO) -> list[bytes]:
    """Everything up to an empty piece."""
    return [piece for piece in _each_piece(reading) if piece]


def _each_piece(reading: BinaryIO) -> Iterator[bytes]:
    """Piece after piece, the empty one that ends them too."""
    while piece := read_frame(reading):
        yield piece
    yield b""


def _send(writing: BinaryIO, body: bytes) -> None:
    """Send the parent something; if it is gone, nobody is left to report that to either."""
    try:
        _write(writing, body)
    except OSError:
        os._exit(1)


def _write(pipe: IO[bytes], body: bytes) -> None:
    pipe.write(frame(body))
    pipe.flush()
