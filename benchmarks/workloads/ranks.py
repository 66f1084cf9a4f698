"""One rank of many d100."""

from __future__ import annotations

from collections.abc import Callable


def ours(dice: int, rank: int) -> Callable[[], object]:
    """An order statistic."""
    from rollwright.dice import D100
    from rollwright.exact import nth_highest

    return lambda: nth_highest(dice * D100, rank)


def icepool(dice: int, rank: int) -> Callable[[], object]:
    """One die of the sorted pool."""
    from icepool import d100

    return lambda: d100.pool(dice)[-rank]


def dyce(dice: int, rank: int) -> Callable[[], object]:
    """An order statistic."""
    from dyce import H

    return lambda: H(100).order_stat_for_n_at_pos(dice, -rank)
