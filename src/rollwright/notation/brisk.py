"""The budget an expression has unless told otherwise: an answer or a refusal in a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rollwright.budget import Budget

STANDARD_WORK = 1_500_000
"""Steps of about 50 nanoseconds each."""

RANKS = 10
"""What a step of keeping and dropping takes, in steps of adding up."""
PAIRS = 8
"""What a pair of two results takes, in steps of adding up."""


class Brisk(Budget):
    """A budget in time: steps that take longer count for more."""

    __slots__ = ("rate",)

    def __init__(self, work: int = STANDARD_WORK) -> None:
        super().__init__(work)
        self.rate = 1

    def spend(self, steps: int, what: str = "this count", hint: str = "") -> None:
        """Take `steps` at the present rate, or refuse."""
        super().spend(steps * self.rate, what, hint)


@contextmanager
def at_rate(budget: Budget, rate: int) -> Iterator[None]:
    """Count every step for more for a while; a budget given by somebody else counts as it does."""
    if not isinstance(budget, Brisk):
        yield
        return
    before, budget.rate = budget.rate, rate
    try:
        yield
    finally:
        budget.rate = before
