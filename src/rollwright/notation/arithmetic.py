"""Exact arithmetic of expressions, and degrees of success."""

from __future__ import annotations

from math import ceil, floor
from typing import Any, NamedTuple

from rollwright.notation.told import whole


def _divided(a: Any, b: Any) -> Any:
    from fractions import Fraction

    return whole(Fraction(a) / b)


def rounded(value: Any) -> int:
    """To the nearest whole number, halves up."""
    return value if type(value) is int else floor(value * 2 + 1) // 2


def raised(base: Any, exponent: int) -> Any:
    """A power, exact also where the exponent is negative."""
    if exponent < 0:
        return _divided(1, base**-exponent)
    return whole(base**exponent)


OPERATIONS: dict[str, Any] = {
    "*": lambda a, b: whole(a * b),
    "/": _divided,
    "//": lambda a, b: a // b,
    "%": lambda a, b: whole(a % b),
}
FUNCTIONS: dict[str, Any] = {
    "floor": floor, "ceil": ceil, "round": rounded, "abs": abs,
    "min": lambda *values: min(values), "max": lambda *values: max(values),
}  # fmt: skip


class Degree(NamedTuple):
    """How well a roll went against a target, from 0 to 3."""

    level: int
    name: str

    def __str__(self) -> str:
        return self.name


DEGREES = tuple(
    [
        Degree(level, name)
        for level, name in enumerate(["critical failure", "failure", "success", "critical success"])
    ]
)
CRITICAL_MARGIN = 10


def degree(margin: Any) -> Degree:
    """The degree of success: 10 or more above or below the target is critical.

    >>> [degree(margin).name for margin in (-10, -9, 0, 10)]
    ['critical failure', 'failure', 'success', 'critical success']
    """
    above = [margin > -CRITICAL_MARGIN, margin >= 0, margin >= CRITICAL_MARGIN]
    return DEGREES[above.count(True)]
