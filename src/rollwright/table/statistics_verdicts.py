"""What numbers about dice mean, in words: honest about small samples and many comparisons."""

from __future__ import annotations

from math import ceil, sqrt

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
