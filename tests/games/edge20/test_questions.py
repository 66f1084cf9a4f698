"""The questions of players and GMs, each against a slow count or by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.games.edge20.oracle import WORST_TO_BEST, check_odds
from tests.games.edge20.test_counts import PLAIN, SWITCHES

import rollwright as rw
from rollwright.budget import Budget
from rollwright.errors import BadField
from rollwright.games.edge20 import Check, Tier, game
from rollwright.games.edge20.questions import (
    DICE_MATTER,
    another_bonus,
    dc_table,
    expected_effect,
    highest_dc,
    hit_or_damage,
    tier_odds,
    tier_table,
    which_die_to_reroll,
    worth_of_help,
)


def slow_tiers(fields: dict[str, Any]) -> tuple[Fraction, ...]:
    """The chance of each tier, by the slow count."""
    odds = check_odds(fields)
    return tuple(
        sum((c for outcome, c in odds.items() if dict(outcome)["tier"] == tier), Fraction(0))
        for tier in WORST_TO_BEST
    )


def test_every_question_is_listed_with_an_example() -> None:
    """All questions are offered by the game, each with an example in its help."""
    for name, question in game.questions.items():
        assert question.__name__ == name
        assert ">>>" in (question.__doc__ or "")


@pytest.mark.parametrize("house", SWITCHES[:6], ids=str)
@pytest.mark.parametrize("fields", [f for f in PLAIN if "effect" not in f], ids=str)
def test_tier_odds(fields: dict[str, Any], house: dict[str, Any]) -> None:
    """EDGE R35 to R37: the odds of the four results."""
    fields = fields | {"house": house}
    assert slow_tiers(fields) == tuple(tier_odds(Check(**fields)))


def test_tier_odds_with_a_reroll() -> None:
    """EDGE R20: with a re-roll they are those of the default policy, or of the one named."""
    check = Check(dc=15, modifier=5, rerolls=1)
    assert 1 - Fraction(9, 20) ** 2 == tier_odds(check).succeeds
    assert Fraction(11, 20) == tier_odds(check, "never").succeeds


def test_worth_of_help() -> None:
    """EDGE R16 and R21: what +1, +2, advantage and an edge add to a plain check."""
    fields: dict[str, Any] = {"dc": 15, "modifier": 5}
    found = {help.what: help for help in worth_of_help(Check(**fields))}
    helped = {
        "+1": {"modifier": 6},
        "+2": {"modifier": 7},
        "advantage": {"advantages": 1},
        "an edge": {"edges": 1},
    }
    now = slow_tiers(fields)
    for what, change in helped.items():
        then = slow_tiers(fields | change)
        assert sum(then[2:]) == found[what].succeeds
        assert sum(then[2:]) - sum(now[2:]) == found[what].gain
        assert then[3] - now[3] == found[what].critical_gain


def test_an_edge_beyond_the_d12_is_worth_nothing() -> None:
    """EDGE R22: a sixth edge does not help."""
    assert 0 == worth_of_help(Check(dc=20, edges=5))[3].gain


@pytest.mark.parametrize(
    ("more", "faces"), [({"advantages": 1}, [4, 9]), ({"disadvantages": 1}, [4, 13])]
)
def test_which_die(more: dict[str, int], faces: list[int]) -> None:
    """EDGE R20: the lower die, with advantage and with disadvantage; the higher never helps."""
    check = Check(dc=15, modifier=3, rerolls=1, **more)
    advice = which_die_to_reroll(check, faces)
    worth = {option: value for option, value in advice.options}
    assert "re-roll lower" == advice.best
    assert worth["re-roll higher"] <= worth["re-roll lower"]
    if more == {"disadvantages": 1}:
        assert worth["re-roll higher"] == worth["keep"] == 0


def test_keep_what_succeeds() -> None:
    """EDGE R20: a success is kept, and it is said when nothing matters."""
    advice = which_die_to_reroll(Check(dc=10, advantages=1, rerolls=1), [4, 12])
    assert "keep" == advice.best
    hopeless = which_die_to_reroll(Check(dc=60, rerolls=1), [4])
    assert not hopeless.matters


def test_which_die_for_another_goal() -> None:
    """EDGE R20: for a critical success a plain success is rolled again."""
    check = Check(dc=10, modifier=5, advantages=1, rerolls=1)
    assert "re-roll lower" == which_die_to_reroll(check, [4, 12], "critical").best


def test_another_bonus() -> None:
    """EDGE R32: a bonus may be wasted, count in part, or lift the cap by more than itself."""
    assert (0, 2) == another_bonus([3, 2, 1], 2)[2:]
    assert (1, 1) == another_bonus([3, 2], 2)[2:]
    assert (4, 0) == another_bonus([1, 1, 1], 3)[2:]
    assert (3, 0) == another_bonus([], 3)[2:]


@pytest.mark.parametrize(
    "fields",
    [
        {"dc": 12, "modifier": 4, "effect": "2d4+3"},
        {"dc": 12, "modifier": 4, "effect": "1d4+1d6-4", "edges": 1},
        {"dc": 12, "modifier": 4, "effect": "1d6", "effect_penalties": (3,)},
        {"dc": 12, "modifier": 4, "effect_bonuses": (3,)},
        {"dc": 12, "modifier": 4, "advantages": 1, "effect": "1d8"},
    ],
    ids=str,
)
def test_expected_effect(fields: dict[str, Any]) -> None:
    """EDGE R38: the average effect, with dice at their highest on critical successes."""
    slow = sum(
        (c * dict(outcome)["effect"] for outcome, c in check_odds(fields).items()), Fraction(0)
    )
    assert slow == expected_effect(Check(**fields)) == rw.odds(Check(**fields)).of("effect").mean


def test_expected_effect_with_a_reroll() -> None:
    """EDGE R20 and R38: a re-roll counts in the average."""
    check = Check(dc=12, modifier=4, effect="1d6", rerolls=1)
    assert rw.odds(check, "always").of("effect").mean == expected_effect(check, "always")


def test_hit_or_damage() -> None:
    """EDGE R38: +1 to hit against +2 damage, by hand for a sure flat weapon."""
    found = hit_or_damage(Check(dc=15, modifier=5, effect="10"))
    assert Fraction(11, 20) * 10 == found.now
    assert Fraction(12, 20) * 10 == found.to_hit
    assert Fraction(11, 20) * 12 == found.damage
    assert "damage" == found.better
    assert "to hit" == hit_or_damage(Check(dc=24, modifier=5, effect="30")).better
    assert "neither" == hit_or_damage(Check(dc=15, effect="10"), to_hit=0, damage=0).better


def test_highest_dc() -> None:
    """EDGE R35: the highest DC that is still met so often; one more is too high."""
    check = Check(dc=0, modifier=5, advantages=1, edges=2)
    for chance in ("1/4", "1/2", "3/4", "0.95"):
        dc = highest_dc(check, chance)
        assert dc is not None
        assert tier_odds(check.but(dc=dc)).succeeds >= Fraction(chance)
        assert tier_odds(check.but(dc=dc + 1)).succeeds < Fraction(chance)


def test_highest_dc_for_a_critical_success() -> None:
    """EDGE R10: the same for a critical success, ten lower but for naturals."""
    check = Check(dc=0, modifier=5)
    assert 16 == highest_dc(check, "1/2")
    assert 6 == highest_dc(check, "1/2", Tier.CRITICAL_SUCCESS)


def test_no_dc_is_low_enough() -> None:
    """EDGE R36: some chances are out of reach however low the DC."""
    house = {"natural_is_automatic_critical": True}
    assert highest_dc(Check(dc=0, house=house), 1) is None


def test_dc_table() -> None:
    """EDGE R35: the inverse table for several chances."""
    assert [21, 16, 11] == list(dc_table(Check(dc=0, modifier=5), ["1/4", "1/2", "3/4"]).values())


@pytest.mark.long
def test_tier_table() -> None:
    """EDGE R35: the whole table agrees with single odds."""
    table = tier_table(Check(dc=0, advantages=1, edges=1), range(-5, 16, 5), range(5, 31, 5))
    assert 30 == len(table)
    for (modifier, dc), odds in table.items():
        tiers = rw.odds(Check(modifier=modifier, dc=dc, advantages=1, edges=1)).of("tier")
        assert tuple(odds) == tuple(tiers.p(tier) for tier in Tier)


@pytest.mark.parametrize(
    ("modifiers", "dcs", "place"),
    [([0, 1000], [10], r"modifiers\[1\]"), ([0], [-100], r"dcs\[0\]")],
)
def test_a_tier_table_is_of_checks_that_can_be(
    modifiers: list[int], dcs: list[int], place: str
) -> None:
    """EDGE R4, R7: a modifier or DC that no check may have is refused by its place."""
    with pytest.raises(BadField, match=rf"^{place}: .* is too (high|low) .* would do"):
        tier_table(Check(dc=0), modifiers, dcs)


@pytest.mark.long
@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("dc_table", {"chances": [f"{n}/100" for n in range(1, 101)]}),
        ("tier_table", {"modifiers": list(range(-500, 500, 10)), "dcs": list(range(100))}),
    ],
)
def test_a_table_with_rerolls_counts_each_distance_once(
    question: str, arguments: dict[str, Any]
) -> None:
    """A hundred chances, or ten thousand cells, cost no more than where the dice can matter."""
    check = {"modifier": 5, "dc": 15, "rerolls": 1, "advantages": 1}
    one, table = Budget(), Budget()
    game.questions["tier_odds"].ask({"check": check}, budget=one)
    game.questions[question].ask({"check": check, **arguments}, budget=table)
    assert table.spent < len(DICE_MATTER) * 2 * one.spent


@pytest.mark.long
def test_odds_stay_the_same_where_the_dice_cannot_matter() -> None:
    """EDGE R35: one further from the DC than the dice reach is as good as any."""
    check = Check(dc=0, rerolls=1, advantages=1, edges=-5)
    near, far = -DICE_MATTER[0] + 1, 199
    table = tier_table(check, [0, 199], [near, far, -99])
    assert tier_odds(check.but(dc=far)) == table[0, near] == table[0, far]
    assert tier_odds(check.but(modifier=199, dc=-99)) == table[199, -99]
