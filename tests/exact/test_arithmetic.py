"""Dice and distributions written as numbers are."""

from fractions import Fraction

import icepool
import pytest

import rollwright as rw
from rollwright.dice import D4, D6, D8, D10, D20, Die, Pool
from rollwright.errors import BadDie, BadDist
from rollwright.exact import Dist


def same(dist, peer):
    """Whether a distribution has the chances that icepool finds."""
    total = peer.denominator()
    theirs = {outcome: Fraction(quantity, total) for outcome, quantity in peer.items()}
    return {o: Fraction(w, dist.total) for o, w in dist.items()} == theirs


d4, d6, d8, d20 = (icepool.d(sides) for sides in (4, 6, 8, 20))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (D6 + 1, d6 + 1),
        (1 + D6, d6 + 1),
        (2 * D6 + 3, 2 @ d6 + 3),
        (D6 - 1, d6 - 1),
        (D6 - D4, d6 - d4),
        (10 - 2 * D6, 10 - 2 @ d6),
        (-D6, -d6),
        (D20 // 2, d20 // 2),
        ((2 * D6) // D4, (2 @ d6) // d4),
        (7 // D6, 7 // d6),
        (D20 % 5, d20 % 5),
        (abs(D6 - D6), abs(d6 - d6)),
        (rw.odds(D6) + D8, d6 + d8),
        (D8 + rw.odds(D6), d6 + d8),
        (2 * (D6 + 1), 2 * (d6 + 1)),
        (2 * D6 >= 7, (2 @ d6) >= 7),
        (2 * D6 > 7, (2 @ d6) > 7),
        (D6 < D8, d6 < d8),
        (D6 <= rw.odds(D8), d6 <= d8),
        (rw.odds(D6) >= D8, d6 >= d8),
        (15 <= D20 + 5, d20 + 5 >= 15),
        (2 * (D6 + D8) >= 10, (2 @ (d6 + d8)) >= 10),
    ],
)
def test_sums_and_comparisons_are_those_of_icepool(ours, theirs):
    """Every operator gives the chances that icepool gives for the same line."""
    assert same(ours, theirs)


def test_dice_with_dice_stay_dice():
    """What can still be thrown is a pool; only with numbers does it become odds."""
    assert Pool([D6, D6, D8]) == 2 * D6 + D8
    assert Pool([D6, D6, D8, D8]) == 2 * (D6 + D8)


def test_division_is_exact():
    """Half of a die is a fraction, or a whole number where it is whole."""
    assert (Fraction(1, 2), 1) == (D6 / 2).outcomes[:2]
    assert Dist({6: 1, 3: 1}) == (6 / Die([1, 2]))


def test_odds_are_neither_true_nor_false():
    """`if 2 * D6 >= 7` would always hold, so it is refused; a chance is asked for."""
    with pytest.raises(BadDist, match="p\\(True\\)"):
        bool(2 * D6 >= 7)
    assert Fraction(7, 12) == (2 * D6 >= 7).p(True)


def test_what_was_lost_stays_lost_in_a_comparison():
    """A comparison of bounded odds is as bounded as they are."""
    assert (4, 1) == ((compared := Dist({1: 1, 2: 2}, lost=1) >= 2).total, compared.lost)
    assert 8 == (Dist({1: 1}, lost=1) < D4).total


@pytest.mark.parametrize(
    ("slip", "kind", "said"),
    [
        (lambda: D6 * 2, BadDie, "3 \\* D6"),
        (lambda: D6 // (D6 - 1), BadDist, "divided by 0"),
        (lambda: D6 + "a", BadDist, "'a'"),
        (lambda: D6 >= "a", BadDist, "no order"),
        (lambda: Die(["hit", "miss"]) + 1, BadDist, "'hit'"),
        (lambda: D10 + 1.5, BadDist, "1.5"),
    ],
)
def test_slips_are_refused(slip, kind, said):
    """What has no exact meaning is refused with what would do."""
    with pytest.raises(kind, match=said):
        slip()


def test_odds_of_what_was_worked_out_are_itself():
    """`rw.odds(2 * D6 + 3)` is what a person writes; rolling it needs dice."""
    assert (2 * D6 + 3) == rw.odds(2 * D6 + 3)
    with pytest.raises(rw.RollwrightError, match="no dice any more"):
        rw.roll(2 * D6 + 3)


def test_what_is_true_of_two_throws_is_joined_as_icepool_joins_it():
    """Both, either, and not: of two throws, since each side has dice of its own."""
    hit, wound = D20 >= 11, 2 * D6 >= 7
    theirs = d20 >= 11, 2 @ d6 >= 7
    assert same(hit & wound, theirs[0] & theirs[1])
    assert same(hit | wound, theirs[0] | theirs[1])
    assert Fraction(9, 20) == (~(D20 >= 10)).p(True)
    assert Fraction(1, 4) == ((D6 >= 4) & (D6 >= 4)).p(True)


@pytest.mark.parametrize("join", [lambda: (D6 >= 3) & rw.odds(D6), lambda: ~rw.odds(D6)])
def test_only_yes_and_no_are_joined(join):
    """A number is neither."""
    with pytest.raises(BadDist, match="joins what is true or false, not outcomes such as 1"):
        join()


@pytest.mark.parametrize("several", [lambda: 3 @ D6, lambda: D6 @ 3, lambda: 2 @ (2 * D6)])
def test_the_sign_of_others_for_several_dice_is_told_apart(several):
    """icepool and dyce write 3 @ d6."""
    with pytest.raises(BadDie, match=r"write 3 \* "):
        several()


def test_a_mark_may_be_written_as_it_is_printed():
    """A Score of 10! is above every number, 0! below (KLEP R12); one in twenty each."""
    score = rw.odds({"game": "kleptonomicon", "roll": "test", "modifier": 2}).of("score")
    assert Fraction(1, 20) == score.at_least("10!") == score.at_most("0!")
    assert Fraction(1, 4) == score.at_least(10)
    with pytest.raises(BadDist, match=r"such as 0!; did you mean '10!'"):
        score.at_least("12!")
    with pytest.raises(BadDist, match=r"no place among outcomes such as 1$"):
        rw.odds(D6).at_least(None)
