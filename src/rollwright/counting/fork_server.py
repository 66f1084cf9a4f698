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
from rollwright.counting.memory import IN_WHOLE, bound_growth, own_bytes
from rollwright.counting.pipes import Bounds, Head, Reply, framed, next_frame
from rollwright.server.json import decoded, encoded

READY = b'{"ready":true}'
MOST_COUNTERS = 3
"""Scopes that have a process; the one that was silent longest gives way."""
MOST_ASKED = 100
"""Questions after which a scope gets another process, so that none grows without end."""
MOST_BYTES = 2**20
"""Bytes of an answer: it is read and written once more for each client that asked."""
TOO_LONG = (
    "the answer would be {:.1f} MB long, and at most 1 MB is sent; "
    "fewer values, some of the fields (of) or an event (where) would do"
)
START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from rollwright.counting.fork_server import {0}; {0}()"
)


def main() -> None:
    """Serve questions until the other end of the pipe is gone."""
    reading, writing = _pipes()
    bounds = _begun(reading)
    if bounds.forks:
        _load()
    server = _ForkServer(reading, writing, bounds)
    _send(writing, READY)
    server.serve()


def count() -> None:
    """Run a process that the fork server started rather than split off."""
    reading, writing = _pipes()
    bounds = _begun(reading)
    _load()
    _Answerer(reading, writing, bounds, bounds.memory).serve()


def _load() -> None:
    import gc

    from rollwright.counting.tasks import warm_up
    from rollwright.timeouts import interrupt_slow_calls

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


def _begun(reading: BinaryIO) -> Bounds:
    """Leave signals of the terminal to the parent, and give way to it."""
    first = next_frame(reading)
    if first is None:
        os._exit(0)
    bounds = Bounds(**decoded(first))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice") and not bounds.gives_way:
        os.nice(2)
    return bounds


class _ForkServer:
    """Takes what comes from the parent and hands it to the process that counts it."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO, bounds: Bounds) -> None:
        self._reading = reading
        self._writing = writing
        self._bounds = bounds
        self._forks = bounds.forks
        self._counters: list[_Counter] = []
        """All who may still be asked."""
        if self._forks:
            signal.signal(signal.SIGCHLD, lambda *_: self._reap())
        self._common = self._started(bounds.memory)
        self._scopes: OrderedDict[str, _Counter] = OrderedDict()
        self._spare = None if self._forks else self._started(bounds.memory)
        self._asked = self._common
        """Who has the last question."""

    def serve(self) -> NoReturn:
        """Hand on message after message."""
        while (body := next_frame(self._reading)) is not None:
            message: Head = decoded(body)
            if (dropped := message.get("drops")) is not None:
                self._drop(dropped)
                continue
            if message["asks"]:
                self._asked = self._counter_for(message)
            self._hand_on(body)
            if message["asks"]:  # the question itself is not read here
                self._hand_on(next_frame(self._reading) or b"{}")
            if message["payload"]:
                for piece in _each_piece(self._reading):
                    self._hand_on(piece)
        _end_all(0)

    def _hand_on(self, body: bytes) -> None:
        with contextlib.suppress(OSError):  # it has answered; what came too late is no matter
            self._asked.take(body)

    def _drop(self, scope: str) -> None:
        """End the process of a scope; the next question gets another one."""
        if scope:
            dropped = self._scopes.pop(scope, None)
        else:
            dropped, self._common = self._common, self._fresh()
        if dropped is not None:
            self._let_go(dropped)
        if self._asked is dropped:
            self._asked = self._common

    def _counter_for(self, message: Head) -> _Counter:
        scope, once = message.get("scope", ""), message["payload"]
        if self._asked.is_used_up:
            self._let_go(self._asked)
        if not scope and not once:
            return self._common
        found = None if once else self._scopes.pop(scope, None)
        if found is not None and found.asked >= MOST_ASKED:
            self._let_go(found)
            found = None
        while not once and len(self._scopes) >= MOST_COUNTERS:
            self._let_go(self._scopes.popitem(last=False)[1])
        found = found or self._fresh(long=message.get("long", False))
        found.asked += 1
        found.is_used_up = once
        if not once:
            self._scopes[scope] = found
        return found

    def _let_go(self, counter: _Counter) -> None:
        counter.let_go()
        self._counters.remove(counter)

    def _fresh(self, *, long: bool = False) -> _Counter:
        """A process that has counted nothing yet; a `long` body needs more memory."""
        if self._spare is None:
            return self._started(self._bounds.long_memory if long else self._bounds.memory)
        fresh, self._spare = self._spare, self._started(self._bounds.memory)
        return fresh

    def _started(self, memory: int) -> _Counter:
        counter = self._split_off(memory) if self._forks else _started(self._bounds, self._writing)
        self._counters.append(counter)
        return counter

    def _split_off(self, memory: int) -> _Counter:
        near, far = os.pipe()
        if os.fork() == 0:
            self._count(near, far, memory)
        os.close(near)
        return _Counter(os.fdopen(far, "wb"))

    def _count(self, near: int, far: int, memory: int) -> NoReturn:
        """Run the new process: it must hold no end of a pipe that is not its own."""
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.close(far)
            self._reading.close()
            for counter in self._counters:
                counter.let_go()
            _Answerer(os.fdopen(near, "rb"), self._writing, self._bounds, memory).serve()
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


class _Counter:
    """A process that counts, as the fork server sees it."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self.asked = 0
        self.is_used_up = False
        """Whether it ends with the question that it has."""

    def take(self, body: bytes) -> None:
        """Send it a message."""
        _write(self._pipe, body)

    def let_go(self) -> None:
        """Nothing more will be sent to it, so it ends."""
        with contextlib.suppress(OSError):
            self._pipe.close()


def _started(bounds: Bounds, writing: BinaryIO) -> _Counter:
    """A process that was started, where none can be split off; a thread waits for its end."""
    import subprocess

    command = [sys.executable, "-c", START.format("count"), encoded(sys.path).decode()]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writing)

    def watch() -> None:
        if process.wait():
            _end_all(1)

    assert process.stdin is not None
    counter = _Counter(process.stdin)
    with contextlib.suppress(OSError):
        counter.take(encoded(bounds._replace(gives_way=True)._asdict()))
    Thread(target=watch, daemon=True).start()
    return counter


def _end_all(code: int) -> NoReturn:
    """End this process, and at once all that count for it."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(code)


class _Asked(NamedTuple):
    """A question as it came."""

    number: int
    question: bytes
    pieces: list[bytes] | None
    """The body of a long question."""


class _Answerer:
    """Takes questions one after the other; a thread beside it hears cancellations."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO, bounds: Bounds, memory: int) -> None:
        self._reading = reading
        self._writing = writing
        self._bounds = bounds
        self._memory = memory
        self._rest = own_bytes()
        self._questions: SimpleQueue[_Asked] = SimpleQueue()
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
        while (body := next_frame(self._reading)) is not None:
            message: Head = decoded(body)
            number = message["number"]
            with self._lock:
                if message["asks"]:
                    room = self._memory // IN_WHOLE if self._memory else None
                    self._open[number] = Budget(self._bounds.work, room)
                elif number in self._open:
                    self._open[number].cancel()
            if message["asks"]:
                question = next_frame(self._reading) or b"{}"
                pieces = _pieces(self._reading) if message["payload"] else None
                self._questions.put(_Asked(number, question, pieces))
        os._exit(0)

    def _answer(self, asked: _Asked) -> None:
        from rollwright.counting.tasks import settled

        begun = process_time()
        with self._lock:
            budget = self._open[asked.number]
        found = settled(decoded(asked.question), budget, asked.pieces)
        with self._lock:
            del self._open[asked.number]
        raw = found.get("raw")
        reply: Reply = {
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
        written = encoded(reply)
        if len(written) > MOST_BYTES:
            said = TOO_LONG.format(len(written) / 1e6)
            reply.pop("answer", None)
            reply["error"] = {"code": "too_much_work", "message": said}
            written = encoded(reply)
        _send(self._writing, written)
        if raw is not None:
            _send(self._writing, raw)


def _pieces(reading: BinaryIO) -> list[bytes]:
    """Everything up to an empty piece."""
    return [piece for piece in _each_piece(reading) if piece]


def _each_piece(reading: BinaryIO) -> Iterator[bytes]:
    """Piece after piece, the empty one that ends them too."""
    while piece := next_frame(reading):
        yield piece
    yield b""


def _send(writing: BinaryIO, body: bytes) -> None:
    """Send the parent something; if it is gone, nobody is left to report that to either."""
    try:
        _write(writing, body)
    except OSError:
        os._exit(1)


def _write(pipe: IO[bytes], body: bytes) -> None:
    pipe.write(framed(body))
    pipe.flush()
