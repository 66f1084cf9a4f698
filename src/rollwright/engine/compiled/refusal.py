"""Why a rule cannot be compiled: at which line, and what to write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rollwright.errors import TooMuchWork

if TYPE_CHECKING:
    from rollwright.engine.compiled.machine import At


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


LOOKED_AT = 2000
"""So many of the last positions are looked at for what makes them many."""


def explain(
    problem: TooMuchWork, why: CannotCompile | None, positions: Sequence[At] = ()
) -> TooMuchWork:
    """Say of a count that was too much which await makes it so, or why it was not compiled."""
    if why is not None:
        hint = f"this rule was followed way by way: {why}"
    elif str(problem.hint).startswith("keep less in local variables"):
        hint = _what_differs(positions[-LOOKED_AT:])
    else:
        hint = ""
    if not hint:
        return problem
    sizes = (problem.estimate, problem.budget)
    return type(problem)(problem.what, *sizes, hint, problem.whole, problem.keeps)


def _what_differs(positions: Sequence[At]) -> str:
    """The await that most positions wait at, and the local variable that makes them so many."""
    places = Counter([at.line for at in positions if at.site is not None])
    if not places:
        return ""
    ((line, _),) = places.most_common(1)
    values: dict[str, set[str]] = {}
    for at in positions:
        if at.line == line and at.site is not None and at.frame is not None:
            for name, value in zip(at.site.names, at.frame[2], strict=True):
                if name[0] != ".":
                    values.setdefault(name, set()).add(repr(value)[:200])
    if not values:
        return f"keep less in local variables across the await in line {line}"
    name = max(values, key=lambda each: len(values[each]))
    return (
        f"most positions wait at the await in line {line}, and {name} is what differs: keep less "
        "in it, such as a sum, a count or sorted dice, or bound how often it is gone round"
    )
