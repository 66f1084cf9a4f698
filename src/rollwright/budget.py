"""The work budget: what a count will cost is said before it is done, and the sum is metered."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Self

from rollwright.errors import Cancelled, TooMuchWork
from rollwright.words.messages import Message

STANDARD_WORK = 50_000_000
"""Steps a count may take unless told otherwise: a few seconds on an ordinary machine."""

REPORT_EVERY = 200_000
LONGEST_NAME = 80


class Budget:
    """An allowance of work, spent as a count goes on.

    One step is about one turn of an inner loop. `progress` is called with the steps spent so far
    now and then; a count in another thread is stopped with `cancel()`.

    What is counted inside `with budget:` without a budget of its own is counted on this one.
    """

    __slots__ = ("work", "spent", "progress", "_stopped", "_reported", "_entered")

    def __init__(
        self, work: int = STANDARD_WORK, *, progress: Callable[[int], object] | None = None
    ) -> None:
        self.work = work
        self.spent = 0
        self.progress = progress
        self._stopped = False
        self._reported = 0
        self._entered: list[Token[Budget | None]] = []

    @staticmethod
    def around() -> Budget | None:
        """The budget that is being worked within, if there is one."""
        return _within.get()

    @staticmethod
    def usual() -> Budget:
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

    def expect(
        self, steps: int, what: Message | str = "this count", hint: Message | str = ""
    ) -> None:
        """Refuse what will take `steps` at the least, where so many are not left."""
        left = self.work - self.spent
        if steps > left:
            raise TooMuchWork(what, steps, left, hint, self.work)

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

    def name(self) -> str:
        """What is being counted, as said in a refusal."""
        subject = repr(self.subject)
        if len(subject) > LONGEST_NAME:
            subject = subject[:LONGEST_NAME] + "…"
        return f"{self.verb} {subject}"


_within: ContextVar[Budget | None] = ContextVar("within", default=None)
