"""Every counting function agrees with counting all throws, on small pools of any kind."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwright.dice import D6, Die, Pool
from rollwright.exact import (
    highest,
    keep,
    largest_set,
    longest_run,
    lowest,
    nth_highest,
    nth_lowest,
    pair_off,
    pairs,
    reduce,
    sets_of,
    successes,
    sum_of,
)
from tests.exact.brute import any_pool, counted, pools, same

often = settings(max_examples=120, deadline=None)


@often
@given(any_pool)
def test_tally_is_the_sum_of_the_faces(pool):
    """A tally without a reader adds up the faces."""
    assert same(counted(pool, sum), sum_of(pool))


@pytest.mark.long
@often
@given(any_pool, st.integers(-3, 6))
def test_tally_adds_vectors_by_place(pool, mark):
    """Readings that are tuples are added place by place."""
    expected = counted(
        pool, lambda faces: (sum(f >= mark for f in faces), sum(faces), -sum(f == 1 for f in faces))
    )
    actual = sum_of(pool, lambda face: (face >= mark, face, -1 if face == 1 else 0))
    assert same(expected, actual)


@pytest.mark.long
@often
@given(any_pool)
def test_tally_adds_fractions(pool):
    """Fractions are added exactly."""
    expected = counted(pool, lambda faces: sum((Fraction(f, 3) for f in faces), Fraction(0)))
    assert same(expected, sum_of(pool, lambda face: Fraction(face, 3)))


@often
@given(any_pool)
def test_five_places_are_added_too(pool):
    """A vector may have any number of places."""
    wanted = counted(pool, lambda faces: tuple(sum(f == i for f in faces) for i in range(5)))
    assert same(wanted, sum_of(pool, lambda face: tuple([int(face == i) for i in range(5)])))
    one = counted(pool, lambda faces: (sum(faces),))
    assert same(one, sum_of(pool, lambda face: (face,)))


@often
@given(any_pool, st.data())
def test_keep_takes_any_ranks(pool, data):
    """Any set of ranks can be kept."""
    ranks = data.draw(st.sets(st.integers(1, pool.size)))
    expected = counted(
        pool, lambda faces: sum(sorted(faces, reverse=True)[rank - 1] for rank in ranks)
    )
    assert same(expected, keep(pool, ranks=ranks))


@often
@given(any_pool, st.integers(0, 5))
def test_keep_and_drop_are_what_they_say(pool, count):
    """Keeping or dropping at either end sums up the dice that are left."""
    rising = counted(pool, lambda faces: tuple(sorted(faces)))
    size = pool.size
    few = min(count, size)
    assert keep(pool, highest=count) == rising.map(lambda faces: sum(faces[size - few :]))
    assert keep(pool, lowest=count) == rising.map(lambda faces: sum(faces[:few]))
    assert keep(pool, drop_highest=count) == rising.map(lambda faces: sum(faces[: size - few]))
    assert keep(pool, drop_lowest=count) == rising.map(lambda faces: sum(faces[few:]))


@often
@given(any_pool)
def test_keep_both_ends_and_the_middle(pool):
    """The highest and the lowest together, and all but those."""
    rising = counted(pool, lambda faces: tuple(sorted(faces)))
    ends = rising.map(lambda f: f[0] + f[-1] if len(f) > 1 else f[0])
    assert keep(pool, highest=1, lowest=1) == ends
    assert keep(pool, drop_highest=1, drop_lowest=1) == rising.map(lambda f: sum(f[1:-1]))


@often
@given(pools(4, st.sampled_from([Die([0, 7, 100_000]), Die([3, 50_000_000]), Die(4)])))
def test_faces_far_apart_are_kept_as_well(pool):
    """Keeping does not need faces that lie close together."""
    expected = counted(pool, lambda faces: sum(sorted(faces)[-2:]))
    assert same(expected, keep(pool, highest=2))


@often
@given(any_pool, st.data())
def test_order_statistics(pool, data):
    """The n-th highest and lowest are those of the sorted faces."""
    n = data.draw(st.integers(1, pool.size))
    assert same(counted(pool, lambda f: sorted(f)[-n]), nth_highest(pool, n))
    assert same(counted(pool, lambda f: sorted(f)[n - 1]), nth_lowest(pool, n))
    assert same(counted(pool, max), highest(pool))
    assert same(counted(pool, min), lowest(pool))


@often
@given(any_pool, st.integers(-4, 9))
def test_successes_count_the_dice_that_pass(pool, mark):
    """Successes are counted with a test, or with a face."""
    expected = counted(pool, lambda faces: sum(face >= mark for face in faces))
    assert same(expected, successes(pool, lambda face: face >= mark))
    assert same(counted(pool, lambda faces: faces.count(mark)), successes(pool, mark))


@often
@given(any_pool)
def test_sets_and_runs(pool):
    """Groups of dice alike, pairs, triplets and runs."""
    counts = counted(pool, lambda f: tuple(sorted(f.count(face) for face in set(f))))
    assert same(counts.map(max), largest_set(pool))
    assert same(counts.map(lambda groups: sum(n // 2 for n in groups)), pairs(pool))
    assert same(counts.map(lambda groups: sum(n // 3 for n in groups)), sets_of(pool, 3))
    assert same(counted(pool, run_length), longest_run(pool))


def run_length(faces):
    """The longest run, by trying every start."""
    shown = set(faces)
    return max(next(n for n in range(1, 99) if face + n not in shown) for face in shown)


STEPS = {
    "remembers everything": lambda state, face, count: (*state, (face, count)),
    "any twice": lambda state, face, count: state or (count >= 2 and face > 1),
    "most, then stuck": lambda state, face, count: max(state or 0, count),
    "gives up at four": lambda state, face, count: (
        4 if state == 4 else min(4, (state or 0) + count * (face > 2))
    ),
    "order matters": lambda state, face, count: ((state or 0) * 3 + count) % 5,
    "sees nothing": lambda state, face, count: state,
}


def folded(step, start, faces, every):
    """The state by hand."""
    state = start
    for face in every:
        state = step(state, face, faces.count(face))
    return state


@often
@given(any_pool, st.sampled_from(sorted(STEPS)))
def test_fold_calls_step_for_every_face(pool, name):
    """A fold sees every reading, rising, with how many dice show it, also none."""
    step, start = STEPS[name], () if name == "remembers everything" else 0
    every = sorted({face for die in pool.dice for face in die.faces})
    expected = counted(pool, lambda faces: folded(step, start, faces, every))
    assert same(expected, reduce(pool, start, step))


@often
@given(any_pool, st.sampled_from(sorted(STEPS)), st.booleans())
def test_fold_adds_up_beside_the_state(pool, name, vector):
    """What is added stays outside the state; numbers and tuples both can be."""
    step, start = STEPS[name], () if name == "remembers everything" else 0
    every = sorted({face for die in pool.dice for face in die.faces})
    add = (lambda face: (face % 3, 2 - face)) if vector else (lambda face: 3 * (face % 3) - 2)
    total = (lambda parts: tuple(map(sum, zip(*parts, strict=True)))) if vector else sum
    expected = counted(
        pool, lambda f: (total([add(face) for face in f]), folded(step, start, f, every))
    )
    assert same(expected, reduce(pool, start, step, add=add))


@often
@given(any_pool, st.sampled_from(sorted(STEPS)))
def test_fold_reads_faces_and_adds_what_they_show(pool, name):
    """Faces that read alike may still add different amounts."""
    step, start = STEPS[name], () if name == "remembers everything" else 0
    every = sorted({face // 3 for die in pool.dice for face in die.faces})
    expected = counted(
        pool,
        lambda f: (sum(f), folded(step, start, tuple(face // 3 for face in f), every)),
    )
    actual = reduce(pool, start, step, read=lambda face: face // 3, add=lambda face: face)
    assert same(expected, actual)


@often
@given(pools(3), pools(3), st.sampled_from(["defender", "attacker", "nobody"]))
def test_pairing_off(attackers, defenders, ties):
    """Pairs are compared from the highest down."""
    expected = (
        counted(attackers, lambda f: tuple(sorted(f)[::-1]))
        .joint(counted(defenders, lambda f: tuple(sorted(f)[::-1])))
        .map(lambda lines: score(*lines, ties))
    )
    assert same(expected, pair_off(attackers, defenders, ties=ties))


def score(attack, defence, ties):
    """The pairs won by each side."""
    couples = list(zip(attack, defence, strict=False))
    level = sum(a == d for a, d in couples)
    won = sum(a > d for a, d in couples) + level * (ties == "attacker")
    lost = sum(a < d for a, d in couples) + level * (ties == "defender")
    return won, lost


@often
@given(any_pool)
def test_a_reader_may_look_at_the_die(pool):
    """A reader of two arguments is given the die as well."""
    expected = counted(pool, sum)
    assert sum_of(pool, lambda face, die: face if die in pool.dice else 99) == expected


def test_named_dice_are_read_apart():
    """Two dice with the same faces and different names can mean different things."""
    pool = Pool([D6, D6.named("ammo")])
    both = sum_of(pool, lambda face, die: (0, face) if die.name else (face, 0))
    assert {(a, b) for a in range(1, 7) for b in range(1, 7)} == set(both)
    assert {1} == set(both.weights)


def test_the_sum_of_no_dice_is_nothing():
    """An empty pool has one outcome."""
    none = Pool()
    assert sum_of(none) == keep(none, highest=3) == successes(none, 1)
    assert 0 in sum_of(none)
    assert reduce(none, "start", lambda state, face, count: "changed").outcomes == ("start",)
    assert largest_set(none).outcomes == (0,)
    assert pair_off(none, 3 * D6).outcomes == ((0, 0),)
