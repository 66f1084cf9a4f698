"""What people write in Python means what they mean, or is refused with what would do."""

from fractions import Fraction

import pytest

import rollwright as rw
from rollwright import D6, Die, Dist
from rollwright.errors import BadDie, BadDist
from rollwright.exact import successes
from rollwright.hands import Hand

HAND = Hand([(D6, 5), (D6, 6), (D6, 2)])


def test_a_die_of_odds_has_their_weights():
    """4d6 keep three has a mean of 12.24; without its weights it was 10.5."""
    four = rw.odds("4d6kh3")
    die = Die(four)
    assert four.mean == rw.odds(die).mean == Fraction(15869, 1296)
    assert Die({1: 1, 2: 3}) == Die(Dist({1: 2, 2: 6}))
    with pytest.raises(BadDie, match="cut off"):
        Die(Dist({1: 1, 2: 3}, lost=1))


@pytest.mark.parametrize("wanted", [[5, 6], (5, 6), {5, 6}, range(5, 7), lambda face: face > 4])
def test_one_of_several_values(wanted):
    """Each was never the case, without a word."""
    assert (64, 96, 48, 8) == successes(3 * D6, wanted).weights
    assert (5, 6) == HAND.where(wanted).readings
    if not callable(wanted):
        assert 2 == HAND.count(wanted)


def test_a_face_of_several_values_is_still_one_face():
    """A tuple on a die is what the die shows."""
    pair = Die([(5, 6), (1, 1)])
    hand = Hand([(pair, (5, 6)), (pair, (1, 1))])
    assert 1 == hand.count((5, 6)) == len(hand.where((5, 6)))
    assert (1, 2, 1) == successes(2 * pair, (5, 6)).weights


def test_dice_are_rolled_and_counted_as_they_are():
    """A sum of several, or what one die shows, whatever that is; the roll can be verified."""
    assert rw.odds("4d6") == rw.odds(4 * D6)
    assert rw.odds("d6") == rw.odds(D6)
    assert Fraction(1, 3) == rw.odds(Die({"hit": 1, "miss": 2})).p("hit")
    with pytest.raises(BadDist, match="a sum needs numbers"):
        rw.odds(2 * Die(["hit", "miss"]))
    rolled = rw.roll(2 * D6, faces=[3, 4])
    assert 7 == rolled.outcome == rw.verify(rolled.to_json()).outcome


DUST = {"game": "dust", "roll": "roll", "pool": 3}
TEST = {"game": "kleptonomicon", "roll": "test"}


@pytest.mark.parametrize(
    ("what", "field", "event", "said"),
    [
        ("2d6", "", ">=7", r"at_least\(7\)"),
        ("2d6", "", [7, "x"], "no outcome is 'x'"),
        ("1d20+5 vs 15", "", "sucess", "did you mean 'success'"),
        (DUST, "grade", "botched", "did you mean 'botch'"),
        (DUST, "grade", "owl", "there are botch, failure"),
        (TEST, "score", "11!", "no outcome is '11!'; did you mean '10!'"),
    ],
)
def test_what_is_no_outcome_is_refused(what, field, event, said):
    """A chance of nothing is no answer to a slip."""
    dist = rw.odds(what)
    with pytest.raises(BadDist, match=said):
        (dist.of(field) if field else dist).p(event)


def test_an_outcome_is_asked_for_as_it_is_printed():
    """KLEP R13: a 10! is no number; a grade that cannot come up is still a grade."""
    assert Fraction(1, 20) == rw.odds(TEST).of("score").p("10!")
    assert 0 == rw.odds("1d20 vs 40").p("critical success")
    assert 0 == rw.odds("2d6").p(13)


def test_a_function_says_which_dice_are_counted():
    """As in `where`: a function that was compared with faces counted none of them."""
    assert 1 == HAND.count(lambda face: face < 5)
    assert 2 == HAND.count(lambda face: face >= 5)
