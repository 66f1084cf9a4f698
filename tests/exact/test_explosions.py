"""Explosions and re-rolls."""

from fractions import Fraction

import pytest

import rollwright as rw
from rollwright.dice import D4, D6, D10, Die
from rollwright.errors import BadDie, BadDist, TooMuchWork
from rollwright.exact import Dist, explode_endlessly, exploding_die, rerolled_die, sum_of
from rollwright.rules import explode, tally


def test_the_last_roll_counts_whatever_it_shows():
    """D6 once exploded: a six goes on to 7 … 12, with a thirty-sixth each (by hand)."""
    die = exploding_die(D6, times=1)
    assert (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12) == die.faces
    assert (6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1) == die.weights


def test_no_extra_rolls():
    """A die that explodes no times is itself."""
    assert Dist.from_die(D6) == Dist.from_die(exploding_die(D6, times=0))


def test_exploding_on_a_face_or_a_test():
    """What explodes is a face or a test; sums may meet."""
    assert exploding_die(D4, 1, times=1) == exploding_die(D4, lambda face: face == 1, times=1)
    assert {2: 5, 3: 5, 4: 5, 5: 1} == dict(exploding_die(D4, 1, times=1).items)


def test_names_stay():
    """An exploding die keeps its name, and so does one that is rolled again."""
    ammo = Die(6, name="ammo")
    assert "ammo" == exploding_die(ammo, times=1).name == rerolled_die(ammo, 1).name
    assert "ammo" == rerolled_die(ammo, 1, times=None).name


def test_what_is_cut_is_lost():
    """An endless explosion is counted to its cut, and the rest reported."""
    endless = explode_endlessly(D6, cut=2)
    assert (216, 1) == (endless.total, endless.lost)
    assert Fraction(5, 6) == endless.at_most(5)
    assert 18 not in endless


def test_cuts_agree_with_bounded_explosions():
    """Below the cut both rules give the same weights."""
    bounded = Dist.from_die(exploding_die(D10, times=3))
    endless = explode_endlessly(D10, cut=3)
    assert all(endless[total] == bounded[total] for total in endless if total < 40)


def test_rerolling_twice():
    """D4 re-rolling ones twice: a sixty-fourth stays a one (by hand)."""
    assert (1, 21, 21, 21) == rerolled_die(D4, 1, times=2).weights


def test_rerolling_no_times():
    """A die that is re-rolled no times is itself."""
    assert D4 == rerolled_die(D4, 1, times=0)
    assert Dist.from_die(D4) == Dist.from_die(rerolled_die(D4, lambda face: False))


def test_rerolling_everything_once():
    """A die whose every face is re-rolled once is the same die."""
    assert Dist.from_die(D4) == Dist.from_die(rerolled_die(D4, lambda face: True))


@pytest.mark.parametrize(
    "question",
    [
        lambda: exploding_die(D6, times=-1),
        lambda: exploding_die(D6, 7, times=1),
        lambda: exploding_die(Die(["a", "b"]), times=1),
        lambda: explode_endlessly(D6, lambda face: True, cut=3),
        lambda: rerolled_die(D6, lambda face: True, times=None),
        lambda: rerolled_die(D6, 7),
        lambda: rerolled_die(D6, 1, times=1.5),
    ],
)
def test_dice_that_cannot_be_are_refused(question):
    """Endless rolls, faces that are not there and labels are refused."""
    with pytest.raises(BadDie, match=r"\w+ \w+ \w+"):
        question()


@pytest.mark.long
def test_monstrous_explosions_are_refused_at_once():
    """Work beyond the budget is refused before it is done."""
    with pytest.raises(TooMuchWork):
        exploding_die(D6, lambda face: face > 1, times=10_000)
    with pytest.raises(TooMuchWork):
        rerolled_die(D6, 1, times=10**9)


def test_a_sum_of_exploding_dice():
    """The mean of a sum is the sum of means."""
    die = exploding_die(D10, times=5)
    assert 10 * Dist.from_die(die).mean == sum_of(10 * die).mean


@pytest.mark.parametrize(
    ("die", "on", "mean"),
    [(D6, None, Fraction(21, 5)), (D4, None, Fraction(10, 3)), (D6, lambda face: face > 4, None)],
)
def test_the_mean_of_an_endless_explosion_is_exact(die, on, mean):
    """It and the variance do not depend on the bound, and long counts come near them."""
    short, long = (explode_endlessly(die, on, cut=cut) for cut in (0, 60))
    assert mean is None or mean == short.mean
    assert (short.mean, short.variance) == (long.mean, long.variance)
    assert abs(long.counted_mean - long.mean) < Fraction(1, 10**9)
    weighed = Dist(dict(long.items()))
    assert abs(weighed.mean - long.mean) < Fraction(1, 10**9)
    assert abs(weighed.variance - long.variance) < Fraction(1, 10**9)


def test_sums_of_endless_explosions_keep_their_moments():
    """What is added, scaled, turned or thrown several times is as exact; anything else is not."""
    one = explode_endlessly(D6, cut=2)
    assert (one + one + 3).mean == one.sum_of(2).mean + 3 == Fraction(57, 5)
    assert (one + Dist.from_die(D6)).variance == one.variance + Fraction(35, 12)
    assert (10 - 2 * one).mean == Fraction(8, 5)
    assert (2 * one).variance == 4 * one.variance
    for made in (one.map(lambda total: total + 1), one * one, one.highest_of(2)):
        with pytest.raises(BadDist, match="counted_mean"):
            _ = made.mean


def test_the_mean_of_what_was_cut_off_is_refused():
    """The part that was counted has a mean of its own, under a name of its own."""
    cut = Dist({1: 2, 2: 1}, lost=1)
    for name in ("mean", "variance", "standard_deviation"):
        with pytest.raises(BadDist, match="cut off 25 %"):
            getattr(cut, name)
    assert (Fraction(4, 3), Fraction(2, 9)) == (cut.counted_mean, cut.counted_variance)


def test_exploding_dice_of_rules_have_exact_means():
    """Three D6 that explode, as dice, as a sum in a rule and with other dice beside them."""
    assert rw.odds(explode(3 * D6)).mean == Fraction(63, 5)
    assert rw.odds(tally(explode(3 * D6), start=2)).mean == Fraction(73, 5)
    assert rw.odds(explode(D6) + D4).mean == Fraction(21, 5) + Fraction(5, 2)
    assert rw.odds(explode(D6)).variance == explode_endlessly(D6, cut=0).variance
