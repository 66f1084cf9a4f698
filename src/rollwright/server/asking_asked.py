"""A question about a roll not made yet: what all parts of its answer have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rollwright.budget import Budget
from rollwright.server.asking_odds import Aim, aim_of, event_of, text_of
from rollwright.server.asking_subjects import Subject
from rollwright.server.asking_words import shown, worth

MOST_KNOWN = 256


class Asked:
    """A question about a roll not made yet, with what its answers have in common."""

    def __init__(self, subject: Subject, question: Mapping[str, Any], budget: Budget) -> None:
        self.subject = subject
        self.question = question
        self.budget = budget
        self.policy = text_of(question, "policy")
        self.where = text_of(question, "where")
        goal = text_of(question, "goal")
        self.aim: Aim | None = aim_of(subject, goal) if subject.request is not None else None
        self.more: Any = question.get("more")

    def odds(self) -> Any:
        """The odds of the roll as it is asked about."""
        return known_odds(self.subject, self.policy, self.budget)

    def measure(self, dist: Any) -> dict[str, Any] | None:
        """The chance of the event, else of success; an expression alone has no success."""
        if self.where:
            event = {"where": self.where}
            return worth(dist.p(event_of(self.where, dist)), chance=True) | event
        if self.aim is not None:
            return self.aim.worth_of(dist)
        numbers = shown("", dist).get("mean")
        return None if numbers is None else worth(dist.mean, chance=False)


class _Key(NamedTuple):
    what: Any
    policy: str
    game: str


_known_odds: dict[_Key, Any] = {}


def known_odds(subject: Subject, policy: str, budget: Budget) -> Any:
    """The odds of a roll, remembered: a slider comes back to where it was."""
    if subject.request is None:
        return subject.odds(policy, budget)
    key = _Key(subject.request.call(), policy, subject.request.game)
    found = _known_odds.pop(key, None)
    if found is None:
        found = subject.odds(policy, budget)
    _known_odds[key] = found
    while len(_known_odds) > MOST_KNOWN:
        del _known_odds[next(iter(_known_odds))]
    return found
