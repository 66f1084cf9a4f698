"""The highest of four d10ish plus 2, and the lowest of six such scores.

A d10ish is a d20 that shows each of 1 to 9 twice, 0 once and 10 once.
Whoever works with pools throws four dice and keeps one. Whoever knows that the highest of many is
an order statistic of one die asks for that directly, in Rollwright and in dyce; icepool has one
way for both. `hinted` says which user asks.
"""

from __future__ import annotations

from collections.abc import Callable

FACES = {0: 1, **dict.fromkeys(range(1, 10), 2), 10: 1}


def ours(dice: int, players: int, hinted: int) -> Callable[[], object]:
    """The highest of a pool; or of so many throws of one distribution."""
    from rollwright.dice import Die
    from rollwright.exact import Dist, highest

    d10ish = Die(FACES)
    one_die = Dist(FACES)

    def scores() -> object:
        best = one_die.highest_of(dice) if hinted else highest(dice * d10ish)
        score = best + 2
        return {"score": score, "lowest": score.lowest_of(players)}

    return scores


def icepool(dice: int, players: int, hinted: int) -> Callable[[], object]:
    """The highest and the lowest of so many dice, either way."""
    from icepool import Die

    d10ish = Die(FACES)

    def scores() -> object:
        score = d10ish.highest(dice) + 2
        return {"score": score, "lowest": score.lowest(players)}

    return scores


def dyce(dice: int, players: int, hinted: int) -> Callable[[], object]:
    """One place of a sorted pool; or an order statistic of one histogram."""
    from dyce import H, P

    d10ish = H(FACES)

    def scores() -> object:
        score = (dice @ P(d10ish)).at(-1) + 2
        return {"score": score, "lowest": (players @ P(score)).at(0)}

    def hinted_scores() -> object:
        score = d10ish.order_stat_for_n_at_pos(dice, -1) + 2
        return {"score": score, "lowest": score.order_stat_for_n_at_pos(players, 0)}

    return hinted_scores if hinted else scores
