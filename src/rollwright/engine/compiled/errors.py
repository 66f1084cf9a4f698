"""Why a rule cannot be compiled: at which line, and what to write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

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


CHAIN = "following a chain of rules"
LOOKED_AT = 2000
"""So many of the last positions are looked at for what makes them many."""


def explain(
    problem: TooMuchWork, why: CannotCompile | None, positions: Sequence[At] = ()
) -> TooMuchWork:
    """Say of a count that was too much which await makes it so, or why it was not compiled."""
    what = problem.what
    if why is not None:
        hint = f"this rule was followed way by way: {why}"
    elif what == CHAIN and len(positions) >= LOOKED_AT:
        hint, what = _what_differs(positions[-LOOKED_AT:]), "following this rule"
    elif str(problem.hint).startswith("keep less in local variables"):
        hint = _what_differs(positions[-LOOKED_AT:])
    else:
        hint = ""
    if not hint:
        return problem
    sizes = (problem.estimate, problem.budget)
    return type(problem)(what, *sizes, hint, problem.whole, problem.keeps)


def _what_differs(positions: Sequence[At]) -> str:
    """The await that most positions wait at, and the local variable that makes them so many.

    It may be one of a function that waits for what is awaited there, or a part of an object.
    """
    places = Counter([at.line for at in positions if at.site is not None])
    if not places:
        return ""
    ((line, _),) = places.most_common(1)
    values: dict[tuple[int, str], set[str]] = {}
    kinds: dict[str, Any] = {}
    loops = False
    for at in positions:
        frame, depth = at.frame if at.line == line else None, 0
        while frame is not None:
            machine, number, live, frame = frame
            site = machine.program.sites[number]
            loops = loops or site.grows
            for name, value in _name_values(site.names, live):
                values.setdefault((depth, name), set()).add(_abbreviate(value))
                kinds[name] = value
            depth += 1
    if not values:
        return f"keep less in local variables across the await in line {line}"
    _, name = max(values, key=lambda each: (len(values[each]), each))
    return (
        f"most positions wait at the await in line {line}, and {name} is what differs: "
        f"{_less_of(name, kinds[name])}{', or bound how often it is gone round' if loops else ''}"
    )


LISTED = "the list that is made there"


def _less_of(name: str, value: Any) -> str:
    """Return what to keep instead of a value of which there are too many."""
    if type(value).__name__ in ("Hand", "PartialHand"):
        return f"ask it before that what matters, such as {name}.sum or {name}.count(6)"
    if name == LISTED:
        return "keep a sum or a count in its place, in a loop"
    if isinstance(value, (list, tuple)):
        return (
            "keep less in it, such as a sum or a count, or keep it sorted if its order does not "
            "matter"
        )
    if isinstance(value, dict):
        return "keep less in it, such as how many are alike in the place of each by its name"
    return "keep less in it, such as whether it is enough by now, or round it"


def _name_values(names: Sequence[str], live: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield local variables with their names, of an object each of its attributes."""
    for name, value in zip(names, live, strict=True):
        if name[0] == ".":  # of a comprehension, or what a loop goes over
            if type(value) is list:
                yield LISTED, value
            continue
        state = None if _is_unseen(value) else getattr(value, "__dict__", None)
        if not state or isinstance(value, type) or callable(value):
            yield name, value
        else:
            yield from [(f"{name}.{each}", part) for each, part in state.items()]


def _is_unseen(value: Any) -> bool:
    """Whether it is a hand or a number that nobody has looked at."""
    return type(value).__module__.startswith("rollwright.engine.compiled.")


def _abbreviate(value: Any) -> str:
    """A value in few letters; what nobody has looked at is not looked at here either."""
    if not _is_unseen(value):
        return repr(value)[:200]
    return str(value.describe()) if type(value).__name__ == "PartialHand" else type(value).__name__
