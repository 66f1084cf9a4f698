"""The chance that at least so many of some events come about, and the way to write numbers."""

from __future__ import annotations

from fractions import Fraction

LONGEST_BITS = 1_000
"""Bits of a number that is written exactly: what a page can still divide."""
UNIT_BITS = 96
"""Bits behind the point where so many chances come together that nobody could read the rest."""


def format_fraction(number: Fraction) -> str:
    """Return a number as text: exact, or to fifteen places if that would fill pages."""
    if number.denominator.bit_length() > LONGEST_BITS:
        number = round(number, 15)
    return str(number)


def _is_short(chances: list[Fraction]) -> bool:
    """Check whether the result of combining them can be written exactly."""
    return sum(chance.denominator.bit_length() for chance in chances) <= LONGEST_BITS


def chance_of_at_least(chances: list[Fraction], many: int) -> Fraction:
    """Return the chance that at least so many of these come about: exact if short enough.

    >>> chance_of_at_least([Fraction(1, 2), Fraction(1, 3)], 1)
    Fraction(2, 3)
    """
    return (_exact if _is_short(chances) else _approximate)(chances, many)


def _exact(chances: list[Fraction], many: int) -> Fraction:
    weights, total = [1], 1
    for chance in chances:
        yes, all_of_it = chance.numerator, chance.denominator
        no = all_of_it - yes
        weights = [
            before * no + hit * yes
            for before, hit in zip([*weights, 0], [0, *weights], strict=True)
        ]
        total *= all_of_it
    return Fraction(sum(weights[max(many, 0) :]), total)


def _approximate(chances: list[Fraction], many: int) -> Fraction:
    """To twenty places, however many they are: of thousands, exact numbers fill pages.

    What is less likely than the last place is let go on both sides, so that the work grows with
    the width of what can still happen.

    >>> chances = [Fraction(1, 2)] * 50 + [Fraction(2, 7)] * 50
    >>> abs(_approximate(chances, 40) - _exact(chances, 40)) < Fraction(1, 10**20)
    True
    """
    weights, first = [1 << UNIT_BITS], 0
    for chance in chances:
        yes = (chance.numerator << UNIT_BITS) // chance.denominator
        no = (1 << UNIT_BITS) - yes
        weights = [
            (before * no + hit * yes) >> UNIT_BITS
            for before, hit in zip([*weights, 0], [0, *weights], strict=True)
        ]
        while not weights[-1]:
            weights.pop()
        if not weights[0]:
            least = next(place for place, weight in enumerate(weights) if weight)
            weights, first = weights[least:], first + least
    return Fraction(sum(weights[max(many - first, 0) :]), sum(weights))
