"""What is worked out once for many ways through a rule is what each would come to by itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollwright as rw
from rollwright.budget import Budget
from rollwright.dice import D4, D6, Die, Pool
from rollwright.engine.best.advice import advise
from rollwright.engine.endings import Ending, offer, tally
from rollwright.engine.odds.count import odds
from rollwright.errors import Misuse, TooMuchWork
from rollwright.rules import roll, rule
from tests.engine.oracles import fractions, slow_odds

D2, LARGE = Die(2), 1 << 40


def places(face: int, die: Die) -> tuple[int, int]:
    """What a die adds: to the sum of small dice, or to how many large ones show much."""
    return (face, 0) if len(die.faces) < 4 else (0, int(face > 2))


class Left(NamedTuple):
    """What lies there, as a value with names."""

    small: int
    large: int


@rule
async def thrown_on(pools: tuple[Pool, ...], starts: tuple[tuple[int, ...], ...]) -> Ending[object]:
    """One of several pools, each thrown from a start of its own; all end alike."""
    number = (await roll(Die(len(pools)))).highest(1)[0] - 1
    return tally(pools[number], places, start=starts[number], finish=ended, given=("so",))


def ended(summed: tuple[int, int], word: str) -> tuple[str, tuple[int, int]]:
    """The end that all throws have."""
    return word, summed


POOLS = st.builds(
    lambda a, b, c: Pool({D2: a, D4: b, D6: c}),
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(0, 1),
)
STARTS = st.tuples(st.integers(-2, 2), st.sampled_from([0, 1, LARGE]))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(POOLS, STARTS), min_size=1, max_size=5))
def test_pools_with_dice_in_common_come_to_what_each_comes_to(
    thrown: list[tuple[Pool, tuple[int, int]]],
) -> None:
    """Counted face by face, whichever dice the pools share, and where a start is too large."""
    pools, starts = zip(*thrown, strict=True)
    expected: dict[object, Fraction] = {}
    for pool, start in thrown:
        faces = [[(die, face) for face in die.faces] for die in pool]
        for lying in product(*faces):
            marks = [start, *[places(face, die) for die, face in lying]]
            end = ("so", tuple(map(sum, zip(*marks, strict=True))))
            share = Fraction(1, len(thrown) * pool.total)
            expected[end] = expected.get(end, Fraction(0)) + share
    assert expected == fractions(odds(thrown_on(pools, starts)))


def test_starts_with_names_end_in_values_with_names() -> None:
    """Pools thrown together keep the shape of their starts."""
    pools, starts = (2 * D2, 3 * D2, D2 + D4), (Left(0, 0), Left(1, 0), Left(0, 5))
    found = odds(thrown_on(pools, starts))
    assert {Left} == {type(end[1]) for end in found}
    assert slow_odds(thrown_on(pools, starts)) == fractions(found)


@rule
async def hold(held: tuple[int, int], left: int) -> Ending[bool]:
    """Throw what is not held, and hold what one likes."""
    return tally((3 - sum(held)) * D2, face_of, start=held, finish=held_on, given=(left,))


def face_of(face: int) -> tuple[int, int]:
    """How many show 1, and how many 2."""
    return int(face == 1), int(face == 2)


def held_on(shown: tuple[int, int], left: int) -> Ending[bool]:
    """Decide what to hold while throws are left."""
    return keeping(shown, left) if left else 3 in shown


@rule
async def keeping(shown: tuple[int, int], left: int) -> Ending[bool]:
    """Decide how many of each to hold."""
    kept = product(*[range(count + 1) for count in shown])
    return offer({held: hold(held, left - 1) for held in kept})


def test_sums_that_go_on_to_rules_are_valued_as_by_hand() -> None:
    """Three coins, three throws, three alike: 13/16 (counted by hand).

    The first throw shows three alike with 1/4, else two, and two more throws of the third coin
    fail with 1/4: 1/4 + 3/4 · 3/4.
    """
    assert Fraction(13, 16) == advise(hold((0, 0), 2), int).value


@rule
async def slips_at_four() -> int:
    """A rule that makes a throw and forgets it, for one face only."""
    face = (await roll(D4)).highest(1)[0]
    if face == 4:
        roll(D6)
    return face


def test_a_throw_that_only_a_later_answer_forgets_is_noticed() -> None:
    """The first answer ends the rule well, the last does not."""
    with pytest.raises(Misuse, match="never used"):
        odds(slips_at_four())


@rule
async def changeable(pool: Pool) -> object:
    """An outcome that can change, for one face only."""
    face = (await roll(pool)).highest(1)[0]
    return [face] if face == 3 else face


def test_an_outcome_that_can_change_is_refused_at_a_later_answer() -> None:
    """It stands in no key."""
    with pytest.raises(Misuse, match="an unchanging value"):
        odds(changeable(Pool([D4])))


@rule
async def goes_on_at_three(pool: Pool) -> Ending[object]:
    """Ends in an outcome, in a rule, in a throw or in a further throw, by its first face."""
    face = (await roll(pool)).highest(1)[0]
    if face == 2:
        return again(face)
    if face == 3:
        return face, await tally(D2, finish=doubled)
    return tally(D4, start=face) if face == 4 else face


@rule
async def again(face: int) -> int:
    """A rule that another ends in."""
    return face * await tally(D2)


def doubled(face: int) -> int:
    """A finish."""
    return 2 * face


def test_answers_that_end_a_rule_in_different_ways_are_all_counted() -> None:
    """Counted way by way, as a slow count does it."""
    call = goes_on_at_three(Pool([D6]))
    assert slow_odds(call) == fractions(odds(call))


@pytest.mark.long
def test_answers_told_without_a_run_are_paid_for() -> None:
    """A count of a thousand ways is refused where it may take a few thousand steps."""
    call = goes_on_at_three(Pool([Die(1000)]))
    with pytest.raises(TooMuchWork):
        odds(call, budget=Budget(20_000))
    assert Fraction(1, 1000) == rw.odds(call).p(1)
