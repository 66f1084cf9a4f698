"""Rules that call themselves with numbers that grow are counted as loops that grow are."""

# ruff: noqa: D103 - a rule here says all that it does in its own lines

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

import rollwright as rw
from rollwright.dice import D6, Die
from rollwright.rules import roll, rule

D2 = Die(2)
NEXT_TO_NOTHING = F(1, 10**30)


@rule
async def awaits_itself(n):
    if (await roll(D6)).sum == 6:
        return n
    return await awaits_itself(n + 1)


@rule
async def ends_in_itself(n):
    if (await roll(D6)).sum == 6:
        return n
    return ends_in_itself(n + 1)


@rule
async def goes_on_after_itself(n):
    if (await roll(D6)).sum == 6:
        return 0
    found = await goes_on_after_itself(n + 2)
    return found + 1


@rule
async def one_of_two(n):
    return n if (await roll(D6)).sum == 6 else await other_of_two(n + 1)


@rule
async def other_of_two(n):
    return n if (await roll(D6)).sum == 6 else await one_of_two(n + 1)


async def helps_itself(n):
    if (await roll(D6)).sum == 6:
        return n
    return await helps_itself(n + 1)


@rule
async def is_helped(n):
    return await helps_itself(n)


@rule
async def waits_for_another(n):
    found = await awaits_itself(n)
    return found + 0 * (await roll(D2)).sum


@pytest.mark.long
@pytest.mark.parametrize(
    "call",
    [
        *(awaits_itself(0), ends_in_itself(0), goes_on_after_itself(0), one_of_two(0)),
        *(is_helped(0), waits_for_another(0)),
    ],
    ids=repr,
)
def test_a_number_that_grows_from_call_to_call_is_counted(call: Any) -> None:
    """Source: no six n times, and then one; what is left weighs next to nothing."""
    found = rw.odds(call)
    for n in (0, 1, 7, 100):
        assert found.p(n) == F(1, 6) * F(5, 6) ** n
    assert 0 < F(found.lost, found.total) < NEXT_TO_NOTHING


@rule
async def ruined(coins, top, turns):
    if coins in (0, top):
        return turns
    return await ruined(coins + (1 if (await roll(D2)).sum == 2 else -1), top, turns + 1)


def test_a_walk_with_a_count_of_turns_is_counted() -> None:
    """Source: from the middle of 4 coins each two turns end it with chance 1/2."""
    found = rw.odds(ruined(2, 4, 0))
    for pairs in (1, 2, 30):
        assert found.p(2 * pairs) == F(1, 2) ** pairs


@rule
async def in_turn(left, dealt):
    return dealt if not left else in_turn(left - 1, dealt + (await roll(D2)).sum)


def test_a_chain_that_ends_keeps_all_of_it() -> None:
    """A hundred calls are none that grow without end: all faces 1 has its place in the odds."""
    found = rw.odds(in_turn(120, 0))
    assert found.lost == 0
    assert found.p(120) == F(1, 2) ** 120
