"""Five dice, three throws, after each of which any dice may be held: the best chance of all alike.

What is held is chosen freely among the dice that lie there. Whoever writes it by hand goes over
the different hands and the different holds, from the last throw backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

Hand = tuple[int, ...]


def holds(hand: Hand) -> list[Hand]:
    """Every different choice of dice to hold."""
    found: set[Hand] = {()}
    for face in hand:
        found |= {(*held, face) for held in found}
    return sorted(found)


def ours(dice: int, throws: int) -> Callable[[], object]:
    """Advice about a rule with a loop."""
    from rollwright import advise
    from rollwright.dice import D6
    from rollwright.rules import choose, roll, rule

    parts = ("best.advice", "best.beliefs", "best.stepping", "compiled.learning")
    for part in parts:  # the others are loaded whole, too
        __import__(f"rollwright.engine.{part}")

    @rule
    async def all_alike() -> bool:
        """Throw, hold any of the dice, and throw the others again."""
        held: Hand = ()
        for _ in range(throws - 1):
            hand = await roll((dice - len(held)) * D6)
            held = await choose(*holds(tuple(sorted((*held, *hand)))))
        hand = await roll((dice - len(held)) * D6)
        return len({*held, *hand}) == 1

    return lambda: {"value": {advise(all_alike(), lambda alike: alike).value: 1}}


def by_hand(dice: int, throws: int, thrown: Callable[[int], Iterable[tuple[Hand, int]]]) -> object:
    """From the last throw backwards, with the hands of so many dice that a library gives."""
    hands = {n: list(thrown(n)) for n in range(1, dice + 1)}
    worth: dict[Hand, Fraction] = {hand: Fraction(len(set(hand)) == 1) for hand, _ in hands[dice]}
    for _ in range(throws - 1):
        held_worth: dict[Hand, Fraction] = {}
        after: dict[Hand, Fraction] = {}
        for hand in worth:
            best = Fraction(0)
            for held in holds(hand):
                value = held_worth.get(held)
                if value is None:
                    value = worth[hand] if len(held) == dice else mean(held, hands, dice, worth)
                    held_worth[held] = value
                best = max(best, value)
            after[hand] = best
        worth = after
    return {"value": {mean((), hands, dice, worth): 1}}


def mean(
    held: Hand,
    hands: dict[int, list[tuple[Hand, int]]],
    dice: int,
    worth: dict[Hand, Fraction],
) -> Fraction:
    """What it is worth on average to throw the others."""
    missing = dice - len(held)
    total = sum(ways * worth[tuple(sorted((*held, *more)))] for more, ways in hands[missing])
    return total / 6**missing


def icepool(dice: int, throws: int) -> Callable[[], object]:
    """By hand, with icepool's hands."""
    from icepool import d6

    def hands(count: int) -> Iterable[tuple[Hand, int]]:
        return d6.pool(count).expand().items()

    return lambda: by_hand(dice, throws, hands)


def dyce(dice: int, throws: int) -> Callable[[], object]:
    """By hand, with dyce's hands."""
    from dyce import H, P

    def hands(count: int) -> Iterable[tuple[Hand, int]]:
        return P(*[H(6)] * count).rolls_with_counts()

    return lambda: by_hand(dice, throws, hands)
