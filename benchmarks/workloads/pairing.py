"""Two pools of d6 laid side by side, high to low: how many pairs the attacker wins, as in RISK."""

from __future__ import annotations

from collections.abc import Callable


def ours(dice: int) -> Callable[[], object]:
    """Two pools paired off."""
    from rollwright.dice import D6
    from rollwright.exact import pair_off

    return lambda: pair_off(dice * D6, dice * D6).of(0)


def icepool(dice: int) -> Callable[[], object]:
    """Two pools, sorted and paired."""
    from icepool import d6

    return lambda: d6.pool(dice).sort_pair(">", d6.pool(dice)).size()


dyce = "no: a pool can be surveyed by itself, but not beside another one"
