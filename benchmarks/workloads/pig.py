"""Pig for one: throw as often as you dare, a 1 ends the turn with nothing, else hold what you have.

Asked is the best chance to have so many points within so many turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction


def ours(target: int, turns: int) -> Callable[[], object]:
    """Advice about a rule with a loop in a loop."""
    from rollwright import advise
    from rollwright.dice import D6
    from rollwright.rules import choose, roll, rule

    parts = ("best.advice", "best.beliefs", "best.stepping", "compiled.learning")
    for part in parts:  # the others are loaded whole, too
        __import__(f"rollwright.engine.{part}")

    @rule
    async def pig() -> bool:
        """Throw once more, or hold what the turn has brought; a 1 ends it with nothing."""
        score = 0
        for _ in range(turns):
            turn = 0
            while True:
                face = (await roll(D6)).sum
                if face == 1:
                    break
                turn += face
                if score + turn >= target:
                    return True
                if await choose("hold", "throw") == "hold":
                    score += turn
                    break
        return False

    return lambda: {"value": {advise(pig(), lambda won: won).value: 1}}


def by_hand(target: int, turns: int, faces: Iterable[tuple[int, int]], total: int) -> object:
    """From the last turn and the highest score backwards."""
    listed = [(face, ways) for face, ways in faces if face > 1]
    lost = Fraction(1, total)
    worth = [Fraction(0)] * target
    for _ in range(turns):
        before, worth = worth, [Fraction(0)] * target
        for score in range(target - 1, -1, -1):
            thrown = [Fraction(1)] * (target + 6)
            for turn in range(target - score - 1, -1, -1):
                again = lost * before[score]
                for face, ways in listed:
                    again += Fraction(ways, total) * thrown[turn + face]
                hold = before[score + turn] if turn else again
                thrown[turn] = max(hold, again)
            worth[score] = thrown[0]
    return {"value": {worth[0]: 1}}


def icepool(target: int, turns: int) -> Callable[[], object]:
    """By hand, with icepool's die."""
    from icepool import d6

    return lambda: by_hand(target, turns, d6.items(), d6.denominator())


def dyce(target: int, turns: int) -> Callable[[], object]:
    """By hand, with dyce's die."""
    from dyce import H

    return lambda: by_hand(target, turns, H(6).items(), H(6).total)
