"""Ways to decide in Twilight: 2000, each tried at a single moment."""

from types import SimpleNamespace

import pytest

from rollwright.dice import D12
from rollwright.errors import RollwrightError
from rollwright.games.twilight2000 import game
from rollwright.games.twilight2000.dice import Lying
from rollwright.games.twilight2000.rules import POLICIES, successes_of
from rollwright.games.twilight2000.shooting import attack_outcome, nobody_struck

SKILL = game.request("skill", attribute="B", skill="C")


def decided(policy, **about):
    """What a policy says after a first roll."""
    name, _, argument = policy.partition(":")
    moment = SimpleNamespace(loose_ammo=0, against=None, **about)
    situation = SimpleNamespace(by="roller", options=("keep", "push"), about=moment)
    return POLICIES[name].make(argument, SKILL)(situation)


@pytest.mark.parametrize("policy", ["if-failed", "first-target", "below:1"])
@pytest.mark.parametrize(
    ("successes", "loose", "option"), [(0, 1, "push"), (0, 0, "keep"), (1, 1, "keep")]
)
def test_a_failure_is_pushed_where_a_base_die_is_loose(policy, successes, loose, option):
    """T2K R9: no success so far, and something to throw again."""
    assert option == decided(policy, successes=successes, loose=loose)


@pytest.mark.parametrize(("face", "count"), [(1, 0), (5, 0), (6, 1), (9, 1), (10, 2), (12, 2)])
def test_a_side_that_rolls_once_has_its_successes_and_nothing_else(face, count):
    """The book under "Multiple successes": one from a 6 on, two from a 10 on; 1s are no success."""
    assert count == successes_of(face, D12)


def test_sixes_on_the_first_target_are_the_plan_listed_first():
    """T2K R23: the hit on the primary target is raised by all of them."""
    decide = POLICIES["first-target"].make("", SKILL)
    plans = SimpleNamespace(by="shooter", options=("first", "second", "third"), about=None)
    assert "first" == decide(plans)


@pytest.mark.parametrize("enough", ["0", "99"])
def test_from_no_success_to_ninety_nine_may_be_enough(enough):
    """T2K R9: with 0 nothing is pushed, with 99 everything."""
    option = decided(f"below:{enough}", successes=0, loose=1)
    assert ("push" if enough == "99" else "keep") == option


@pytest.mark.parametrize("enough", ["-1", "100"])
def test_no_other_number_of_successes_is_taken(enough):
    """What lies outside is refused, with what would do."""
    with pytest.raises(RollwrightError, match="below"):
        decided(f"below:{enough}", successes=0, loose=1)


@pytest.mark.parametrize("successes", [0, 1, 3])
def test_without_targets_nobody_is_brought_down_or_injured(successes):
    """T2K R71, R72: damage and critical injuries are those of targets, and none is listed."""
    shot = game.request("attack", attribute="B", skill="C", ammo_dice=1)
    lying = Lying(successes, ones=0, sixes=1, ammo_ones=0, ammo_sum=6)
    end = attack_outcome(shot, lying, nobody_struck(shot, successes), pushed=False)
    assert (0, 0, (), ()) == (end.kills, end.crits, end.wounds, end.injuries)
