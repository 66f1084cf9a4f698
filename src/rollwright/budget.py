"""The work budget: what a count will cost is said before it is done, and the sum is metered."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from itertools import islice
from sys import getsizeof
from typing import Self

from rollwright.errors import Cancelled, TooMuchWork
from rollwright.i18n.messages import Message

STANDARD_WORK = 50_000_000
"""Steps a count may take by default: a few seconds on an ordinary machine."""

ROOM = 4
"""Bytes that may be kept for each step of an allowance: 200 MB with the standard one."""
MOST_ROOM = 2**30
"""Bytes that a count may keep, however much work it is allowed."""
SMALL_ROOM = 1_000_000
"""Bytes that are always there."""

REPORT_EVERY = 200_000
SAMPLED = 16
"""One state in so many is measured; those around it are about as large."""
LONGEST_NAME = 80


class Budget:
    """An allowance of work, spent as a count goes on.

    One step is about one turn of an inner loop. `progress` is called with the steps spent so far
    now and then; a count in another thread is stopped with `cancel()`.

    What is kept until the count is done has a bound too: `room`, in bytes, which grows with the
    allowance where nobody says it.

    What is counted inside `with budget:` without a budget of its own is counted on this one.
    """

    __slots__ = (
        "work",
        "room",
        "spent",
        "kept",
        "progress",
        "_stopped",
        "_reported",
        "_entered",
        "_states",
        "_state_size",
    )

    def __init__(
        self,
        work: int = STANDARD_WORK,
        room: int | None = None,
        *,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self.work = work
        self.room = min(ROOM * work, MOST_ROOM) if room is None else room
        self.spent = 0
        self.kept = 0
        """About so many bytes have been noted as kept."""
        self.progress = progress
        self._stopped = False
        self._reported = 0
        self._entered: list[Token[Budget | None]] = []
        self._states = 0
        self._state_size = 0

    @staticmethod
    def current() -> Budget | None:
        """The budget that is being worked within, if there is one."""
        return _within.get()

    @staticmethod
    def default() -> Budget:
        """The budget that is being worked within; without any, a standard one."""
        return _within.get() or Budget()

    def __enter__(self) -> Self:
        self._entered.append(_within.set(self))
        return self

    def __exit__(self, *problem: object) -> None:
        _within.reset(self._entered.pop())

    def spend(self, steps: int, what: str = "this count", hint: str = "") -> None:
        """Take `steps` from the allowance before doing them, or refuse."""
        if self._stopped:
            raise Cancelled(f"{what} was cancelled after {self.spent:,} steps of work")
        if steps > self.work - self.spent:
            self.expect(steps, what, hint)
        self.spent += steps
        if self.progress is not None and self.spent - self._reported >= REPORT_EVERY:
            self._reported = self.spent
            self.progress(self.spent)

    def has_room(self, steps: int, size: int) -> bool:
        """Whether so many steps are left, and room for about so many bytes."""
        return steps <= self.work - self.spent and self.kept + size <= self.room

    def expect(
        self, steps: int, what: Message | str = "this count", hint: Message | str = ""
    ) -> None:
        """Refuse what will take `steps` at the least, where so many are not left."""
        left = self.work - self.spent
        if steps > left:
            raise TooMuchWork(what, steps, left, hint, self.work)

    def keep(self, size: int, what: str = "this count", hint: str = "") -> None:
        """Note about so many bytes that stay until the count is done, or refuse."""
        self.kept += size
        self.expect_room(0, what, hint)

    def keep_states(self, state: object, number: int, each: int, what: str, hint: str = "") -> None:
        """Note so many states of a rule, of about this size, and what is kept beside each."""
        if not self._states % SAMPLED:
            self._state_size = bytes_of(state)
        self._states += 1
        self.kept += number * (each + self._state_size)
        if self.kept > self.room:
            self.expect_room(0, what, hint)

    def expect_room(self, size: int, what: str = "this count", hint: str = "") -> None:
        """Refuse what will keep about so many bytes more, where there is no room for them."""
        if self.kept + size > self.room:
            estimate = (self.kept + size) // ROOM
            raise TooMuchWork(what, estimate, self.work, hint, self.work, keeps=True)

    def cancel(self) -> None:
        """Stop whatever is being counted on this budget, from any thread."""
        self._stopped = True

    def __repr__(self) -> str:
        return f"Budget({self.spent:,} of {self.work:,} steps spent)"


class Work:
    """A budget together with the words for what is being counted on it; None is a standard one.

    The words are put together only when they are needed, because naming a pool can take longer
    than counting it.
    """

    __slots__ = ("budget", "hint", "left", "subject", "verb")

    def __init__(self, budget: Budget | None, verb: str, subject: object, hint: str = "") -> None:
        self.budget = budget
        self.verb = verb
        self.subject = subject
        self.hint = hint
        self.left = STANDARD_WORK

    def spend(self, steps: float) -> None:
        """Take `steps` from the budget, or refuse in the name of this count."""
        budget = self.budget
        if budget is None:
            self.left -= int(steps)
            if self.left < 0:
                Budget(self.left + int(steps)).spend(int(steps), self.name(), self.hint)
        elif steps <= budget.work - budget.spent:
            budget.spend(int(steps))
        else:
            budget.spend(int(steps), self.name(), self.hint)

    def expect_room(self, size: int) -> None:
        """Refuse what will take about so many bytes, where there is no room for them."""
        if size > SMALL_ROOM:
            budget = self.budget or Budget()
            if not budget.has_room(0, size):
                budget.expect_room(size, self.name(), self.hint)

    def name(self) -> str:
        """Return the subject of the count, as an error names it."""
        subject = repr(self.subject)
        if len(subject) > LONGEST_NAME:
            subject = subject[:LONGEST_NAME] + "…"
        return f"{self.verb} {subject}"


def bytes_of(value: object, depth: int = 4) -> int:
    """About how many bytes a value takes that is kept in a count, with what is in it.

    >>> bytes_of(5), bytes_of((5,) * 1000)
    (0, 8040)
    """
    if isinstance(value, int) and issubclass(type(value), int):  # not what stands for a number
        return value.bit_length() // 8 if value.bit_length() < 9 else getsizeof(value)
    size = getsizeof(value)
    if depth and isinstance(value, (tuple, frozenset)):
        few = [*islice(value, FEW)]
        size += sum([bytes_of(part, depth - 1) for part in few]) * len(value) // (len(few) or 1)
    return size


FEW = 100
"""Places of a long tuple that are looked at."""


_within: ContextVar[Budget | None] = ContextVar("within", default=None)
