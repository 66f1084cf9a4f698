"""Counting the slow and certain way: every throw, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

from hypothesis import strategies as st

from rollwright.dice import Die, Pool
from rollwright.exact import Dist


def throws(pool: Pool) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Every way the dice can fall, with its weight."""
    dice = pool.dice
    for faces in product(*[die.items for die in dice]):
        yield tuple(face for face, _ in faces), prod(weight for _, weight in faces)


def counted(pool: Pool, outcome: Callable[[tuple[Any, ...]], Any]) -> Dist[Any]:
    """The distribution of what each throw comes to."""
    weights: Counter[Any] = Counter()
    for faces, weight in throws(pool):
        weights[outcome(faces)] += weight
    return Dist(weights)


def same(expected: Dist[Any], actual: Dist[Any]) -> bool:
    """Equal to the last integer, and over the same total."""
    return expected.total == actual.total and expected.items() == actual.items()


numbers = st.integers(-4, 9)
weights = st.integers(1, 4)
dice = st.one_of(
    st.integers(1, 6).map(Die),
    st.dictionaries(numbers, weights, min_size=1, max_size=5).map(Die),
)


def pools(most_dice: int = 4, kinds: st.SearchStrategy[Die] = dice) -> st.SearchStrategy[Pool]:
    """Small pools, often of several kinds."""
    return st.lists(kinds, min_size=1, max_size=most_dice).map(Pool)


crowded = st.tuples(dice, st.integers(2, 5)).map(lambda group: group[1] * group[0])
"""Small pools of equal dice."""

any_pool = st.one_of(pools(), crowded)
