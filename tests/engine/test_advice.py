"""Best play: exact values, readable tables, ties said, secrets kept, loops solved."""

from fractions import Fraction
from functools import cache

import pytest

from rollwright.budget import Budget
from rollwright.dice import D4, D6, D8, D12, Die, Pool
from rollwright.engine.best.advice import advise, best, run_solver, value_lost, value_of
from rollwright.engine.endings import offer, tally
from rollwright.engine.odds.count import odds
from rollwright.engine.position import Position
from rollwright.engine.sources import SeededSource
from rollwright.engine.transcript import play
from rollwright.errors import HiddenChoices, Misuse, NeverEnds
from rollwright.rules import Hand, choose, roll, rule
from tests.engine.examples import (
    best_of_two,
    choice_in_parts,
    five_alike,
    push_roll,
    push_roll_in_data,
    secret_number,
    try_again,
)
from tests.engine.oracles import slow_best


def success_less_damage(check):
    """+1 for a success, -0.3 for each 1."""
    return (1 if check.successes else 0) - Fraction(3, 10) * check.ones


def test_w9_best_value_and_push_set():
    """D12+D8 is worth 4981/5760 with best play, which pushes on 24 of the 96 face pairs."""
    rule_call = push_roll(Pool([D12, D8]))
    assert advise(rule_call, success_less_damage).value == Fraction(4981, 5760)
    pushes = 0
    for low in range(1, 9):
        for high in range(1, 13):
            position = Position(rule_call).then([low, high])
            if not position.is_done:
                pushes += advise(position, success_less_damage).best == "push"
    assert pushes == 24


def test_best_play_of_data_endings_is_the_same():
    """Ending in data changes the speed, not the value."""
    pool = Pool([D12, D8])
    assert advise(push_roll_in_data(pool), success_less_damage).value == Fraction(4981, 5760)


def test_five_dice_three_throws():
    """Five of a kind in three throws with best holding: 347897/7558272."""
    assert advise(five_alike(Hand(), 3), int).value == Fraction(347897, 7558272)


def test_best_equals_plain_recursion():
    """Best play of parts with choices equals expectimax over raw faces."""

    @rule
    async def small() -> int:
        first = sum(await roll(D4))
        if await choose("keep", "again") == "again":
            first = sum(await roll(D6)) - 1
        second = sum(await roll(Die(3)))
        return first * second if await choose("times", "plus") == "times" else first + second

    assert advise(small(), lambda n: n).value == slow_best(Position(small()), lambda n: n)


@pytest.mark.long
def test_choices_inside_together_see_what_came_before():
    """Best play of parts taken together equals playing them one after the other."""
    goal = lambda n: n * n  # noqa: E731
    assert advise(choice_in_parts(), goal).value == slow_best(Position(choice_in_parts()), goal)


@pytest.mark.long
@pytest.mark.parametrize(
    ("call", "goal"),
    [
        (push_roll(Pool([D12, D8])), success_less_damage),
        (push_roll_in_data(Pool([D6, D8])), success_less_damage),
        (best_of_two(D4), int),
        (choice_in_parts(), int),
        (try_again(5), lambda tries: -tries),
        (five_alike(Hand(), 2), int),
    ],
    ids=["push", "push in data", "two", "parts", "loop", "five"],
)
def test_what_follows_an_option_is_what_is_counted_from_there(call, goal):
    """The odds after each option are told by the best play that was found once, exactly."""
    met = 0
    for seed in range(4):
        lying = play(call, source=SeededSource(seed))
        solver = run_solver(lying.position, goal, None, None)
        if lying.is_done:
            assert solver.flow_after(0) is None
            continue
        for place, option in enumerate(lying.step.options):
            met += 1
            after = odds(lying.choose(option).position, best(goal))
            assert after == solver.flow_after(place).distribution()
    assert met


def test_the_odds_under_best_play_have_its_value():
    """The distribution under `best` averages to the value of the advice."""
    call = push_roll(Pool([D6, D8]))
    found = odds(call, best(success_less_damage))
    assert found.map(success_less_damage).mean == advise(call, success_less_damage).value


def test_a_rule_of_thumb_gives_something_away():
    """Always pushing D12+D8 loses exactly the difference of the two values."""
    call = push_roll(Pool([D12, D8]))
    lost = value_lost(call, lambda situation: "push", success_less_damage)
    always = value_of(call, lambda situation: "push", success_less_damage)
    assert lost == Fraction(4981, 5760) - always
    assert lost > 0


def test_ties_go_to_the_option_that_changes_least():
    """Where it does not matter the first option is taken, and that is said."""
    advice = advise(Position(push_roll(Pool([D6, D6]))).then([6, 3]), lambda check: 1)
    assert (advice.best, advice.ties, advice.matters) == ("keep", ("keep", "push"), False)
    assert "does not matter" in repr(advice)
    assert "does not matter" in advice.table()


def test_the_table_names_every_decision():
    """The table of a policy has a row for each situation with its chance and call."""
    table = advise(best_of_two(Die(2)), lambda n: n).table().splitlines()
    assert table[0].split() == ["situation", "chance", "best", "call"]
    assert len(table) == 5
    assert any(row.startswith("1 2") and row.endswith("second") for row in table)


def test_trying_again_and_again_is_solved():
    """With free retries the best play waits for the top face, and the value is exactly that."""
    advice = advise(try_again(6), lambda face: face)
    assert advice.value == 6
    assert odds(try_again(6), best(lambda face: face)).p(6) == 1


@rule
async def pay_to_retry(coins: int, debt: int):
    """Each retry costs a coin, and a 1 ends it all."""
    face = sum(await roll(D6))
    if face == 1:
        return -1
    return offer({"stop": face, "again": pay_to_retry(coins, debt)}, about=face)


def test_a_loop_with_risk_is_solved_exactly():
    """Stop at a face of at least the value of going on: v = max over thresholds, by hand 4.4…

    Going on is worth v = (-1 + sum of max(face, v) for 2..6) / 6; stopping from 4 on gives
    v = (-1 + 2v + 15)/6, so v = 7/2; stopping from 5 on v = (-1 + 3v + 11)/6 = 10/3. Best 7/2.
    """
    assert advise(pay_to_retry(0, 0), lambda outcome: outcome).value == Fraction(7, 2)


@rule
async def no_way_out(n: int):
    """However one plays, it goes round."""
    await roll(D6)
    await choose("left", "right")
    return no_way_out(n)


def test_a_loop_without_an_end_is_refused():
    """Best play of what cannot end is refused."""
    with pytest.raises(NeverEnds):
        advise(no_way_out(0), lambda outcome: 1)


@rule
async def only_by_stopping():
    """Going on is never better and never ends; stopping is what is left."""
    face = sum(await roll(D6))
    return offer({"again": only_by_stopping(), "stop": -face}, about=face)


def test_staying_for_ever_is_not_a_way_to_win():
    """A loop may not be used to dodge a bad end: the best is to wait for the least loss."""
    advice = advise(only_by_stopping(), lambda loss: loss)
    assert advice.value == -1


@rule
async def inner_loop(coins: int):
    """A part in which one may try again and again."""
    got = await try_again(4)
    return got + coins


def test_loops_with_choices_inside_a_part():
    """A part that loops with choices is solved where it stands."""
    assert advise(inner_loop(1), lambda outcome: outcome).value == 5


def test_a_hidden_throw_is_not_known_to_the_chooser():
    """Guessing high is right four times in six, and best play knows no more than that."""
    advice = advise(secret_number(), int)
    assert advice.value == Fraction(4, 6)
    assert [line.choose for line in advice.lines] == ["high"]
    assert odds(secret_number(), best(int)).p(True) == Fraction(4, 6)


def test_the_one_who_sees_a_throw_uses_it():
    """If the referee chooses, the guess is always right."""

    @rule
    async def referee_knows() -> bool:
        secret = await roll(D6, sees=["referee"])
        guess = await choose("low", "high", by="referee")
        return (sum(secret) >= 3) == (guess == "high")

    assert advise(referee_knows(), int).value == 1


@rule
async def acting_apart() -> bool:
    """One acts on a secret, then the other chooses without it."""
    secret = sum(await roll(D6, sees=["one"]))
    first = await choose("a", "b", by="one")
    second = await choose("a", "b", by="two")
    return (first == second) == (secret > 3)


def test_hidden_choices_are_refused():
    """Best play is not defined where people act on secrets one after the other."""
    with pytest.raises(HiddenChoices, match="two chooses without"):
        advise(acting_apart(), int)


def test_others_may_have_a_policy_of_their_own():
    """With a policy for one of them the other's best play is defined."""
    found = advise(acting_apart(), int, others={"one": lambda situation: "a"})
    assert found.value == Fraction(1, 2)


def on_from(total: int):
    """Go on where the sum is low, else end with it."""
    return bonus_round(total) if total < 4 else total


@rule
async def bonus_round(total: int):
    """Add a die or not."""
    return total + sum(await roll(D4)) if await choose("stop", "add") == "add" else total


@rule
async def sum_that_goes_on(dice: int):
    """A sum whose finish may be another rule."""
    if dice == 0:
        return await choose("low", "high")
    return offer({"throw": tally(dice * D4, finish=on_from), "pass": 0})


def test_a_finish_may_go_on_to_another_rule():
    """Best play follows a sum that is finished by a rule, as counting does."""
    found = advise(sum_that_goes_on(1), lambda n: n)
    assert found.value == slow_best(Position(sum_that_goes_on(1)), lambda n: n)
    assert odds(sum_that_goes_on(1), best(lambda n: n)).mean == found.value


@rule
async def against(other: int) -> int:
    """Two players; one wants much, the other little."""
    mine = sum(await roll(Die(4)))
    if await choose("keep", "double", by="foe") == "double":
        mine = -2 * mine
    return mine if await choose("keep", "drop", by="me") == "keep" else -3


def test_others_do_not_share_the_goal():
    """A foe with a policy is played against, not with."""
    foe = {"foe": lambda situation: "double"}
    alone = advise(against(0), lambda n: n, others=foe).value
    assert alone == Fraction(-2 - 3 - 3 - 3, 4)


def test_decimal_goals_are_taken_as_written():
    """0.1 in a goal is one tenth, exactly."""
    assert advise(try_again(2), lambda face: 0.1 * 1 if face == 2 else 0).value == Fraction(1, 10)


def test_a_goal_must_give_a_number():
    """A goal that gives a word is refused."""
    with pytest.raises(Misuse, match="gives a number"):
        advise(try_again(2), lambda face: "much")


@rule
async def parried() -> bool:
    """A die of ours may be thrown again by us, then one of theirs by them; the higher one wins."""
    mine = sum(await roll(D4))
    if await choose("keep", "again") == "again":
        mine = sum(await roll(D4))
    theirs = sum(await roll(D4))
    if await choose("stand", "again", by="foe", against=True, about=mine - theirs) == "again":
        theirs = sum(await roll(D4))
    return mine > theirs


def test_whoever_is_against_the_goal_plays_against_it():
    """By hand: the foe throws again exactly where we would win, and wins then as often as not.

    With m we win if both dice of theirs are below m: ((m - 1)/4)². Keep 3 and 4 (4/16, 9/16)
    rather than the mean of 0, 1, 4 and 9 sixteenths, which is 3.5 of them.
    """
    found = advise(parried(), lambda won: won)
    again = Fraction(0 + 1 + 4 + 9, 4 * 16)
    assert Fraction(2, 4) * again + Fraction(1, 4) * (Fraction(4, 16) + Fraction(9, 16)) == (
        found.value
    )
    assert found.value == odds(parried(), best(lambda won: won)).p(True)
    calls = {(line.by, line.situation): line.choose for line in found.lines if line.matters}
    assert {"again"} == {call for (by, lead), call in calls.items() if by == "foe" and lead > 0}
    here = advise(Position(parried()).then([3]).then("keep").then([2]), lambda won: won)
    assert "again" == here.best
    assert [("again", Fraction(1, 2)), ("stand", 1)] == list(here.options)
    assert ("again",) == here.ties


def test_somebody_against_us_knows_only_what_they_saw():
    """With our die hidden from them, they go by how likely we are to be ahead."""

    @rule
    async def blind() -> bool:
        mine = sum(await roll(D4, sees=("player",)))
        theirs = sum(await roll(D4))
        if await choose("stand", "again", by="foe", against=True) == "again":
            theirs = sum(await roll(D4))
        return mine > theirs

    found = advise(blind(), lambda won: won)
    after = {1: Fraction(3, 8), 2: Fraction(3, 8), 3: Fraction(1, 4), 4: Fraction(0)}
    assert sum(after.values()) / 4 == found.value
    assert {"stand", "again"} == {line.choose for line in found.lines}
    assert all(line.against for line in found.lines)


def test_what_a_decision_turns_on_is_that_of_each_throw_they_saw():
    """Their own die is hidden from us; each line is told by what it showed, not by the first."""

    @rule
    async def theirs_unseen() -> bool:
        theirs = sum(await roll(D4, sees=("foe",)))
        if await choose("stand", "yield", by="foe", against=True, about=theirs) == "yield":
            return True
        return sum(await roll(D4)) > theirs

    found = advise(theirs_unseen(), lambda won: won)
    worths = {line.situation: line.worths[0].value for line in found.lines}
    assert {face: Fraction(4 - face, 4) for face in (1, 2, 3, 4)} == worths


def test_somebody_against_us_waits_in_a_loop_for_what_is_worst():
    """With time enough the foe ends it at a 1, as we would end it at a 4."""

    @rule
    async def round_and_round() -> int:
        face = sum(await roll(D4))
        if await choose("end", "on", by="foe", against=True) == "end":
            return face
        return round_and_round()

    assert 1 == advise(round_and_round(), int).value
    assert 4 == advise(round_and_round(), lambda face: -face).value * -1


@rule
async def stroke() -> int:
    """A die, that may be thrown again for one more."""
    face = sum(await roll(D6))
    if await choose("keep", "again", about=face) == "again":
        return 1 + sum(await roll(D6))
    return face


@rule
async def swim(breath: int) -> int:
    """Strokes until one is out of breath."""
    strokes = 0
    while breath > 0:
        breath -= await stroke()
        strokes += 1
    return strokes


@rule
async def relay(swimmers: int) -> int:
    """The highest of so many strokes."""
    worst = 0
    for _ in range(swimmers):
        worst = max(worst, await stroke())
    return worst


@pytest.mark.long
@pytest.mark.parametrize("breath", [1, 4, 9, 40])
def test_choices_in_a_part_that_is_gone_round_are_not_followed_history_by_history(breath):
    """Each stroke has seven ways; what is left of the breath is all that matters."""

    @cache
    def best_strokes(left):
        if left <= 0:
            return Fraction(0)
        again = Fraction(sum(best_strokes(left - 1 - face) for face in range(1, 7)), 6)
        kept = [best_strokes(left - face) for face in range(1, 7)]
        return 1 + Fraction(sum(max(again, one) for one in kept), 6)

    found = advise(swim(breath), int, budget=Budget(5_000_000))
    assert best_strokes(breath) == found.value


@pytest.mark.parametrize("swimmers", [1, 2, 3, 20])
def test_choices_in_a_part_of_a_bounded_loop_are_not_followed_history_by_history(swimmers):
    """Each swimmer has seven ways; the highest stroke so far is all that matters."""

    @cache
    def least(left, worst):
        if not left:
            return Fraction(worst)
        again = Fraction(sum(least(left - 1, max(worst, 1 + face)) for face in range(1, 7)), 6)
        kept = [least(left - 1, max(worst, face)) for face in range(1, 7)]
        return Fraction(sum(min(again, one) for one in kept), 6)

    found = advise(relay(swimmers), lambda worst: -worst, budget=Budget(5_000_000))
    assert -least(swimmers, 0) == found.value
