"""Group Tests counted exactly, against an enumeration that knows every die."""

from fractions import Fraction
from itertools import product

import pytest
from tests.games.kleptonomicon.oracle import ORDERS, GroupOracle, Player, gifts
from tests.gates import but

import rollwright as rw
from rollwright.games.kleptonomicon import Group, House

PAIR = ((2, -1), (0, -1))
CHOICES = {
    "group_help": ("extra_die", "plus_one"),
    "late_advantage": ("cancel", "add_die"),
    "group_chain": (False, True),
    "group_looking": ("one_by_one", "at_once"),
    "critical_value": ("beyond", "with_modifier"),
    "coins": ("each", "one"),
}
HOUSES = [dict(zip(CHOICES, setting)) for setting in product(*CHOICES.values())]
PAIRS = HOUSES[::7]
"""Every reading of each switch beside every reading of each other."""
SOME = [house for house in HOUSES if house in PAIRS or house in HOUSES[::3]]


def group(mods, nets, house=None, goal=7, **fields):
    """A Group Test of players with these Modifiers and net Advantages."""
    members = [
        {"modifier": mod, "advantages": max(0, net), "disadvantages": max(0, -net)}
        for mod, net in zip(mods, nets)
    ]
    return Group(members=members, goal=goal, house=House(**(house or {})), **fields)


def reached(request, policy):
    """The chance that the goal is reached."""
    return rw.odds(request, policy).p(lambda outcome: outcome.reached)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "-".join(map(str, house.values())))
def test_best_help_is_found_under_every_house_rule(house):
    """The best chance equals that of free play over exact dice (KLEP R24 to R32)."""
    goal = 7 if house["coins"] == "each" else 10
    oracle = GroupOracle(*PAIR, goal=goal, **house)
    assert oracle.best_chance() == rw.advise(group(*PAIR, house, goal=goal)).value


@pytest.mark.parametrize("coins", ["each", "one"])
def test_dice_rolled_with_two_disadvantages_go_away_one_by_one(coins):
    """A late Advantage takes the last Disadvantage die away (KLEP R16), the next the one before."""
    house = {"coins": coins}
    expected = GroupOracle((2, -1), (0, -2), **house).best_chance()
    assert expected == rw.advise(group((2, -1), (0, -2), house)).value


@pytest.mark.long
@pytest.mark.parametrize("read", ["goal", "bands", "scores"])
@pytest.mark.parametrize(
    "house", but(SOME, *PAIRS), ids=lambda house: "-".join(map(str, house.values()))
)
def test_fixed_ways_to_help_have_exact_odds_under_every_house_rule(house, read):
    """Never and lowest-first come to the enumerated ends, however finely they are read."""
    request = group((1, 3), (0, -1), house, read=read, goal=8)
    oracle = GroupOracle((1, 3), (0, -1), goal=8, read=read, **house)
    for policy in ("never", "lowest-first"):
        expected = oracle.outcomes(ORDERS[policy])
        assert compared(expected, read) == counted(rw.odds(request, policy), read)


def compared(ends, read):
    """Enumerated ends, with the fields that this reading tells."""
    found = {}
    for (reached, band, critical, number, received), chance in ends.items():
        key = (reached,)
        if read == "bands":
            key = (reached, band, critical if critical == "0!" else "")
        elif read == "scores":
            key = (reached, band, critical, number, received)
        found[key] = found.get(key, 0) + chance
    return found


def counted(odds, read):
    """Counted ends, with the same fields."""
    found = {}
    for end in odds:
        key = (end.reached,)
        if read == "bands":
            key = (end.reached, end.band, end.critical if end.critical == "0!" else "")
        elif read == "scores":
            key = (end.reached, end.band, end.critical, end.score, end.helped)
        found[key] = found.get(key, 0) + odds.p(end)
    return found


@pytest.mark.long
@pytest.mark.parametrize("policy", list(ORDERS))
@pytest.mark.parametrize("goal", [5, 8, 10])
def test_every_policy_and_goal_has_exact_odds_for_three(policy, goal):
    """Three players with different Modifiers, any goal, any way to help (KLEP R25)."""
    mods, nets = (0, 2, 4), (0, 1, 0)
    expected = GroupOracle(mods, nets, goal=goal).chance_of_goal(ORDERS[policy])
    assert expected == reached(group(mods, nets, goal=goal), policy)


@pytest.mark.parametrize("goal", [7, 10])
@pytest.mark.parametrize(
    "faces", [(9, 6, 2), (8, 7, 4), (5, 3, 9), (7, 8, 3), (9, 9, 1), (2, 6, 6)]
)
def test_best_help_for_three_equals_free_play(goal, faces):
    """No other order of helpers would reach the goal more often (KLEP R30)."""
    mods, nets = (0, 2, 5), (0, 0, 0)
    oracle = GroupOracle(mods, nets, goal=goal)
    rolled = tuple(Player((face,), False, 0, 0, gifts(face, mod)) for face, mod in zip(faces, mods))
    lying = rw.roll(group(mods, nets, goal=goal), faces=faces)
    value = lying.outcome.reached if lying.is_done else rw.advise(lying).value
    assert oracle.best(rolled) == value


@pytest.mark.parametrize("read", ["goal", "bands", "scores"])
def test_best_help_does_not_depend_on_how_finely_the_dice_are_read(read):
    """Whatever is read beyond the goal is no help in reaching it (KLEP R31)."""
    coarse = rw.advise(group((1, 3), (0, 0))).value
    assert coarse == rw.advise(group((1, 3), (0, 0), read=read)).value


@pytest.mark.parametrize("zero", ["critical", "low"])
def test_a_zero_for_the_group_is_reported_as_the_house_reads_it(zero):
    """The chance of a Critical Failure for all (KLEP R31), or none where it is just Low."""
    for read in ("bands", "scores"):
        request = group((1, 3), (0, 0), {"group_zero": zero}, read=read)
        expected = GroupOracle((1, 3), (0, 0), read=read, group_zero=zero)
        assert compared(expected.outcomes(None), read) == counted(rw.odds(request, "never"), read)


def test_four_disadvantages_swallow_one_gift():
    """The net is recomputed from uncapped counts (KLEP R17): one gift against four does nothing."""
    lying = rw.roll(group((4, 9), (-4, 0), read="scores"), faces=[9, 9, 9, 1, 1])
    assert lying.step.by == "player 2"
    once = lying.choose("player 1")
    assert "player 1" in once.step.options
    twice = once.choose("player 1")
    assert (13, 10) == (4 + 9, twice.outcome.score)
    assert -98 < lying.choose("keep").choose("keep").outcome.score == 5


def test_gifts_against_four_disadvantages_have_exact_odds():
    """Best help with swallowed gifts equals the enumeration over dice in order (KLEP R16)."""
    mods, nets = (2, 9, 9), (-4, 0, 0)
    for dice in ((6, 4, 9, 2), (3, 9, 9, 9), (9, 8, 1, 8), (8, 1, 2, 9)):
        hindered = Player(dice, True, 1, 0, 0)
        rolled = (hindered, Player((9,), False, 0, 0, 2), Player((1,), False, 0, 0, 2))
        lying = rw.roll(group(mods, nets), faces=[*dice, 9, 1])
        assert GroupOracle(mods, nets).best(rolled) == rw.advise(lying).value


@pytest.mark.parametrize("method", ["coin", "odd_even", "d10ish"])
def test_a_pair_that_helps_is_counted_out_by_hand(method):
    """KLEP R9, KLEP R10, KLEP R11: 7 of 20 pass, 6 with one Advantage to give and 1 with two.

    Both pass, or one does and the other is rescued by a die or by one of two:
    (7/20)^2 + 2 * 13/20 * (6/20 * 7/20 + 1/20 * (1 - (13/20)^2)) = 23723/80000.
    """
    request = Group(members=[{}, {}], goal=7, method=method)
    assert Fraction(23723, 80000) == rw.odds(request, "lowest-first").p(lambda end: end.reached)
    assert Fraction(49, 400) == rw.odds(request, "never").p(lambda end: end.reached)


@pytest.mark.parametrize("method", ["coin", "odd_even", "d10ish"])
def test_dice_rolled_one_by_one_are_counted_out_by_hand(method):
    """KLEP R9, KLEP R10, KLEP R11: Carol throws two dice in order, and the lowest counts.

    Alice passes: one Advantage (6/20) leaves Carol's first die, with two (1/20) she may roll one
    more. Alice fails: Carol passes with both dice, and has two Advantages only with two 10!s.
    """
    request = Group(members=[{}, {"disadvantages": 1}], goal=7, method=method)
    one, passes, fails = Fraction(1, 20), Fraction(7, 20), Fraction(13, 20)
    assert passes**3 == rw.odds(request, "never").p(lambda end: end.reached)
    one_die, two_dice = passes, 1 - fails**2
    alice_helps = (passes - one) * one_die + one * two_dice
    carol_helps = fails * ((passes**2 - one**2) * one_die + one**2 * two_dice)
    helped = rw.odds(request, "lowest-first").p(lambda end: end.reached)
    assert alice_helps + carol_helps == helped


@pytest.mark.long
@pytest.mark.parametrize("aim", [5, 7, 8, 9, 10])
@pytest.mark.parametrize("given", ["extra_die", "plus_one"])
@pytest.mark.parametrize("counts", ["beyond", "with_modifier"])
def test_a_chain_may_raise_those_who_have_reached_the_goal(aim, given, counts):
    """KLEP R26: whoever is raised to 10 earns one more, so the goal alone tells as much as bands.

    With Scores of 8 and 7 and a goal of 8, the 7 may raise the 8 to get the Advantage back.
    """
    house = House(group_chain=True, group_help=given, critical_value=counts)
    pair = Group(members=[{"modifier": 5}, {"modifier": 2}], goal=aim, house=house)
    assert rw.advise(pair.but(read="bands")).value == rw.advise(pair).value
