"""Dice, pools and hands: values that are compared by what they show."""

import pickle
from fractions import Fraction

import pytest

from rollwright.budget import Budget
from rollwright.dice import D4, D6, D8, Die, Pool
from rollwright.errors import BadDie, Misuse
from rollwright.hands import Hand, every_hand
from rollwright.readings import readings, tables


def test_dice_of_any_faces():
    """Numbers, labels, weights and repeats make dice."""
    assert Die(6).faces == (1, 2, 3, 4, 5, 6)
    assert Die([3, 1, 1, 2]).weights == (2, 1, 1)
    assert Die({"miss": 2, "hit": 1}).faces == ("hit", "miss")
    assert Die([None, "x", 10, 2]).faces == (2, 10, "x", None)


def test_equal_dice_are_the_same():
    """However a die is made, equal faces, weights and name are one die."""
    assert Die(6) is Die([1, 2, 3, 4, 5, 6])
    assert Die(6) is not Die(6, name="ammo")
    assert Die([True, False]) is not Die([1, 0])
    assert pickle.loads(pickle.dumps(Die(6, name="ammo"))) is Die(6, name="ammo")
    assert pickle.loads(pickle.dumps(2 * D6 + D4)) is D4 + D6 + D6


@pytest.mark.parametrize(
    "faces", [0, -1, True, 10**9, [], {}, {1: 0}, {1: -2}, {1: 1.5}, [1.5], [[1]], {1: True}]
)
def test_impossible_dice_are_refused(faces):
    """No faces, no weight, inexact or changing faces: a clear refusal."""
    with pytest.raises(BadDie):
        Die(faces)


def test_pools_are_multisets():
    """The order in which dice are put together does not matter."""
    assert D8 + D6 + D6 == Pool([D6, D8, D6]) == 2 * D6 + D8
    assert len(3 * D6 + D8) == 4
    assert list(D8 + D4) == [D4, D8]
    assert repr(2 * D6 + D8 + 3 * Die(6, name="ammo")) == "2D6 + D8 + 3 ammo D6"
    assert repr(Pool()) == "no dice"


@pytest.mark.parametrize("dice", [[6], {D6: -1}, {D6: 1.5}, {D6: 10**7}, {6: 1}])
def test_impossible_pools_are_refused(dice):
    """Numbers instead of dice, negative and monstrous counts are refused."""
    with pytest.raises(BadDie):
        Pool(dice)


def test_a_die_can_be_known_better():
    """`only` leaves the faces still possible, with their weights."""
    assert Die(6).only([5, 2]).faces == (2, 5)
    with pytest.raises(BadDie, match="shows none"):
        Die(6).only([9])


def test_readers_may_look_at_the_die():
    """A reader of two arguments is told which die it reads."""
    ammo = Die(6, name="ammo")
    pool = D6 + ammo
    assert tables(pool, lambda face, die: (die.name, face == 6))[1][5] == ("ammo", True)


def test_readings_are_keyed_by_what_they_read():
    """Two readers that close over different numbers do not share their readings."""
    by_difficulty = [readings(D6, lambda face, d=d: face >= d) for d in (3, 5)]
    assert by_difficulty[0] != by_difficulty[1]

    def at_least(difficulty):
        return lambda face: face >= difficulty

    assert readings(D6, at_least(2)) != readings(D6, at_least(5))


def test_every_hand_weighs_what_it_should():
    """The hands of 2d6+d4 have total weight 6·6·4, a pair of ones and a one weighs one."""
    pool = 2 * D6 + D4
    hands, total = every_hand(pool, tables(pool, None), Budget())
    assert total == 144 == sum(weight for _, weight in hands)
    weights = dict(hands)
    assert weights[Hand([(D6, 1), (D6, 1), (D4, 1)])] == 1
    assert weights[Hand([(D6, 1), (D6, 2), (D4, 1)])] == 2


def test_hands_are_sorted_and_filtered():
    """Hands know their highest and lowest, and what passes a test."""
    hand = Hand([(D8, 7), (D6, 5), (D6, 2)])
    assert hand.readings == (2, 5, 7)
    assert hand.highest(2) == (7, 5)
    assert hand.lowest() == (2,)
    assert hand.where(lambda face: face > 4).pool == D6 + D8
    assert hand.where(5).readings == (5,)
    assert hand.count(7) == 1
    assert 7 in hand
    assert Hand([(D6, 1)]) + Hand([(D4, 2)]) == Hand([(D4, 2), (D6, 1)])
    assert Hand() + hand == hand == hand + Hand()


def test_hands_of_unordered_readings_have_an_order_too():
    """Readings that cannot be compared are put in a fixed order by how they are written."""
    assert Hand([(D6, None), (D6, "x")]) == Hand([(D6, "x"), (D6, None)])


HOPE, FEAR = Die(12, name="hope"), Die(12, name="fear")


def test_dice_of_a_hand_are_got_by_their_kind():
    """`hand[die]` is the face of the only die of a kind, and `of` the dice of some kinds."""
    hand = Hand([(D6, 2), (D6, 5), (FEAR, 11), (HOPE, 7)])
    assert (hand[HOPE], hand[FEAR]) == (7, 11)
    assert hand.of(D6) == Hand([(D6, 2), (D6, 5)])
    assert hand.of(D6, HOPE) == Hand([(D6, 2), (D6, 5), (HOPE, 7)])
    assert not hand.of(D8)


@pytest.mark.parametrize("die", [D6, D8, 0, "hope", slice(0, 1)])
def test_a_hand_refuses_the_face_of_no_die_or_of_several(die):
    """Where there is not exactly one such die, the refusal says what to write."""
    with pytest.raises(Misuse, match=r"hand\.of\(die\)|hand\[HOPE\]"):
        Hand([(D6, 2), (D6, 5), (HOPE, 7)])[die]


def test_the_sum_of_a_hand_is_that_of_its_readings():
    """`hand.sum` adds the readings up, and is 0 without dice."""
    assert Hand([(D6, 2), (D6, 5), (D8, 7)]).sum == 14
    assert Hand().sum == 0


def test_dice_of_a_hand_are_got_by_their_height():
    """`at_least` and `between` include what they name, and `count_at_least` counts."""
    hand = Hand([(D6, face) for face in (1, 3, 4, 6, 6)])
    assert hand.at_least(4).readings == (4, 6, 6)
    assert hand.between(3, 4).readings == (3, 4)
    assert hand.count_at_least(6) == 2


def test_dice_are_taken_away_from_a_hand():
    """`-` takes away as many dice as it is given, and refuses what is not there."""
    hand = Hand([(D6, 2), (D6, 2), (D6, 5), (D8, 2)])
    assert hand - Hand([(D6, 2)]) == Hand([(D6, 2), (D6, 5), (D8, 2)])
    assert hand - hand.where(2) + Hand([(D8, 8)]) == Hand([(D6, 5), (D8, 8)])
    with pytest.raises(Misuse, match="no such dice"):
        hand - Hand([(D8, 5)])


def test_dice_taken_away_are_those_thrown_at_the_same_place():
    """Of equal dice those go that came of the same throw, so that a look finds the others."""
    first, second = (Hand([(D6, 2)]).thrown_at(place) for place in (3, 4))
    assert (first + second - second).places == (3,)
    assert (first + second - first).places == (4,)


def test_dice_thrown_again_take_the_place_of_their_like():
    """`replaced` puts new dice where all dice of their kinds lay, and refuses other numbers."""
    hand = Hand([(D6, 2), (D6, 5), (HOPE, 7)])
    assert hand.replaced(Hand([(HOPE, 1)])) == Hand([(D6, 2), (D6, 5), (HOPE, 1)])
    with pytest.raises(Misuse, match="hand - these"):
        hand.replaced(Hand([(D6, 6)]))


def test_a_hand_is_not_indexed():
    """There is no first die."""
    with pytest.raises(Misuse):
        Hand([(D6, 1)])[0]


def test_fractions_are_faces_too():
    """A die may show halves."""
    assert Die([Fraction(1, 2), 1]).faces == (Fraction(1, 2), 1)
