"""What numbers about dice mean, in words: honest about small samples and many comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, erfc, exp, lgamma, log, sqrt

ENOUGH = 30
"""Fewer throws than this say nothing."""
PLENTY = 5
"""With this many throws for each face, a die that is clearly loaded begins to show."""
ODD, VERY_ODD = 0.05, 0.01
EVEN = 0.001


def throws_needed(faces: int) -> int:
    """From how many throws on the chi-square test holds for a die with so many faces.

    Koehler and Larntz (1980) found it sound for equal shares from a square of throws of ten
    times the faces on, even where few throws are expected for each face.

    >>> throws_needed(6), throws_needed(100), throws_needed(1000)
    (30, 32, 100)
    """
    return max(ENOUGH, ceil(sqrt(10 * faces)))


def said_of_die(name: str, throws: int, faces: int, p: float | None, compared: int) -> str:
    """The verdict about one kind of die.

    >>> said_of_die("d6", 214, 6, 0.34, 1)
    '214 d6: nothing unusual; 1 in 3 fair players looks at least like this'
    >>> said_of_die("d20", 12, 20, None, 1)
    '12 d20: too few to say anything; from about 30 throws on'
    """
    start = f"{throws:,} {name}"
    if p is None:
        return f"{start}: too few to say anything; from about {throws_needed(faces)} throws on"
    if p > 1 - EVEN:
        how = f"{one_in(1 - p)} looks as even as this"
        return f"{start}: unusually even; {how}{_caution(1 - p, compared)}"
    how = f"{one_in(p)} looks at least like this"
    return f"{start}: {_oddness(p)}; {how}{_caution(p, compared)}{_blind(throws, faces, p)}"


def said_of_luck(throws: int, below: float | None, compared: int) -> str:
    """The verdict about high and low faces.

    >>> said_of_luck(200, 0.84, 1)
    '200 dice: higher than 84 of 100 fair players; nothing unusual'
    """
    start = f"{throws:,} {'die' if throws == 1 else 'dice'}"
    if below is None:
        return f"{start}: too few to say anything; from about {ENOUGH} on"
    p = 2 * min(below, 1 - below)
    share = below if below >= 0.5 else 1 - below
    than = "higher" if below >= 0.5 else "lower"
    many = min(99, round(100 * share))
    whom = f"{many} of 100 fair players" if share < 0.995 else "nearly every fair player"
    return f"{start}: {than} than {whom}; {_oddness(p)}{_caution(p, compared)}"


def one_in(p: float) -> str:
    """A chance as a share of people.

    >>> one_in(0.9), one_in(0.5), one_in(0.0123), one_in(0)
    ('nearly every fair player', '1 in 2 fair players', '1 in 80 fair players', 'hardly anybody')
    """
    if p > 2 / 3:
        return "nearly every fair player"
    if p < 1e-9:
        return "hardly anybody"
    return f"1 in {_round(1 / p):,} fair players"


def _round(number: float) -> int:
    """A number to one or two digits, as people say it."""
    if number < 20:
        return round(number)
    size = 10 ** (len(str(int(number))) - 1)
    return round(number / size) * size if number >= 100 else round(number / 10) * 10


def _oddness(p: float) -> str:
    if p >= ODD:
        return "nothing unusual"
    return "a little unusual" if p >= VERY_ODD else "unusual"


def _caution(p: float, compared: int) -> str:
    """What many comparisons take away from one that stands out."""
    if p >= ODD:
        return ""
    if p * compared >= ODD:
        return f", and of {compared} things compared here one often does"
    if p * compared >= VERY_ODD:
        return f", even among {compared} things compared" if compared > 1 else ", which happens"
    return ": worth a closer look"


def _blind(throws: int, faces: int, p: float) -> str:
    if p >= ODD and throws < PLENTY * faces:
        return f" (so few would show only a badly loaded die; {PLENTY * faces} would say more)"
    return ""


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
