"""Odds as answers: the distribution, a part of it, or the chance of an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.ask.goals import event_of, names_in
from rollwright.ask.numbers import number
from rollwright.ask.subjects import Subject, subject_of
from rollwright.errors import BadField, Refusal
from rollwright.exact.text import digits
from rollwright.pictures.outcomes import fields_in

if TYPE_CHECKING:
    from rollwright.ask.kinds import Event, Odds
    from rollwright.budget import Budget
    from rollwright.exact import Dist

MOST_OUTCOMES = 20_000
MOST_KNOWN = 256


def odds(question: Odds, budget: Budget) -> dict[str, Any]:
    """The exact odds of a roll under a policy; `of` picks fields, `where` an event."""
    subject = subject_of(question)
    policy, where = question.policy or "", question.where or ""
    dist = subject.odds(policy, budget, question.seat or "")
    names = names_in(tuple(question.of or ()), dist)
    if where and not names:
        return chance(subject, policy, dist, where)
    if where:
        dist = where_known(dist, where)
    return written(subject, policy, dist.of(*names) if names else dist, names)


def event(question: Event, budget: Budget) -> dict[str, Any]:
    """The chance of an event, exactly."""
    subject, policy = subject_of(question), question.policy or ""
    dist = subject.odds(policy, budget, question.seat or "")
    return chance(subject, policy, dist, question.where)


def written(
    subject: Subject, policy: str, dist: Dist[Any], names: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Odds as an answer: every outcome with its weight."""
    if len(dist) > MOST_OUTCOMES:
        raise Refusal(
            "too_large",
            f"{len(dist):,} outcomes are more than {MOST_OUTCOMES:,}: ask for some fields with of",
            "of",
        )
    return heading(subject, policy) | {"fields": list(names or fields_in(dist)), **dist.to_json()}


def chance(subject: Subject, policy: str, dist: Dist[Any], where: str) -> dict[str, Any]:
    """The chance of an event as an answer."""
    test = event_of(where, dist)
    found = number(dist.p(test))
    return heading(subject, policy) | {
        "where": where,
        "chance": found["exact"],
        "number": found["number"],
        "weight": digits(dist.weight(test)),
        "total": digits(dist.total),
        "lost": digits(dist.lost),
    }


def heading(subject: Subject, policy: str) -> dict[str, Any]:
    """What was counted, and with which policy."""
    return {"title": subject.title, "policy": policy_said(subject, policy)}


def policy_said(subject: Subject, policy: str) -> str:
    """The policy that was counted with."""
    return policy or (subject.game.default_policy if subject.game is not None else "")


def where_known(dist: Dist[Any], where: str) -> Dist[Any]:
    """The odds where it is known that the event came about."""
    test = event_of(where, dist)
    if not dist.weight(test):
        raise BadField("where", f"{where[:80]!r} never comes about, so nothing follows from it")
    return dist.where(test)


class _Key(NamedTuple):
    what: Any
    policy: str
    game: str


_known_odds: dict[_Key, Dist[Any]] = {}


def known_odds(subject: Subject, policy: str, budget: Budget | None) -> Dist[Any]:
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
