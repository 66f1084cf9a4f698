"""A turn of Farkle: set scoring dice aside, bank or throw the rest; no score loses it all.

Asked are the most points to expect of a turn that ends when it has come to so many.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

icepool = dyce = "has no words for decisions; nobody has written this by hand"


def ours(most: int) -> Callable[[], object]:
    """Advice about a rule with a loop, as the rulebook has it."""
    from rollwright import advise
    from rollwright.dice import D6
    from rollwright.rules import choose, roll, rule

    parts = ("best.advice", "best.beliefs", "best.stepping", "compiled.learning")
    for part in parts:  # the others are loaded whole, too
        __import__(f"rollwright.engine.{part}")

    def worth_of(face: int, number: int) -> int | None:
        """The points of so many dice that show a face; None where some of them score nothing."""
        one, three = {1: (100, 1000), 5: (50, 500)}.get(face, (0, 100 * face))
        return number // 3 * three + number % 3 * one if one or not number % 3 else None

    @cache
    def scoring(dice: tuple[int, ...]) -> list[tuple[int, int]]:
        """How many dice may be set aside, and for how many points."""
        ways = {(0, 0)}
        for face in set(dice):
            each = [(n, worth_of(face, n)) for n in range(dice.count(face) + 1)]
            some = [(n, worth) for n, worth in each if worth is not None]
            ways = {(taken + n, points + worth) for taken, points in ways for n, worth in some}
        return sorted(ways - {(0, 0)})

    @rule
    async def turn() -> int:
        """Set dice aside and go on for as long as you dare."""
        points, dice = 0, 6
        while points < most:
            options = scoring(tuple(await roll(dice * D6)))
            if not options:
                return 0
            taken, worth = await choose(*options)
            points += worth
            dice = dice - taken or 6
            if await choose("bank", "throw") == "bank":
                break
        return min(points, most)

    return lambda: {"value": {advise(turn(), lambda points: points).value: 1}}
