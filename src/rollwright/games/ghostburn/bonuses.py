"""Bonuses: one of each kind counts, and of several of a kind the highest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rollwright.games.ghostburn.requests import Attempt

LUCK_BONUS = 2
FAVORED_LUCK_BONUS = 3


class Bonus(NamedTuple):
    """One kind of bonus: the one that counts, and those that do not."""

    kind: str
    used: int
    ignored: tuple[int, ...] = ()


def highest(kind: str, bonuses: tuple[int, ...]) -> Bonus | None:
    """Of several bonuses of a kind only the highest counts.

    >>> highest("gear", (1, 3, 2))
    Bonus(kind='gear', used=3, ignored=(2, 1))
    """
    if not bonuses:
        return None
    used, *ignored = sorted(bonuses, reverse=True)
    return Bonus(kind, used, tuple(ignored))


def bonuses_of(attempt: Attempt) -> tuple[Bonus, ...]:
    """Every kind of bonus of an attempt: the ability always, the others where there are any."""
    found = [Bonus(attempt.ability_name or "ability", attempt.ability)]
    for kind in ("skill", "gear", "aug", "luck"):
        bonus = highest(kind, getattr(attempt, kind))
        if bonus is not None:
            found.append(bonus)
    return tuple(found)


def total_bonus(attempt: Attempt) -> int:
    """What is added to the dice."""
    return sum(bonus.used for bonus in bonuses_of(attempt))


def luck_bonus(attempt: Attempt) -> int:
    """What a Luck Bonus is: +2, and +3 with a favored skill."""
    return FAVORED_LUCK_BONUS if attempt.favored else LUCK_BONUS


def luck_adds(attempt: Attempt) -> int:
    """What a Luck Bonus adds; beside a standing luck bonus only the higher of both counts."""
    standing = max(attempt.luck, default=None)
    bonus = luck_bonus(attempt)
    return bonus if standing is None else max(bonus - standing, 0)
