"""Dice that are asked only what is needed: the same answers as with every hand told apart."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.dice import D6, D8, D10, D12, Die, Pool
from rollwright.engine.odds.count import RuleCounter
from rollwright.engine.replay import RuleStart
from rollwright.rules import Hand, choose, roll, rule
from tests.engine.plain.counting import compiled_odds, compiled_value

AMMO, HOPE, FEAR = Die(6, name="ammo"), Die(12, name="hope"), Die(12, name="fear")


@rule
async def net_hits(dice: int) -> int:
    """High dice less ones."""
    hand = await roll(dice * D10)
    return hand.count_at_least(7) + hand.count(10) - hand.count(1)


@rule
async def push(pool: Pool) -> tuple[int, int]:
    """Throw weak dice once more, if somebody wants to."""
    hand = await roll(pool)
    weak = hand.between(2, 5)
    if weak and await choose("keep", "push") == "push":
        again = await roll(weak.pool)
        hand = hand - weak + again
        return hand.count_at_least(6), hand.count(1)
    return hand.count_at_least(6), 0


@rule
async def push_often(dice: int, times: int) -> tuple[int, int, int]:
    """The same several times."""
    hand = await roll(dice * D6)
    for _ in range(times):
        weak = hand.between(2, 5)
        if not weak or await choose("keep", "push") == "keep":
            break
        again = await roll(weak.pool)
        hand = hand - weak + again
    return hand.count(6), hand.count(1), hand.sum


@rule
async def duality(bonus: int) -> tuple[str, Any]:
    """Two named dice and another."""
    hand = await roll(HOPE + FEAR + D6)
    total = hand[HOPE] + hand[FEAR] + hand.of(D6).sum + bonus
    if hand[HOPE] == hand[FEAR]:
        return "critical", total
    return ("success" if total >= 15 else "failure"), hand[HOPE] > hand[FEAR]


@rule
async def hands_in_a_list(dice: int) -> tuple[int, int]:
    """Hands that no local variable keeps by itself."""
    hands = []
    for _ in range(2):
        hands.append(await roll(dice * D6))
    return sum(hand.count(6) for hand in hands), hands[0].count(1)


@rule
async def race(dice: int, goal: int) -> bool:
    """Hits in several rounds."""
    total = rounds = 0
    while total < goal and rounds < 4:
        hand = await roll(dice * D6)
        total += hand.count_at_least(5)
        rounds += 1
    return total >= goal


@rule
async def looked_at_late(dice: int) -> tuple[bool, int]:
    """A sum that only some ways look at."""
    first = await roll(dice * D6)
    spent = first.sum
    second = await roll(D6 + D8)
    return first.count(6) > 1 and second.sum > 5, 2 * spent - 1 if second.count(6) else 0


@rule
async def face_by_face(dice: int) -> int:
    """Faces in a loop, which are all seen."""
    hand = await roll(dice * D6)
    if any(face == 6 for face in hand):
        return max(hand) - min(hand)
    return sum(hand)


@rule
async def put_together(dice: int) -> tuple[int, int, bool]:
    """Hands that are added and taken away."""
    one, other = await roll(dice * D6), await roll(dice * D6)
    both = one + other
    sixes = both.where(6)
    return (both - sixes - one.where(1)).sum, len(sixes), sixes == one


@rule
async def thrown_again(pool: Pool) -> tuple[int, int]:
    """A named die that is thrown again."""
    hand = await roll(pool + HOPE)
    if hand[HOPE] < 4:
        hand = hand.replaced(await roll(HOPE))
    return hand[HOPE], hand.of(D6).count([5, 6])


@rule
async def caught(dice: int) -> str:
    """A rule that catches all errors."""
    hand = await roll(dice * D6)
    try:
        return "low" if hand.sum < 9 else f"{hand.count(6)} sixes"
    except Exception:
        return "an error that is none"


@rule
async def told_about(dice: int) -> tuple[str, int]:
    """A choice that shows dice."""
    hand = await roll(dice * D6)
    option = await choose("a", "b", about=(hand.sum > 9, hand.where(6)))
    return option, hand.count(1)


@rule
async def in_pythons_words(dice: int, least: int) -> tuple[Any, ...]:
    """What Python's own words add up, of dice that lie there over a throw."""
    total = sum(await roll(dice * D6))
    hand = await roll(dice * D6)
    fives = sum(face >= least for face in hand)
    ones = sum(1 for face in hand if face == 1)
    twos = len([face for face in hand if face == 2])
    if any(face == 6 for face in hand) and all(face > 1 for face in hand if face != 2):
        return total > 9, fives, twos
    return ones, sum(100 // (face - 1) for face in hand if face > 1) > 150


@rule
async def other_words(dice: int) -> tuple[int, int]:
    """A word that only looks like Python's own."""
    sum = max
    hand = await roll(dice * D6)
    return sum(hand), sum(face % 4 for face in hand)


@rule
async def plain_again(dice: int) -> tuple[Any, ...]:
    """Hands put together of dice that lie there and dice that do not."""
    hand = await roll(dice * D6)
    added = hand + Hand([(D8, 7)])
    if hand.sum > 9:
        return added - hand, hand.of(D10), hand.of(D10) + Hand([(D8, 3)])
    return added.of(D8), (Hand([(D8, 1)]) + hand).of(D8)[D8], added.where(7) - hand.where(7)


@rule
async def compared(dice: int) -> tuple[bool, bool]:
    """Hands of which one comes before the other when their faces are sorted."""
    one, other = await roll(dice * D6), await roll(dice * D6)
    return sorted(one) < sorted(other), sorted(one) >= sorted(other)


@rule
async def asked_for_types(dice: int) -> tuple[Any, ...]:
    """Types of a hand and of numbers, before and behind another throw."""
    hand = await roll(dice * D6)
    ones = hand.count(1)
    before = type(hand), type(hand.sum)
    await roll(D6)
    return before, type(hand), type(ones), type(hand.count(6)) is int


@rule
async def nothing_but_ints(dice: int) -> tuple[str, str, int]:
    """Functions that take whole numbers and nothing like them."""
    hand = await roll(dice * D6)
    ones = hand.count(1)
    again = await roll(dice * D6)
    return str(Decimal(ones)), str(Decimal(hand.sum)), int.bit_length(again.count(6))


@rule
async def caught_types(dice: int) -> str:
    """A rule that goes on where something is no whole number."""
    hand = await roll(dice * D6)
    try:
        return str(Decimal(hand.count(6)))
    except TypeError:
        return "an error that is none"


@rule
async def called_by_its_module(dice: int) -> int:
    """A function of a module that the file imports."""
    hand = await roll(dice * D6)
    return math.isqrt(hand.sum)


def second(situation: Any) -> Any:
    """Take the second option."""
    return situation.options[1]


CALLS = [
    *(net_hits(4), push(3 * D6), push(2 * AMMO + D12), push_often(3, 2), duality(2)),
    *(hands_in_a_list(3), race(3, 4), looked_at_late(3), face_by_face(3), put_together(2)),
    *(thrown_again(3 * D6), caught(3), told_about(3), in_pythons_words(2, 5), other_words(3)),
    *(compared(2), asked_for_types(3), nothing_but_ints(3), caught_types(3)),
    called_by_its_module(3),
    plain_again(3),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.rule.short_name)
def test_learning_what_is_asked_changes_no_odds(call):
    """Throws counted by what is asked of them give the odds that whole hands give."""
    assert compiled_odds(call, second) == compiled_odds(call, second, learns=False)


@pytest.mark.parametrize("call", [push(3 * D6), push(D6 + D8), push_often(3, 2)], ids=str)
def test_learning_what_is_asked_changes_no_best_play(call):
    """Whoever chooses has seen every face that matters: best play is worth the same."""

    def goal(outcome: tuple[int, ...]) -> int:
        return 3 * outcome[0] - 2 * outcome[1]

    assert compiled_value(call, goal) == compiled_value(call, goal, learns=False)


def ways_of(call: Any) -> int:
    """How many steps a count takes."""
    counter = RuleCounter(second, Budget(100_000))
    counter.compiling.wanted.add(call.rule)
    counter.flow((RuleStart(call),))
    return counter.budget.spent


@rule
async def summed(dice: int) -> tuple[int, int]:
    """Many dice in Python's own words."""
    hand = await roll(dice * D10)
    return sum(face >= 8 for face in hand), len([face for face in hand if face == 1])


LARGE = [summed(20), net_hits(20), push(6 * AMMO + D8 + D12), race(12, 20)]


@pytest.mark.parametrize("call", LARGE, ids=str)
def test_a_large_pool_is_counted_without_its_hands(call):
    """Twenty D10 have ten million hands; a tenth of a million steps count them."""
    assert ways_of(call) < 100_000


@rule
async def attack(dice: int, rounds: int) -> tuple[bool, int, int]:
    """Whether somebody is hit, what was spent for it, and how many ones there were."""
    hit, spent, ones = False, 0, 0
    for _ in range(rounds):
        hand = await roll(dice * D6)
        hit = hit or hand.count(6) > 2
        spent += hand.sum
        ones = ones + hand.count(1)
    return hit, spent, ones


def test_what_is_not_read_of_an_outcome_is_not_counted():
    """The odds of a hit take a hundredth of the work that those of the whole outcome take."""
    whole, part = Budget(), Budget()
    every = rw.odds(attack(4, 4), budget=whole)
    hits = rw.odds(attack(4, 4), budget=part, of=lambda outcome: outcome[0])
    assert hits == every.map(lambda outcome: outcome[0])
    assert part.spent < whole.spent / 100


@pytest.mark.parametrize("call", [push(D6 + D8), race(3, 4), duality(1)], ids=str)
def test_what_is_read_of_outcomes_has_the_odds_of_the_whole(call):
    """To read outcomes while counting gives what reading them afterwards gives."""
    found = rw.odds(call, second, of=str)
    assert found == rw.odds(call, second).map(str)


class Two(NamedTuple):
    """An outcome of two numbers."""

    sixes: int
    ones: int


@rule
async def half_an_outcome(dice: int) -> Two:
    """A slip that shows only where there are two sixes."""
    hand = await roll(dice * D6)
    second_hand = await roll(2 * D6)
    if hand.count(6) == 2:
        return Two(second_hand.sum)  # type: ignore[call-arg]
    return Two(hand.count(6), 0)


def test_an_error_in_a_rule_is_told_with_what_was_asked_of_its_dice():
    """A rule that goes wrong with dice that nobody saw whole raises its own error."""
    with pytest.raises(TypeError, match="ones") as caught:
        compiled_odds(half_an_outcome(3))
    assert "half_an_outcome(…)" in caught.value.__notes__[0]
    assert "2 of 6" in caught.value.__notes__[0]
