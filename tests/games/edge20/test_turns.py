"""Turns of several checks against slow counts: joint outcomes, policies, best stopping, order."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from tests.games.edge20.oracle import short_odds, turn_odds, verdict

import rollwright as rw
from rollwright.api import new_transcript
from rollwright.errors import BadField
from rollwright.games.edge20 import Check, Turn, game
from rollwright.games.edge20.questions import best_order, how_many_checks
from rollwright.kit import Effect

PLANS: dict[str, list[dict[str, Any]]] = {
    "two": [{"dc": 12, "modifier": 6}, {"dc": 15, "modifier": 11}],
    "effects": [
        {"dc": 12, "modifier": 6, "effect": "1d4+1"},
        {"dc": 10, "modifier": 8, "edges": 1},
        {"dc": 12, "modifier": 9, "effect": "1d6", "attack": True},
    ],
    "four": [{"dc": 12, "modifier": modifier} for modifier in (4, 9, 14, 19)],
}
POLICIES = {
    "if-failed": lambda made, won: True,
    "stop-if-failed": lambda made, won: made == won,
    "stop-after:2": lambda made, won: made < 2,
}
FIELDS = ("successes", "critical_failure", "checks", "effect", "completed", "stopped")


def counted(turn: Turn, policy: str) -> dict[Any, Fraction]:
    """Our odds of the fields that the slow count has."""
    odds = rw.odds(turn, policy).of(*FIELDS)
    return {found: Fraction(weight, odds.total) for found, weight in odds.items()}


@pytest.mark.parametrize(
    "house",
    [{}, {"max_checks": 2}, {"tie": "failure"}, {"natural_is_automatic_critical": True}],
    ids=str,
)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("plan", PLANS)
def test_turns(plan: str, policy: str, house: dict[str, Any]) -> None:
    """EDGE R12, R13 and R15: the joint odds of a turn under each way to go on or stop."""
    expected = turn_odds(PLANS[plan], POLICIES[policy], house)
    assert expected == counted(Turn(checks=PLANS[plan], house=house), policy)


@pytest.mark.parametrize("stacks", [False, True])
def test_turn_penalty_in_or_outside_the_stack(stacks: bool) -> None:
    """EDGE R13 and R33: the penalty for later checks counts in the stack only by house rule."""
    plan = [{"dc": 12, "modifier": 8, "penalties": (1, 1, 1)}] * 3
    house = {"turn_penalty_stacks": stacks}
    expected = turn_odds(plan, POLICIES["if-failed"], house)
    assert expected == counted(Turn(checks=plan, house=house), "if-failed")


def test_checks_made_before_count() -> None:
    """EDGE R13: a plan that starts after two checks starts at -10."""
    expected = turn_odds(PLANS["two"], POLICIES["if-failed"], before=2)
    assert expected == counted(Turn(checks=PLANS["two"], checks_before=2), "if-failed")


def _slow_best(plan: list[dict[str, Any]], harm: int, made: int = 0) -> Fraction:
    """The worth of a turn when the player stops wherever that is better; the first is made."""
    if not plan:
        return Fraction(0)
    total = Fraction(0)
    for (tier, _), chance in short_odds(plan[0] | {"nth_check": made + 1}).items():
        if tier == "critical failure":
            total -= chance * harm
            continue
        won = tier in ("success", "critical success")
        total += chance * (won + max(_slow_best(plan[1:], harm, made + 1), Fraction(0)))
    return total


@pytest.mark.parametrize("harm", [0, 1, 3])
@pytest.mark.parametrize("plan", PLANS)
def test_best_stopping(plan: str, harm: int) -> None:
    """EDGE R13 and R15: best play of a turn is worth what trying every stop finds."""
    advice = rw.advise(Turn(checks=PLANS[plan]), f"successes=1,critical_failure=-{harm}")
    assert _slow_best(PLANS[plan], harm) == advice.value


def test_careful_is_best_stopping_at_even_prices() -> None:
    """EDGE R15: the goal `careful` prices a critical failure like a success."""
    assert _slow_best(PLANS["four"], 1) == rw.advise(Turn(checks=PLANS["four"]), "careful").value


@pytest.mark.parametrize("harm", [1, 4])
def test_best_order_against_every_order(harm: int) -> None:
    """EDGE R13: the best order is that of all permutations, each with its best stop."""
    plan = [{"dc": 12, "modifier": modifier} for modifier in (3, 7, 12)]
    found = best_order(Turn(checks=plan), harm=harm)
    orders = [max(_slow_best(list(order), harm), Fraction(0)) for order in permutations(plan)]
    assert max(orders) == found.value
    chosen = [plan[int(label.split()[1]) - 1] for label in found.order]
    assert found.value == max(_slow_best(chosen, harm), Fraction(0))


def test_free_order_is_worth_the_best_order() -> None:
    """EDGE R12: whoever picks the next check as they go does as well as the best order."""
    plan = [{"dc": 12, "modifier": modifier} for modifier in (3, 7, 12)]
    free = rw.advise(Turn(checks=plan, any_order=True), "careful").value
    assert best_order(Turn(checks=plan)).value == free


def test_how_many_checks_lists_every_number() -> None:
    """EDGE R13: the worth of planning none, one, two and more checks, and the best of them."""
    plan = PLANS["four"]
    found = how_many_checks(Turn(checks=plan), harm=2)
    for number in range(1, 5):
        ends = turn_odds(plan[:number], lambda made, won: True)
        worth = sum(
            ((won - 2 * cut) * chance for (won, cut, *_), chance in ends.items()), Fraction(0)
        )
        assert worth == found.values[number]
    assert max(found.values) == found.value == found.values[found.checks]


def test_effect_can_be_priced() -> None:
    """EDGE R30: a point of effect can have a worth of its own."""
    turn = Turn(checks=PLANS["effects"])
    ends = turn_odds(PLANS["effects"], lambda made, won: True)
    worth = sum((effect * chance for (_, _, _, effect, *_), chance in ends.items()), Fraction(0))
    assert worth == how_many_checks(turn, success=0, harm=0, effect=1).values[3]


def test_a_limit_shortens_every_plan() -> None:
    """EDGE R14: with max_checks no plan is longer, in turns and in advice."""
    turn = Turn(checks=PLANS["four"], house={"max_checks": 2})
    assert 3 == len(how_many_checks(turn, harm=0).values)
    assert 2 == best_order(turn, harm=0).checks
    assert {1, 2} == set(rw.odds(turn).of("checks").outcomes)


def test_pick_the_next_check_by_name() -> None:
    """EDGE R12: with any_order the player names the next check, or stops."""
    turn = Turn(checks=[Check(name="shove", dc=10), Check(name="jump", dc=10)], any_order=True)
    start = rw.roll(turn, faces=[])
    assert ("shove", "jump") == start.step.options
    after = start.choose("jump").throw([12])
    assert ("stop", "shove") == after.step.options
    found = after.choose("shove").throw([16]).outcome
    assert (2, 1, True) == (found.successes, found.last, found.completed)


def test_rerolls_inside_a_turn() -> None:
    """EDGE R20: re-rolls of a check in a turn are used and counted."""
    turn = Turn(checks=[Check(dc=10, rerolls=1), Check(dc=10)])
    found = rw.roll(turn, faces=[4, 12, 16], policy="if-failed").outcome
    assert (2, 1) == (found.successes, found.rerolled)
    single = rw.odds(Check(dc=10, rerolls=1)).p(lambda c: c.success)
    assert single == rw.odds(turn, "stop-after:1").p(lambda t: t.successes == 1)


def test_a_turn_numbers_its_checks_itself() -> None:
    """EDGE R13: a check with a number or house rules of its own is refused inside a turn."""
    with pytest.raises(BadField, match=r"checks\[0\].*EDGE R13"):
        Turn(checks=[Check(dc=10, nth_check=2)])


def test_labels_differ() -> None:
    """EDGE R12: checks are picked by name, numbered where names are missing or the same."""
    turn = Turn(checks=[Check(name="a", dc=1), Check(name="a", dc=1), Check(dc=1)])
    assert ("a (1)", "a (2)", "check 3") == turn.labels
    assert ("check 1", "check 2") == Turn(checks=[Check(name="stop", dc=1), Check(dc=1)]).labels


def _slow_shared(plan: list[dict[str, Any]], left: int, made: int = 0) -> Fraction:
    """The most successes of a plan carried out to the end with shared re-rolls of a single d20."""
    if made == len(plan):
        return Fraction(0)
    total = Fraction(0)

    def after(d20: int, left: int) -> Fraction:
        found = verdict(plan[made] | {"nth_check": made + 1}, d20, 0)
        if found["turn_ends"]:
            return Fraction(0)
        return found["success"] + _slow_shared(plan, left, made + 1)

    for d20 in range(1, 21):
        worths = [after(d20, left)]
        if left:
            worths.append(sum((after(new, left - 1) for new in range(1, 21)), Fraction(0)) / 20)
        total += max(worths)
    return total / 20


def test_shared_rerolls_are_kept_for_the_right_check() -> None:
    """EDGE R20: one re-roll for the whole turn, used where it is worth most."""
    plan = [{"dc": 18}, {"dc": 15, "modifier": 14}]
    turn = Turn(checks=plan, rerolls=1)
    assert _slow_shared(plan, 1) == rw.advise(turn).value
    assert rw.advise(turn).value > rw.odds(turn, "if-failed").of("successes").mean


def test_own_rerolls_are_used_first() -> None:
    """EDGE R20: a check's own re-roll goes before the shared one."""
    turn = Turn(checks=[Check(dc=10, rerolls=1), Check(dc=10)], rerolls=1)
    found = rw.roll(turn, faces=[4, 12, 6, 16], policy="if-failed").outcome
    assert (2, 2) == (found.successes, found.rerolled)
    with pytest.raises(BadField, match=r"rerolls.*EDGE R20"):
        best_order(turn)
    with pytest.raises(BadField, match=r"rerolls.*EDGE R20.*0 to 6 in all"):
        rw.odds(Turn(checks=[Check(dc=10, rerolls=5)], rerolls=2))


def test_the_table_of_advice_is_readable() -> None:
    """EDGE R13: decisions are told in words, not as data."""
    told = rw.advise(Turn(checks=[Check(name="hop", dc=10), Check(name="skip", dc=10)])).table()
    assert "1 of 1 succeeded; left: skip" in told
    assert (
        "4 and 8, the higher counts: failure by 7, re-rolls 1"
        in rw.advise(Check(dc=15, advantages=1, rerolls=1)).table()
    )


HARMS: list[tuple[list[dict[str, Any]], dict[str, Any], str, str]] = [
    ([{}, {}], {}, "5/8", "0"),
    ([{}, {"item": "saw"}], {}, "1/4", "3/8"),
    ([{"attack": True}, {}], {}, "3/8", "1/4"),
    ([{"attack": True, "item": ""}, {"item": "saw"}], {}, "1/4", "3/8"),
    ([{"attack": True}, {"item": "saw"}], {}, "0", "5/8"),
    ([{"attack": True}, {"item": "saw"}], {"jam_comes_on_top": True}, "5/8", "5/8"),
    ([{}, {"item": "saw"}], {"jam_comes_on_top": True}, "5/8", "3/8"),
]


@pytest.mark.parametrize(("plan", "house", "harm", "disabled"), HARMS)
def test_harm_of_a_turn(
    plan: list[dict[str, Any]], house: dict[str, Any], harm: str, disabled: str
) -> None:
    """EDGE R11, R15 and R39: what the check that ends a turn brings, harm or a jam or both.

    By hand, against DC 15 and without a modifier: the first check misses by 10 with 5 faces of 20,
    the second, at 5 less, with 10 of 20; so one in four, and three in four times one in two.
    """
    turn = Turn(checks=[{"dc": 15} | one for one in plan], house=house)
    odds = rw.odds(turn, "never")
    assert Fraction(harm) == odds.of("harm").p(True)
    assert Fraction(disabled) == odds.of("disabled").p(True)
    assert Fraction(5, 8) == odds.of("critical_failure").p(True)
    assert Fraction(1, 4) == odds.of("cut_short").p(True)


@pytest.mark.parametrize(
    ("entries", "harm"),
    [(([12], "go on", [3]), True), (([3],), True), (([12], "stop"), False), (([9], "stop"), False)],
    ids=str,
)
def test_harm_is_told_done_and_only_by_a_critical_failure(entries: Any, harm: bool) -> None:
    """EDGE R11: the outcome, its effects and its words agree on whether there is harm."""
    turn = Turn(checks=[{"dc": 15}, {"dc": 15}])
    transcript = new_transcript(turn)
    for entry in entries:
        transcript = transcript.choose(entry) if isinstance(entry, str) else transcript.throw(entry)
    assert harm == transcript.outcome.harm
    assert harm == (Effect("harm") in game.effects(turn, transcript.outcome))
    assert harm == ("something harmful happens" in game.tell(turn, transcript))


@pytest.mark.parametrize(
    ("faces", "cut_short", "failed"),
    [([3], True, True), ([12, 3], False, True), ([12, 12], False, False)],
)
def test_a_turn_is_cut_short_only_where_checks_are_left(
    faces: list[int], cut_short: bool, failed: bool
) -> None:
    """EDGE R15: a critical failure ends a turn; at the last check it takes nothing away."""
    turn = Turn(checks=[{"dc": 15}] * 2)
    found = rw.roll(turn, faces=faces, policy="never").outcome
    assert (cut_short, failed, failed) == (found.cut_short, found.critical_failure, found.harm)
    limited = Turn(checks=[{"dc": 15}] * 2, house={"max_checks": 1})
    assert not rw.roll(limited, faces=[3], policy="never").outcome.cut_short
