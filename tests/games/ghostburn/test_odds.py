"""Exact odds of GHOST/BURN against a count of every face by hand."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.games.ghostburn import oracle

import rollwright as rw
from rollwright.engine.best.advice import value_of
from rollwright.games.ghostburn import House, game
from rollwright.games.ghostburn.rules import luck_uses, reading
from rollwright.kit import fields_of

SETTINGS = {name: list(about.more["readings"]) for name, about in fields_of(House).items()}
HOUSES = [dict(zip(SETTINGS, values)) for values in product(*SETTINGS.values())]
POLICIES = ["never", "if-failed", "always", "below:fade", "below:success", "below:cool"]
SWITCHED = [{name: value} for name, values in SETTINGS.items() for value in values]
ROLLS = [
    {"ability": 0, "dl": "Easy"},
    {"ability": -9, "gear": (-2, -4), "dl": "Moderate", "favored": True},
    {"ability": 3, "skill": (2,), "dl": "Hard", "favored": True},
    {"ability": 4, "skill": (1, 3), "gear": (2, 2, 1), "aug": (1,), "dl": "Severe"},
    {"ability": 9, "skill": (7,), "luck": (1,), "dl": "Severe", "favored": True},
]


def same(odds, counts):
    """Whether a distribution is what was counted by hand."""
    total = sum(counts.values())
    return {end: Fraction(ways, total) for end, ways in counts.items()} == {
        tuple(end): odds.p(end) for end in odds
    }


@pytest.mark.long
@pytest.mark.parametrize("fields", ROLLS, ids=lambda fields: f"{fields['dl']}{fields['ability']}")
def test_every_house_rule_both_ways(fields):
    """GHOST R4 to R19: the full joint under all 96 settings of the house rules together."""
    for house in HOUSES:
        request = {**fields, "house": house}
        assert same(
            rw.odds(game.request("roll", **request), "always"), oracle.roll_odds(request, "always")
        )


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("luck_points", [0, 1])
def test_every_policy(policy, luck_points):
    """GHOST R13 to R17: the full joint of a roll under each named policy."""
    for fields in ROLLS:
        request = {**fields, "luck_points": luck_points}
        odds = rw.odds(game.request("roll", **request), policy)
        assert same(odds, oracle.roll_odds(request, policy))


@pytest.mark.parametrize(
    ("goal", "worth"),
    [
        ("just-succeed", lambda end: end[6]),
        ("no-glitch", lambda end: -end[7]),
        ("cool", lambda end: end[0] == "Cool Success"),
        ("value", oracle.rank),
        ("save-luck", lambda end: end[6] - Fraction(end[3], 2)),
        (
            "successes=1,glitches=-2,luck_used=-0.3",
            lambda e: e[6] - 2 * e[7] - Fraction(3, 10) * e[3],
        ),
    ],
)
def test_best_play_of_a_roll(goal, worth):
    """GHOST R14 and R15: best play for each goal, ties kept, equals trying every use by hand."""
    for fields in ROLLS:
        odds = rw.odds(game.request("roll", **fields), f"best:{goal}")
        assert same(odds, oracle.roll_odds(fields, "best", worth))


@pytest.mark.parametrize("dl", [8, 14, 20, 26, 32, 38])
@pytest.mark.parametrize("bonus", range(-6, 19, 4))
def test_every_bonus_against_every_level(bonus, dl):
    """GHOST R8 to R12: all outcomes, on the ladder's own numbers above Severe too (D2)."""
    fields = {"ability": bonus, "dl": dl, "luck_points": 0}
    assert same(rw.odds(game.request("roll", **fields)), oracle.roll_odds(fields))


@pytest.mark.parametrize("dl", range(8, 50))
def test_numbers_between_levels_are_read_as_their_level(dl):
    """GHOST R8, D12: with the house rule 17 is Moderate."""
    fields = {"ability": 5, "dl": dl, "house": {"dl_between": "level"}}
    assert same(rw.odds(game.request("roll", **fields)), oracle.roll_odds(fields))


TWO = [ROLLS[2], ROLLS[3]]
THREE = [ROLLS[2], ROLLS[1], ROLLS[2]]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_session_under_every_policy(policy):
    """GHOST R13: the joint of successes, value, Glitches, Cool Successes and Luck over 3 rolls."""
    odds = rw.odds(game.request("session", rolls=THREE), policy)
    assert same(odds, oracle.session_odds(THREE, policy, 1))


@pytest.mark.parametrize("house", SWITCHED, ids=str)
def test_a_session_under_every_house_rule(house):
    """GHOST R13, D1 to D12: two rolls, each house rule switched each way, Luck left over."""
    odds = rw.odds(game.request("session", rolls=TWO, left_over=1, house=house), "always")
    luck = 2 if house.get("luck_carries") else 1
    assert same(odds, oracle.session_odds(TWO, "always", luck, house=house))


def test_a_session_without_luck():
    """GHOST R13: with no point left the rolls are independent."""
    odds = rw.odds(game.request("session", rolls=THREE, luck_points=0), "always")
    assert same(odds, oracle.session_odds(THREE, "never", 0))


def test_worths_and_stakes():
    """The value of a session adds up what its outcomes are worth, times each roll's stake."""
    worths = {"glitch": "-1/2", "fade": 1, "success": "5/2", "cool_success": 4}
    session = game.request("session", rolls=TWO, worths=worths, stakes=[1, 3])
    listed = (Fraction(-1, 2), 1, Fraction(5, 2), 4)
    counts = oracle.session_odds(TWO, "always", 1, listed, [1, 3])
    assert same(rw.odds(session, "always"), counts)


@pytest.mark.parametrize("luck_points", [0, 1, 2])
@pytest.mark.parametrize("rolls", [TWO, THREE], ids=["two", "three"])
def test_best_luck_over_a_session(rolls, luck_points):
    """GHOST R13: when to spend is solved exactly, as looking at every later throw does."""
    house = {"luck_carries": True}
    worths = (-2, 1, 2, 4)
    named = dict(zip(("glitch", "fade", "success", "cool_success"), worths))
    session = game.request(
        "session", rolls=rolls, luck_points=luck_points, worths=named, house=house
    )
    expected = oracle.best_value(
        rolls, luck_points, lambda end, left: worths[oracle.rank(end)], house
    )
    assert expected == rw.advise(session, "value").value
    assert expected == rw.odds(session, "best:value").of("value").mean


@pytest.mark.long
def test_no_policy_beats_best():
    """Best play is worth at least as much as every rule of thumb, for every goal."""
    session = game.request("session", rolls=THREE, worths={"glitch": -3})
    for name, goal in game.goals.items():
        best = rw.advise(session, name).value
        assert all(
            best >= value_of(session.call(), game.policy(p, session), goal.worth) for p in POLICIES
        )


def test_on_even_steps_the_first_help_is_as_good_as_any():
    """With worths one apart every help is worth one step, so spending at once is best play."""
    session = game.request("session", rolls=THREE)
    assert rw.advise(session, "value").value == rw.odds(session, "always").of("value").mean


BONUSES = some.lists(some.integers(-20, 20), max_size=3)


@given(
    dice=some.integers(2, 20),
    ability=some.integers(-20, 19),
    gear=BONUSES,
    luck=BONUSES,
    dl=some.sampled_from(list(oracle.BOOK)),
    house=some.sampled_from(HOUSES),
)
def test_more_is_never_worse(dice, ability, gear, luck, dl, house):
    """GHOST R8 to R19: a point more, one more piece of gear or Luck never lowers an outcome."""
    fields = {"ability": ability, "gear": gear, "luck": luck, "dl": dl, "house": house}
    task = game.request("roll", **fields).task
    now = reading(dice, task).outcome
    more = game.request("roll", **{**fields, "ability": ability + 1}).task
    geared = game.request("roll", **{**fields, "gear": [*gear, max(gear, default=0)]}).task
    assert now <= reading(dice, more).outcome
    assert now == reading(dice, geared).outcome
    assert all(now <= end.outcome for end in luck_uses(dice, task).values())
