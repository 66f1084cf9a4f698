"""A battle of RISK to its end: how many are left on both sides.

The attacker throws up to three dice, the defender up to two; sorted and paired, each pair costs
whoever is lower one army, the attacker where both are alike.
"""

from __future__ import annotations

from collections.abc import Callable


def losses(attack: tuple[int, ...], defence: tuple[int, ...]) -> tuple[int, int]:
    """What a round costs both sides; the dice fall from high to low."""
    lost = sum(a <= d for a, d in zip(attack, defence))
    return lost, min(len(attack), len(defence)) - lost


def ours(attackers: int, defenders: int) -> Callable[[], object]:
    """A rule with a loop, and a round as a part of it."""
    from rollwright import odds
    from rollwright.dice import D6
    from rollwright.rules import roll, rule

    for module in ("best.advice", "compiled.learning"):  # the others are loaded whole, too
        __import__(f"rollwright.engine.{module}")

    @rule
    async def clash(attack: int, defence: int) -> tuple[int, int]:
        """One round: so many dice against so many, from high to low."""
        mine = await roll(attack * D6)
        yours = await roll(defence * D6)
        return losses(mine.highest(attack), yours.highest(defence))

    @rule
    async def battle(attack: int, defence: int) -> tuple[int, int]:
        """Round after round until one side has none left."""
        while attack and defence:
            mine, yours = await clash(min(attack, 3), min(defence, 2))
            attack, defence = attack - mine, defence - yours
        return attack, defence

    return lambda: odds(battle(attackers, defenders))


def icepool(attackers: int, defenders: int) -> Callable[[], object]:
    """One round as a die of losses, mapped again and again."""
    from functools import cache

    from icepool import Die, d6

    @cache
    def round_of(attack: int, defence: int) -> object:
        found: dict[tuple[int, int], int] = {}
        for mine, ways in d6.pool(attack).expand().items():
            for yours, more in d6.pool(defence).expand().items():
                loss = losses(mine[::-1], yours[::-1])
                found[loss] = found.get(loss, 0) + ways * more
        return Die(found)

    def next_state(state: tuple[int, int]) -> object:
        attack, defence = state
        if not attack or not defence:
            return state
        lost = round_of(min(attack, 3), min(defence, 2))
        return lost.map(lambda loss: (attack - loss[0], defence - loss[1]), star=False)

    def fought() -> object:
        return Die([(attackers, defenders)]).map(next_state, star=False, repeat="inf")

    return fought


def dyce(attackers: int, defenders: int) -> Callable[[], object]:
    """Chances of every state, followed round by round."""
    from fractions import Fraction
    from functools import cache
    from math import lcm

    from dyce import H, P

    @cache
    def round_of(attack: int, defence: int) -> list[tuple[tuple[int, int], Fraction]]:
        found: dict[tuple[int, int], int] = {}
        mine = list(P(*[H(6)] * attack).rolls_with_counts())
        yours = list(P(*[H(6)] * defence).rolls_with_counts())
        for one, ways in mine:
            for other, more in yours:
                loss = losses(one[::-1], other[::-1])
                found[loss] = found.get(loss, 0) + ways * more
        total = sum(found.values())
        return [(loss, Fraction(ways, total)) for loss, ways in found.items()]

    def fought() -> object:
        states = {(attackers, defenders): Fraction(1)}
        ended: dict[tuple[int, int], Fraction] = {}
        while states:
            after: dict[tuple[int, int], Fraction] = {}
            for (attack, defence), share in states.items():
                for (mine, yours), chance in round_of(min(attack, 3), min(defence, 2)):
                    now = (attack - mine, defence - yours)
                    into = after if all(now) else ended
                    into[now] = into.get(now, Fraction(0)) + share * chance
            states = after
        common = lcm(*[share.denominator for share in ended.values()])
        return {"": {now: int(share * common) for now, share in ended.items()}}

    return fought
