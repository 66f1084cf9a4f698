"""Exact odds: equal to brute force, from any position, through parts, loops and long chains."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwright.budget import Budget
from rollwright.dice import D4, D6, D8, D12, Die, Pool
from rollwright.engine.endings import tally
from rollwright.engine.odds.count import chain, odds
from rollwright.engine.position import Position
from rollwright.errors import NeedsPolicy, NeverEnds, TooMuchWork
from rollwright.notation import as_rule
from rollwright.rules import roll, rule, together
from tests.engine.examples import (
    Check,
    any_doubles,
    choice_in_parts,
    duel,
    gambler,
    look_later,
    lowest_of,
    push_roll,
    push_roll_in_data,
    secret_number,
    until_six,
    with_bonus,
)
from tests.engine.oracles import fractions, slow_odds


def push_if_failed(situation):
    """Push when no success lies there."""
    return "keep" if situation.seen[0].count("hit") else "push"


def test_push_roll_equals_brute_force():
    """A rule with a choice has the odds that enumerating raw faces gives under the same policy."""
    pool = Pool([D4, D8])

    def decide(position):
        return "keep" if position.seen[0].count("hit") else "push"

    assert fractions(odds(push_roll(pool), push_if_failed)) == slow_odds(push_roll(pool), decide)


def test_ending_in_data_changes_nothing():
    """The push roll that ends in data has the odds of the one written out."""
    pool = Pool([D6, D6, D12])
    policy = {"written": push_if_failed, "data": lambda s: "keep" if s.about[0] else "push"}
    written = odds(push_roll(pool), policy["written"])
    assert written == odds(push_roll_in_data(pool), policy["data"])


def test_together_is_counted_as_distributions():
    """A duel of d20+3 against d20: 213 of 400 ways win, by hand: sum over the differences."""
    wins = sum(a + 3 > b for a in range(1, 21) for b in range(1, 21))
    assert odds(duel(3)).p("win") == Fraction(wins, 400)


def test_gather_keeps_only_a_state():
    """The lowest of six d20s is at least 10 with chance (11/20)^6."""
    assert odds(lowest_of(6)).at_least(10) == Fraction(11, 20) ** 6


def test_fold_in_a_rule():
    """Seven d6 surely show a pair; two do with chance 1/6."""
    assert odds(any_doubles(7)).p(True) == 1
    assert odds(any_doubles(2)).p(True) == Fraction(1, 6)


def test_tail_rules_are_geometric():
    """Throwing until a six: the chance of exactly n throws is (5/6)^(n-1)/6."""
    found = odds(until_six(1))
    assert found.p(3) == Fraction(25, 216)
    assert found.p(10) == Fraction(5, 6) ** 9


def test_a_loop_is_closed_exactly():
    """Gambler's ruin with win chance 2/5 from 3 of 7 coins: (1-(3/2)^3)/(1-(3/2)^7)."""
    ratio = Fraction(3, 2)
    assert odds(gambler(3, 7)).p("rich") == (1 - ratio**3) / (1 - ratio**7)


def test_the_expected_length_of_a_loop():
    """Gambler's ruin: the expected number of bets is (z - a·P)/(q-p), each bet one rule."""
    found = chain(gambler(3, 7))
    p, q = Fraction(2, 5), Fraction(3, 5)
    bets = (3 - 7 * found.outcomes.p("rich")) / (q - p)
    assert found.length == bets + 1
    assert found.ends == 1


@rule
async def for_ever(state: int):
    """Goes round for ever half the time."""
    if state == 0:
        side = await roll(Die(["out", "in"]))
        return "out" if side.count("out") else for_ever(1)
    await roll(D6)
    return for_ever(state % 3 + 1)


def test_what_never_ends_is_said():
    """A rule that may go round for ever has no odds, but a chain that says how likely that is."""
    with pytest.raises(NeverEnds, match="1/2"):
        odds(for_ever(0))
    found = chain(for_ever(0))
    assert (found.ends, found.length) == (Fraction(1, 2), None)
    with pytest.raises(NeverEnds):
        odds(for_ever(1))


@rule
async def long_walk(steps: int):
    """Thousands of rules, one after the other."""
    if steps == 0:
        return 0
    await roll(Die([0]))
    return long_walk(steps - 1)


@rule
async def deep(level: int):
    """Rules within rules within rules."""
    return 0 if level == 0 else await deep(level - 1) + sum(await roll(Die([1])))


@pytest.mark.long
def test_long_chains_do_not_meet_the_recursion_limit():
    """Ten thousand tail rules and three thousand nested ones are counted and played."""
    assert odds(long_walk(10_000)).p(0) == 1
    assert odds(deep(3_000)).p(3_000) == 1


@rule
async def ring(place: int, size: int):
    """A walk on a ring until it is left."""
    side = (await roll(Die(["left", "right", "out"]))).readings
    if "out" in side:
        return place
    return ring((place + (1 if "left" in side else -1)) % size, size)


def test_a_large_loop_is_solved():
    """A ring of 200 states is symmetric: both neighbours are equally likely ends."""
    found = odds(ring(0, 200))
    assert found[1] == found[199]
    assert sum(weight for _, weight in found.items()) == found.total


def test_odds_go_on_from_any_position():
    """After the first throw is known the odds are those of what is left."""
    position = Position(push_roll(Pool([D6, D6]))).then([2, 1])
    after = odds(position, lambda situation: "push")
    assert after.p(lambda check: check.successes == 1) == Fraction(1, 6)
    assert odds(position.then("keep")).p(Check(0)) == 1


def test_look_is_chance_among_the_faces_still_possible():
    """Looking later at lumped dice gives the same odds as reading every face at once."""

    @rule
    async def at_once(pool: Pool) -> int:
        return sum(face for face in await roll(pool) if face >= 4)

    pool = Pool([D6, D6, D8])
    assert odds(look_later(pool)) == odds(at_once(pool))


def test_a_choice_without_a_policy_is_refused():
    """Odds of a rule with choices need a policy, and the refusal names the options."""
    with pytest.raises(NeedsPolicy, match="keep or push"):
        odds(push_roll(Pool([D6])))


def test_a_policy_must_choose_what_is_offered():
    """A policy that answers something else is refused with the options."""
    with pytest.raises(Exception, match="not offered"):
        odds(push_roll(Pool([D6])), lambda situation: "pull")


@pytest.mark.long
def test_choices_inside_together_are_played_in_order():
    """Parts with choices under a policy have the odds of brute force in the same order."""

    def policy(situation):
        return "push"

    found = odds(choice_in_parts(), policy)
    assert fractions(found) == slow_odds(choice_in_parts(), lambda position: "push")


@rule
async def waits_for_itself():
    """Never gets anywhere."""
    return await waits_for_itself()


def test_a_rule_that_waits_for_itself_is_refused():
    """Awaiting oneself and nothing else is a loop without an end, and told as one."""
    with pytest.raises(NeverEnds, match="for ever"):
        odds(waits_for_itself())


@rule
async def awaits_a_loop():
    """A part that loops is counted whole."""
    result = await gambler(1, 2)
    return result, sum(await roll(D4))


def test_awaiting_a_rule_that_ends_in_data_or_loops():
    """A part may end in a throw, a rule or a loop; its outcome is what is awaited."""
    assert odds(awaits_a_loop()).p(("rich", 1)) == Fraction(2, 5) / 4

    @rule
    async def doubled_bonus() -> int:
        return 2 * await with_bonus(1)

    assert odds(doubled_bonus()).mean == 23


@rule
async def counts_for_ever(n: int):
    """A state that never comes back."""
    await roll(D6)
    return counts_for_ever(n + 1)


def test_the_budget_stops_what_would_never_stop():
    """A rule with ever new states is refused by the budget, not by the clock."""
    with pytest.raises(TooMuchWork) as refusal:
        odds(counts_for_ever(0), budget=Budget(10_000))
    assert refusal.value.budget < 10_000


def test_an_expensive_roll_is_refused_before_it_is_expanded():
    """Every hand of 40 d100 is refused at once, with the estimate and what to do instead."""

    @rule
    async def monster() -> int:
        return len(set(await roll(40 * Die(100))))

    with pytest.raises(TooMuchWork, match="ask the hand only for what matters") as refusal:
        odds(monster())
    assert refusal.value.estimate > 10**30


@pytest.mark.long
def test_progress_is_reported_and_a_count_can_be_cancelled():
    """A long count tells how much was done, and stops when told to."""
    seen = []
    budget = Budget(progress=seen.append)
    odds(long_walk(60_000), budget=budget)
    assert seen == sorted(seen)
    assert seen

    def stop(spent):
        budget.cancel()

    budget = Budget(progress=stop)
    with pytest.raises(Exception, match="cancelled"):
        odds(long_walk(120_000), budget=budget)


def test_odds_do_not_care_who_sees_a_throw():
    """Hidden throws are counted like open ones under a policy."""
    assert odds(secret_number(), lambda situation: "high").p(True) == Fraction(4, 6)


@pytest.mark.long
@given(
    st.lists(st.sampled_from([2, 3, 4, 6]), min_size=1, max_size=3),
    st.integers(1, 5),
    st.booleans(),
)
@settings(max_examples=40)
def test_random_rules_equal_brute_force(sides, threshold, tail):
    """Rules made at random, with parts, ends in data and second throws, equal enumeration."""

    @rule
    async def part(size: int):
        return tally(Die(size), lambda face: face >= threshold)

    @rule
    async def whole(sizes: tuple):
        hand = await roll(Pool(Die(size) for size in sizes), read=lambda face: face % 3)
        again = hand.where(0)
        more = await together(part(2), part(len(again) + 1))
        if tail and again:
            return tally(again.pool, start=sum(more), finish=abs)
        return sum(hand) + sum(more) * 10

    call = whole(tuple(sides))
    assert fractions(odds(call)) == slow_odds(call)


def test_counts_inside_share_one_budget():
    """What is counted inside `with budget:` spends it, unless it has a budget of its own."""
    own = Budget()
    with Budget() as outer:
        odds(push_roll(Pool([D6, D8])), push_if_failed)
        spent = outer.spent
        odds(push_roll(Pool([D6, D12])), push_if_failed, budget=own)
        with Budget() as inner:
            odds(push_roll(Pool([D8, D12])), push_if_failed)
        assert Budget.default() is outer
    assert 0 < spent == outer.spent
    assert own.spent > 0 < inner.spent
    assert Budget.default() is not outer


def test_a_small_budget_around_a_count_refuses_it():
    """The allowance of whoever asks holds for what is counted below without a word of it."""
    with Budget(10), pytest.raises(TooMuchWork):
        odds(push_roll(Pool([D6, D8])), push_if_failed)
    with Budget(10), pytest.raises(TooMuchWork):
        odds(as_rule("9d6kh3"))
    assert odds(push_roll(Pool([D6, D8])), push_if_failed).total
