"""What a count keeps has a bound, as its work has: it is refused before it fills the memory."""

from __future__ import annotations

import pickle

import pytest

from rollwright.budget import Budget
from rollwright.dice import D6, D12
from rollwright.engine.best.advice import advise
from rollwright.engine.endings import Ending, offer
from rollwright.engine.odds.count import odds
from rollwright.errors import TooMuchWork
from rollwright.rules import explode, repeat, roll, rule, tally, together

SMALL = 1_000_000
"""Steps of work, and so 4 MB to keep."""


@rule
async def remember_all(seen: tuple[int, ...]) -> Ending[int]:
    """Remember every face there ever was."""
    return remember_all((*seen, await tally(D6)))


@rule
async def remember_and_choose(seen: tuple[int, ...]) -> Ending[int]:
    """The same with somebody who may stop."""
    face = await tally(D6)
    return offer({"stop": len(seen), "on": remember_and_choose((*seen, face))})


@rule
async def eight_dice() -> int:
    """Parts of which everything is kept."""
    return len(await together(*[tally(D6)] * 8))  # type: ignore[call-overload]


@rule
async def many_hands() -> int:
    """Far more hands than anybody can keep."""
    return len(set(await roll(14 * D12)))


@rule
async def exploding_hand() -> int:
    """Each of some seven thousand hands would be a way of its own."""
    return len(set(await roll(explode(2 * D6))))


def ever_longer() -> object:
    """Something repeated whose state is a list of all that was."""
    again = repeat(tally(D6), until=lambda seen: False, start=(), step=lambda s, f: (*s, f))
    return odds(again, budget=Budget(SMALL))  # type: ignore[arg-type]


def ever_larger() -> object:
    """A few states, each of which is huge."""
    again = repeat(tally(D6), until=lambda _: False, start=(), step=lambda s, f: s + (f,) * 5000)
    return odds(again, budget=Budget(SMALL))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "count",
    [
        ever_longer,
        ever_larger,
        lambda: odds(remember_all(()), budget=Budget(SMALL)),
        lambda: advise(remember_and_choose(()), lambda n: n, budget=Budget(SMALL)),
        lambda: odds(eight_dice(), budget=Budget(4 * SMALL)),
        lambda: odds(many_hands(), budget=Budget(50 * SMALL)),
    ],
)
def test_what_would_fill_the_memory_is_refused(count: object) -> None:
    """A count is refused for what it would have to keep, long before its steps are used up."""
    with pytest.raises(TooMuchWork, match="has no room for all that has to be kept") as refusal:
        count()  # type: ignore[operator]
    assert refusal.value.keeps
    assert pickle.loads(pickle.dumps(refusal.value)).keeps


def test_a_budget_has_as_much_room_for_the_next_count() -> None:
    """What one count kept is free again when it is done, and when it was refused."""
    budget = Budget(SMALL)
    with pytest.raises(TooMuchWork):
        odds(remember_all(()), budget=budget)
    for _ in range(50):
        odds(repeat(tally(D6), until=6, bound=20), budget=budget)
    assert budget.kept == 0


def test_a_large_budget_has_more_room() -> None:
    """Room grows with the allowance: whoever allows more work may keep more."""
    five = repeat(tally(D6), until=lambda s: len(s) == 5, start=(), step=lambda s, f: (*s, f))
    with pytest.raises(TooMuchWork, match="has no room"):
        odds(five, budget=Budget(SMALL // 4))  # type: ignore[arg-type]
    assert odds(five, budget=Budget(4 * SMALL)).of("times").p(5) == 1  # type: ignore[arg-type]


def test_hands_that_a_rule_could_never_follow_are_refused_at_once() -> None:
    """What every hand would take in the rule is known before the first of them is followed."""
    budget = Budget(SMALL)
    with pytest.raises(TooMuchWork, match="this rule needs about"):
        odds(exploding_hand(), budget=budget)
    assert budget.spent < budget.work // 10


def test_dice_thrown_again_are_called_by_their_names() -> None:
    """A refusal names the dice of the rule, not what stands in for them while counting."""

    @rule
    async def forty() -> int:
        return len(await roll(explode(40 * D6)))

    with pytest.raises(TooMuchWork, match=r"every hand of explode\(40 \* D6, \[6\]\)"):
        odds(forty())


def test_a_budget_that_is_used_up_is_said_so_of_one_thing_or_of_many() -> None:
    """The sentence reads well whatever has used up the steps."""
    used = TooMuchWork("the decisions of this rule", 10, 5, "", 50_000)
    assert str(used).startswith(
        "the work budget of 50,000 steps (< 1 s) is used up by the decisions of"
    )
