"""The meter of one count: what it will cost is said before it is done."""

from __future__ import annotations

from rollwright.budget import STANDARD_WORK, Budget

LONGEST_NAME = 80


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
