"""What odds take in memory is known before they are counted: too much of it is refused at once."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from rollwright import exact, notation
from rollwright.budget import Budget
from rollwright.dice import D6, Die
from rollwright.errors import TooMuchWork
from rollwright.exact import Dist

D1000 = Die(1000)
FEW = 20_000_000
"""Bytes that a refusal may take."""
BUDGET = 50_000_000
"""Steps enough for every count here: it is what they would keep that is too much."""


@pytest.fixture
def peak() -> Iterator[Callable[[], int]]:
    """The most memory that was taken since the test began."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


LARGE: dict[str, Callable[[], object]] = {
    "many outcomes": lambda: exact.sum_of(990 * D1000, budget=Budget(BUDGET)),
    "long weights": lambda: exact.sum_of(20_000 * D6, budget=Budget(BUDGET)),
    "a line": lambda: notation.odds("1000d1000", budget=Budget(BUDGET)),
    "two kinds": lambda: notation.odds("500d1000+500d999", budget=Budget(BUDGET)),
    "uneven dice": lambda: exact.sum_of(
        900 * Die({face: 1 + (face == 1) for face in range(1, 500)}),
        budget=Budget(2 * 10**9, 10**8),
    ),
    "without a budget": lambda: Dist.uniform(range(1, 1001)).sum_of(990),
    "two beside each other": lambda: Dist.uniform(range(4000)).joint(Dist.uniform(range(4000))),
}


@pytest.mark.parametrize("count", LARGE.values(), ids=LARGE)
def test_sums_that_would_fill_the_memory_are_refused_before_they_are_counted(
    count: Callable[[], object], peak: Callable[[], int]
) -> None:
    """A sum has as many outcomes as lie between its ends, each with a weight of known length."""
    with pytest.raises(TooMuchWork) as refusal:
        count()
    assert refusal.value.keeps
    assert FEW > peak()


def test_a_budget_says_how_much_room_there_is() -> None:
    """Whoever has less memory says so, and the same sum is refused; its steps are the same."""
    whole, small = Budget(BUDGET), Budget(BUDGET, 10_000_000)
    assert 29_701 == len(exact.sum_of(300 * Die(100), budget=whole))
    with pytest.raises(TooMuchWork) as refusal:
        exact.sum_of(300 * Die(100), budget=small)
    assert refusal.value.keeps


@pytest.mark.parametrize("text", ["1d20000*1d2000", "1d4000*1d4000+1"])
def test_pairs_with_too_many_results_are_refused_when_there_are_so_many(
    text: str, peak: Callable[[], int]
) -> None:
    """How many results they have is seen while counting, which ends where there is no room."""
    with pytest.raises(TooMuchWork) as refusal:
        notation.odds(text, budget=Budget(BUDGET, 10_000_000))
    assert refusal.value.keeps
    assert 2 * FEW > peak()


def test_pairs_with_few_results_need_no_room() -> None:
    """A million pairs that come to yes or no are two results."""
    assert 2 == len(notation.odds("if(1d1000>1d1000,1,0)", budget=Budget(BUDGET, 1_000_000)))


def test_few_sums_of_faces_far_apart_need_no_room() -> None:
    """Two faces make as many sums as there are dice and one more, however far apart they are."""
    far = Die([0, 10**9])
    assert 101 == len(exact.sum_of(100 * far, budget=Budget(BUDGET, 1_000_000)))
