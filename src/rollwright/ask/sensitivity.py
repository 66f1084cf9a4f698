"""Sensitivity: every field one down and one up, every house rule switched, and what moves most."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.ask.axes import Axis, axes
from rollwright.ask.curves import changed
from rollwright.ask.goals import Measure, measure_of
from rollwright.ask.numbers import number, worth, worth_said
from rollwright.ask.odds import known_odds, policy_said
from rollwright.ask.subjects import Expression, Subject, subject_of
from rollwright.budget import Budget
from rollwright.errors import BadField, Cancelled, RollwrightError
from rollwright.pictures.distributions import number_said
from rollwright.pictures.rows import value_said

if TYPE_CHECKING:
    from rollwright.ask.kinds import Sensitivity

MOST_AXES = 80
POINTS = "percentage points"


class Move(NamedTuple):
    """One thing set otherwise, and what the roll is worth then; or why it cannot be."""

    axis: Axis
    to: Any
    worth: Fraction | None
    problem: str = ""


def sensitivity(question: Sensitivity, budget: Budget) -> dict[str, Any]:
    """Everything that can be moved, ranked by what it does to the roll."""
    subject, policy = subject_of(question), question.policy or ""
    if subject.what is not subject.request and not isinstance(subject.what, Expression):
        raise BadField(
            "transcript", "a roll in progress stays as it is", would_do="a request or dice"
        )
    measure = measure_of(
        subject, where=question.where or "", of=question.of or "", goal=question.goal or ""
    )
    dist = known_odds(subject, policy, budget)
    base, chance = measure.of(dist), measure.is_chance(dist)
    moved = [
        (axis, [_moved(subject, axis, to, policy, measure, budget) for to in _others(axis)])
        for axis in list(_axes(subject))[:MOST_AXES]
    ]
    rows = [_row(axis, moves, base, chance=chance) for axis, moves in moved if moves]
    return {
        "title": subject.title,
        "policy": policy_said(subject, policy),
        "measure": {"title": measure.title, **measure.plain},
        "now": worth(base, chance=chance),
        "unit": POINTS if chance else "",
        "rows": sorted(rows, key=lambda row: -row["most"]["number"]),
    }


def _axes(subject: Subject) -> Iterator[Axis]:
    """What can be moved: the fields and house rules of a request, the numbers in dice."""
    if subject.request is not None:
        yield from axes(subject.request)
    elif isinstance(subject.what, Expression):
        for name, value in subject.what.variables.items():
            if isinstance(value, int):
                yield Axis(name, f"@{name}", (value - 1, value, value + 1), value)


def _others(axis: Axis) -> tuple[Any, ...]:
    """What it is set to: a neighbour, or of a house rule whatever else it can be read as."""
    if axis.is_house_rule and not isinstance(axis.now, int):
        return tuple(value for value in axis.values if value != axis.now)
    return tuple(value for _, value in axis.neighbours)


def _moved(
    subject: Subject, axis: Axis, to: Any, policy: str, measure: Measure, budget: Budget
) -> Move:
    try:
        dist = known_odds(changed(subject, {axis.name: to}), policy, budget)
        return Move(axis, to, measure.of(dist))
    except Cancelled:
        raise
    except RollwrightError as problem:
        return Move(axis, to, None, str(problem))


def _row(axis: Axis, moves: list[Move], base: Fraction, *, chance: bool) -> dict[str, Any]:
    changes = [abs(move.worth - base) for move in moves if move.worth is not None]
    return {
        "field": axis.name,
        "title": axis.title,
        "house": axis.is_house_rule,
        "now": axis.now,
        "said": value_said(axis.now),
        "most": number(max(changes, default=Fraction(0))),
        "moves": [_move(move, base, chance=chance) for move in moves],
    }


def _move(move: Move, base: Fraction, *, chance: bool) -> dict[str, Any]:
    plain = {"to": move.to, "said": value_said(move.to)}
    if move.worth is None:
        return {**plain, "problem": move.problem}
    change = move.worth - base
    return {
        **plain,
        "worth": worth(move.worth, chance=chance),
        "change": {**number(change), "said": change_said(change, chance=chance)},
    }


def change_said(change: Fraction, *, chance: bool) -> str:
    """A difference with its sign; of chances in percentage points.

    >>> change_said(Fraction(-1, 8), chance=True), change_said(Fraction(0), chance=False)
    ('−12.5', '±0')
    """
    sign = "+" if change > 0 else "−" if change < 0 else "±"
    amount = abs(change)
    return f"{sign}{worth_said(amount, True).removesuffix(' %') if chance else number_said(amount)}"
