"""Something done again and again, and the distribution of how often."""

from fractions import Fraction
from math import comb

import icepool
import pytest

import rollwright as rw
from rollwright.dice import D6, D8
from rollwright.errors import Misuse, NeverEnds
from rollwright.rules import Repeats, choose, explode, repeat, roll, rule, tally


def test_throws_until_a_six():
    """The sixth comes at the n-th throw with 1/6 times 5/6 to the n - 1; the rest is lost."""
    found = rw.odds(repeat(tally(D6), until=6, bound=30)).of("times")
    for n in range(1, 31):
        assert Fraction(1, 6) * Fraction(5, 6) ** (n - 1) == found.p(n)
    assert Fraction(5, 6) ** 30 == Fraction(found.lost, found.total)


@rule
async def collect():
    """Throw until every face has been seen."""
    return repeat(roll(D6), start=frozenset(), step=_with, until=_complete)


def _with(seen, hand):
    return seen | set(hand)


def _complete(seen):
    return len(seen) == 6


def test_throws_until_all_faces_are_seen():
    """By inclusion and exclusion: the chance to need more than n throws."""
    found = rw.odds(collect()).of("times")
    for n in (6, 10, 30):
        more = sum(
            (-1) ** (missing + 1) * comb(6, missing) * Fraction(6 - missing, 6) ** n
            for missing in range(1, 7)
        )
        assert 1 - more == found.at_most(n)


@rule
async def kill(hp):
    """Attacks until nothing is left."""
    return repeat(tally(D8), start=hp, step=_hurt, until=_is_dead)


def _hurt(hp, damage):
    return max(hp - damage, 0)


def _is_dead(hp):
    return hp == 0


def test_attacks_to_kill():
    """As many attacks as it takes for the sum of as many D8 to reach the hit points."""
    found = rw.odds(kill(20)).of("times")
    assert 0 == found.lost
    for n in range(3, 21):
        reached = (n @ icepool.d8) >= 20
        assert Fraction(reached.quantity(True), reached.denominator()) == found.at_most(n)


def test_icepool_agrees_on_how_often():
    """The same by icepool's own loop: the chance to be done after so many times."""
    done = icepool.Die([20])
    found = rw.odds(kill(20)).of("times")
    for n in range(1, 6):
        done = icepool.map(lambda hp, damage: max(hp - damage, 0), done, icepool.d8)
        assert Fraction(done.quantity(0), done.denominator()) == found.at_most(n)


def test_it_is_played_throw_by_throw():
    """At the table every throw is seen, and it goes on beyond any bound."""
    played = rw.roll(kill(20), faces=[7, 8, 1, 4])
    assert Repeats(4, 0) == played.outcome
    assert 4 == len(played.entries)
    assert (
        Repeats(9, 6) == rw.roll(repeat(tally(D6), until=6, bound=2), faces=[1] * 8 + [6]).outcome
    )


def test_odds_in_the_middle():
    """After three of four throws it ends with the fourth or later, and never before."""
    halfway = rw.Transcript(kill(20)).throw([7]).throw([8]).throw([1])
    found = rw.odds(halfway).of("times")
    assert Fraction(5, 8) == found.p(4)
    assert 4 == found.outcomes[0]


def test_beyond_the_bound_it_is_counted_as_far_again():
    """Live play went on: from there the bound is counted anew."""
    far = rw.Transcript(repeat(tally(D6), until=6, bound=2))
    for _ in range(4):
        far = far.throw([1])
    found = rw.odds(far).of("times")
    assert (5, 6) == found.outcomes
    assert Fraction(25, 36) == Fraction(found.lost, found.total)


@rule
async def turn(hp):
    """A sure blow for two, or a die: 1 and 2 miss."""
    if await choose("sure", "risky", about=hp) == "sure":
        return max(hp - 2, 0)
    damage = await tally(D6)
    return max(hp - damage, 0) if damage > 2 else hp


def fight(bound=40):
    """A fight of turns in which somebody decides, from nine hit points on."""
    return repeat(turn, start=9, until=_is_dead, bound=bound)


def fewest(hp, turns):
    """By hand: the best chance to be done within so many turns."""
    if hp == 0:
        return Fraction(1)
    if not turns:
        return Fraction(0)
    sure = fewest(max(hp - 2, 0), turns - 1)
    risky = sum(fewest(max(hp - d, 0) if d > 2 else hp, turns - 1) for d in range(1, 7)) / 6
    return max(sure, risky)


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
def test_best_play_of_what_is_repeated(turns):
    """Turns with decisions: best play to be done in time, by hand for every number of turns."""
    advice = rw.advise(fight(8), lambda end: end.times <= turns)
    assert fewest(9, turns) == advice.value


def test_best_play_does_not_flee_beyond_the_bound():
    """Few turns are wanted: what is cut off counts as the most that was counted."""
    assert -4 <= rw.advise(fight(), lambda end: -end.times).value <= -3
    assert rw.advise(fight(3), lambda end: -end.times).value < -2


def test_a_policy_says_how_often():
    """Always sure takes five turns; always risky is a distribution."""
    assert 1 == rw.odds(fight(), lambda now: "sure").of("times").p(5)
    risky = rw.odds(fight(), lambda now: "risky").of("times")
    assert Fraction(10, 36) == risky.p(2)


@rule
async def twice():
    """Two repetitions, one after the other."""
    first = await repeat(tally(D6), until=6, bound=3)
    second = await repeat(tally(explode(D6, bound=1)), until=_more_than_five, bound=3)
    return first.times + second.times


def _more_than_five(came):
    return came > 5


def test_a_loss_is_carried_on():
    """What two repetitions and an explosion cut off is lost together."""
    found = rw.odds(twice())
    ends = 1 - Fraction(5, 6) ** 3
    hit, miss = Fraction(5, 36), Fraction(5, 6)
    second = hit * (1 + miss + miss**2)
    assert 1 - ends * second == Fraction(found.lost, found.total)


def test_what_cannot_end_is_refused():
    """A seven on a D6 never comes, and nothing is left to count."""
    with pytest.raises(NeverEnds, match=r"7 never comes.*1, 2, 3, 4, 5, 6"):
        rw.odds(repeat(tally(D6), until=7))
    with pytest.raises(Misuse):
        repeat(tally(D6), until=6, bound=0)
    with pytest.raises(Misuse, match="rule or a throw"):
        rw.odds(repeat(lambda hp: hp, start=3, until=_is_dead))
    with pytest.raises(Misuse, match="unchanging"):
        rw.odds(repeat(tally(D6), start=(), step=lambda seen, face: [face], until=len))
