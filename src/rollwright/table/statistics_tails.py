"""How often chance alone looks like this: tails of the chi-square and the normal distribution."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, sqrt

SMALLEST_STEP = 1e-15
MOST_STEPS = 10_000


def chi_square(observed: Sequence[int], weights: Sequence[int]) -> float:
    """Pearson's measure of how far counts are from what weights make one expect.

    >>> chi_square([5, 15], [1, 1])
    5.0
    """
    throws, total = sum(observed), sum(weights)
    expected = [throws * weight / total for weight in weights]
    return sum((seen - due) ** 2 / due for seen, due in zip(observed, expected, strict=True))


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance of a chi-square of at least this value.

    >>> round(chi_square_tail(11.07, 5), 3)
    0.05
    """
    return upper_gamma(freedom / 2, value / 2)


def upper_gamma(shape: float, value: float) -> float:
    """The regularised upper incomplete gamma function, by a series or a continued fraction.

    The series converges quickly below `shape + 1`, the fraction (by Lentz's method) above it.
    """
    if value <= 0:
        return 1.0
    scale = exp(shape * log(value) - value - lgamma(shape))
    if value < shape + 1:
        return max(0.0, 1.0 - scale * _series(shape, value))
    return min(1.0, scale * _fraction(shape, value))


def _series(shape: float, value: float) -> float:
    term = total = 1 / shape
    for step in range(1, MOST_STEPS):
        term *= value / (shape + step)
        total += term
        if term < total * SMALLEST_STEP:
            break
    return total


def _fraction(shape: float, value: float) -> float:
    tiny = 1e-300
    below = value + 1 - shape
    above = 1 / tiny
    inverse = 1 / below
    found = inverse
    for step in range(1, MOST_STEPS):
        factor = step * (shape - step)
        below += 2
        inverse = 1 / ((factor * inverse + below) or tiny)
        above = (below + factor / above) or tiny
        found *= inverse * above
        if abs(inverse * above - 1) < SMALLEST_STEP:
            break
    return found


def normal_below(value: float) -> float:
    """The share of a normal distribution that lies below a value.

    >>> round(normal_below(1.96), 3)
    0.975
    """
    return erfc(-value / sqrt(2)) / 2
