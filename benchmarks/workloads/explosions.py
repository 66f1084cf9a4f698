"""The sum of exploding d10: a 10 is thrown again and added, up to five times."""

from __future__ import annotations

from collections.abc import Callable


def ours(dice: int, times: int) -> Callable[[], object]:
    """A tally of exploding dice."""
    from rollwright.dice import D10
    from rollwright.exact import exploding_die, sum_of

    return lambda: sum_of(dice * exploding_die(D10, times=times))


def icepool(dice: int, times: int) -> Callable[[], object]:
    """An exploding die thrown many times."""
    from icepool import d10

    return lambda: dice @ d10.explode(depth=times)


def dyce(dice: int, times: int) -> Callable[[], object]:
    """An exploding histogram added to itself."""
    from dyce import H, explode_n

    return lambda: dice @ explode_n(H(10), n=times)
