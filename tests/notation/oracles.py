"""Brute force for expressions: every face of every throw, and a plain chi-square."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

from rollwright.exact import Dist
from rollwright.notation.breakdowns import Breakdown
from rollwright.notation.programs import compile_expression


def every_way(text: str) -> Dist[Any]:
    """The odds of a line found by throwing every face there is; what was cut is lost."""
    line = compile_expression(text)
    found: dict[Any, Fraction] = {}
    cut = Fraction(0)
    waiting: list[tuple[list[Any], Fraction]] = [([], Fraction(1))]
    while waiting:
        thrown, chance = waiting.pop()
        asked, told = _told(line, thrown)
        if asked is None:
            if any(_is_cut(one) for one in told):
                cut += chance
            else:
                values = tuple([one.value for one in told])
                value = values[0] if line.is_single else values
                found[value] = found.get(value, Fraction(0)) + chance
            continue
        kind, count = asked
        share = chance / len(kind.faces) ** count
        waiting += [([*thrown, faces], share) for faces in product(kind.faces, repeat=count)]
    common = lcm(cut.denominator, *[chance.denominator for chance in found.values()])
    weights = {value: int(chance * common) for value, chance in found.items()}
    return Dist(weights, lost=int(cut * common))


def _told(line: Any, thrown: list[Any]) -> tuple[Any, tuple[Breakdown, ...]]:
    """What a line asks for after these throws, or what it came to."""
    faces = iter(thrown)
    asking = line.request_throws()
    answer: Any = None
    try:
        while True:
            asked = asking.send(answer)
            answer = next(faces, None)
            if answer is None:
                return asked, ()
    except StopIteration as stop:
        return None, line.break_down(stop.value)


def _is_cut(told: Breakdown) -> bool:
    return any(one.cut for one in told.shown) or any(_is_cut(part) for part in told.parts)


def chi_square(seen: dict[Any, int], odds: Dist[Any]) -> tuple[float, int]:
    """The statistic of what was seen against the odds, rare outcomes together, and its freedom."""
    throws = sum(seen.values())
    cells: list[tuple[float, int]] = []
    rare, rarely = 0.0, 0
    for outcome, weight in odds.items():
        expected = throws * (weight / odds.total)
        if expected < 10:
            rare, rarely = rare + expected, rarely + seen.get(outcome, 0)
        else:
            cells.append((expected, seen.get(outcome, 0)))
    if rare >= 5:
        cells.append((rare, rarely))
    return sum((n - expected) ** 2 / expected for expected, n in cells), len(cells) - 1
