"""Dice of one throw have no order: a rule that tells them apart by it is right, or refused."""

# ruff: noqa: D103 - a rule here says all that it does in its own lines

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest

import rollwright as rw
from rollwright.dice import D6, D8, D20, Die
from rollwright.errors import Misuse
from rollwright.rules import choose, roll, rule
from tests.engine.plain.counting import compiled_odds

WORD = Die(["x", "y"])


def by_hand(sizes: list[int], of: Callable[..., Any]) -> dict[Any, F]:
    """The chances of what is made of dice in the order in which they are thrown."""
    thrown = [of(*faces) for faces in product(*[range(1, n + 1) for n in sizes])]
    return {outcome: F(n, len(thrown)) for outcome, n in Counter(thrown).items()}


# --- what comes to the same in any order ---


@rule
async def adds_unless_equal():
    a, b = await roll(2 * D6)
    if a == b:
        return 0
    return a + b


@rule
async def moves():
    a, b = await roll(2 * D6)
    return 4 * a if a == b else a + b


@rule
async def has_a_six():
    hand = await roll(2 * D6)
    one, other = hand
    return max(one, other) - min(one, other) if one == 6 or other == 6 else -1


@rule
async def difference():
    a, b = await roll(2 * D6)
    return abs(a - b) + len({a, b})


@rule
async def straight():
    a, b, c = await roll(3 * D6)
    return a == b == c or sorted([a, b, c]) == [1, 2, 3]


@rule
async def of_two_kinds():
    a, b = await roll(D6 + D8)
    return (a > 4) + (b > 4) if a != b else 7


@rule
async def loses_pips():
    lost = 0
    for _ in range(2):
        a, b = await roll(2 * D6)
        if 3 in (a, b):
            continue
        lost += a + b
    return lost


def pips(*faces: int) -> int:
    return sum(a + b for a, b in (faces[:2], faces[2:]) if 3 not in (a, b))


def test_names_that_may_be_exchanged_are_counted() -> None:
    """Against all faces in the order in which they are thrown."""
    for call, sizes, of in (
        (adds_unless_equal(), [6, 6], lambda a, b: 0 if a == b else a + b),
        (moves(), [6, 6], lambda a, b: 4 * a if a == b else a + b),
        (has_a_six(), [6, 6], lambda a, b: abs(a - b) if 6 in (a, b) else -1),
        (difference(), [6, 6], lambda a, b: abs(a - b) + len({a, b})),
        (straight(), [6] * 3, lambda *three: len({*three}) == 1 or {*three} == {1, 2, 3}),
        (of_two_kinds(), [6, 8], lambda a, b: (a > 4) + (b > 4) if a != b else 7),
    ):
        expected = by_hand(sizes, of)
        assert expected == {o: rw.odds(call).p(o) for o in rw.odds(call).outcomes}
        assert expected == {o: compiled_odds(call)[type(o), repr(o)] for o in expected}
        assert rw.roll(call, seed=1).is_done


# --- what does not ---


@rule
async def both():
    a, b = await roll(2 * D6)
    return a, b


@rule
async def first_after_a_choice():
    hand = await roll(2 * D6)
    if await choose("keep", "look") == "keep":
        return 0
    first, second = hand
    return first - second


@rule
async def of_five():
    first, *rest = await roll(5 * D6)
    return first, *rest


@rule
async def given_other_values():
    a, b = await roll(2 * D6)
    a = 3
    return a + b


@rule
async def joined():
    a, b = await roll(2 * WORD)
    return a + b


async def added(total, face):
    return 2 * total + face


@rule
async def awaited():
    a, b = await roll(2 * D6)
    return await added(1, a) + await added(2, b)


@rule
async def in_a_loop():
    lowest = 0
    for a, b in [await roll(2 * D6), await roll(2 * D6)]:
        lowest += a - b
    return lowest


@rule
async def seldom():
    hand = await roll(5 * D20)
    if hand.sum < 100:
        return 0
    first, *rest = hand
    return first + len(rest)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (both(), r"a and b are .* a = sum\(await roll\(D6\)\); b = .* or write sorted\(hand\)"),
        (first_after_a_choice(), "first and second are dice of one throw, .* one by one"),
        (of_five(), "one by one, a = .* or write sorted"),
        (given_other_values(), "a and b are dice of one throw"),
        (joined(), r"a = min\(await roll"),
        (awaited(), "a and b are dice of one throw"),
        (in_a_loop(), "a and b are dice of one throw"),
        (seldom(), "dice of one throw"),
    ],
    ids=repr,
)
def test_names_for_dice_of_one_throw_are_refused(call: Any, said: str) -> None:
    """They come lowest first, whichever was thrown first: played, replayed and compiled."""
    for ask in (rw.odds, compiled_odds):
        with pytest.raises(Misuse, match=said):
            ask(call, lambda now: "look")


def test_they_are_refused_at_the_table_too() -> None:
    """Where the rule comes to it with these dice."""
    with pytest.raises(Misuse, match="one by one"):
        rw.roll(both(), faces=[5, 2])
    with pytest.raises(Misuse, match="one by one"):
        rw.roll(seldom(), faces=[20] * 5)


# --- dice that are paired, handed on, or compared ---


@rule
async def battle():
    mine, yours = await roll(3 * D6), await roll(2 * D6)
    return sum(m > y for m, y in zip(mine, yours))


@rule
async def battle_by_map():
    mine, yours = await roll(2 * D6), await roll(2 * D6)
    return sum(map(lambda m, y: m > y, mine, yours))


@rule
async def sorted_battle():
    mine, yours = await roll(3 * D6), await roll(2 * D6)
    pairs = zip(sorted(mine, reverse=True), sorted(yours, reverse=True))
    return sum(m > y for m, y in pairs)


def less(one, other):
    return one - other


@rule
async def handed_on():
    return less(*await roll(2 * D6))


@rule
async def highest_handed_on():
    return max(*await roll(2 * D6))


@rule
async def better_of_two():
    return max(await roll(3 * D6), await roll(3 * D6)).sum


@rule
async def better_by_sum():
    return max(await roll(2 * D6), await roll(2 * D6), key=sum).sum


@rule
async def advantage():
    return max(await roll(D20), await roll(D20)).sum


@rule
async def a_row():
    match await roll(2 * D6):
        case [6, 6]:
            return "boxcars"
        case _:
            return "none"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (battle(), r"zip goes over the dice of a hand lowest first, .* sorted\(hand\)"),
        (battle_by_map(), "map goes over the dice"),
        (handed_on(), "less goes over the dice"),
        (better_of_two(), r"no hand is the max of several: write max\(hand\.sum, other\.sum\)"),
        (a_row(), r"write `match sorted\(await roll\(2 \* D6\)\)`"),
    ],
    ids=repr,
)
def test_dice_are_not_paired_by_chance(call: Any, said: str) -> None:
    """By their places in two hands, or by their places in one."""
    for ask in (rw.odds, compiled_odds, lambda rolled: rw.roll(rolled, seed=1)):
        with pytest.raises(Misuse, match=said):
            ask(call)


def test_dice_may_be_paired_when_they_are_sorted() -> None:
    """Three against two of the best known battle: 2890, 2611 and 2275 of 7776 ways."""
    assert rw.odds(sorted_battle()).p(2) == F(2890, 7776)
    assert rw.odds(highest_handed_on()).p(6) == F(11, 36)
    assert rw.odds(advantage()).p(20) == F(39, 400)
    assert rw.odds(better_by_sum()).p(2) == F(1, 36) ** 2
