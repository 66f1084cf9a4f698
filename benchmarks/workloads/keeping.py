"""The sum of the highest few of many d6."""

from __future__ import annotations

from collections.abc import Callable


def ours(dice: int, kept: int) -> Callable[[], object]:
    """Keep the highest."""
    from rollwright.dice import D6
    from rollwright.exact import keep

    return lambda: keep(dice * D6, highest=kept)


def icepool(dice: int, kept: int) -> Callable[[], object]:
    """Keep the highest."""
    from icepool import d6

    return lambda: d6.highest(dice, kept)


def dyce(dice: int, kept: int) -> Callable[[], object]:
    """A slice of the sorted pool."""
    from dyce import P

    return lambda: (dice @ P(6)).at(slice(-kept, None))
