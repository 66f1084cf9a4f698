"""The highest of four d10ish plus 2, and the lowest of six such scores.

A d10ish is a d20 that shows each of 1 to 9 twice, 0 once and 10 once.
"""

from __future__ import annotations

from collections.abc import Callable

FACES = {0: 1, **dict.fromkeys(range(1, 10), 2), 10: 1}


def ours(dice: int, players: int) -> Callable[[], object]:
    """Two extremes."""
    from rollwright.dice import Die
    from rollwright.exact import highest

    def scores() -> object:
        score = highest(dice * Die(FACES)) + 2
        return {"score": score, "lowest": score.lowest_of(players)}

    return scores


def icepool(dice: int, players: int) -> Callable[[], object]:
    """Two extremes."""
    from icepool import Die

    def scores() -> object:
        score = Die(FACES).highest(dice) + 2
        return {"score": score, "lowest": score.lowest(players)}

    return scores


def dyce(dice: int, players: int) -> Callable[[], object]:
    """Two order statistics."""
    from dyce import H

    def scores() -> object:
        score = H(FACES).order_stat_for_n_at_pos(dice, -1) + 2
        return {"score": score, "lowest": score.order_stat_for_n_at_pos(players, 0)}

    return scores
