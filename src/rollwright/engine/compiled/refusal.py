"""Why a rule cannot be compiled: at which line, and what to write."""

from __future__ import annotations

from rollwright.errors import TooMuchWork


class CannotCompile(Exception):
    """A function that cannot be cut into blocks: why, at which line, and what to write."""

    def __init__(self, why: str, line: int = 0, remedy: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.line = line
        self.remedy = remedy

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.why}" + (f"; {self.remedy}" if self.remedy else "")


class Learn(BaseException):
    """Something was looked at that is not known of dice: it is noted, and counted again.

    No `except Exception` of a rule may take it for an error of its own.
    """


def explain(problem: TooMuchWork, why: CannotCompile | None) -> TooMuchWork:
    """Say of a count that was too much why its rule was followed way by way, if it was."""
    if why is None:
        return problem
    hint = f"this rule was followed way by way: {why}"
    sizes = (problem.estimate, problem.budget)
    return type(problem)(problem.what, *sizes, hint, problem.whole, problem.keeps)
