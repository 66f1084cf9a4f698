"""Numbers as answers show them: exact, as a float, and in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rollwright.exact.text import digits
from rollwright.pictures.charts import CHANCE, said
from rollwright.pictures.distributions import number_said

LARGEST = 1.7e308


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
