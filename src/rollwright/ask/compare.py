"""Several rolls side by side: each one's odds, and how it does against the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.ask.goals import measure_of, names_in
from rollwright.ask.numbers import number
from rollwright.ask.odds import heading
from rollwright.ask.outcomes import shown_fields
from rollwright.ask.subjects import Subject, subject_of
from rollwright.errors import BadField
from rollwright.pictures.rows import all_numbers

if TYPE_CHECKING:
    from rollwright.ask.kinds import Compare, Compared
    from rollwright.budget import Budget
    from rollwright.exact import Dist


def compare(question: Compare, budget: Budget) -> dict[str, Any]:
    """Several rolls side by side: each one's odds, and how it does against the others."""
    rolls = [_counted(roll, place, question, budget) for place, roll in enumerate(question.rolls)]
    names = [roll.name for roll in rolls]
    if len(set(names)) < len(names):
        rolls = [
            roll._replace(name=f"{roll.name} ({number})")
            for number, roll in enumerate(rolls, start=1)
        ]
    return compared(rolls, tuple(question.of or ()), question.where or "", question.goal or "")


class Counted(NamedTuple):
    """One of several rolls, counted."""

    name: str
    subject: Subject
    policy: str
    dist: Dist[Any]


def _counted(roll: Compared, place: int, question: Compare, budget: Budget) -> Counted:
    try:
        subject = subject_of(roll)
    except BadField as problem:
        raise problem.inside(f"rolls[{place}]") from None
    policy = roll.policy or question.policy or ""
    return Counted(roll.name or subject.title, subject, policy, subject.odds(policy, budget))


def compared(
    rolls: list[Counted], of: tuple[str, ...] = (), where: str = "", goal: str = ""
) -> dict[str, Any]:
    """Rolls that were counted, as the answer to a comparison."""
    shown = [
        {
            "name": roll.name,
            **heading(roll.subject, roll.policy),
            "chance": _success(roll, where, goal),
            "fields": shown_fields(roll.dist, names_in(of, roll.dist)),
        }
        for roll in rolls
    ]
    parts = {roll.name: roll.dist.of(*of) if of else roll.dist for roll in rolls}
    return {
        "rolls": shown,
        "duels": [
            {"first": one, "second": other, **{k: number(v) for k, v in duel._asdict().items()}}
            for one, other, duel in duels(parts)
        ],
    }


def _success(roll: Counted, where: str, goal: str) -> dict[str, Any] | None:
    """The chance of the event asked about, or of what the game calls a success."""
    if not where and roll.subject.request is None:
        return None
    return measure_of(roll.subject, where=where, goal=goal).worth_of(roll.dist)


def duels(dists: Mapping[str, Dist[Any]]) -> list[tuple[str, str, Any]]:
    """How each does against each that comes after it, where all are numbers."""
    if not all(all_numbers(dist.outcomes) for dist in dists.values()):
        return []
    names = list(dists)
    return [
        (one, other, dists[one].compare(dists[other]))
        for place, one in enumerate(names)
        for other in names[place + 1 :]
    ]
