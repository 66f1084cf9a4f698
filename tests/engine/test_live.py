"""Live play: fair sources, and frequencies that agree with the exact odds."""

import os
from collections import Counter
from itertools import pairwise

import pytest

from rollwright.dice import D4, D6, D8, D10, D20, Die, Pool
from rollwright.engine.best.advice import best
from rollwright.engine.odds.count import odds
from rollwright.engine.sources import Dicebox, SeededSource, SystemSource, TypedSource
from rollwright.engine.transcript import play
from rollwright.errors import BadAnswer
from tests.engine.examples import (
    AMMO,
    any_doubles,
    best_of_two,
    choice_in_parts,
    duel,
    gambler,
    look_later,
    lowest_of,
    push_roll,
    push_roll_in_data,
    secret_number,
    until_six,
)


def chi_square(counts, dist):
    """Pearson's statistic and its degrees of freedom, rare outcomes put together."""
    rolls = sum(counts.values())
    statistic, cells, rare_seen, rare_expected = 0.0, 0, 0, 0.0
    for outcome, weight in dist.items():
        expected = rolls * weight / dist.total
        if expected < 5:
            rare_seen += counts[outcome]
            rare_expected += expected
        else:
            statistic += (counts[outcome] - expected) ** 2 / expected
            cells += 1
    if rare_expected:
        statistic += (rare_seen - rare_expected) ** 2 / rare_expected
        cells += 1
    return statistic, cells - 1


def is_plausible(counts, dist, deviations=5):
    """Whether frequencies are within so many standard deviations of what chi-square expects."""
    assert set(counts) <= {outcome for outcome, _ in dist.items()}
    statistic, freedom = chi_square(counts, dist)
    return statistic <= freedom + deviations * (2 * max(freedom, 1)) ** 0.5


EXAMPLES = [
    push_roll(Pool([D6, D8])),
    push_roll_in_data(Pool([D6, D8, D10])),
    duel(3),
    lowest_of(3),
    any_doubles(3),
    until_six(1),
    gambler(2, 4),
    look_later(Pool([D6, D6, D8])),
    secret_number(),
    best_of_two(D4),
    choice_in_parts(),
]


def second_option(situation):
    """A policy that makes use of every choice."""
    return situation.options[-1]


@pytest.mark.parametrize("call", EXAMPLES, ids=lambda call: call.rule.short_name)
def test_live_frequencies_agree_with_exact_odds(call):
    """Three thousand rolls with a fixed seed look like the exact odds (chi-square)."""
    source = SeededSource(f"frequencies of {call!r}")
    counts = Counter(play(call, source=source, policy=second_option).outcome for _ in range(3_000))
    assert is_plausible(counts, odds(call, second_option))


# Beyond 30 deviations fair dice fall less than once in 10^13 runs, beyond 5 once in a few hundred:
# that far only a seed, which never falls otherwise, is held.
@pytest.mark.parametrize(
    ("source", "deviations"),
    [(SystemSource(), 30), (SeededSource("uniform"), 5)],
    ids=["system", "seeded"],
)
@pytest.mark.parametrize("die", [D6, D20, Die(7), Die(100), Die({"a": 1, "b": 2, "c": 4})], ids=str)
def test_every_face_source_is_uniform(source, deviations, die):
    """Each face comes as often as its weight says, also where n is no power of two."""
    counts = Counter(source.face(die) for _ in range(20_000))
    assert is_plausible(counts, die_as_dist(die), deviations)


def die_as_dist(die):
    """The odds of one die."""
    from rollwright.exact import Dist

    return Dist.from_die(die)


class Bytes(Dicebox):
    """A source that deals out given bytes."""

    def __init__(self, data):
        super().__init__()
        self.data = data

    def block(self):
        """The next byte."""
        byte, self.data = self.data[:1], self.data[1:]
        return byte


def test_rejection_takes_again_what_is_too_large():
    """For a d6 three bits are taken: 6 and 7 are thrown away, so that no face is favoured."""
    seven_six_two_four = Bytes(bytes([0b10_110_111, 0b0000_100_0]))
    assert [seven_six_two_four.below(6) for _ in range(2)] == [2, 4]
    counts = Counter(Bytes(os.urandom(64)).below(3) for _ in range(300))
    assert set(counts) == {0, 1, 2}
    assert Bytes(b"").below(1) == 0


def test_a_seed_settles_everything():
    """The same seed gives the same faces for ever; these were written down once."""
    assert SeededSource("rollwright").throw(10 * D6) == SeededSource("rollwright").throw(10 * D6)
    assert SeededSource(1).throw(5 * D20) != SeededSource("1").throw(5 * D20)
    assert SeededSource("rollwright").throw(10 * D6) == WRITTEN_DOWN


WRITTEN_DOWN = (3, 4, 1, 5, 6, 3, 6, 6, 4, 6)


def test_following_faces_are_independent():
    """Pairs of following faces are as uniform as single ones."""
    source = SeededSource("pairs")
    faces = [source.face(D6) for _ in range(20_000)]
    from rollwright.exact import Dist

    pairs = Dist({(a, b): 1 for a in range(1, 7) for b in range(1, 7)})
    assert is_plausible(Counter(pairwise(faces)), pairs)


def test_typed_faces_must_fit():
    """Too few, too many and impossible faces are refused."""
    for faces, match in (([1], "only 1"), ([1, 9], "cannot show 9"), ([6, 6, 6], "left over")):
        with pytest.raises(BadAnswer, match=match):
            play(push_roll(Pool([D6, D6])), source=TypedSource(faces))


def test_typed_faces_are_given_throw_by_throw():
    """Two throws of one rule take their faces one after the other, named dice last."""
    done = play(push_roll(Pool([D6, AMMO])), source=TypedSource([2, 3, 6, 1]), policy=second_option)
    assert (done.outcome.successes, done.outcome.ones) == (1, 1)


def test_best_can_be_played_live():
    """Best play decides at every choice from what lies there."""
    done = play(best_of_two(D8), source=TypedSource([3, 7]), policy=best(lambda face: face))
    assert done.outcome == 7


def test_best_play_live_does_not_peek():
    """Live, too, best play guesses high whatever the secret die shows."""
    for face in (1, 6):
        done = play(secret_number(), source=TypedSource([face]), policy=best(int))
        assert done.entries[-1].option == "high"
