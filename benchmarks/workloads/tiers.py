"""A check with d20, advantage and a d8 edge: the four tiers for every modifier and difficulty.

The tier is read from the margin: 10 or more above, level or above, below, 10 or more below. The
larger die is the natural roll; a natural 20 is one tier better, a natural 1 one tier worse.
Only the difference of difficulty and modifier matters. A user who sees that asks once for each
difference instead of once for each cell; `hinted` says whether this one does.
"""

from __future__ import annotations

from collections.abc import Callable

CRITICAL_FAILURE, FAILURE, SUCCESS, CRITICAL_SUCCESS = range(4)


def total_and_shift(d20: int, edge: int) -> tuple[int, int]:
    """What both dice come to, and by how many tiers the natural roll shifts the result."""
    natural = max(d20, edge)
    return d20 + edge, (natural == 20) - (natural == 1)


def tier(total: int, shift: int, target: int) -> int:
    """The tier of one check."""
    margin = total - target
    plain = (margin > -10) + (margin >= 0) + (margin >= 10)
    return min(max(plain + shift, CRITICAL_FAILURE), CRITICAL_SUCCESS)


def filled(tiers: Callable[[int], object], table: tuple[int, ...]) -> object:
    """The table, for its first and last modifier and difficulty and whether to use the hint."""
    first, last, low, high, hinted = table
    modifiers, difficulties = range(first, last + 1), range(low, high + 1)
    if not hinted:
        return {(mod, dc): tiers(dc - mod) for mod in modifiers for dc in difficulties}
    known = {target: tiers(target) for target in range(low - last, high - first + 1)}
    return {(mod, dc): known[dc - mod] for mod in modifiers for dc in difficulties}


def ours(*table: int) -> Callable[[], object]:
    """Bands of the total, for each way the natural roll shifts them."""
    from rollwright.dice import D8, D20
    from rollwright.exact import Dist, highest

    def count() -> object:
        rolls = highest(2 * D20).combine(Dist.from_die(D8), total_and_shift)
        worse, plain, better = [
            rolls.where(lambda roll, shift=shift: roll[1] == shift).of(0) for shift in (-1, 0, 1)
        ]

        def tiers(target: int) -> dict[int, int]:
            low, high = target - 9, target + 10
            a, b, c, d = plain.bands(low, target, high)
            e, f, g = worse.bands(target, high)
            h, i, j = better.bands(low, target)
            return {0: a + e, 1: b + f + h, 2: c + g + i, 3: d + j}

        return filled(tiers, table)

    return count


def icepool(*table: int) -> Callable[[], object]:
    """A map over the totals."""
    from icepool import d8, d20, tupleize

    def count() -> object:
        rolls = tupleize(d20.highest(2), d8).map(total_and_shift)
        return filled(lambda target: rolls.map(tier, target), table)

    return count


def dyce(*table: int) -> Callable[[], object]:
    """A function applied to the totals."""
    from dyce import H, P

    def count() -> object:
        rolls = (2 @ P(20)).at(-1).apply(total_and_shift, H(8))
        return filled(lambda target: rolls.apply(lambda roll: tier(*roll, target)), table)

    return count
