"""A bound on how long what a game does may take where others wait for it: in a server.

A server calls cards and rules in its event loop, so one that computes for a second, or for ever,
would hold up every table. There `interrupt_slow_calls` lets a timer run while there are calls:
when one has taken too long, the signal's handler raises TooSlow inside of it. Elsewhere calls take
as long as they take: what a library shows must not depend on how busy the machine is.
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from time import monotonic
from types import FrameType
from typing import Generic, TypeVar

thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)
"""Seconds that this thread has worked; a Python in a browser has one thread and no such clock."""
T = TypeVar("T")
H = TypeVar("H", bound=Hashable)
WORKING, WAITING = 0.4, 3.0
"""Seconds that a call may work, and that may pass in it while it does not wait for its turn."""
HURRIED = 0.1, 0.5
"""The same for a call of whose kind another was too slow just now."""
QUEUE = "/proc/thread-self/schedstat"
"""File with the nanoseconds that a thread has worked and waited for a processor, on Linux."""
LOOK_EVERY = 0.05
"""Seconds after which somebody looks, while there are calls: a timer for each would cost more."""
OFF_FOR, OFF_AT_MOST = 60.0, 3600.0
"""Seconds that what was too slow is not called again: doubled each time, up to an hour."""


class TooSlow(BaseException):
    """A call took too long. No Exception, so that nothing in it takes this for its own."""


def _queue_seconds() -> float:
    """Seconds that this thread was ready and others had the processors; 0 where nobody says.

    It is read as bytes. This runs inside of a signal's handler, wherever the thread is just then:
    a codec that is looked up for the first time is imported, and the next signal in the middle of
    that would find half of it, and Python would remember that there is none.
    """
    try:
        with open(QUEUE, "rb") as said:
            return int(said.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


class _Call:
    """A call under way, and what its thread had worked and waited when somebody first looked.

    The clocks are read then only, since that takes longer than most calls do. A busy machine takes
    no time from a call: what passes while others have the processors is not counted.
    """

    def __init__(self, working: float | None = None, waiting: float | None = None) -> None:
        self.first: tuple[float, float] | None = None
        self.working = WORKING if working is None else working
        self.waiting = WAITING if waiting is None else waiting

    def look(self) -> bool:
        """Whether it took too long since the first look; one looks while it goes on."""
        now = thread_time(), monotonic() - _queue_seconds()
        self.first = self.first or now
        return now[0] - self.first[0] > self.working or now[1] - self.first[1] > self.waiting


class _Watch:
    """The state of calls in this process."""

    on = False
    """Whether the time of calls is bounded here."""
    thread = 0
    """The thread whose calls can be interrupted: signals are handled in the first one."""
    call: _Call | None = None
    """The call under way in that thread."""
    looks = False
    """Whether the timer runs."""


def interrupt_slow_calls() -> None:
    """Bound the time of calls in this process; where there are no such signals, by measuring."""
    _Watch.on = True
    first = threading.current_thread() is threading.main_thread()
    if first and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _look)
        _Watch.thread = threading.get_ident()
        atexit.register(_stop)  # a late alarm would end the process


def _stop() -> None:
    _Watch.looks = False
    signal.setitimer(signal.ITIMER_REAL, 0)


def _begin_anew() -> None:
    """A process that was split off has no timer, whatever its parent had."""
    _Watch.looks = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def _look(number: int, frame: FrameType | None) -> None:
    """Raise inside the call under way if it is too slow, and nowhere else.

    What `bounded` does before and after the call is in its own frame, where nothing is raised.
    """
    if _Watch.call is None:
        _stop()
    if frame is None or _Watch.call is None or not _Watch.call.look():
        return
    outside = frame.f_back
    while frame.f_code is not call_with_timeout.__code__ and outside is not None:
        if outside.f_code is call_with_timeout.__code__:
            raise TooSlow
        outside = outside.f_back


def call_with_timeout(
    call: Callable[..., T],
    *args: object,
    working: float | None = None,
    waiting: float | None = None,
) -> T:
    """Return the result of a call; where calls are bounded raise TooSlow when it takes too long.

    One inside another is bounded by itself; the outer one goes on with the time that is left.
    """
    if not _Watch.on:
        return call(*args)
    here, outer = _Call(working, waiting), _Watch.call
    if threading.get_ident() != _Watch.thread:
        here.look()
        found = call(*args)
        if here.look():
            raise TooSlow
        return found
    try:
        _Watch.call = here
        if not _Watch.looks:
            _Watch.looks = True
            signal.setitimer(signal.ITIMER_REAL, LOOK_EVERY, LOOK_EVERY)
        return call(*args)
    finally:
        _Watch.call = outer


class Backoff(Generic[H]):
    """Calls that rest for a while, because they were too slow; each time for twice as long.

    >>> rests = Backoff(clock := iter([0, 30, 61, 62, 100, 183]).__next__)
    >>> rests.start("marks"), "marks" in rests, "marks" in rests
    (60.0, True, False)
    >>> rests.start("marks"), list(rests), list(rests)
    (120.0, ['marks'], [])
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._until: dict[H, tuple[float, float]] = {}

    def start(self, what: H) -> float:
        """Let it rest; answers with for how many seconds."""
        _, before = self._until.get(what, (0.0, OFF_FOR / 2))
        seconds = min(2 * before, OFF_AT_MOST)
        self._until[what] = self._clock() + seconds, seconds
        return seconds

    def __contains__(self, what: object) -> bool:
        return what in self._until and self._clock() < self._until[what][0]

    def __bool__(self) -> bool:
        """Whether anything has ever rested."""
        return bool(self._until)

    def __iter__(self) -> Iterator[H]:
        return (what for what in self._until if what in self)
