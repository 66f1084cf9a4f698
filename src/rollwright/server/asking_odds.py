"""Odds as answers: the distribution, a part of it, the chance of an event, several compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rollwright.budget import Budget
from rollwright.errors import BadField
from rollwright.exact.text import digits
from rollwright.server.asking_subjects import Subject, subject_of
from rollwright.server.asking_words import fields_in, number, shown_fields, worth
from rollwright.table.refusals import Refusal

MOST_OUTCOMES = 20_000
MOST_COMPARED = 8


def odds(question: Mapping[str, Any], budget: Budget) -> dict[str, Any]:
    """The exact odds of a roll under a policy; `of` picks fields, `where` an event."""
    subject = subject_of(question)
    policy = text_of(question, "policy")
    dist = subject.odds(policy, budget, text_of(question, "seat"))
    names = names_of(question.get("of"), dist)
    where = text_of(question, "where")
    head = {"title": subject.title, "policy": policy_said(subject, policy)}
    if where and not names:
        return head | chance_of(dist, where)
    if where:
        dist = _given(dist, where)
    if names:
        dist = dist.of(*names)
    return head | {"fields": list(names or fields_in(dist))} | written(dist)


def compare(question: Mapping[str, Any], budget: Budget) -> dict[str, Any]:
    """Several rolls side by side: each one's odds, and how it does against the others."""
    rolls = question.get("rolls")
    if not isinstance(rolls, list) or not 2 <= len(rolls) <= MOST_COMPARED:
        raise BadField("rolls", "this cannot be compared", would_do=f"2 to {MOST_COMPARED} rolls")
    parts = [_compared(roll, number, question, budget) for number, roll in enumerate(rolls)]
    names = [part[0] for part in parts]
    if len(set(names)) < len(names):
        names = [f"{name} ({n})" for n, name in enumerate(names, start=1)]
    return {
        "rolls": [{"name": name, **part[1]} for name, part in zip(names, parts)],
        "duels": _duels(dict(zip(names, (part[2] for part in parts)))),
    }


def _compared(
    roll: Any, place: int, question: Mapping[str, Any], budget: Budget
) -> tuple[str, dict[str, Any], Any]:
    if not isinstance(roll, dict):
        raise BadField(f"rolls[{place}]", "this is no roll", would_do='{"expression": "2d6"}')
    try:
        subject = subject_of(roll)
    except BadField as problem:
        raise problem.inside(f"rolls[{place}]") from None
    policy = text_of(roll, "policy") or text_of(question, "policy")
    dist = subject.odds(policy, budget)
    shown: dict[str, Any] = {
        "title": subject.title,
        "policy": policy_said(subject, policy),
        "chance": _success(subject, dist, question),
        "fields": shown_fields(dist, names_of(question.get("of"), dist)),
    }
    part = dist
    if names := names_of(question.get("of"), dist):
        part = dist.of(*names)
    return text_of(roll, "name") or subject.title, shown, part


def _success(subject: Subject, dist: Any, question: Mapping[str, Any]) -> dict[str, Any] | None:
    """The chance of the event asked about, or of what the game calls a success."""
    where = text_of(question, "where")
    if where:
        return worth(dist.p(event_of(where, dist)), chance=True)
    if subject.request is None:
        return None
    return aim_of(subject, text_of(question, "goal")).worth_of(dist)


def _duels(dists: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How each does against each that comes after it, where all are numbers."""
    from rollwright.pictures.rows import all_numbers

    if not all(all_numbers(dist.outcomes) for dist in dists.values()):
        return []
    names = list(dists)
    duels = []
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            duel = dists[one].compare(dists[other])
            chances = {name: number(chance) for name, chance in duel._asdict().items()}
            duels.append({"first": one, "second": other, **chances})
    return duels


class Aim:
    """What somebody wants of a roll: a goal by name, its words, and what outcomes are worth."""

    def __init__(self, subject: Subject, name: str) -> None:
        if subject.game is None or subject.request is None:
            raise BadField("goal", "only the rolls of a game have goals", would_do="none")
        self.name = name or subject.game.default_goal
        self.goal = subject.game.goal(name, subject.request)
        known = subject.game.goals.get(self.name)
        self.title = known.title if known is not None else self.name

    @property
    def plain(self) -> dict[str, str]:
        """The goal as JSON data."""
        return {"name": self.name, "title": self.title}

    def is_chance(self, dist: Any) -> bool:
        """Whether the goal only says yes or no, so that its worth is a chance."""
        return all(self.goal(outcome) in (0, 1) for outcome in dist)

    def mean(self, dist: Any) -> Any:
        """What the odds are worth on average."""
        from rollwright.engine.best.solver import exact_number

        return dist.map(lambda outcome: exact_number(self.goal(outcome))).mean

    def worth_of(self, dist: Any) -> dict[str, Any]:
        """What the odds are worth, with the goal it is measured by."""
        chance = self.is_chance(dist)
        return worth(self.mean(dist), chance=chance) | {"goal": self.plain}


def aim_of(subject: Subject, name: str) -> Aim:
    """The goal of that name, or the game's own idea of success."""
    return Aim(subject, name)


def goals_of(subject: Subject) -> list[dict[str, Any]]:
    """The goals that go with a roll, in plain words."""
    game = subject.game
    if game is None or subject.request is None:
        return []
    return [
        {"name": name, "title": goal.title, "default": name == game.default_goal}
        for name, goal in game.goals.items()
        if not goal.rolls or subject.request.roll in goal.rolls
    ]


def written(dist: Any) -> dict[str, Any]:
    """A distribution as `rollwright odds --json` gives it."""
    if len(dist) > MOST_OUTCOMES:
        raise Refusal(
            "too_large",
            f"{len(dist):,} outcomes are more than {MOST_OUTCOMES:,}: ask for some fields with of",
            "of",
        )
    return dict(dist.to_json())


def chance_of(dist: Any, where: str) -> dict[str, Any]:
    """The chance of an event, exactly."""
    test = event_of(where, dist)
    return {
        "where": where,
        "chance": number(dist.p(test))["exact"],
        "number": number(dist.p(test))["number"],
        "weight": digits(dist.weight(test)),
        "total": digits(dist.total),
        "lost": digits(dist.lost),
    }


def event_of(where: str, dist: Any) -> Any:
    """The test of outcomes that a text asks for."""
    from rollwright.cli.events import event

    return event(where, fields_in(dist))


def _given(dist: Any, where: str) -> Any:
    """The odds where it is known that the event came about."""
    test = event_of(where, dist)
    if not dist.weight(test):
        raise BadField("where", f"{where[:80]!r} never comes about, so nothing follows from it")
    return dist.where(test)


def names_of(of: Any, dist: Any) -> tuple[str, ...]:
    """The fields that `of` names: a list, or one text with commas."""
    if of is None:
        return ()
    if isinstance(of, str):
        of = of.split(",")
    if not isinstance(of, list) or not all(isinstance(name, str) for name in of):
        raise BadField("of", "these are no names of fields", would_do='["hit", "jammed"]')
    names = tuple(name.strip().replace("-", "_") for name in of if name.strip())
    known = fields_in(dist)
    if names and not known:
        raise BadField("of", "this outcome is one value and has no fields", would_do="none")
    for name in names:
        if name not in known:
            from rollwright.errors import UnknownName

            raise UnknownName("outcome field of", name, known)
    return names


def policy_said(subject: Subject, policy: str) -> str:
    """The policy that was counted with."""
    return policy or (subject.game.default_policy if subject.game is not None else "")


def text_of(question: Mapping[str, Any], name: str) -> str:
    """A text of the question; empty where there is none."""
    value = question.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > 2000:
        raise BadField(name, "this is no text, or too long a one")
    return value
