"""Random pools and questions come out as in icepool and dyce, to the last integer."""

from math import lcm

import icepool
import pytest
from dyce import H, P, explode_n
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwright.dice import D6, D8, D10, D20, D100, Die, Pool
from rollwright.exact import (
    Dist,
    exploding_die,
    highest,
    keep,
    largest_set,
    lowest,
    nth_highest,
    pair_off,
    reduce,
    rerolled_die,
    successes,
    sum_of,
)
from tests.exact.brute import dice

often = settings(max_examples=100, deadline=None)
pytestmark = pytest.mark.filterwarnings("ignore::dyce.lifecycle.ExperimentalWarning")

large_pools = st.lists(
    st.tuples(st.one_of(dice, st.sampled_from([D6, D8, D10, D20])), st.integers(1, 8)),
    min_size=1,
    max_size=3,
).map(lambda groups: Pool([die for die, count in groups for _ in range(count)]))

one_kind = st.tuples(dice, st.integers(1, 25)).map(lambda group: group[1] * group[0])


def ours(weights):
    """A peer's histogram as a distribution of our own."""
    return Dist(dict(weights.items()))


def icepool_die(die):
    """A die in icepool's terms."""
    return icepool.Die(dict(die.items))


def icepool_pool(pool):
    """A pool in icepool's terms."""
    return icepool.Pool([icepool_die(die) for die in pool.dice])


def dyce_pool(pool):
    """A pool in dyce's terms."""
    return P(*[H(dict(die.items)) for die in pool.dice])


@often
@given(large_pools)
def test_sums(pool):
    """Sums agree with dyce."""
    assert ours(dyce_pool(pool).h()) == sum_of(pool)


@often
@given(one_kind)
def test_sums_of_one_kind(pool):
    """Sums of many equal dice agree with icepool."""
    die, count = pool.groups[0]
    assert ours(count @ icepool_die(die)) == sum_of(pool)


@pytest.mark.long
@often
@given(st.one_of(large_pools, one_kind), st.data())
def test_kept_dice(pool, data):
    """Keeping the highest or the lowest agrees with icepool."""
    count = data.draw(st.integers(1, pool.size))
    peer = icepool_pool(pool)
    assert ours(peer.highest(count).sum()) == keep(pool, highest=count)
    assert ours(peer.lowest(count).sum()) == keep(pool, lowest=count)


@often
@given(st.lists(dice, min_size=1, max_size=5).map(Pool), st.data())
def test_any_ranks(pool, data):
    """Keeping any ranks agrees with dyce."""
    ranks = data.draw(st.sets(st.integers(1, pool.size), min_size=1))
    assert ours(dyce_pool(pool).at(*[-rank for rank in ranks])) == keep(pool, ranks=ranks)


@pytest.mark.long
@often
@given(large_pools, st.data())
def test_order_statistics(pool, data):
    """Order statistics agree with icepool."""
    n = data.draw(st.integers(1, pool.size))
    peer = icepool_pool(pool)
    assert ours(peer[-n]) == nth_highest(pool, n)
    assert ours(peer[-1]) == highest(pool)
    assert ours(peer[0]) == lowest(pool)


@often
@given(large_pools, st.integers(-4, 12))
def test_successes(pool, mark):
    """Numbers of successes agree with icepool."""
    peer = sum((count @ (icepool_die(die) >= mark) for die, count in pool.groups), icepool.Die([0]))
    assert ours(peer) == successes(pool, lambda face: face >= mark)


class NetAndTwice(icepool.MultisetEvaluator):
    """Net successes, and whether some success shows twice."""

    def next_state(self, state, order, outcome, count):
        net, twice = state or (0, False)
        if outcome >= 6:
            return net + count, twice or count >= 2
        return (net - count, twice) if outcome == 1 else (net, twice)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(large_pools)
def test_additive_folds(pool):
    """A fold with something added beside the state agrees with icepool."""
    expected = ours(NetAndTwice().evaluate(icepool_pool(pool)))
    actual = reduce(
        pool,
        False,
        lambda twice, face, count: twice or (face >= 6 and count >= 2),
        add=lambda face: 1 if face >= 6 else -1 if face == 1 else 0,
    )
    assert expected == actual


@pytest.mark.long
@often
@given(large_pools)
def test_largest_sets(pool):
    """Largest sets agree with icepool."""
    assert ours(icepool_pool(pool).largest_count()) == largest_set(pool)


@pytest.mark.long
@often
@given(dice, st.integers(0, 4), st.data())
def test_explosions(die, times, data):
    """Exploding dice agree with icepool, on the highest face and on any."""
    which = data.draw(st.sets(st.sampled_from(die.faces), min_size=1))
    if len(die.faces) > 1:
        assert ours(icepool_die(die).explode(depth=times)) == Dist.from_die(
            exploding_die(die, times=times)
        )
    if len(which) < len(die.faces):
        expected = ours(icepool_die(die).explode(which, depth=times))
        assert expected == Dist.from_die(
            exploding_die(die, lambda face: face in which, times=times)
        )


@pytest.mark.long
@often
@given(dice, st.sampled_from([1, 2, 3]), st.data())
def test_rerolls(die, times, data):
    """Re-rolled dice agree with icepool, bounded and endless."""
    which = data.draw(st.sets(st.sampled_from(die.faces), max_size=len(die.faces) - 1))
    if not which:
        return
    peer = icepool_die(die)
    assert ours(peer.reroll(which, depth=times)) == Dist.from_die(
        rerolled_die(die, lambda face: face in which, times=times)
    )
    endless = rerolled_die(die, lambda face: face in which, times=None)
    assert ours(peer.reroll(which, depth="inf")) == Dist.from_die(endless)


@pytest.mark.long
@often
@given(st.integers(1, 5), st.integers(1, 5), st.integers(2, 8), st.sampled_from([">", ">="]))
def test_sorted_pairs(attackers, defenders, sides, wins):
    """Sorted pairs agree with icepool, with ties for either side."""
    die = icepool.d(sides)
    count = min(attackers, defenders)
    peer = die.pool(attackers).highest(count).sort_pair(wins, die.pool(defenders).highest(count))
    ties = "defender" if wins == ">" else "attacker"
    ours_won = pair_off(attackers * Die(sides), defenders * Die(sides), ties=ties).of(0)
    assert ours(peer.size()) == ours_won


@pytest.mark.long
@pytest.mark.parametrize("count", [10, 60])
def test_sums_of_exploding_dice(count):
    """Sums of exploding dice agree with dyce (`min_path_probability` 0: nothing is cut)."""
    peer = explode_n(H(10), n=3, min_path_probability=0)
    assert ours(count @ peer) == sum_of(count * exploding_die(D10, times=3))


@often
@given(dice, dice)
def test_arithmetic(one, two):
    """Sums, differences, products and duels agree with dyce and icepool."""
    a, b = Dist.from_die(one), Dist.from_die(two)
    x, y = H(dict(one.items)), H(dict(two.items))
    assert ours(x + y) == a + b
    assert ours(x - y) == a - b
    assert ours(x * y) == a * b
    assert ours(x + 3) == a + 3
    assert ours(x * -2) == a * -2
    duel = a.compare(b)
    assert duel.less == (icepool_die(one) < icepool_die(two)).mean()
    assert duel.greater == (icepool_die(one) > icepool_die(two)).mean()


@often
@given(dice, st.integers(1, 6))
def test_best_of_several(die, count):
    """The highest and lowest of several throws agree with icepool."""
    peer, dist = icepool_die(die), Dist.from_die(die)
    assert ours(peer.highest(count)) == dist.highest_of(count)
    assert ours(peer.lowest(count)) == dist.lowest_of(count)
    assert ours(count @ peer) == dist.sum_of(count)


@often
@given(st.lists(st.tuples(dice, st.integers(1, 4)), min_size=1, max_size=4))
def test_mixtures_and_moments(parts):
    """Mixtures, means, variances and quantiles agree with icepool."""
    mixed = Dist.mixture([(Dist.from_die(die), weight) for die, weight in parts])
    whole = lcm(*[die.total for die, _ in parts])
    weights = {}
    for die, weight in parts:
        for face, share in die.items:
            weights[face] = weights.get(face, 0) + weight * share * (whole // die.total)
    peer = icepool.Die(weights)
    assert ours(peer) == mixed
    assert peer.mean() == mixed.mean
    assert peer.variance() == mixed.variance
    assert peer.median_low() == mixed.median
    assert set(peer.mode()) == set(mixed.mode)


@pytest.mark.long
def test_the_300th_of_a_thousand():
    """X1 of the design: one order statistic of 1000D100, against dyce."""
    peer = H(100).order_stat_for_n_at_pos(1000, 700)
    assert ours(peer) == nth_highest(1000 * D100, 300)


def test_many_dice_kept():
    """W7 of the design: 100D6 keep 50, and five each of six kinds keep 10, against icepool."""
    assert ours(icepool.d(6).highest(100, 50)) == keep(100 * D6, highest=50)
    sides = (4, 6, 8, 10, 12, 20)
    peer = icepool.Pool([icepool.d(s) for s in sides for _ in range(5)]).highest(10).sum()
    assert ours(peer) == keep(Pool({Die(s): 5 for s in sides}), highest=10)
