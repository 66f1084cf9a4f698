"""Numbers and outcomes as answers show them: exactly, nearly and in words; what a roll costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rollwright.exact import Dist
from rollwright.exact.text import digits, value
from rollwright.pictures.charts import CHANCE, number_said, said
from rollwright.pictures.outcomes import all_numbers, counted_with, fields_in, is_number, rows_of

MOST_ROWS = 40
LARGEST = 1.7e308
MOST_SHOWN_WORDS = 80

COSTS = {
    "stress": "stress",
    "damage": "damage to you",
    "reliability_loss": "reliability lost",
    "jammed": "a jam",
    "broken": "broken gear",
    "rounds_spent": "rounds fired",
    "emptied": "an empty magazine",
    "adrenaline_spent": "Adrenaline spent",
    "botched": "a botch on the way",
    "botches": "botches",
    "luck_used": "Luck spent",
    "glitches": "a Glitch",
    "turn_ends": "the end of the turn",
    "cut_short": "a turn cut short",
    "disabled": "a weapon or tool that fails",
    "harm": "some harm",
    "critical_failures": "critical failures",
    "rerolled": "re-rolls used",
}
"""Outcome fields that somebody pays for, and how they are called."""


def number(value: Any) -> dict[str, Any]:
    """A number exactly, and as near as a float can be.

    >>> number(Fraction(1, 3))
    {'exact': '1/3', 'number': 0.3333333333333333}
    """
    exact = Fraction(value)
    return {"exact": fraction(exact), "number": as_float(exact)}


def fraction(value: Any) -> str:
    """A fraction in full, however long.

    >>> fraction(Fraction(6, 4)), fraction(2)
    ('3/2', '2')
    """
    exact = Fraction(value)
    above, below = digits(exact.numerator), digits(exact.denominator)
    return above if exact.denominator == 1 else f"{above}/{below}"


def as_float(exact: Fraction) -> float:
    """The nearest float; beyond the largest, the largest."""
    try:
        return float(exact)
    except OverflowError:
        return LARGEST if exact > 0 else -LARGEST


def worth(amount: Any, *, chance: bool) -> dict[str, Any]:
    """What something is worth: a chance in percent, or a number.

    >>> worth(Fraction(1, 8), chance=True)
    {'exact': '1/8', 'number': 0.125, 'said': '12.5 %', 'chance': True}
    """
    exact = Fraction(amount)
    return {**number(exact), "said": worth_said(exact, chance), "chance": chance}


def worth_said(value: Fraction, chance: bool) -> str:
    """What something is worth in words: a chance where the goal is one, else a number."""
    return percent(value) if chance else number_said(value)


def percent(share: Any) -> str:
    """A chance as people say it."""
    return said(share, CHANCE)


def shown_fields(dist: Dist[Any], names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Each field of the outcome with what it can come to, for bars and columns."""
    known = fields_in(dist)
    if not known:
        return [shown("", dist)]
    return [shown(name, dist.of(name)) for name in names or known]


def shown(name: str, dist: Dist[Any]) -> dict[str, Any]:
    """One field: its rows in order, and its mean where it is a number."""
    outcomes = dist.outcomes
    about: dict[str, Any] = {
        "name": name,
        "title": name.replace("_", " ") or "result",
        "kind": kind_of(outcomes),
        "rows": [
            {
                "label": row.label[:MOST_SHOWN_WORDS],
                "weight": digits(row.weight),
                "share": row.weight / dist.total,
                **({} if row.first is None else {"first": value(row.first)}),
            }
            for row in rows_of(dist, MOST_ROWS)
        ],
        "total": digits(dist.total),
        "lost": digits(dist.lost),
    }
    if all_numbers(outcomes):
        about["mean"] = number(dist.mean)
        about["low"], about["high"] = value(outcomes[0]), value(outcomes[-1])
    elif about["kind"] == "yes":
        about["chance"] = number(dist.p(True))
    return about


def kind_of(outcomes: Sequence[Any]) -> str:
    """What the values of a field are: `yes` (or no), `number`, or `word`."""
    if all(isinstance(outcome, bool) for outcome in outcomes):
        return "yes"
    return "number" if all_numbers(outcomes) else "word"


def costs_in(dist: Dist[Any]) -> list[dict[str, Any]]:
    """What the roll costs on average, and how likely each mishap is; what never happens is left."""
    found = []
    for name in fields_in(dist):
        if name in COSTS and (amount := _cost(dist.of(name))) is not None:
            found.append({"name": name, "title": COSTS[name], **amount})
    return found


def _cost(part: Dist[Any]) -> dict[str, Any] | None:
    outcomes = tuple(part.outcomes)
    if all(isinstance(outcome, bool) for outcome in outcomes):
        return worth(part.p(True), chance=True) if True in outcomes else None
    if not all(is_number(outcome) for outcome in outcomes) or outcomes == (0,):
        return None
    once = outcomes == (0, 1)  # once or not at all: people want to know how likely
    return worth(part.mean, chance=once)


def uncounted_said(outcome: Any, names: Sequence[str]) -> str:
    """The fields that were left out, each with the option that would have them counted."""
    needs = counted_with(outcome)
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(needs.get(name, ""), []).append(name)
    return ", ".join(
        ", ".join(alike) + (f" (give --{need.replace('_', '-')})" if need else "")
        for need, alike in groups.items()
    )
