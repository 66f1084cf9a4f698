"""Whatever is accepted is counted and told at its limits too, and odd input is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.games.edge20.oracle import best_value, check_odds, reroll_lower_if, value

import rollwright as rw
from rollwright.errors import BadField, RollwrightError
from rollwright.games.edge20 import Check, Repair, Sheet, Turn, game
from rollwright.games.edge20.outcomes import TIERS
from rollwright.games.edge20.questions import (
    another_bonus,
    best_order,
    dc_table,
    highest_dc,
    hit_or_damage,
    how_many_checks,
    tier_odds,
    worth_of_help,
)
from rollwright.games.edge20.tiers import settled
from rollwright.games.edge20.turns import try_check
from rollwright.kit import Effect

CANCELS = {"bonus_order": "cancel first"}
RIFLE = Sheet(items=[{"name": "rifle", "disabled": True, "tier": 2}])


def told(request: Any, faces: list[int], **how: Any) -> str:
    """The sentence for a request with these faces."""
    return game.tell(request, rw.roll(request, faces=faces, **how))


def test_the_turn_penalty_in_the_stack_delays_the_steady_bonus_of_a_repair() -> None:
    """EDGE R13, R33 and R41: four +5 and modifier -3 against one -5 leave +7, under the cap."""
    house = {"repair_bonus_stacks": True, "turn_penalty_stacks": True, **CANCELS}
    repair = Repair(tier=9, modifier=-3, attempt=3, tries_per_turn=2, house=house)
    assert 7 == settled(try_check(repair, 4, 2)).bonus


def test_a_repair_with_much_bonus_is_no_refusal() -> None:
    """EDGE R41: whatever a repair accepts, its later attempts accept as well."""
    sure = Repair(tier=0, modifier=499, attempt=40, limit=40)
    assert 1 == rw.odds(sure).p(lambda found: found.fixed)
    stacked = Repair(
        tier=0, bonuses=(1,) * 20, penalties=(99,) * 99, attempt=40, limit=40,
        house={"repair_bonus_stacks": True, **CANCELS},
    )  # fmt: skip
    assert 0 == rw.odds(stacked).p(lambda found: found.fixed)


@pytest.mark.parametrize("edges", ["+-5", "--5", "9" * 5000, "a," * 200, "a" * 61, ["x"] * 100])
def test_odd_edges_are_refused(edges: Any) -> None:
    """EDGE R23: signs without sense, endless numbers, lists and names are named by field."""
    with pytest.raises(BadField, match=r"^edges.*EDGE R23.*would do"):
        Check(dc=10, edges=edges)


def test_a_minus_sign_is_a_minus_sign() -> None:
    """EDGE R26: two lost edges may be written with either sign."""
    assert Check(dc=10, edges=-2) == Check(dc=10, edges="−2") == Check(dc=10, edges="-2")


@pytest.mark.parametrize("written", ["abc", "1e-99999999", "nan", "1/0", None])
def test_questions_refuse_what_is_no_number(written: Any) -> None:
    """EDGE R8: every number of a question is read with care."""
    check, turn = Check(dc=10), Turn(checks=[Check(dc=10)])
    for ask in (
        lambda: highest_dc(check, written),
        lambda: dc_table(check, [written]),
        lambda: how_many_checks(turn, success=written),
        lambda: best_order(turn, harm=written),
    ):
        with pytest.raises(BadField, match="would do"):
            ask()


def test_a_result_that_is_none_is_refused() -> None:
    """EDGE R10: there are four results."""
    with pytest.raises(BadField, match="critical success"):
        highest_dc(Check(dc=0), "0.5", "triumph")


@pytest.mark.parametrize("argument", ["9" * 5000, "²", "0", ""])
def test_stopping_after_what_is_no_number_is_refused(argument: str) -> None:
    """EDGE R13: stop-after takes a small number."""
    with pytest.raises(BadField, match="stop-after"):
        game.policy(f"stop-after:{argument}", Check(dc=10))


@pytest.mark.parametrize(
    ("roll", "fields", "field"),
    [
        ("check", {}, "dc"),
        ("check", {"dc": 10, "luck": 3}, "luck"),
        ("repair", {}, "item"),
        ("turn", {"checks": [3]}, r"checks\[0\]"),
        ("turn", {"checks": [{}]}, r"checks\[0\]\.dc"),
        ("turn", {"checks": 3}, "checks"),
    ],
)
def test_odd_fields_beside_a_sheet_are_refused(roll: str, fields: Any, field: str) -> None:
    """EDGE R12: what is missing, unknown or no check is named."""
    with pytest.raises(BadField, match=f"^{field}:"):
        game.from_sheet(RIFLE, roll, **fields)


def test_what_is_given_goes_before_the_sheet() -> None:
    """EDGE R13 and R40: a number of the check or a Tier may be given by hand."""
    assert 3 == game.from_sheet(RIFLE, "check", dc=10, nth_check=3).nth_check
    assert 7 == game.from_sheet(RIFLE, "repair", item="rifle", tier=7).tier


def test_the_highest_dc_with_rerolls_is_the_highest() -> None:
    """EDGE R37: whoever re-rolls failures has humps in the curve, and the last one counts."""
    check = Check(dc=0, rerolls=1)
    assert 20 == highest_dc(check, "0.09", "critical success")
    assert tier_odds(check.but(dc=20)).critical_success >= Fraction(9, 100)
    assert tier_odds(check.but(dc=21)).critical_success < Fraction(9, 100)


@pytest.mark.long
def test_help_at_the_limits_is_no_refusal() -> None:
    """EDGE R18 and R22: where nothing more can help, help is worth nothing."""
    check = Check(dc=10, modifier=999, advantages=99, edges=99, rerolls=1, effect="1d6")
    assert {0} == {help.gain for help in worth_of_help(check)}
    assert hit_or_damage(check).now == hit_or_damage(check).to_hit


@pytest.mark.parametrize("new", [-3, True, 10**6])
def test_another_bonus_is_a_bonus(new: Any) -> None:
    """EDGE R32: bonuses are positive numbers."""
    with pytest.raises(BadField, match="EDGE R32"):
        another_bonus([1], new)


@pytest.mark.long
@pytest.mark.parametrize("advantage", [{}, {"advantages": 1}, {"disadvantages": 1}])
@pytest.mark.parametrize("edges", [0, 2, -2])
def test_lumped_dice_leave_rerolls_in_a_turn_as_they_are(advantage: Any, edges: int) -> None:
    """EDGE R20: a turn of one check has the odds of that check, for a policy and for best play."""
    fields = {"dc": 14, "modifier": 3, "edges": edges, "rerolls": 1, **advantage}
    turn = Turn(checks=[fields])
    rule = reroll_lower_if(lambda found: not found["success"])
    slow = check_odds(fields, rule)
    expected = value(slow, lambda found: found["success"])
    assert expected == rw.odds(turn, "if-failed").of("successes").mean
    assert best_value(fields, lambda found: found["success"]) == rw.advise(turn).value


def test_caps_are_told_as_they_cut() -> None:
    """EDGE R31 and R32: where sums cancel first, only what is left over is capped."""
    fields = {"dc": 10, "bonuses": (3, 3, 3), "house": CANCELS}
    assert "capped" not in told(Check(**fields, penalties=(3,)), [10])
    assert "8 left of the bonuses are capped at 6" in told(Check(**fields, penalties=(1,)), [10])


def test_a_turn_penalty_in_the_stack_is_told_as_one() -> None:
    """EDGE R13: where it stacks, the check is not simply at -5."""
    fields = {"dc": 10, "nth_check": 2, "penalties": (5, 5)}
    said = told(Check(**fields, house={"turn_penalty_stacks": True}), [10])
    assert "check 2 of the turn adds 5 to the penalties" in said
    assert "is at -5" not in said


def test_a_critical_hit_inside_a_turn_has_its_effect() -> None:
    """EDGE R38: the main target suffers a critical effect, as it does from a single check."""
    turn = Turn(checks=[{"dc": 5, "modifier": 5, "attack": True, "target": "ogre"}] * 2)
    outcome = rw.roll(turn, faces=[18, 17], policy="never").outcome
    assert Effect("critical effect", 2, "ogre") in game.effects(turn, outcome)


def test_a_tie_that_fails_is_explained() -> None:
    """EDGE R8: met exactly and still a failure needs its reason."""
    said = told(Check(dc=10, house={"tie": "failure"}), [10])
    assert "only more than the DC is a success at this table" in said


def test_one_check_in_a_turn_is_one_check() -> None:
    """EDGE R14: the limit is said in the singular."""
    turn = Turn(checks=[Check(dc=5)] * 2, house={"max_checks": 1})
    assert "no more than 1 check in a turn" in told(turn, [10], policy="never")


def test_effect_dice_that_come_to_nothing_are_told() -> None:
    """EDGE R38: at their highest, less a larger flat part, nothing is left."""
    said = told(Check(dc=5, effect="2d6-30"), [18, 2, 3])
    assert "count their highest, but less 30 nothing is left" in said


@pytest.mark.parametrize(
    "turn",
    [
        {"checks": [{"dc": 10, "effect": "40d100"}]},
        {"checks": [{"dc": 10, "rerolls": 3}] * 3},
        {"checks": [{"dc": 10, "effect": "5d12"}] * 3, "rerolls": 1},
        {"checks": [{"dc": 10}] * 5, "rerolls": 1, "any_order": True},
    ],
)
def test_turns_too_large_to_count_are_refused_at_once(turn: Any) -> None:
    """EDGE R14: what would take minutes is refused with what would do; rolling needs no count."""
    made = Turn(**turn)
    with pytest.raises(RollwrightError, match="would do"):
        rw.odds(made)
    rolled = rw.roll(made, seed="large", policy="always")
    assert rolled.outcome is not None
    assert rolled.outcome == rw.verify(rolled.to_json()).outcome


@pytest.mark.parametrize(
    "turn", [{"checks": [{"dc": 10}] * 7}, {"checks": [{"dc": 10}], "rerolls": 4}]
)
def test_turns_that_nobody_plays_are_refused(turn: Any) -> None:
    """EDGE R14: seven checks, or four re-rolls for all of them."""
    with pytest.raises(RollwrightError, match="would do"):
        Turn(**turn)


def test_questions_count_rerolls_as_the_check_does() -> None:
    """EDGE R20: the odds that questions use with re-rolls are those of the check."""
    fields = {"dc": 14, "modifier": 3, "edges": 1, "advantages": 1, "rerolls": 1}
    tiers = rw.odds(Check(**fields)).of("tier")
    assert [tiers.p(tier) for tier in TIERS] == list(tier_odds(Check(**fields)))


@pytest.mark.long
@pytest.mark.parametrize(
    "house",
    [{}, {"lost_edge": "swap"}, {"natural_is_automatic_critical": True}, {"tie": "failure"}],
    ids=str,
)
@pytest.mark.parametrize("goal", ["just-succeed", "critical"])
def test_lumped_dice_are_as_good_as_all_of_them(house: Any, goal: str) -> None:
    """EDGE R20: with two re-rolls best play of a turn of one check is best play of the check."""
    fields = {"dc": 12, "modifier": 2, "edges": -2, "advantages": 1, "rerolls": 2}
    single = rw.advise(Check(**fields, house=house), goal).value
    assert single == rw.advise(Turn(checks=[fields], house=house), goal).value
