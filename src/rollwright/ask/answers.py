"""Every kind of question with the function that answers it.

And the preview of a roll not made yet, which puts several answers together: its chance, its costs,
the best call, and what one more would be worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rollwright.ask.advice import advise, from_start
from rollwright.ask.curves import axes_of, curve, swept, written
from rollwright.ask.find import find
from rollwright.ask.games import ask, describe
from rollwright.ask.kinds import KINDS, Preview
from rollwright.ask.measures import Aim, costs_in, goals_of, measure_of, names_in, shown_fields
from rollwright.ask.odds import compare, event, known_odds, odds, policy_said
from rollwright.ask.rolls import roll, verify
from rollwright.ask.sensitivity import one_more, sensitivity
from rollwright.ask.subjects import subject_of
from rollwright.budget import Budget
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.pictures.rows import all_numbers

Answer = dict[str, Any]


def preview(question: Preview, budget: Budget) -> Answer:
    """What can be said about a roll before it is made; `parts` says how much is wanted."""
    asked = _Asked(question, budget)
    answer = {
        "title": asked.subject.title,
        "request": asked.subject.plain,
        "policy": policy_said(asked.subject, asked.policy),
        "goals": goals_of(asked.subject),
    }
    if question.vary is not None:
        return answer | {"vary": asked.varied()}
    for part, found in _PARTS.items():
        if question.parts is None or part in question.parts:
            answer |= found(asked)
    return answer


class _Asked:
    """A question about a roll not made yet, with what all parts of its answer have in common."""

    def __init__(self, question: Preview, budget: Budget) -> None:
        self.question = question
        self.budget = budget
        self.subject = subject_of(question)
        if isinstance(self.subject.what, Transcript):
            problem = "a preview is of a roll not made yet"
            raise BadField("transcript", problem, would_do="a request")
        self.policy = question.policy or ""
        goal = question.goal or ""
        self.aim = Aim(self.subject, goal) if self.subject.request is not None else None
        where = question.where or ""
        self.measure = (
            self.aim.measure if self.aim and not where else measure_of(self.subject, where=where)
        )

    def odds(self) -> Answer:
        """The chance of the event, else of success; what has neither success nor mean has none."""
        dist = known_odds(self.subject, self.policy, self.budget)
        names = names_in(tuple(self.question.of or ()), dist)
        measured = self.question.where or self.aim is not None or all_numbers(dist.outcomes)
        return {
            "chance": self.measure.worth_of(dist) if measured else None,
            "fields": shown_fields(dist, names),
            "costs": costs_in(dist),
        }

    def best(self) -> Answer:
        """Best play, where the roll has choices."""
        if self.aim is None:
            return {"best": None}
        found = from_start(self.subject, self.aim, self.budget)
        return {"best": {"goal": self.aim.plain, **found}}

    def more(self) -> Answer:
        """What one more of each number would be worth."""
        names = self.question.more
        found = one_more(self.subject, self.measure, self.policy, self.budget, names)
        return {"more": found}

    def varied(self) -> Answer:
        """A curve or a map."""
        axes = axes_of(self.subject, self.question.axes)
        return written(axes, swept(self.subject, axes, self.policy, self.budget), self.measure)


_PARTS: dict[str, Callable[[_Asked], Answer]] = {
    "odds": _Asked.odds,
    "best": _Asked.best,
    "more": _Asked.more,
}


ANSWERS: dict[str, Callable[[Any, Budget], Answer]] = {
    "describe": describe,
    "odds": odds,
    "event": event,
    "compare": compare,
    "curve": curve,
    "map": curve,
    "advise": advise,
    "preview": preview,
    "roll": roll,
    "find": find,
    "sensitivity": sensitivity,
    "question": ask,
    "verify": verify,
}
"""Each takes the question as `kinds` reads it, and a budget."""


def answer(kind: str, plain: Mapping[str, Any], budget: Budget | None = None) -> Answer:
    """The answer to a question; refusals are raised.

    >>> answer("odds", {"expression": "2d6", "where": "it >= 10"})["chance"]
    '1/6'
    """
    if kind not in ANSWERS:
        raise BadField("ask", "this is no question", would_do=", ".join(ANSWERS))
    return ANSWERS[kind](KINDS[kind].from_plain(plain), budget or Budget())
