"""Ways on from a position: values of own kinds, helpers without coroutines, few replays."""

# ruff: noqa: D103 - a rule here says all that it does in its own lines

from __future__ import annotations

from fractions import Fraction as F
from typing import Any, NamedTuple

import pytest

import rollwright as rw
from rollwright.dice import D4, D6
from rollwright.engine.compiled import program
from rollwright.engine.compiled.machine import Stepper
from rollwright.engine.odds.count import Counter
from rollwright.errors import Misuse
from rollwright.rules import roll, rule
from tests.engine.plain.counting import compiled_odds


class Rank(int):
    """A number with a name of its own."""


class Standing(NamedTuple):
    rank: Rank
    name: str = ""


@rule
async def climbs(top: int) -> Standing:
    at = Standing(Rank(0))
    while at.rank < top:
        at = at._replace(rank=Rank(min(at.rank + sum(await roll(D4)), top)))
    return at


@rule
async def marked_later(times: int) -> int:
    """A way on gives an attribute to a number that others share."""
    rank: Any = Rank(1)
    total = 0
    for _ in range(times):
        total += sum(await roll(D6))
        if total == 6:
            rank.lucky = True
    return total + hasattr(rank, "lucky")


def test_a_number_of_an_own_kind_is_a_value() -> None:
    """It is told apart from plain numbers, met again, and not copied."""
    call = climbs(12)
    stepper = Stepper()
    at = stepper.at(*stepper.begin(call), False)
    assert not stepper.position_key(at.asked, at.frame)[2], "nothing in it changes"
    merged = compiled_odds(call)
    assert merged == compiled_odds(climbs(12), merges=False)
    ((kind, said), _) = next(iter(merged.items()))
    assert (kind, said) == (Standing, "Standing(rank=12, name='')")
    (outcome,) = rw.odds(call).outcomes
    assert type(outcome.rank) is Rank


def test_an_attribute_that_comes_later_is_refused() -> None:
    """It would be there on every way, since values are not copied."""
    with pytest.raises(Misuse, match="is given the attribute 'lucky' later"):
        rw.odds(marked_later(6))


def test_what_happens_to_a_value_after_a_count_is_no_concern() -> None:
    """Each count looks at the values that it met, and at no others."""
    mine: Any = Rank(2)

    @rule
    async def keeps(rank: Rank) -> int:
        return rank + sum(await roll(D6))

    assert compiled_odds(keeps(mine))
    mine.note = "later"
    assert rw.odds(climbs(3)).p(Standing(Rank(3))) == 1


async def helped(first: int, second: int = 4, *, third: int = 0) -> int:
    return first + second + third + sum(await roll(D4))


async def any_number(*numbers: int) -> int:
    return sum(numbers) + sum(await roll(D4))


@rule
async def in_every_way(plain: bool) -> tuple[int, ...]:
    """Calls with defaults, names and stars, and of a function in a variable."""

    async def inside(more: int) -> int:
        return more + sum(await roll(D4))

    word = helped if plain else any_number
    one = await helped(1)
    two = await helped(1, 2)
    three = await helped(1, 2, third=3)
    four = await any_number(1, 2, 3)
    five = await word(5, 6)
    return one - two, three - four, five, await inside(7)


@pytest.mark.parametrize("plain", [True, False])
def test_helpers_that_are_awaited_where_they_are_called(plain: bool) -> None:
    """They are given what Python would give them, and counted as they are with coroutines."""
    found = compiled_odds(in_every_way(plain))
    chances: dict[tuple[int, ...], F] = {}
    faces = range(1, 5)
    for a in faces:
        for b in faces:
            for c in faces:
                for d in faces:
                    for e in faces:
                        for f in faces:
                            end = (5 + a - 3 - b, 6 + c - 6 - d, 11 + e, 7 + f)
                            chances[end] = chances.get(end, F(0)) + F(1, 4**6)
    assert {said: chance for (_, said), chance in found.items()} == {
        repr(end): chance for end, chance in chances.items()
    }


def test_a_wrong_number_of_arguments_is_told_as_python_tells_it() -> None:
    """Of a helper too that no coroutine is made of."""

    @rule
    async def wrong() -> int:
        return await helped()  # type: ignore[call-arg]

    counter = Counter(None, rw.Budget())
    counter.compiling.wanted.add(wrong)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'first'"):
        rw.odds(wrong())


@rule
async def pairs(dice: int) -> int:
    mine = await roll(dice * D6)
    yours = await roll(dice * D6)
    return sum([a > b for a, b in zip(mine.highest(dice), yours.highest(dice), strict=True)])


@rule
async def bursts(times: int) -> int:
    total = face = sum(await roll(D6))
    while face == 6 and times:
        times -= 1
        face = sum(await roll(D6))
        total += face
    return total


def test_a_rule_that_goes_many_ways_is_compiled_before_they_are_replayed() -> None:
    """Its branches tell early: 56 hands against 56 are more than are replayed."""
    before = pairs.runs
    rw.odds(pairs(3))
    assert pairs.runs - before < 60
    assert pairs.function.__code__ in program._programs


def test_a_rule_with_few_long_ways_is_replayed_to_its_end() -> None:
    """Ways that branch often are few where the other branches end."""
    assert rw.odds(bursts(30)).p(6 * 4 + 1) == F(1, 6**5)
    assert bursts.function.__code__ not in program._programs
