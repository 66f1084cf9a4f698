"""The sum of many d6."""

from __future__ import annotations

import sys
from collections.abc import Callable


def ours(dice: int) -> Callable[[], object]:
    """A tally."""
    from rollwright.dice import D6
    from rollwright.exact import sum_of

    return lambda: sum_of(dice * D6)


def icepool(dice: int) -> Callable[[], object]:
    """A die thrown many times; icepool goes as deep as there are dice, so it is let."""
    from icepool import d6

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 3 * dice))
    return lambda: dice @ d6


def dyce(dice: int) -> Callable[[], object]:
    """A histogram added to itself."""
    from dyce import H

    return lambda: dice @ H(6)
