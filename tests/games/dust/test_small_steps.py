"""Single steps of the rules, each by an example that can be counted on one's fingers."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

import rollwright as rw
from rollwright.games.dust import ExtendedRoll, House, Plan, Roll, game
from rollwright.games.dust.dice import dice_taken
from rollwright.games.dust.rules import GOALS, POLICIES
from rollwright.kit import fields_of

SURVIVE = {"doubles_must_survive": True}


@pytest.mark.parametrize(
    ("count", "faces", "taken"),
    [
        ("face", (8, 8, 9, 9, 10, 1), (10,)),
        ("face", (8, 8, 9, 9, 1), (8,)),
        ("pair", (8, 8, 8, 8, 9, 1), (9,)),
        ("pair", (8, 8, 8, 7, 7, 1), (8,)),
        ("roll", (8, 8, 9, 1), (9,)),
        ("roll", (8, 8, 9, 5), ()),
    ],
)
def test_the_ones_take_a_die_that_is_no_half_of_doubles(count, faces, taken):
    """DUST R8, DUST R17, D3: of several that may go the lower one goes."""
    roll = Roll(pool=len(faces), house={**SURVIVE, "doubles_count": count})
    assert taken == dice_taken(roll.terms, faces, 0)


def test_no_die_is_taken_where_there_is_no_one():
    """DUST R8, DUST R19: a success that was bought takes nothing away."""
    assert () == dice_taken(Roll(pool=2, house=SURVIVE).terms, (8, 9), 1)
    assert () == dice_taken(Roll(pool=3, house=SURVIVE).terms, (8, 9, 1), 1)
    assert (8,) == dice_taken(Roll(pool=4, house=SURVIVE).terms, (8, 9, 1, 1), 1)


@pytest.mark.parametrize(
    ("spent", "faces", "left"),
    [
        ("save", (8, 8, 1), 3),
        ("spend 1", (8, 8, 1), 3),
        ("save", (8, 1, 1), 3),
        ("save", (8, 8, 7), 4),
    ],
)
def test_doubles_of_a_plan_that_must_survive(spent, faces, left):
    """DUST R17, D3: a 1 breaks doubles unless it takes a bought success; a botch costs nothing."""
    plan = Plan(rolls=({"pool": 3},), adrenaline=3, house=SURVIVE)
    assert left == rw.roll(rw.roll(plan, seed=1).choose(spent), faces=faces).outcome.adrenaline


def test_nobody_is_asked_to_spend_what_is_not_there():
    """DUST R19: a task without a point of Adrenaline has no choice before its dice."""
    turns = rw.roll(ExtendedRoll(pool=2, target=3, limit=2, adrenaline=0), faces=(3, 4, 2, 5))
    assert turns.is_done
    asked = rw.roll(ExtendedRoll(pool=2, target=3, limit=2, adrenaline=1))
    assert ("save", "spend 1") == asked.step.options


def test_all_ten_points_may_be_spent_where_the_house_allows_it():
    """DUST R18, DUST R19, D2: ten are the most that anybody has."""
    house = {"max_adrenaline_per_roll": 10}
    task = ExtendedRoll(pool=2, target=3, limit=2, adrenaline=10, house=house)
    assert ("save", *(f"spend {n}" for n in range(1, 11))) == rw.roll(task).step.options


def test_wounds_take_thirty_dice_at_most():
    """DUST R3: more than any pool has; the refusal says what would do."""
    assert 0 == Roll(pool=20, modifier=-30, house={"pool_cap": None}).pool_used.dice
    with pytest.raises(rw.RollwrightError, match="-30 to 20"):
        Roll(pool=20, modifier=-31)


def test_no_adrenaline_is_worth_nothing():
    """DUST R18: one die shows no doubles, and nothing was there."""
    assert 0 == rw.advise(Roll(pool=1), "adrenaline").value


@pytest.mark.parametrize(("most", "ways"), [(1, 4528), (10, 8129)])
def test_what_is_measured_of_the_points_that_may_be_spent(most, ways):
    """DUST R19, D2: 4 dice at 9 need a success more than 1s, or as many (hand count of 10,000)."""
    asked = fields_of(House)["max_adrenaline_per_roll"].more["shows"]
    plan = game.request(asked.roll, **asked.fields, house={"max_adrenaline_per_roll": most})
    assert Fraction(ways, 10**4) == rw.odds(plan, asked.policy).of(asked.measure).mean


@pytest.mark.parametrize(
    ("goal", "worths"),
    [
        ("just-succeed", [0, 1, 1, 1, 1, 1]),
        ("complete", [False, False, True, True, True, True]),
        ("overwhelming", [False, False, False, False, True, True]),
        ("successes", [0, 2, 3, 4, 5, 6]),
    ],
)
def test_what_each_goal_gives_for_a_net(goal, worths):
    """DUST R11: 1 succeeds, 3 are complete, 5 are overwhelming."""
    nets = [rw.roll(Roll(pool=6), faces=[8] * n + [3] * (6 - n)) for n in (0, 2, 3, 4, 5, 6)]
    assert worths == [GOALS[goal].worth(one.outcome) for one in nets]


@pytest.mark.parametrize(
    ("done", "botched", "cleanly"), [(1, 0, True), (1, 1, False), (0, 0, False), (0, 1, False)]
)
def test_a_task_is_done_cleanly_if_it_is_done_and_nothing_was_botched(done, botched, cleanly):
    """DUST R14: both, not one of them."""
    task = SimpleNamespace(done=bool(done), botched=bool(botched))
    assert cleanly == GOALS["done-cleanly"].worth(task)


def test_whoever_leaves_the_points_takes_the_first_option():
    """DUST R18: what spends nothing stands first."""
    situation = SimpleNamespace(options=("save", "spend 1", "spend 2"))
    assert "save" == POLICIES["leave"].make("", Roll(pool=3))(situation)
