"""Best play in loops that grow, for goals that are no sums: what is far off is next to nothing."""

# ruff: noqa: D103 - a rule here says all that it does in its own lines

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from typing import Any

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.dice import D6, Die
from rollwright.rules import choose, roll, rule

D2 = Die(2)
NEXT_TO_NOTHING = F(1, 10**29)


@rule
async def throws_until_six():
    throws = 1
    while (await roll(D6)).sum != 6:
        throws += 1
    return throws


@rule
async def bet_on_a_six():
    if await choose("no", "yes") == "no":
        return 0
    throws = 1
    while (await roll(D6)).sum != 6:
        throws += 1
    return throws


@rule
async def blows(health):
    n = 0
    while health > 0:
        n += 1
        health -= 1 if (await roll(D6)).sum > 2 else 0
    return n


@rule
async def calls_itself(n):
    return n if (await roll(D6)).sum == 6 else await calls_itself(n + 1)


@rule
async def doubles_the_stake():
    stake, won = 1, 0
    while await choose("stop", "bet", about=won) == "bet":
        if (await roll(D2)).sum == 2:
            return won + stake
        won -= stake
        stake *= 2
    return won


def within(n):
    return lambda outcome: outcome <= n


def within_of_blows(health, most):
    """The chance of enough hits in so many blows, from the last one backwards."""

    @cache
    def chance(left, more):
        if left <= 0 or not more:
            return F(left <= 0)
        return F(2, 3) * chance(left - 1, more - 1) + F(1, 3) * chance(left, more - 1)

    return chance(health, most)


@pytest.mark.long
@pytest.mark.parametrize(
    ("call", "goal", "worth"),
    [
        (throws_until_six(), within(4), 1 - F(5, 6) ** 4),
        (throws_until_six(), lambda n: min(n, 3), 1 + F(5, 6) + F(25, 36)),
        (bet_on_a_six(), lambda n: F(1, 2) - (n <= 4) if n else 0, 0),
        (bet_on_a_six(), lambda n: (n <= 4) - F(1, 2) if n else 0, F(1, 2) - F(5, 6) ** 4),
        (blows(3), within(5), within_of_blows(3, 5)),
        (calls_itself(1), within(4), 1 - F(5, 6) ** 4),
        (doubles_the_stake(), lambda won: won > 0, 1),
    ],
    ids=["within", "at most three", "late", "early", "blows", "recursion", "stakes"],
)
def test_best_play_of_a_loop_that_grows(call: Any, goal: Any, worth: F) -> None:
    """What was cut off counts as the worst; source: counted by hand."""
    found = rw.advise(call, goal)
    assert 0 <= worth - found.value < NEXT_TO_NOTHING
    assert len(repr(found)) < 300


@rule
async def hurries(left):
    turns = 0
    while left > 0:
        turns += 1
        if await choose("on", "rest", about=left) == "on":
            left -= (await roll(D6)).sum
        else:
            left -= 1
    return turns


@pytest.mark.long
def test_a_loop_with_an_end_keeps_all_of_it() -> None:
    """However unlikely it is to throw a hundred ones: source is backward induction."""

    @cache
    def chance(left, turns):
        if left <= 0 or turns < 0:
            return F(left <= 0 and turns >= 0)
        return sum((chance(left - face, turns - 1) for face in range(1, 7)), F(0)) / 6

    found = rw.advise(hurries(100), lambda turns: turns <= 25, budget=Budget(3_000_000))
    assert found.value == chance(100, 25)
    assert not found.lost


@rule
async def two_at_pig(target: int) -> int:
    """Take turns until one has enough: large, with loops in it, and with an end."""
    mine = other = turn = mover = 0
    while True:
        face = sum(await roll(D6))
        if face > 1:
            turn += face
            if mine + turn >= target:
                return mover
            by = "second" if mover else "first"
            if await choose("throw", "hold", by=by, about=(mine, other, turn)) == "throw":
                continue
            mine += turn
        turn, mine, other, mover = 0, other, mine, 1 - mover


@pytest.mark.long
def test_what_comes_to_its_ends_is_not_cut_off() -> None:
    """More than half of the work may go into it."""
    enough = Budget()
    found = rw.advise(two_at_pig(16), lambda winner: winner, against="first", budget=enough)
    close = Budget(enough.spent * 5 // 4, room=2**30)
    again = rw.advise(two_at_pig(16), lambda winner: winner, against="first", budget=close)
    assert again.value == found.value
    assert not again.lost
