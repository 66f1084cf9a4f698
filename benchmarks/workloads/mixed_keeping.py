"""The sum of the highest few of a pool with as many of each die from d4 to d20."""

from __future__ import annotations

from collections.abc import Callable

SIDES = (4, 6, 8, 10, 12, 20)


def ours(each: int, kept: int) -> Callable[[], object]:
    """Keep the highest of a mixed pool."""
    from rollwright.dice import Die, Pool
    from rollwright.exact import keep

    return lambda: keep(Pool({Die(sides): each for sides in SIDES}), highest=kept)


def icepool(each: int, kept: int) -> Callable[[], object]:
    """Keep the highest of a mixed pool."""
    from icepool import Pool, d

    return lambda: Pool({d(sides): each for sides in SIDES}).highest(kept).sum()


def dyce(each: int, kept: int) -> Callable[[], object]:
    """A slice of the sorted pool."""
    from dyce import P

    return lambda: P(*[each @ P(sides) for sides in SIDES]).at(slice(-kept, None))
