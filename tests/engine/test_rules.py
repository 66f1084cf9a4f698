"""Writing rules: what they may ask for, and a clear refusal for every misuse."""

import asyncio

import pytest

from rollwright.dice import D6, D8, Pool
from rollwright.engine.endings import gather, offer, tally
from rollwright.engine.odds.count import odds
from rollwright.engine.position import Position
from rollwright.errors import Misuse
from rollwright.rules import Hand, choose, fold, look, roll, rule, together
from tests.engine.examples import push_roll


def refused(function, *args):
    """The sentence with which counting a rule is refused."""
    with pytest.raises(Misuse) as refusal:
        odds(rule(function)(*args), lambda situation: situation.options[0])
    return str(refusal.value)


def test_a_forgotten_await_of_a_roll():
    """Using a roll as if it were its dice is refused with the remedy."""

    async def forgot():
        return sum(roll(2 * D6))

    assert "write `await`" in refused(forgot)


def test_a_forgotten_await_of_a_choice():
    """Comparing a choice with an option is refused, not silently false."""

    async def forgot():
        return "yes" if choose("keep", "push") == "push" else "no"

    assert "write `await`" in refused(forgot)


def test_a_forgotten_await_of_a_rule():
    """Using another rule as if it were its outcome is refused."""

    async def forgot():
        return push_roll(Pool([D6])) + 1

    assert "write `await`" in refused(forgot)


def test_a_throw_that_is_never_used():
    """A throw made and dropped is refused: somebody forgot to await it."""

    async def forgot():
        roll(D6)
        return 1

    assert "never used" in refused(forgot)


def test_a_foreign_awaitable():
    """A rule may not wait for the clock or the network."""

    async def sleepy(seconds: int):
        await asyncio.sleep(seconds)
        return 1

    assert "none of ours" in refused(sleepy, 0)
    assert "none of ours" in refused(sleepy, 1)


def test_a_rule_must_be_async():
    """A plain function is no rule."""
    with pytest.raises(Misuse, match="async def"):
        rule(lambda: 1)


def test_a_rule_must_name_its_arguments():
    """Stars would hide what a rule remembers."""

    async def starred(*dice):
        return 1

    with pytest.raises(Misuse, match="no \\*"):
        rule(starred)


def test_mutable_arguments_are_refused():
    """A list could change under the rule's feet; so could an object of identity only."""
    with pytest.raises(Misuse, match="can change"):
        push_roll([D6, D8])
    with pytest.raises(Misuse, match="only equal to itself"):
        push_roll(object())


def test_arguments_by_name_and_default_are_one_call():
    """However arguments are given, equal calls are equal."""

    @rule
    async def named(a: int, b: int = 2, *, c: int = 3):
        return a + b + c

    assert named(1) == named(a=1, b=2, c=3) == named(1, 2, c=3)
    assert hash(named(1)) == hash(named(a=1, b=2, c=3))
    assert odds(named(1)).p(6) == 1


@pytest.mark.parametrize(("args", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1})])
def test_wrong_arguments_are_refused(args, named):
    """Missing, surplus and unknown arguments are refused when the call is made."""

    @rule
    async def two(a: int, b: int):
        return a

    with pytest.raises(Misuse, match="two"):
        two(*args, **named)


def test_an_outcome_must_be_unchanging():
    """A list as an outcome is refused."""

    async def listed():
        return [1, 2]

    assert "unchanging" in refused(listed)


def test_dice_order_cannot_be_depended_on():
    """A hand has no first die: equal dice are interchangeable."""

    async def first():
        return (await roll(2 * D6))[0]

    assert "no first or second die" in refused(first)


def test_a_look_before_a_choice():
    """Whoever chooses sees the dice, so the choice may not come after a look."""

    async def late():
        hand = await roll(D6, read=lambda face: face > 3)
        await look(hand)
        return await choose("keep", "push")

    assert "comes after a look" in refused(late)


def test_a_look_goes_to_own_dice_only():
    """A hand that was not thrown by this rule cannot be looked at."""

    async def foreign():
        return sum(await look(Hand([(D6, True)])))

    assert "own roll" in refused(foreign)


def test_a_look_goes_to_all_dice_that_are_alike():
    """Picking one of two equal dice to look at would depend on their order."""

    async def partly():
        hand = await roll(2 * D6, read=lambda face: face > 0)
        one = Hand._build(hand.dice[:1], hand.readings[:1], hand.places[:1])
        return sum(await look(one))

    assert "all or none" in refused(partly)


def test_looking_twice_goes_on_from_the_first_look():
    """The same dice are looked at more finely each time, or not at all."""

    async def twice():
        hand = await roll(D6, read=lambda face: 0)
        await look(hand)
        return sum(await look(hand))

    assert "looked at before" in refused(twice)

    @rule
    async def finer():
        hand = await roll(2 * D6, read=lambda face: 0)
        odd = await look(hand, read=lambda face: face % 2)
        return sum(await look(odd))

    assert odds(finer()).mean == 7


def test_choices_need_different_options():
    """No option, equal options and changing options are refused."""
    for options in ((), ("a", "a"), (["a"], ["b"])):
        with pytest.raises(Misuse):
            choose(*options)


def test_only_dice_are_thrown():
    """A number is not a pool."""
    for ask in (roll, tally):
        with pytest.raises(Misuse, match="Die or a Pool"):
            ask(6)


def test_together_takes_steps():
    """Outcomes cannot be parts."""
    with pytest.raises(Misuse, match="takes rules"):
        together(push_roll(Pool([D6])), 7)


def test_a_finish_gives_an_outcome_or_a_rule():
    """A finish that asks for dice again is refused."""

    async def again():
        return tally(D6, finish=lambda total: roll(D6))

    assert "finish gives" in refused(again)


def test_empty_pools_are_thrown_like_others():
    """No dice give an empty hand, a sum of the start, and the start of a fold."""

    @rule
    async def nothing():
        hand = await roll(Pool())
        total = await tally(Pool(), start=3)
        state = await fold(Pool(), "s", lambda state, face, count: state + "x")
        return len(hand), total, state, await gather([], 0, max)

    assert odds(nothing()).p((0, 3, "s", 0)) == 1


def test_offer_ends_in_data():
    """An option may stand for an outcome, a throw, a rule or another choice."""

    @rule
    async def menu():
        return offer(
            {
                "outcome": 0,
                "throw": tally(D6),
                "rule": push_roll(Pool([D6])),
                "more": offer({"a": 1, "b": tally(D8)}),
            }
        )

    position = Position(menu())
    assert position.then("throw").then([4]).outcome == 4
    assert position.then("rule").then([6]).outcome.successes == 1
    assert position.then("more").then("b").then([8]).outcome == 8
    found = odds(menu(), lambda s: "more" if "more" in s.options else "b")
    assert found.mean == 4.5


def test_rules_have_names_and_docs():
    """A rule shows what it is and keeps its docstring."""
    assert repr(push_roll) == "<rule push_roll>"
    assert push_roll.__doc__.startswith("Roll the pool")
    assert repr(push_roll(Pool([D6]))) == "push_roll(D6)"
