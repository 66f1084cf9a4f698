"""What cannot be counted is refused with a sentence, and what is too much at once."""

from fractions import Fraction

import pytest

from rollwright.budget import Budget
from rollwright.dice import D6, D20, D100, Die, Pool
from rollwright.errors import BadDist, Cancelled, TooMuchWork
from rollwright.exact import (
    highest,
    keep,
    largest_set,
    longest_run,
    nth_highest,
    nth_lowest,
    pair_off,
    reduce,
    sets_of,
    successes,
    sum_of,
)

labels = Die(["hit", "miss"])
mixed = Die(["hit", 1])


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (lambda: sum_of(2 * labels), "read="),
        (lambda: sum_of(D6, lambda face: (face, "x")), "whole numbers"),
        (lambda: sum_of(D6, lambda face: (face,) * face), "one length"),
        (lambda: sum_of(D6, lambda face: (face,) if face > 1 else face), "one length"),
        (lambda: sum_of(D6, lambda face: ()), "at least one number"),
        (lambda: sum_of(D6, lambda face: face / 2), "read="),
        (lambda: sum_of(D6, lambda face: [face]), "unchanging"),
        (lambda: sum_of(6), "3 \\* D6"),
        (lambda: keep(2 * labels, highest=1), "read="),
        (lambda: keep(3 * D6), "one of the three"),
        (lambda: keep(3 * D6, highest=1, drop_lowest=1), "one of the three"),
        (lambda: keep(3 * D6, highest=-1), "0 or more"),
        (lambda: keep(3 * D6, ranks=[0]), "ranks are 1 to 3"),
        (lambda: keep(3 * D6, ranks=[4]), "ranks are 1 to 3"),
        (lambda: keep(3 * D6, ranks=[1, -3]), "twice"),
        (lambda: highest(2 * mixed), "order"),
        (lambda: highest(Pool()), "no dice"),
        (lambda: nth_highest(3 * D6, 4), "number 1 to 3"),
        (lambda: nth_highest(3 * D6, 0), "number 1 to 3"),
        (lambda: nth_lowest(3 * D6, 4), "number 1 to 3"),
        (lambda: sets_of(3 * D6, 0), "at least one die"),
        (lambda: longest_run(2 * labels), "whole numbers"),
        (lambda: reduce(2 * D6, [], lambda state, face, count: state), "unchanging"),
        (lambda: reduce(2 * D6, 0, lambda state, face, count: [face]), "unchanging"),
        (lambda: reduce(2 * D6, 0, lambda s, f, n: s, add=lambda face: "x"), "read="),
        (lambda: reduce("2d6", 0, lambda s, f, n: s), "3 \\* D6"),
        (lambda: pair_off(D6, D6, ties="both"), "ties"),
        (lambda: pair_off(labels, D6), "order"),
    ],
)
def test_senseless_questions_are_refused(question, words):
    """Each refusal says what would do."""
    with pytest.raises(BadDist, match=words):
        question()


@pytest.mark.long
@pytest.mark.parametrize(
    "question",
    [
        lambda: sum_of(1_000_000 * D6),
        lambda: sum_of(100_000 * D6, lambda face: (face, face * face)),
        lambda: sum_of(100 * Die([0, 1, 17, 10**6 + 3, 10**9 + 7])),
        lambda: sum_of(500_000 * Die({0: 3, 5: 4, 10**6: 7})),
        lambda: keep(100_000 * D6, highest=50_000),
        lambda: keep(1000 * D100, highest=999),
        lambda: keep(1000 * D20, drop_highest=3, drop_lowest=3),
        lambda: keep(Pool({Die(n): 20 for n in range(4, 20)}), drop_highest=1, drop_lowest=1),
        lambda: keep(9000 * Die([1, 10**9, 10**15, 10**7]), ranks=range(1, 200, 2)),
        lambda: nth_highest(100_000 * D100, 50_000),
        lambda: nth_highest(Pool({Die(n): 1000 for n in range(4, 20)}), 700),
        lambda: highest(1_000_000 * Die(100_000)),
        lambda: successes(1_000_000 * D6, 6),
        lambda: largest_set(5000 * D6),
        lambda: reduce(400 * D20, (), lambda state, face, count: (*state, count)),
        lambda: reduce(30 * D6, 0, lambda s, f, n: max(s, n), add=lambda face: face**20),
        lambda: reduce(9000 * D6, False, lambda s, f, n: n == 7, add=lambda face: face),
        lambda: pair_off(300 * D20, 300 * D20),
        lambda: pair_off(60 * D6, 60 * D6, ties="nobody"),
    ],
)
def test_monstrous_questions_are_refused_soon(question):
    """What would take hours is refused by estimate, and nothing hangs."""
    with pytest.raises(TooMuchWork, match="steps of work"):
        question()


def test_a_refusal_names_what_was_asked():
    """The pool is named, with the estimate and the budget."""
    with pytest.raises(TooMuchWork, match=r"the sum of 1000D6 needs about .* steps") as refusal:
        sum_of(1000 * D6, budget=Budget(100))
    assert 100 == refusal.value.budget
    assert refusal.value.estimate > 100


def test_long_names_are_cut():
    """A die with thousands of faces does not flood the message."""
    with pytest.raises(TooMuchWork) as refusal:
        sum_of(1000 * Die(range(0, 20000, 2)), budget=Budget(100))
    assert len(str(refusal.value)) < 400


def test_work_is_metered():
    """What was spent is taken from the budget that was given."""
    budget = Budget()
    sum_of(100 * D6, budget=budget)
    before = budget.spent
    assert before > 0
    keep(10 * D6, highest=3, budget=budget)
    assert budget.spent > before


def test_calls_of_a_games_function_are_metered_by_what_they_cost():
    """A call takes as long as fifteen steps at least, however little comes of it."""
    calls = []
    budget = Budget()
    reduce(200 * D6, 0, lambda state, face, count: calls.append(1) or 0, budget=budget)
    assert budget.spent >= 15 * len(calls) > 15_000


def test_a_cancelled_budget_stops_the_next_step():
    """Counting on a cancelled budget is refused."""
    budget = Budget()
    budget.cancel()
    with pytest.raises(Cancelled):
        reduce(10 * D6, 0, lambda state, face, count: max(state, count), budget=budget)


def test_named_vectors_keep_their_type():
    """A sum of named tuples is a named tuple, so its fields can be asked for."""
    from typing import NamedTuple

    class Marks(NamedTuple):
        sixes: int
        ones: int

    marks = sum_of(3 * D6, lambda face: Marks(face == 6, face == 1))
    assert successes(3 * D6, 6) == marks.of("sixes")


def test_fractions_are_kept_by_rank():
    """Keeping works with fractions too."""
    halves = keep(3 * D6, highest=2, read=lambda face: Fraction(face, 2))
    assert keep(3 * D6, highest=2).map(lambda total: Fraction(total, 2)) == halves


def test_big_sums_have_the_right_size():
    """10000D6: the weights add up, and the mean is 35000."""
    dist = sum_of(10_000 * D6)
    assert 6**10_000 == dist.total == sum(dist.weights)
    assert 35_000 == dist.mean
