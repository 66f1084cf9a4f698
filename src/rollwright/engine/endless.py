"""A bound on how long a roll may take: a rule that goes on for ever is told, not waited for.

Throws and choices are counted. A loop that asks for nothing is interrupted by a signal once it has
worked for some seconds: time that the process itself has worked, so neither a busy machine nor a
debugger makes a difference, and no time in which a policy thinks. Only the first thread of a
process can be interrupted, and not under Windows or in a browser.
"""

from __future__ import annotations

import signal
from types import FrameType

from rollwright.errors import NeverEnds

MOST_ANSWERS = 100_000
"""So many throws and choices one roll may have."""
SECONDS = 3.0
"""So often it is looked at whether a rule has asked for something since it was looked at last."""


class _Late(BaseException):
    """It took too long. No Exception, so that nothing in a rule takes this for its own."""


class EndlessGuard:
    """Around what plays a rule: raises NeverEnds where that works on and asks for nothing."""

    __slots__ = ("_what", "_is_set", "answers", "rests", "seen")

    def __init__(self, what: object) -> None:
        self._what = what
        self._is_set = False
        self.answers = 0
        """How often it has asked for something."""
        self.seen = -1
        """How often it had done so when it was looked at last."""
        self.rests = False
        """Whether it waits for an answer, however long that takes."""

    def __enter__(self) -> None:
        if not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGVTALRM):
            return  # there is none, or it is somebody else's
        try:
            signal.signal(signal.SIGVTALRM, self._look)
        except ValueError:
            return  # this is not the first thread
        self._is_set = True
        _waiting.append(self)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)

    def _look(self, number: int, frame: FrameType | None) -> None:
        if not self.rests and self.seen == self.answers:
            raise _Late
        self.seen = self.answers

    def __exit__(self, kind: object, problem: BaseException | None, _: object) -> None:
        if self._is_set:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
            _waiting.clear()
        if isinstance(problem, _Late):
            raise NeverEnds(
                f"{self._what!r} worked for some seconds, asked for nothing and did not end: write "
                "what ends its loop, or throw dice in it"
            ) from None


_waiting: list[EndlessGuard] = []
"""The bound that the next roll is under: rolls inside that one, as by a policy, are not."""


class AnswerLimit:
    """The requests of one roll: how many, and whether it waits for one."""

    __slots__ = ("_what", "_answers", "_bounded")

    def __init__(self, what: object) -> None:
        self._what = what
        self._answers = 0
        self._bounded = _waiting.pop() if _waiting else None

    def rest(self) -> None:
        """The rule waits for an answer; one that has asked for so many is refused."""
        self._answers += 1
        if self._answers > MOST_ANSWERS:
            raise NeverEnds(
                f"{self._what!r} asked for dice or choices {MOST_ANSWERS:,} times in one roll and "
                "did not end: write what ends it, such as a return in its loop"
            )
        if self._bounded is not None:
            self._bounded.answers, self._bounded.rests = self._answers, True

    def go_on(self) -> None:
        """The rule goes on with its answer."""
        if self._bounded is not None:
            self._bounded.rests = False
