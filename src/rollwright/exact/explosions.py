"""Dice that are rolled again: explosions and re-rolls."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from rollwright.budget import Budget, Work
from rollwright.dice import Die, Face, Outcome
from rollwright.errors import BadDie
from rollwright.exact.dist import Dist

if TYPE_CHECKING:
    from fractions import Fraction

Again = Callable[[Face], object] | Hashable
"""Which faces are rolled again: a test, or one face."""


def exploding_die(
    die: Die, on: Again | None = None, *, times: int, budget: Budget | None = None
) -> Die:
    """A die that is rolled again and added while it shows `on`, at most `times` times.

    It explodes on its highest face by default.

    >>> from rollwright.dice import D4
    >>> exploding_die(D4, times=1)
    D{1: 4, 2: 4, 3: 4, 5: 1, 6: 1, 7: 1, 8: 1}
    """
    _check_times(times)
    weights = _explode(die, on, times, Work(budget, f"exploding {times} times", die))
    return Die(weights, name=die.name)


def explode_endlessly(
    die: Die, on: Again | None = None, *, cut: int, budget: Budget | None = None
) -> Dist[Outcome]:
    """A die that explodes without end, counted as far as `cut` extra rolls; the rest is lost.

    Its mean and its variance are those of the whole, exactly.

    >>> from rollwright.dice import D4
    >>> endless = explode_endlessly(D4, cut=1)
    >>> endless.lost, endless.total
    (1, 16)
    >>> endless.mean
    Fraction(10, 3)
    """
    _check_times(cut)
    again = _again(die, on)
    if all(again):
        raise BadDie(f"{die!r} explodes on every face, so it never comes to rest")
    weights = _rest_sums(die, again, cut, Work(budget, f"exploding {cut} times", die))[0]
    total = die.total ** (cut + 1)
    dist = Dist._build(weights, total, total - sum(weights.values()))
    return dist._set_moments(*_moments(die, again))


def _moments(die: Die, again: list[bool]) -> tuple[Fraction, Fraction]:
    """Return mean and variance without a bound: a die gives a face, and perhaps all again."""
    from fractions import Fraction

    faces = [(face, Fraction(weight, die.total)) for face, weight in die.items]
    on = [(face, share) for (face, share), repeat in zip(faces, again, strict=True) if repeat]
    rests = 1 - sum([share for _, share in on])
    mean = sum([face * share for face, share in faces]) / rests
    square = sum([face * face * share for face, share in faces])
    square = (square + 2 * mean * sum([face * share for face, share in on])) / rests
    return Fraction(mean), Fraction(square - mean * mean)


def rerolled_die(
    die: Die, test: Again, *, times: int | None = 1, budget: Budget | None = None
) -> Die:
    """A die that is rolled again, at most `times` times, while it passes a test; None is endless.

    >>> from rollwright.dice import D4
    >>> rerolled_die(D4, lambda face: face == 1)
    D{1: 1, 2: 5, 3: 5, 4: 5}
    >>> rerolled_die(D4, 1, times=None)
    D{2, 3, 4}
    """
    again = _again(die, test)
    if times is None:
        if all(again):
            raise BadDie(f"every face of {die!r} is rolled again, so it never comes to rest")
        return die.only([face for face, repeat in zip(die.faces, again, strict=True) if not repeat])
    _check_times(times)
    Work(budget, f"re-rolling {times} times", die).spend((len(again) + times) * (1 + times // 50))
    bad = sum([w for w, repeat in zip(die.weights, again, strict=True) if repeat])
    rest = sum([bad**i * die.total ** (times - i) for i in range(times + 1)])
    end = bad**times
    weights = {
        face: weight * (end if repeat else rest)
        for face, weight, repeat in zip(die.faces, die.weights, again, strict=True)
        if end or not repeat
    }
    return Die._intern(tuple(weights), tuple(weights.values()), die.name)


def _check_times(times: object) -> None:
    if not isinstance(times, int) or isinstance(times, bool) or times < 0:
        raise BadDie(f"a die is rolled again 0 or more times, not {times!r}")


def _again(die: Die, on: Again | None) -> list[bool]:
    if on is None:
        return [face == die.faces[-1] for face in die.faces]
    if callable(on):
        return [bool(on(face)) for face in die.faces]
    if on not in die.faces:
        raise BadDie(f"{die!r} never shows {on!r}")
    return [face == on for face in die.faces]


def _explode(die: Die, on: Again | None, times: int, work: Work) -> dict[Outcome, int]:
    """The last roll counts whatever it shows."""
    again = _again(die, on)
    made, rolling = _rest_sums(die, again, times, work)
    for total, weight in rolling.items():
        made[total] = made.get(total, 0) + weight
    return made


def _rest_sums(
    die: Die, again: list[bool], times: int, work: Work
) -> tuple[dict[Outcome, int], dict[Outcome, int]]:
    """The sums at rest after at most `times` extra rolls, and those still rolling."""
    for face in die.faces:
        if isinstance(face, bool) or not hasattr(face, "numerator"):
            raise BadDie(f"{die!r} cannot explode: {face!r} is not a number to add to")
    faces = list(zip(die.faces, die.weights, again, strict=True))
    made: dict[Outcome, int] = {}
    rolling: dict[Outcome, int] = {0: 1}
    for extra in range(times + 1):
        work.spend(len(rolling) * len(faces) * (1 + times // 50))
        later = die.total ** (times - extra)
        after: dict[Outcome, int] = {}
        for total, ways in rolling.items():
            for face, weight, repeat in faces:
                end, share = (after, 1) if repeat else (made, later)
                end[total + face] = end.get(total + face, 0) + ways * weight * share
        rolling = after
    return made, rolling
