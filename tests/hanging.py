"""A test that hangs is one failure that shows where, and the run goes on.

pytest-timeout can end a hanging test by an alarm, which belongs to `rollwright.timeouts` here, or
by ending the whole process, with all that it had still to run. This watches from a thread, and
interrupts the test by another signal: what waits in the system is woken, and the failure stands
where it waited. What cannot be interrupted is left to pytest-timeout.
"""

from __future__ import annotations

import faulthandler
import signal
import tempfile
import threading
import time
from collections.abc import Generator
from types import FrameType
from typing import Any

import pytest

SIGNAL = getattr(signal, "SIGUSR2", None)
SECONDS = 300
"""What no test takes, however busy the machine is; pytest-timeout waits twice as long."""


class Watch:
    """Interrupts the test that runs in the main thread once it has taken too long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.ends: float | None = None
        """When the test that runs now is said to hang."""
        self.runs = False
        self._changed = threading.Condition()

    def begin(self) -> None:
        """Listen to the signal, and watch."""
        assert SIGNAL is not None
        signal.signal(SIGNAL, self.fail)
        threading.Thread(target=self._watch, name="watch", daemon=True).start()

    def of_a_test(self, runs: bool) -> None:
        """A test begins, or has ended."""
        with self._changed:
            self.runs = runs
            self.ends = time.monotonic() + self.seconds if runs else None
            self._changed.notify()

    def _watch(self) -> None:
        while True:
            with self._changed:
                left = None if self.ends is None else self.ends - time.monotonic()
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                self.ends = None  # once
            signal.pthread_kill(threading.main_thread().ident or 0, SIGNAL or 0)

    def fail(self, number: int, frame: FrameType | None) -> None:
        """Fail where the test hangs, and show what all threads are doing."""
        if not self.runs:
            return
        with tempfile.TemporaryFile("w+") as stacks:
            faulthandler.dump_traceback(stacks, all_threads=True)
            stacks.seek(0)
            pytest.fail(f"it hangs: it has run for {self.seconds:g} s\n{stacks.read()}")


class Plugin:
    """Watches every test."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.watch = Watch(seconds)
        if SIGNAL is not None:
            self.watch.begin()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, Any, Any]:
        """From its set-up to its end."""
        self.watch.of_a_test(runs=True)
        try:
            return (yield)
        finally:
            self.watch.of_a_test(runs=False)
