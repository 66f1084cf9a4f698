"""Odds by brute force: every face of every die, one after the other, with nothing lumped."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from rollwright.engine.position import Position
from rollwright.engine.replay import Done
from rollwright.engine.steps import LookStep
from rollwright.rules import Choice


def slow_odds(call: Any, decide: Callable[[Any], Any] | None = None) -> dict[Any, Fraction]:
    """The odds of a rule through `Position.then` with raw faces; `decide` chooses by position."""
    found: dict[Any, Fraction] = {}
    waiting = [(Position(call), Fraction(1))]
    while waiting:
        position, chance = waiting.pop()
        step = position.step
        if type(step) is Done:
            found[step.outcome] = found.get(step.outcome, Fraction(0)) + chance
        elif type(step) is Choice:
            assert decide is not None
            waiting.append((position.then(decide(position)), chance))
        else:
            assert type(step) is not LookStep
            for faces in product(*(list(die.items) for die in step.pool.dice)):
                share = chance
                for (_, weight), die in zip(faces, step.pool.dice, strict=True):
                    share *= Fraction(weight, die.total)
                waiting.append((position.then([face for face, _ in faces]), share))
    return found


def fractions(dist: Any) -> dict[Any, Fraction]:
    """A Dist as outcome: chance."""
    return {outcome: Fraction(weight, dist.total) for outcome, weight in dist.items()}


def slow_best(position: Position, goal: Callable[[Any], Any]) -> Fraction:
    """The value of best play where everybody sees everything, by plain recursion."""
    step = position.step
    if type(step) is Done:
        return Fraction(goal(step.outcome))
    if type(step) is Choice:
        return max(slow_best(position.then(option), goal) for option in step.options)
    value = Fraction(0)
    for faces in product(*(list(die.items) for die in step.pool.dice)):
        share = Fraction(1)
        for (_, weight), die in zip(faces, step.pool.dice, strict=True):
            share *= Fraction(weight, die.total)
        value += share * slow_best(position.then([face for face, _ in faces]), goal)
    return value
