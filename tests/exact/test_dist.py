"""Distributions: construction, equality, order, questions and arithmetic."""

import copy
import pickle
import random
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.dice import D6, Die
from rollwright.errors import BadDist, TooMuchWork
from rollwright.exact import Comparison, Dist, compare, highest

d6 = Dist.uniform(range(1, 7))
dists = st.dictionaries(st.integers(-9, 9), st.integers(1, 9), min_size=1, max_size=8).map(Dist)


class Attack(NamedTuple):
    hits: int
    jammed: bool


def test_zero_weights_are_dropped():
    """An outcome without weight is no outcome."""
    assert Dist({1: 0, 2: 3}).outcomes == (2,)


def test_iteration_is_in_order():
    """Outcomes come in order, however they were given."""
    dist = Dist({3: 1, 1: 2, 2: 5})
    assert [1, 2, 3] == list(dist)
    assert (2, 5, 1) == dist.weights
    assert [(1, 2), (2, 5), (3, 1)] == dist.items()


def test_outcomes_without_an_order_stay_as_given():
    """Labels and numbers together have no order but the one they came in."""
    assert ("b", 1) == Dist({"b": 1, 1: 1}).outcomes


def test_it_is_like_a_mapping():
    """An outcome is looked up by its name; what cannot happen weighs nothing."""
    assert (1, 0) == (d6[6], d6[7])
    assert 6 in d6
    assert 7 not in d6
    assert 6 == len(d6)


@given(dists, st.integers(1, 5))
def test_equality_is_of_chances(dist, scale):
    """The same chances over another total are the same distribution, with the same hash."""
    other = Dist({outcome: weight * scale for outcome, weight in dist.items()})
    assert dist == other
    assert hash(dist) == hash(other)
    assert dist.reduced() == other
    assert dist.reduced().total == other.reduced().total


def test_what_differs_is_not_equal():
    """Other outcomes, other chances or another loss make another distribution."""
    assert Dist({1: 1}) != Dist({2: 1})
    assert Dist({1: 1, 2: 1}) != Dist({1: 1, 2: 2})
    assert Dist({1: 1}, lost=1) != Dist({1: 1})
    assert Dist({1: 1}) != {1: 1}


def test_nothing_can_be_changed():
    """A distribution is a value."""
    with pytest.raises(AttributeError):
        d6.total = 7
    with pytest.raises(TypeError):
        d6[1] = 7


def test_copies_are_equal():
    """Copied and pickled distributions are the same values."""
    assert d6 == copy.deepcopy(d6) == pickle.loads(pickle.dumps(d6))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({}, "at least one outcome"),
        ({1: 0}, "at least one outcome"),
        ({1: -1}, "whole number"),
        ({1: 1.5}, "whole number"),
        ({0.5: 1}, "inexact"),
        ([([], 1)], "unchanging"),
    ],
)
def test_what_cannot_be_is_refused(wrong, words):
    """A distribution needs whole weights and exact outcomes."""
    with pytest.raises(BadDist, match=words):
        Dist(wrong)


def test_constructors():
    """Dice, equal chances, certainty and mixtures."""
    assert d6 == Dist.from_die(D6)
    assert {"a": 2, "b": 1} == dict(Dist.uniform("aab").items())
    assert (5,) == Dist.sure(5).outcomes
    assert Dist({0: 3, 1: 1}) == Dist.mixture({Dist.uniform([0, 1]): 1, Dist.sure(0): 1})
    assert Dist.sure(0) == Dist.mixture([(Dist.sure(1), 0), (Dist.sure(0), 2)])


def test_mixtures_need_distributions():
    """A part that is no distribution is refused, with the likely slip named."""
    with pytest.raises(BadDist, match=r"Dist.sure"):
        Dist.mixture([(3, 1)])
    with pytest.raises(BadDist, match="at least one"):
        Dist.mixture([])
    with pytest.raises(BadDist, match=r"Dist.sure"):
        d6.then(lambda face: face)


def test_arithmetic_with_constants():
    """Constants are added, taken away and multiplied, from either side."""
    assert (3, 8) == (min(d6 + 2), max(2 + d6))
    assert (-5, 9) == (min(1 - d6), max(d6 - -3))
    assert (2, 4, 6, 8, 10, 12) == (2 * d6).outcomes
    assert Dist.sure(0) == d6 * 0
    assert Fraction(3, 2) in d6 + Fraction(1, 2)
    assert (-6, -1) == (min(-d6), max(-d6))


def test_tuples_add_up_by_place():
    """Vectors are added place by place, never strung together."""
    steps = Dist.uniform([(0, 1), (2, 0)])
    assert (1, 2, 1) == (steps + steps).weights
    assert (2, 1) in steps + steps
    assert (1, 2) in Dist.__add__(steps, (1, 1))
    assert (0, -1) in -steps
    assert steps + steps == steps.sum_of(2)


@pytest.mark.parametrize(
    "question",
    [
        lambda: Dist.sure("a") + 1,
        lambda: Dist.sure("a") + Dist.sure("b"),
        lambda: d6 + 0.5,
        lambda: d6 * "x",
        lambda: d6 * (1, 2),
        lambda: Dist.__add__(d6, (1, 2)),
        lambda: Dist.__add__(Dist.sure((1, 2)), (1,)),
        lambda: Dist.__add__(Dist.sure((1, "a")), (1, 1)),
        lambda: Dist.sure((1, 2)) * 2,
        lambda: -Dist.sure("a"),
        lambda: d6.sum_of(-1),
        lambda: d6.highest_of(0),
        lambda: d6.map(lambda face: [face]),
        lambda: d6.map(lambda face: face / 2),
        lambda: d6.where(lambda face: face > 6),
        lambda: Dist.sure("a").mean,
        lambda: Dist.sure((1, 2)).mean,
        lambda: Dist({"a": 1, 1: 1}).at_least(1),
        lambda: Dist({"a": 1, 1: 1}).highest_of(2),
        lambda: Dist({"a": 1, 1: 1}).median,
        lambda: d6.quantile(2),
        lambda: d6.quantile("half"),
        lambda: d6.bands(5, 3),
        lambda: d6.of(),
        lambda: d6.of("hits"),
        lambda: d6.of(0),
        lambda: Dist.sure((1, 2)).of(2),
        lambda: Dist({(1, 2): 1, (1,): 1}).of(1),
    ],
)
def test_senseless_questions_are_refused(question):
    """Every refusal is our own, with a sentence."""
    with pytest.raises(BadDist, match=r"\w+ \w+ \w+"):
        question()


def test_other_peoples_mistakes_are_not_hidden():
    """An error inside a function given to us comes through."""
    with pytest.raises(TypeError):
        d6.map(lambda face: face + "x")


@given(dists, st.integers(0, 6))
def test_sum_of_is_repeated_addition(dist, count):
    """A sum of several is one added to another."""
    expected = Dist.sure(0)
    for _ in range(count):
        expected = expected + dist
    assert expected == dist.sum_of(count)


def test_fractions_sum_up():
    """Fractions are summed exactly."""
    third = Dist.uniform([Fraction(1, 3), Fraction(2, 3)])
    assert {Fraction(1): 1, Fraction(4, 3): 2, Fraction(5, 3): 1} != dict(third.items())
    assert (Fraction(2, 3), 1, Fraction(4, 3)) == third.sum_of(2).outcomes
    assert 0 in third.sum_of(0)


def test_wide_sums_are_refused_at_once():
    """A sum that would take hours is refused before it starts."""
    with pytest.raises(TooMuchWork, match="budget"):
        d6.sum_of(10_000_000)


@pytest.mark.long
@given(dists, dists)
def test_the_sum_of_wide_distributions(a, b):
    """Wide distributions are added by another method, with the same result."""
    wide, broad = a.sum_of(40), b.sum_of(45)
    assert (wide + broad).mean == 40 * a.mean + 45 * b.mean
    assert (wide + broad).variance == 40 * a.variance + 45 * b.variance
    assert (wide + broad).total == wide.total * broad.total == sum((wide + broad).weights)


def test_following_each_outcome():
    """`then` weighs what follows by the chance of getting there."""
    again = d6.then(lambda face: d6 + 6 if face == 6 else Dist.sure(face))
    assert Fraction(1, 36) == again.p(12)
    assert Fraction(1, 6) == again.p(5)


def test_knowing_more():
    """Conditioning keeps the proportions."""
    high = d6.sum_of(2).where(lambda total: total >= 11)
    assert (2, 1) == high.weights
    assert 3 == high.total


def test_chances():
    """Events are tests or outcomes."""
    two = d6.sum_of(2)
    assert Fraction(1, 6) == two.p(7) == two.p(lambda total: total == 7)
    assert Fraction(1, 6) == two.at_least(10) == two.at_most(4)
    assert (1, 0) == (two.at_least(-3), two.at_least(13))
    assert pytest.approx(100 / 6) == two.percent(7)
    assert {1: 1, 2: Fraction(1, 2)} == Dist.uniform([1, 2]).at_least_table()


@given(dists, st.lists(st.integers(-12, 12), max_size=4).map(sorted))
def test_bands_part_the_weight(dist, edges):
    """Bands are the weights between edges, and together all there is."""
    cuts = [-99, *edges, 99]
    expected = [
        dist.weight(lambda o, low=low, high=high: low <= o < high) for low, high in pairwise(cuts)
    ]
    assert tuple(expected) == dist.bands(*edges)


def test_marginals():
    """Fields are asked for by name, or by place in a plain tuple."""
    dist = Dist({Attack(1, True): 1, Attack(1, False): 2, Attack(0, False): 3})
    assert Dist({1: 3, 0: 3}) == dist.of("hits")
    assert Dist({(True, 1): 1, (False, 1): 2, (False, 0): 3}) == dist.of("jammed", "hits")
    assert dist.of("hits") == dist.of(0)
    assert dist.of(1, 0) == dist.of("jammed", 0)
    assert dist.of(0, 1) == dist.of("hits", "jammed")


def test_marginals_of_objects():
    """Any attribute is a field."""
    assert Dist({1: 1, 2: 1}) == Dist.uniform([Fraction(1, 3), Fraction(2, 3)]).of("numerator")


def test_an_unknown_field_is_explained():
    """The fields there are come with a guess at the one that was meant."""
    with pytest.raises(BadDist, match=r"fields are hits, jammed; did you mean 'jammed'"):
        Dist.sure(Attack(1, True)).of("jamed")


def test_moments():
    """Mean, variance, deviation, median and mode of two dice, by hand."""
    two = d6.sum_of(2)
    assert (7, Fraction(35, 6)) == (two.mean, two.variance)
    assert pytest.approx(2.4152294576982398) == two.standard_deviation
    assert (7, (7,)) == (two.median, two.mode)
    assert Fraction(1, 2) == Dist.uniform([Fraction(1, 4), Fraction(3, 4)]).mean


@pytest.mark.long
def test_moments_of_long_numbers():
    """Weights far beyond what floats hold do no harm."""
    assert pytest.approx((10_000 * 35 / 12) ** 0.5) == d6.sum_of(10_000).standard_deviation


@given(dists, st.fractions(0, 1))
def test_quantiles(dist, share):
    """A quantile is the first outcome that carries the share."""
    outcome = dist.quantile(share)
    assert dist.at_most(outcome) >= share
    below = [o for o in dist if o < outcome]
    assert all(dist.at_most(o) < share for o in below) or share == 0


def test_a_float_share_means_what_it_shows():
    """0.1 is a tenth, not the binary number nearest to it."""
    assert 1 == Dist.uniform(range(1, 11)).quantile(0.1)
    assert 7 == Dist.uniform(range(1, 11)).quantile(0.7)


@given(dists, dists)
def test_combining_is_pairing_and_reading_the_pairs(a, b):
    """`combine` gives what `joint` and `map` give."""
    expected = a.joint(b).map(lambda pair: max(pair) - min(pair))
    assert expected == a.combine(b, lambda x, y: max(x, y) - min(x, y))


def test_what_is_combined_is_plain():
    """Outcomes that can change or are inexact are refused."""
    with pytest.raises(BadDist, match="unchanging"):
        d6.combine(d6, lambda a, b: [a, b])
    with pytest.raises(BadDist, match="inexact"):
        d6.combine(d6, lambda a, b: a / b)


@given(dists, st.integers(1, 4))
def test_the_ends_of_several_throws_by_hand(dist, count):
    """The highest and the lowest of several throws, also where something is lost."""
    highest_of = lowest_of = dist
    for _ in range(count - 1):
        highest_of, lowest_of = highest_of.combine(dist, max), lowest_of.combine(dist, min)
    for expected, found in (
        (highest_of, dist.highest_of(count)),
        (lowest_of, dist.lowest_of(count)),
    ):
        assert expected == found
        assert list(expected.outcomes) == list(found.outcomes)


@given(dists, dists)
def test_duels_by_hand(a, b):
    """A comparison weighs every pair of outcomes."""
    joint = a.joint(b)
    expected = Comparison(
        joint.p(lambda pair: pair[0] < pair[1]),
        joint.p(lambda pair: pair[0] == pair[1]),
        joint.p(lambda pair: pair[0] > pair[1]),
    )
    assert expected == a.compare(b) == compare(a, b)


def test_pools_are_compared_by_their_sums():
    """`compare` takes pools and dice as well."""
    assert compare(2 * D6, D6) == d6.sum_of(2).compare(d6)


class Counter:
    """A source that gives every number in turn."""

    def __init__(self):
        self.next = -1

    def below(self, n):
        self.next += 1
        return self.next % n


def test_samples_follow_the_weights():
    """Each number of the source belongs to one unit of weight."""
    dist = Dist({"b": 2, "a": 1, "c": 4})
    source = Counter()
    drawn = [dist.sample(source) for _ in range(7)]
    assert dist == Dist.uniform(drawn)
    mixed = Dist({"b": 2, 1: 1})
    source = Counter()
    assert mixed == Dist.uniform([mixed.sample(source) for _ in range(3)])


def test_samples_from_random():
    """A `random.Random` will do as a source."""
    assert d6.sample(random.Random(1)) in d6


def test_loss_is_carried_along():
    """What was lost is part of the total, in everything made from it."""
    dist = Dist({1: 2, 2: 1}, lost=1)
    assert (4, 1) == (dist.total, dist.lost)
    assert (Fraction(1, 2), Fraction(3, 4)) == dist.chance(1)
    assert Fraction(4, 3) == dist.counted_mean
    assert (16, 7) == ((dist + dist).total, (dist + dist).lost)
    assert (16, 7) == (dist.sum_of(2).total, dist.sum_of(2).lost)
    assert (16, 7) == (dist.highest_of(2).total, dist.highest_of(2).lost)
    assert (16, 7) == ((dist * dist).total, (dist * dist).lost)
    assert (4, 1) == (dist.map(str).total, (dist + 1).lost)
    assert (2, 1) == (dist.where(lambda o: o == 2).total, dist.where(lambda o: o == 2).lost)
    follow = dist.then(lambda o: dist)
    assert (16, 7) == (follow.total, follow.lost)
    assert (8, 1) == (lambda m: (m.total, m.lost))(Dist.mixture({dist: 1, Dist.sure(1): 1}))
    assert 4 == Dist({1: 4, 2: 2}, lost=2).reduced().total


@pytest.mark.long
@given(dists)
def test_weights_always_add_up(dist):
    """Total is the sum of weights and loss, whatever was done."""
    for made in (dist + dist, dist * 3, -dist, dist.highest_of(3), dist.lowest_of(2), dist * dist):
        assert made.total == sum(made.weights) + made.lost


def test_the_lowest_of_several_scores():
    """W5 of the design, against a power of the chance to reach each score."""
    ish = Die({0: 1, 10: 1, **dict.fromkeys(range(1, 10), 2)})
    score = highest(4 * ish) + 2
    lowest = score.lowest_of(6)
    assert all(lowest.at_least(s) == score.at_least(s) ** 6 for s in score)


def test_repr_is_a_few_lines():
    """Small ones in full, long ones shortened, loss always shown."""
    assert "Dist: 2 outcomes, total 2\n  a  1/2  50 %\n  b  1/2  50 %" == repr(Dist.uniform("ab"))
    long = repr(d6.sum_of(100))
    assert "501 outcomes" in long
    assert len(long.splitlines()) < 20
    assert "more" in long
    assert "lost 33 %" in repr(Dist({1: 2}, lost=1))
    assert "lost" in repr(Dist({1: 10**12}, lost=1))


def test_html_is_a_plain_table():
    """Notebooks get a table without scripts, with names made harmless."""
    page = Dist({"<script>": 1, "b": 3})._repr_html_()
    assert page.startswith("<svg")
    assert "<table>" in page
    assert "<script>" not in page
    assert "25.0 %" in page
    assert "more" in d6.sum_of(100)._repr_html_()
