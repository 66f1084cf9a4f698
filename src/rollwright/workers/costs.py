"""Costs: seconds of a processor, bytes written, bytes sent."""

from __future__ import annotations

import time
from math import inf
from threading import local

MOMENT = 0.002
"""Seconds for which nobody asks how much of them was worked."""
UNIT_SECONDS, UNIT_WRITTEN, UNIT_SENT = 0.005, 16_384, 262_144
"""Costs of one ordinary command: seconds of a processor, bytes written, or bytes sent."""


class CostMeter:
    """The costs so far; `with spent:` counts what is worked in between.

    Nothing may be awaited inside: the work of others would be counted. To ask the system for how
    long a thread has worked takes as long as many steps of a roll, so that a moment is counted by
    the clock; only what took longer is measured, since others may have had the processor.
    """

    __slots__ = ("_begun", "_worked", "seconds", "sent", "written")

    def __init__(self) -> None:
        self.seconds = 0.0
        self.written = 0
        self.sent = 0
        self._begun = 0.0
        self._worked = 0.0

    def __enter__(self) -> None:
        self._begun = time.perf_counter()
        if self._begun - _thread_clock.at > MOMENT:
            _thread_clock.at, _thread_clock.worked = self._begun, time.thread_time()
        self._worked = _thread_clock.worked

    def __exit__(self, *problem: object) -> None:
        passed = time.perf_counter() - self._begun
        if passed > MOMENT:
            passed = min(passed, time.thread_time() - self._worked)
        self.seconds += passed

    @property
    def units(self) -> float:
        """How many ordinary commands it comes to.

        >>> spent = CostMeter()
        >>> spent.seconds, spent.written = 0.01, 4 * 16_384
        >>> spent.units
        6.0
        """
        return self.seconds / UNIT_SECONDS + self.written / UNIT_WRITTEN + self.sent / UNIT_SENT


class _ThreadClock(local):
    """How long a thread had worked when it was last asked."""

    at = -inf
    worked = 0.0


_thread_clock = _ThreadClock()
