"""The worked examples: faces in, result out."""

import pytest
from tests.games.dust.oracle import grade, settle

import rollwright as rw
from rollwright.games.dust import Roll


def rolled(faces, **fields):
    """The outcome of a roll whose dice show these faces."""
    return rw.roll(Roll(**{"pool": len(faces), **fields}), faces=faces).outcome


@pytest.mark.parametrize(
    ("faces", "net", "name", "gained"),
    [
        ((10, 9, 7, 7, 3), 4, "complete+", 1),
        ((9, 6, 6, 3, 2), 3, "complete", 1),
        ((10, 9, 3, 1, 1), 0, "failure", 0),
        ((10, 5, 5, 1, 1), -1, "botch", 0),
    ],
)
def test_the_four_examples_of_five_dice(faces, net, name, gained):
    """DUST R6, DUST R8, DUST R9, DUST R10: the book's throws; doubles earn as by DUST R17."""
    outcome = rolled(faces)
    assert (net, name, gained) == (outcome.net, outcome.grade, outcome.adrenaline_gained)


def test_the_example_of_the_bluffing_raider():
    """DUST R17, DUST R2: 9, 9, 6, 2, 2 are 3 successes and 1 Adrenaline; the 2s earn nothing."""
    outcome = rw.roll(Roll(attribute=3, ability=2), faces=(9, 9, 6, 2, 2)).outcome
    assert (3, 1, 1) == (outcome.net, outcome.doubles, outcome.adrenaline_gained)


def test_a_botch_although_a_success_was_rolled():
    """DUST R9: two 1s outweigh the one success, and the number is negative."""
    outcome = rolled((10, 5, 5, 1, 1))
    assert (1, 2, -1, 0) == (outcome.successes, outcome.ones, outcome.net, outcome.doubles)


def test_a_pool_of_twelve_is_cut_to_ten():
    """DUST R4: 4 + 8 dice are 10."""
    assert 10 == Roll(attribute=4, ability=8).pool_used.dice


def test_damage_asked_at_eight_is_rolled_at_six():
    """DUST R5: 7 and 6 are successes of a damage roll, whatever difficulty is asked."""
    assert 2 == rolled((7, 6), difficulty=8, kind="damage").net
    assert 0 == rolled((7, 6), difficulty=8).net


def test_adrenaline_stays_at_ten():
    """DUST R18: doubles at 10 Adrenaline add nothing."""
    outcome = rolled((9, 9), adrenaline=10)
    assert (1, 0, 10) == (outcome.doubles, outcome.adrenaline_gained, outcome.adrenaline)


def test_a_point_spent_at_ten_makes_room_for_the_point_earned():
    """DUST R20: the point is gone before the dice fall, so doubles bring it back."""
    outcome = rolled((9, 9), adrenaline=10, spend=1)
    assert (1, 1, 10) == (
        outcome.adrenaline_spent,
        outcome.adrenaline_gained,
        outcome.adrenaline,
    )


def test_a_one_takes_the_automatic_success_unless_it_is_protected():
    """DUST R19: spend 1 with 1, 3, 4 nets 0; in the protected reading 1."""
    assert 0 == rolled((1, 3, 4), spend=1).net
    protected = {"automatic_success_protected": True}
    assert 1 == rolled((1, 3, 4), spend=1, house=protected).net


def test_a_spender_never_botches_where_the_point_is_protected():
    """DUST R19: with 1, 1, 1 the bought success stays; without a point it is a botch."""
    protected = {"automatic_success_protected": True}
    assert 1 == rolled((1, 1, 1), spend=1, house=protected).net
    assert -3 == rolled((1, 1, 1), house=protected).net


def test_at_difficulty_two_everything_but_a_one_is_a_success():
    """DUST R6, DUST R17: 2, 2, 1 at difficulty 2 net 1, and the 2s are doubles."""
    outcome = rolled((2, 2, 1), difficulty=2)
    assert (1, 1) == (outcome.net, outcome.doubles)


def test_dice_below_the_difficulty_do_nothing():
    """DUST R7: 2 to 5 at difficulty 6 neither help nor harm."""
    outcome = rolled((2, 3, 4, 5))
    assert (0, 0, 0, "failure") == (outcome.net, outcome.successes, outcome.ones, outcome.grade)


def test_dice_are_read_one_by_one():
    """DUST R1: 5 + 5 are no success at difficulty 6, and a ten-sider shows no 11."""
    assert 0 == rolled((5, 5)).net
    with pytest.raises(rw.RollwrightError, match="1 to 10"):
        rolled((11, 5))


@pytest.mark.parametrize("net", range(-2, 8))
def test_every_net_has_its_grade(net):
    """DUST R11, DUST R10, DUST R12: named by the highest mark that is reached."""
    faces = (1,) * -net if net < 0 else (10,) * net or (2,)
    assert grade(net) == rolled(faces).grade


@pytest.mark.parametrize(
    ("faces", "by_roll", "by_face", "by_pair"),
    [
        ((9, 9, 6, 6, 6), 1, 2, 2),
        ((8, 8, 8, 8), 1, 1, 2),
        ((7, 7, 7, 2, 2), 1, 1, 1),
        ((10, 9, 8, 7), 0, 0, 0),
    ],
)
def test_several_pairs(faces, by_roll, by_face, by_pair):
    """DUST R17: one point a roll, a face or a pair, as the house counts."""
    for count, points in (("roll", by_roll), ("face", by_face), ("pair", by_pair)):
        assert points == rolled(faces, house={"doubles_count": count}).adrenaline_gained


@pytest.mark.parametrize(
    ("faces", "points"),
    [
        ((9, 9, 1), 0),
        ((9, 9, 7, 1), 1),
        ((9, 9, 7, 1, 1), 0),
        ((9, 9, 9, 1), 1),
        ((9, 9), 1),
    ],
)
def test_doubles_that_must_survive(faces, points):
    """DUST R8, DUST R17: the player gives other dice to the 1s first; a pair needs both dice."""
    house = {"doubles_must_survive": True}
    assert points == rolled(faces, house=house).adrenaline_gained


def test_a_bought_success_goes_before_a_die_where_doubles_must_survive():
    """DUST R8, DUST R19: the 1 may take the automatic success, so that the pair stays."""
    house = {"doubles_must_survive": True}
    assert 1 == rolled((9, 9, 1), spend=1, house=house).adrenaline_gained
    house["automatic_success_protected"] = True
    assert 0 == rolled((9, 9, 1), spend=1, house=house).adrenaline_gained


def test_doubles_on_a_failure():
    """DUST R17: 9, 9, 1, 1 fails and earns, unless the house wants a success."""
    assert 1 == rolled((9, 9, 1, 1)).adrenaline_gained
    assert 0 == rolled((9, 9, 1, 1), house={"doubles_on_failure": False}).adrenaline_gained


def test_the_second_writing_of_the_rules_agrees_with_the_examples():
    """DUST R8: the enumeration that odds are held against knows the book's throws too."""
    book = {(10, 9, 7, 7, 3): 4, (9, 6, 6, 3, 2): 3, (10, 9, 3, 1, 1): 0, (10, 5, 5, 1, 1): -1}
    assert book == {faces: settle(faces)[0] for faces in book}
