"""A transcript read back roll by roll: faces, what they came to, and what Luck did."""

from __future__ import annotations

from typing import Any, NamedTuple

from rollwright.engine.transcript import Chosen, Transcript
from rollwright.games.ghostburn.outcomes import Check
from rollwright.games.ghostburn.requests import Attempt, Roll, Session, task_of
from rollwright.games.ghostburn.rules import Task, luck_uses, reading
from rollwright.kit import Request
from rollwright.rules import Choice


class Told(NamedTuple):
    """One roll of a transcript."""

    attempt: Attempt
    task: Task
    faces: tuple[int, ...]
    first: Check
    """What the dice came to before Luck."""
    use: str = ""
    """What was done with Luck; empty where nobody could choose or nobody has chosen yet."""
    is_open: bool = False
    """Whether the use of Luck is still to be chosen."""

    @property
    def final(self) -> Check:
        """What the roll came to, or comes to if Luck is kept."""
        return self.uses.get(self.use, self.first)

    @property
    def uses(self) -> dict[str, Check]:
        """What each legal use of Luck makes of the roll."""
        return luck_uses(sum(self.faces), self.task)


def attempts_of(request: Request) -> tuple[Attempt, ...]:
    """What is rolled for, in order."""
    if isinstance(request, Session):
        return request.rolls
    assert isinstance(request, Roll)
    return (request,)


def told_rolls(request: Any, transcript: Transcript) -> tuple[Told, ...]:
    """Every roll that has been thrown so far."""
    told: list[Told] = []
    for entry in transcript.entries:
        if isinstance(entry, Chosen):
            told[-1] = told[-1]._replace(use=entry.option)
        else:
            attempt = attempts_of(request)[len(told)]
            task = task_of(attempt, request.house)
            told.append(Told(attempt, task, entry.faces, reading(sum(entry.faces), task)))
    if told and type(transcript.step) is Choice:
        told[-1] = told[-1]._replace(is_open=True)
    return tuple(told)
