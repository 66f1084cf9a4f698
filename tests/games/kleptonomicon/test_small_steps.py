"""Single steps of the rules, each by an example that can be counted on one's fingers."""

import pytest

import rollwright as rw
from rollwright.games.kleptonomicon import Contest, Test
from rollwright.games.kleptonomicon.casts import Cast, casts_of, lying, whose
from rollwright.games.kleptonomicon.rules import dice_in_order


@pytest.mark.parametrize(
    ("coins", "values"), [(("lost", "won"), [0, 4, 10]), (("won", "lost"), [10, 4, 0])]
)
def test_every_ten_has_the_coin_that_was_flipped_for_it(coins, values):
    """KLEP R18, D6: the first coin is of the first 10."""
    cast = Cast((10, 4, 10), ((0, 0), (0, 1), (0, 2)), coins)
    assert values == [die.value for die in cast.dice]


@pytest.mark.parametrize(("coin", "value"), [("won", 10), ("lost", 0)])
def test_one_coin_may_be_for_all_tens(coin, value):
    """KLEP R18, D6: those that were thrown together."""
    cast = Cast((10, 4, 10), ((0, 0), (0, 1), (0, 2)), (coin,))
    assert [value, 4, value] == [die.value for die in cast.dice]


def test_a_coin_is_of_the_cast_before_it():
    """KLEP R18, KLEP R33: the second side's 10 is decided by the second side's coin."""
    contest = Contest(first={"modifier": 0}, second={"modifier": 0})
    first, second = casts_of(rw.roll(contest, faces=[5, 10, "won"]))
    assert ((5,), ()) == (first.faces, first.deciders)
    assert ((10,), ("won",)) == (second.faces, second.deciders)


@pytest.mark.parametrize(
    ("faces", "name"), [((), "Ann"), ((10,), "Ann"), ((5,), "Bob"), ((5, 10), "Bob"), ((5, 5), "")]
)
def test_whose_dice_come_next_in_a_contest(faces, name):
    """KLEP R33, KLEP R34: a coin is of whoever threw the 10, and the toss of a tie is of nobody."""
    contest = Contest(first={"name": "Ann"}, second={"name": "Bob"})
    begun = rw.Transcript(contest.call(), request=contest)
    for face in faces:
        begun = begun.throw([face])
    assert name == whose(contest, begun)


def test_of_a_single_die_nothing_is_said():
    """KLEP R5: dice of a shorthand are summed, so that none of them counts alone."""
    for test in (Test(dice="2d6"), Test(modifier=2)):
        assert {} == lying(test, rw.roll(test, faces=[3, 4][: 1 + bool(test.dice)]))
    two = Test(advantages=1)
    assert {(0, 0): False, (0, 1): True} == lying(two, rw.roll(two, faces=[3, 4]))


@pytest.mark.parametrize(
    ("method", "faces", "kept"),
    [
        ("coin", [4, 9, 6], (4, 4, 4)),
        ("coin", [4, 10, 6, "lost"], (0, 0, 4)),
        ("coin", [4, 10, 6, "won"], (4, 4, 4)),
        ("coin", [4, 6, 10, "lost"], (0, 4, 4)),
        ("odd_even", [10, 6, 4, 3], (0, 0, 0)),
        ("odd_even", [10, 6, 4, 8], (4, 6, 10)),
    ],
)
def test_dice_that_may_be_taken_away_again(method, faces, kept):
    """KLEP R16, KLEP R18, D2, D6: the lowest of all, then without the last die, and so on."""
    assert kept == rw.roll(dice_in_order(3, method, "one"), faces=faces).outcome
