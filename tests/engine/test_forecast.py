"""What calling a rule's own function costs is charged, so that gathering ends as soon as said."""

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.dice import D10
from rollwright.engine.endings import gather
from rollwright.errors import TooMuchWork
from rollwright.rules import rule, tally


@rule
async def one_die() -> int:
    """A die by itself."""
    return tally(D10)


def beside(shown: tuple[int, ...], face: int) -> tuple[int, ...]:
    """Every face in its place."""
    return (*shown, face)


@rule
async def all_in_order(count: int) -> tuple[int, ...]:
    """Several dice, each remembered."""
    return gather([one_die()] * count, (), beside)


def test_gathering_is_charged_by_what_a_step_costs():
    """Six dice in order are 10 + 100 + … + 1,000,000 calls; few are made before it is refused."""
    calls = 0

    def counted(shown: tuple[int, ...], face: int) -> tuple[int, ...]:
        nonlocal calls
        calls += 1
        return beside(shown, face)

    @rule
    async def watched() -> tuple[int, ...]:
        """The same with an eye on it."""
        return gather([one_die()] * 6, (), counted)

    with pytest.raises(TooMuchWork):
        rw.odds(watched(), budget=Budget(10_000_000))
    assert calls < 10_000_000 // 30
    assert 1000 == len(rw.odds(all_in_order(3)))


def test_what_is_expected_is_refused_and_not_spent():
    """A budget says what is missing without taking anything."""
    budget = Budget(100)
    budget.expect(100)
    with pytest.raises(TooMuchWork):
        budget.expect(101)
    assert 0 == budget.spent
