"""Counting with rules compiled from the start, with merging on or off, and nothing replayed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rollwright.budget import Budget
from rollwright.engine.best.solver import solve_with
from rollwright.engine.best.trees import TreeBuilder
from rollwright.engine.odds.count import RuleCounter
from rollwright.engine.replay import RuleStart
from rollwright.engine.steps import Call


def compiled_odds(
    call: Call[Any],
    policy: Callable[[Any], Any] | None = None,
    *,
    merges: bool = True,
    learns: bool = True,
) -> dict[tuple[type, str], Fraction]:
    """The chance of each outcome, by its type and how it is written."""
    counter = RuleCounter(policy, Budget())
    counter.compiling.wanted.add(call.rule)
    counter.compiling.merges = merges
    counter.compiling.learns = learns
    found = counter.flow((RuleStart(call),))
    assert counter.compiling.refusal is None, counter.compiling.refusal
    weights: dict[tuple[type, str], Fraction] = {}
    for outcome, weight in found.outcomes.items():
        name = (type(outcome), repr(outcome))
        weights[name] = weights.get(name, Fraction(0)) + Fraction(weight, found.total)
    return weights


def compiled_value(
    call: Call[Any],
    goal: Callable[[Any], Any],
    against: str = "",
    *,
    merges: bool = True,
    learns: bool = True,
    runs: bool = False,
) -> Fraction:
    """What best play is worth."""
    grower = TreeBuilder({}, Budget())
    grower.runs = runs
    grower.compiling.wanted.add(call.rule)
    grower.compiling.merges = merges
    grower.compiling.learns = learns
    value = (
        solve_with(grower, (RuleStart(call),), goal, [against] if against else []).advice().value
    )
    assert grower.compiling.refusal is None
    return value
