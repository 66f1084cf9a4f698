"""Numbers, fields and options as answers show them: exact, as a float, and in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rollwright.cli.saying import percent
from rollwright.exact.fields import field_names
from rollwright.exact.text import digits, value
from rollwright.pictures.distributions import number_said
from rollwright.pictures.rows import all_numbers, is_number, rows_of

MOST_ROWS = 40
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
    above, below = digits(exact.numerator), digits(exact.denominator)
    text = above if exact.denominator == 1 else f"{above}/{below}"
    return {"exact": text, "number": as_float(exact)}


def as_float(exact: Fraction) -> float:
    """The nearest float; beyond the largest, the largest."""
    try:
        return float(exact)
    except OverflowError:
        return 1.7e308 if exact > 0 else -1.7e308


def worth(amount: Any, *, chance: bool) -> dict[str, Any]:
    """What something is worth: a chance in percent, or a number."""
    exact = Fraction(amount)
    said = percent(exact) if chance else number_said(exact)
    return {**number(exact), "said": said, "chance": chance}


def fields_in(dist: Any) -> tuple[str, ...]:
    """The names of the fields that all outcomes have; empty for plain values."""
    example = next(iter(dist))
    return field_names(example) if hasattr(example, "_fields") else ()


def shown_fields(dist: Any, names: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Each field of the outcome with what it can come to, for bars and columns."""
    known = fields_in(dist)
    if not known:
        return [shown("", dist)]
    return [shown(name, dist.of(name)) for name in names or known]


def shown(name: str, dist: Any) -> dict[str, Any]:
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


def kind_of(outcomes: Any) -> str:
    """What the values of a field are: `yes` (or no), `number`, or `word`."""
    if all(isinstance(outcome, bool) for outcome in outcomes):
        return "yes"
    return "number" if all_numbers(outcomes) else "word"


def costs_in(dist: Any) -> list[dict[str, Any]]:
    """What the roll costs on average, and how likely each mishap is; what never happens is left."""
    found = []
    for name in fields_in(dist):
        if name in COSTS and (amount := _cost(dist.of(name))) is not None:
            found.append({"name": name, "title": COSTS[name], **amount})
    return found


def _cost(part: Any) -> dict[str, Any] | None:
    outcomes = part.outcomes
    if all(isinstance(outcome, bool) for outcome in outcomes):
        return worth(part.p(True), chance=True) if True in outcomes else None
    if not all(is_number(outcome) for outcome in outcomes) or outcomes == [0] or outcomes == (0,):
        return None
    once = tuple(outcomes) == (0, 1)  # once or not at all: people want to know how likely
    return worth(part.mean, chance=once)
