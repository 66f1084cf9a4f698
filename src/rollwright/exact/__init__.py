"""Exact odds: distributions, and the ways to count them."""

from rollwright.exact.dist import Comparison, Dist
from rollwright.exact.explosions import explode_endlessly, exploding_die, rerolled_die
from rollwright.exact.folds import largest_set, longest_run, pairs, reduce, sets_of
from rollwright.exact.keep import keep
from rollwright.exact.ranks import highest, lowest, nth_highest, nth_lowest, pair_off
from rollwright.exact.sums import compare, successes, sum_of

__all__ = [
    "Comparison",
    "Dist",
    "compare",
    "explode_endlessly",
    "exploding_die",
    "highest",
    "keep",
    "largest_set",
    "longest_run",
    "lowest",
    "nth_highest",
    "nth_lowest",
    "pair_off",
    "pairs",
    "reduce",
    "rerolled_die",
    "sets_of",
    "successes",
    "sum_of",
]
