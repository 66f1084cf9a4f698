"""Exact odds: distributions, and the ways to count them."""

from rollwright.exact.dist import Comparison, Dist
from rollwright.exact.explosions import explode, explode_endlessly, reroll
from rollwright.exact.folds import fold, largest_set, longest_run, pairs, sets_of
from rollwright.exact.keep import keep
from rollwright.exact.ranks import highest, lowest, nth_highest, nth_lowest, pair_off
from rollwright.exact.sums import compare, successes, tally

__all__ = [
    "Comparison",
    "Dist",
    "compare",
    "explode",
    "explode_endlessly",
    "fold",
    "highest",
    "keep",
    "largest_set",
    "longest_run",
    "lowest",
    "nth_highest",
    "nth_lowest",
    "pair_off",
    "pairs",
    "reroll",
    "sets_of",
    "successes",
    "tally",
]
