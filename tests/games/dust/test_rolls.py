"""The odds of a roll against plain enumeration, under every reading."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.dust.oracle import as_chances, doubles_among, grade, settle, settled

import rollwright as rw
from rollwright.games.dust import Roll
from rollwright.games.dust.dice import dice_taken

READINGS = [
    dict(zip(("automatic_success_protected", "doubles_must_survive", "doubles_on_failure"), flags))
    | {"doubles_count": count}
    for *flags, count in product(
        (False, True), (False, True), (True, False), ("roll", "face", "pair")
    )
]


def enumerated(dice, difficulty, spend, adrenaline, take=True, **house):
    """The chances of every outcome of a roll, face by face."""
    found = {}
    for (net, successes, ones, doubles, points), ways in settled(
        dice, difficulty, spend, **house
    ).items():
        left = adrenaline - spend
        gained = min(points, 10 - left) if take else 0
        outcome = (
            net,
            successes,
            ones,
            spend,
            grade(net),
            doubles,
            spend,
            gained,
            left + gained,
        )
        found[outcome] = found.get(outcome, 0) + Fraction(ways, 10**dice)
    return found


@pytest.mark.parametrize("house", READINGS, ids=lambda house: "-".join(map(str, house.values())))
@pytest.mark.parametrize("spend", [0, 1])
def test_a_roll_is_counted_as_by_hand_under_every_reading(house, spend):
    """DUST R6, DUST R8, DUST R17, DUST R19: the full joint of four dice at difficulty 5."""
    roll = Roll(pool=4, difficulty=5, spend=spend, adrenaline=9, house=house)
    assert enumerated(4, 5, spend, 9, **house) == as_chances(rw.odds(roll))


@pytest.mark.parametrize("difficulty", range(2, 11))
@pytest.mark.parametrize("dice", range(4))
def test_every_difficulty_is_counted_as_by_hand(difficulty, dice):
    """DUST R5, DUST R6, DUST R7: small pools at each difficulty."""
    roll = Roll(pool=dice, difficulty=difficulty)
    assert enumerated(dice, difficulty, 0, 0) == as_chances(rw.odds(roll))


def test_five_dice_are_counted_as_by_hand():
    """DUST R9, DUST R10, DUST R11: the book's pool of 5 at difficulty 6."""
    assert enumerated(5, 6, 0, 0) == as_chances(rw.odds(Roll(pool=5)))


@pytest.mark.parametrize("spend", [2, 3])
def test_several_points_where_the_house_allows_them(spend):
    """DUST R19: each point is one success more."""
    house = {"max_adrenaline_per_roll": 10, "doubles_must_survive": True}
    roll = Roll(pool=4, spend=spend, adrenaline=5, house=house)
    counted = as_chances(rw.odds(roll))
    assert enumerated(4, 6, spend, 5, doubles_must_survive=True) == counted


def test_ten_dice_keep_their_total():
    """DUST R4: ten dice have 10 ** 10 throws, none lost."""
    dist = rw.odds(Roll(pool=10))
    assert (10**10, 0) == (dist.total, dist.lost)


@pytest.mark.parametrize(("policy", "take"), [("never", True), ("always", True), ("leave", False)])
def test_the_point_for_doubles_may_be_left(policy, take):
    """DUST R17: where it is asked for, taking adds a point and leaving adds none."""
    roll = Roll(pool=3, adrenaline=2, doubles="ask")
    assert enumerated(3, 6, 0, 2, take=take) == as_chances(rw.odds(roll, policy))


def test_the_request_can_say_beforehand_what_becomes_of_doubles():
    """DUST R17: `take` and `leave` come to the same as the policies of these names."""
    asked = Roll(pool=3, doubles="ask")
    assert rw.odds(asked, "never") == rw.odds(Roll(pool=3, doubles="take"))
    assert rw.odds(asked, "leave") == rw.odds(Roll(pool=3, doubles="leave"))


def test_the_point_is_worth_taking_for_adrenaline_and_nothing_else():
    """DUST R17: best play takes it when Adrenaline is the goal, else it does not matter."""
    transcript = rw.roll(Roll(pool=3, doubles="ask"), faces=(8, 8, 3))
    wanted = rw.advise(transcript, "adrenaline")
    assert ("take", True) == (wanted.best, wanted.matters)
    assert not rw.advise(transcript, "just-succeed").matters
    mean = rw.odds(Roll(pool=3, doubles="ask"), "best:adrenaline").of("adrenaline_gained").mean
    assert rw.odds(Roll(pool=3)).of("adrenaline_gained").mean == mean


def test_nothing_is_asked_where_the_point_changes_nothing():
    """DUST R18: at 10 Adrenaline, or without doubles, there is no choice."""
    assert rw.roll(Roll(pool=2, doubles="ask", adrenaline=10), faces=(8, 8)).is_done
    assert rw.roll(Roll(pool=2, doubles="ask"), faces=(8, 7)).is_done


@pytest.mark.parametrize(
    ("setting", "spend", "net"), [("none", 0, 0), ("none", 1, 1), ("fail", 0, 0), ("fail", 1, 0)]
)
def test_a_pool_without_dice(setting, spend, net):
    """DUST R3, DUST R19: no dice net 0, and Adrenaline still works unless the action just fails."""
    roll = Roll(pool=2, modifier=-4, spend=spend, adrenaline=3, house={"minimum_pool": setting})
    outcome = rw.roll(roll, faces=()).outcome
    spent = 0 if setting == "fail" else spend
    assert (net, 3 - spent) == (outcome.net, outcome.adrenaline)
    assert {tuple(outcome): 1} == as_chances(rw.odds(roll))


def test_at_least_one_die_where_the_house_grants_it():
    """DUST R3: a pool below one die is one die."""
    roll = Roll(pool=2, modifier=-4, house={"minimum_pool": "one"})
    assert enumerated(1, 6, 0, 0) == as_chances(rw.odds(roll))


@pytest.mark.parametrize("kind", ["standard", "extended", "opposing"])
def test_one_throw_settles_a_roll_of_any_kind(kind):
    """DUST R14: the kind changes nothing about a throw, except for damage."""
    roll = Roll(pool=3, difficulty=8, kind=kind)
    assert enumerated(3, 8, 0, 0) == as_chances(rw.odds(roll))
    assert 1 == len(rw.roll(roll, seed=1).throws)
    damage = Roll(pool=3, difficulty=8, kind="damage")
    assert enumerated(3, 6, 0, 0) == as_chances(rw.odds(damage))


def test_goals_by_name():
    """DUST R11: what the goals call barely, complete and overwhelming is net 1, 3 and 5."""
    from rollwright.games.dust import game

    roll = Roll(pool=5)
    net = rw.odds(roll).of("net")
    for name, least in (("just-succeed", 1), ("complete", 3), ("overwhelming", 5)):
        assert net.at_least(least) == rw.advise(roll, name).value
    assert net.p(lambda n: n >= 0) == rw.advise(roll, "no-botch").value
    assert net.mean == rw.advise(roll, "successes").value
    assert net.mean / 2 == rw.advise(roll, "net=0.5").value
    assert "just-succeed" == game.default_goal


@given(
    faces=st.lists(st.integers(1, 10), max_size=10),
    difficulty=st.integers(2, 10),
    spend=st.integers(0, 2),
    house=st.sampled_from(READINGS),
)
def test_any_throw_is_read_as_by_hand(faces, difficulty, spend, house):
    """DUST R1, DUST R6, DUST R8, DUST R17: up to ten dice, any faces, under any reading."""
    fields = {"pool": len(faces), "difficulty": difficulty, "spend": spend}
    roll = Roll(**fields, house={**house, "max_adrenaline_per_roll": 2})
    outcome = rw.roll(roll, faces=faces).outcome
    net, successes, ones, doubles, points = settle(faces, difficulty, spend, **house)
    assert (net, successes, ones, doubles, points) == (
        outcome.net,
        outcome.successes,
        outcome.ones,
        outcome.doubles,
        outcome.adrenaline_gained,
    )


@given(faces=st.lists(st.integers(1, 10), max_size=10), house=st.sampled_from(READINGS))
def test_the_dice_given_to_the_ones_leave_as_many_doubles_as_can_be(faces, house):
    """DUST R8, DUST R17: what is told to be taken is a best pick, one success for each 1."""
    house = {**house, "doubles_must_survive": True}
    roll = Roll(pool=len(faces), difficulty=4, house=house)
    left = [face for face in faces if face >= 4]
    taken = dice_taken(roll.terms, tuple(faces), 0)
    assert min(len(left), faces.count(1)) == len(taken)
    for face in taken:
        left.remove(face)
    doubles = settle(faces, 4, **house)[3]
    assert doubles == doubles_among(left, house["doubles_count"])
