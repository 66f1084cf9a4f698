"""Brute force: every way through a coroutine, each run from the start, nothing merged.

It knows nothing of how the engine follows rules: faces are listed one by one, dice by dice.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from rollwright.engine.steps import Call, Choice, RollStep, ThrowStep
from rollwright.hands import read_hand

Goal = Callable[[Any], Any]


class Leaf(Exception):
    """The outcome of one way."""


def run(call: Call[Any], answers: list[Any]) -> Any:
    """What a rule asks for after these answers, or a Leaf with its outcome."""
    coroutine = call.rule.begin(call.args)
    stack = [coroutine]
    value: Any = None
    given = iter(answers)
    while True:
        try:
            asked = stack[-1].send(value)
        except StopIteration as stop:
            stack.pop()
            asked = stop.value
            if type(asked) is Call:
                stack.append(asked.begin())
                value = None
                continue
            if not isinstance(asked, (Choice, ThrowStep)):
                if not stack:
                    for each in stack:
                        each.close()
                    raise Leaf(asked) from None
                value = asked
                continue
        if type(asked) is Call:
            stack.append(asked.begin())
            value = None
            continue
        try:
            value = next(given)
        except StopIteration:
            for each in reversed(stack):
                each.close()
            return asked


def ways(step: RollStep[Any]) -> list[tuple[Any, Fraction]]:
    """Every row of faces with its chance."""
    rows = product(*[list(zip(die.faces, die.weights, strict=True)) for die in step.pool.dice])
    found = []
    for row in rows:
        weight = Fraction(1, step.pool.total)
        for _, each in row:
            weight *= each
        found.append((read_hand(step.pool, [face for face, _ in row], step.read), weight))
    return found


def brute_odds(
    call: Call[Any], policy: Callable[[Choice[Any]], Any] | None = None, deep: int = 60
) -> list[tuple[Any, Fraction]]:
    """Every outcome with its chance, outcomes told apart by type and value."""
    found: list[tuple[Any, Fraction]] = []

    def follow(answers: list[Any], weight: Fraction) -> None:
        assert len(answers) < deep
        try:
            step = run(call, answers)
        except Leaf as leaf:
            found.append((leaf.args[0], weight))
            return
        if isinstance(step, Choice):
            assert policy is not None
            follow([*answers, policy(step)], weight)
            return
        for hand, chance in ways(step):
            follow([*answers, hand], weight * chance)

    follow([], Fraction(1))
    merged: dict[Any, list[Any]] = {}
    for outcome, weight in found:
        entry = merged.setdefault((type(outcome), repr(outcome)), [outcome, Fraction(0)])
        entry[1] += weight
    return [(outcome, weight) for outcome, weight in merged.values()]


def brute_value(call: Call[Any], goal: Goal, against: str = "") -> Fraction:
    """What best play is worth; whoever is `against` wants least."""

    def follow(answers: list[Any]) -> Fraction:
        try:
            step = run(call, answers)
        except Leaf as leaf:
            return Fraction(goal(leaf.args[0]))
        if isinstance(step, Choice):
            pick = min if step.by == against else max
            return pick([follow([*answers, option]) for option in step.options])
        return sum((chance * follow([*answers, hand]) for hand, chance in ways(step)), Fraction(0))

    return follow([])
