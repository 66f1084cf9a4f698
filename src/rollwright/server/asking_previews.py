"""A roll not made yet: its chance, its costs, the best call, and what one more would be worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rollwright.budget import Budget
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.server.asking_advice import from_start
from rollwright.server.asking_asked import Asked
from rollwright.server.asking_curves import varied
from rollwright.server.asking_more import one_more
from rollwright.server.asking_odds import goals_of, names_of, policy_said
from rollwright.server.asking_subjects import subject_of
from rollwright.server.asking_words import costs_in, shown_fields

PARTS = ("odds", "best", "more")


def preview(question: Mapping[str, Any], budget: Budget) -> dict[str, Any]:
    """What can be said about a roll before it is made; `parts` says how much is wanted."""
    subject = subject_of(question)
    if isinstance(subject.what, Transcript):
        raise BadField("transcript", "a preview is of a roll not made yet", would_do="a request")
    asked = Asked(subject, question, budget)
    answer: dict[str, Any] = {
        "title": subject.title,
        "request": subject.plain,
        "policy": policy_said(subject, asked.policy),
        "goals": goals_of(subject),
    }
    if question.get("vary") is not None:
        return answer | {"vary": varied(asked, question["vary"])}
    for part in _parts(question):
        answer |= _PARTS[part](asked)
    return answer


def _parts(question: Mapping[str, Any]) -> list[str]:
    given = question.get("parts")
    if given is None:
        return list(PARTS)
    if not isinstance(given, list) or not all(part in PARTS for part in given):
        raise BadField("parts", "these are no parts of a preview", would_do=", ".join(PARTS))
    return [part for part in PARTS if part in given]


def _odds_part(asked: Asked) -> dict[str, Any]:
    dist = asked.odds()
    names = names_of(asked.question.get("of"), dist)
    return {
        "chance": asked.measure(dist),
        "fields": shown_fields(dist, names),
        "costs": costs_in(dist),
    }


def _best_part(asked: Asked) -> dict[str, Any]:
    """Best play, where the roll has choices."""
    if asked.aim is None:
        return {"best": None}
    found = from_start(asked.subject, asked.aim, asked.budget)
    return {"best": {"goal": asked.aim.plain, **found}}


_PARTS: dict[str, Any] = {"odds": _odds_part, "best": _best_part, "more": one_more}
