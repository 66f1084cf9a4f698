"""Dice that explode or are thrown again inside rules, counted exactly and thrown one by one."""

from fractions import Fraction
from itertools import product

import icepool
import pytest

import rollwright as rw
from rollwright.dice import D4, D6, D8, D20, Die, Pool
from rollwright.engine.endings import fold, gather
from rollwright.errors import HiddenChoices, Misuse
from rollwright.exact import successes
from rollwright.rules import choose, explode, reroll, roll, rule, tally, together
from tests.engine.oracles import fractions


def theirs(die):
    """The same of a die of icepool."""
    return {o: Fraction(q, die.denominator()) for o, q in die.items()}


@rule
async def total(dice):
    """The sum of dice."""
    return tally(dice)


@rule
async def best_two(dice):
    """The two highest, added up."""
    return sum((await roll(dice)).highest(2))


@rule
async def largest_set(dice):
    """How many dice show the same."""
    return fold(dice, 0, _larger)


def _larger(most, reading, count):
    return max(most, count)


@rule
async def longest_run(dice):
    """The longest row of readings that follow each other."""
    return fold(dice, (0, 0), _longer, finish=max)


def _longer(runs, reading, count):
    return (max(runs), runs[1] + 1 if count else 0)


d4, d6 = icepool.d4, icepool.d6


def test_exploding_sums_are_those_of_icepool():
    """Up to so many explosions, the last throw counts whatever it shows."""
    assert theirs(3 @ d6.explode(depth=4)) == fractions(rw.odds(total(explode(3 * D6, times=4))))


def test_it_explodes_on_what_is_asked_for():
    """A face, several, or a test."""
    peer = theirs(2 @ d6.explode([5, 6], depth=2))
    for on in ([5, 6], lambda face: face >= 5, range(5, 7)):
        assert peer == fractions(rw.odds(total(explode(2 * D6, on, times=2))))


def test_rerolled_sums_are_those_of_icepool():
    """Once, several times, or for as long as it takes."""
    once, ever = d6.reroll([1], depth=1), d6.reroll([1, 2], depth="inf")
    assert theirs(4 @ once) == fractions(rw.odds(total(reroll(4 * D6, 1))))
    assert theirs(2 @ ever) == fractions(rw.odds(total(reroll(2 * D6, [1, 2], times=None))))


def test_each_die_has_what_it_came_to():
    """A hand of exploding dice shows what each came to: roll and keep, as icepool keeps."""
    assert theirs(d6.explode(depth=2).highest(3, 2)) == fractions(
        rw.odds(best_two(explode(3 * D6, times=2)))
    )


def test_several_kinds_lie_together():
    """Some dice explode, some are thrown again, some are not."""
    dice = 2 * explode(D6, times=1) + reroll(D4, 1) + D8 + D6
    peer = 2 @ d6.explode(depth=1) + d4.reroll([1], depth=1) + icepool.d8 + d6
    assert theirs(peer) == fractions(rw.odds(total(dice)))


def by_hand(sides, times, dice):
    """Every way that so many exploding dice can fall, with its chance and their totals."""

    def ways(left):
        for face in range(1, sides + 1):
            if face == sides and left:
                yield from ((face + more, share / sides) for more, share in ways(left - 1))
            else:
                yield face, Fraction(1, sides)

    for thrown in product(list(ways(times)), repeat=dice):
        share = Fraction(1)
        for _, chance in thrown:
            share *= chance
        yield tuple(came for came, _ in thrown), share


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        (largest_set, lambda shown: max(map(shown.count, shown))),
        (longest_run, lambda shown: _run(shown)),
    ],
)
def test_folds_pass_every_reading(asked, read):
    """Readings that nobody shows are passed with 0, also those that only explosions show."""
    found = {}
    for shown, share in by_hand(4, 2, 3):
        found[read(shown)] = found.get(read(shown), 0) + share
    assert found == fractions(rw.odds(asked(explode(3 * D4, times=2))))


def _run(shown):
    longest = run = 0
    for reading in range(1, 13):
        if reading == 4 or reading == 8:
            continue  # a D4 that explodes twice at most never comes to rest there
        run = run + 1 if reading in shown else 0
        longest = max(longest, run)
    return longest


def test_a_bound_is_told_in_what_was_lost():
    """Without a number of times it explodes without end; what lies beyond the bound is lost."""
    found = rw.odds(total(explode(2 * D6, bound=3)))
    assert Fraction(found.lost, found.total) == 1 - (1 - Fraction(1, 6**4)) ** 2
    exact = rw.odds(total(explode(2 * D6, times=12)))
    assert all(found.p(n) == exact.p(n) for n in range(2, 25))


def test_every_thrown_die_is_shown():
    """At the table each die is thrown for itself, and those that explode once more."""
    played = rw.roll(total(explode(3 * D6)), faces=[6, 2, 6, 3, 6, 4])
    assert 27 == played.outcome
    assert [(6, 2, 6), (3, 6), (4,)] == [entry.faces for entry in played.entries]


def test_dice_alike_that_came_to_different_totals_are_thrown_apart():
    """A 5 and a 6 that both explode are two dice: what follows belongs to one of them."""
    played = rw.Transcript(best_two(explode(2 * D6, [5, 6]))).throw([5, 6])
    assert Pool([D6]) == played.step.pool
    assert 17 == rw.roll(played, faces=[4, 2]).outcome


def test_a_die_that_is_thrown_again_counts_as_it_lies():
    """The first face is gone."""
    assert 1 + 4 == rw.roll(total(reroll(2 * D6, 1)), faces=[1, 4, 1]).outcome


def test_live_play_needs_no_bound():
    """A die goes on for as long as it explodes, however far counting goes."""
    assert 45 == rw.roll(total(explode(D4, bound=2)), faces=[4] * 11 + [1]).outcome


def test_a_throw_of_dice_that_explode_is_stored_and_verified():
    """Dice that explode are data like other dice."""
    played = rw.roll(explode(2 * D6) + reroll(D8, [1, 2]), faces=[6, 3, 2, 4, 1])
    assert played == rw.verify(played.to_json())
    assert 14 == played.outcome


def test_odds_in_the_middle_of_a_throw():
    """After 6 6 2 two dice go on: 14 and two exploding dice."""
    halfway = rw.Transcript(total(explode(3 * D6, times=3))).throw([6, 6, 2])
    assert theirs(2 @ d6.explode(depth=2) + 14) == fractions(rw.odds(halfway))


def test_odds_beyond_the_bound():
    """Live dice have gone further than counting would: from there it is counted as far again."""
    far = rw.Transcript(total(explode(D4, bound=2)))
    for _ in range(4):
        far = far.throw([4])
    assert Fraction(1, 4) == rw.odds(far).p(17)
    assert Fraction(1, 4**3) == Fraction(rw.odds(far).lost, rw.odds(far).total)


@rule
async def duel():
    """Who comes higher."""
    mine, yours = await together(total(explode(D6, bound=2)), total(explode(D8, bound=2)))
    return mine > yours


@rule
async def three_parts():
    """The highest of three."""
    return gather([total(explode(D6, bound=1))] * 3, 0, _larger_of)


def _larger_of(most, came):
    return max(most, came)


@rule
async def on_and_on(left, so_far):
    """One die after the other, each in a rule of its own."""
    came = await tally(explode(D4, bound=1))
    return on_and_on(left - 1, so_far + came) if left > 1 else so_far + came


def test_a_loss_is_carried_through_parts_and_endings():
    """What one part lost is lost to all that follows."""
    lost = Fraction(rw.odds(duel()).lost, rw.odds(duel()).total)
    assert 1 - (1 - Fraction(1, 6**3)) * (1 - Fraction(1, 8**3)) == lost
    several = rw.odds(three_parts())
    assert 1 - (1 - Fraction(1, 36)) ** 3 == Fraction(several.lost, several.total)
    chained = rw.odds(on_and_on(3, 0))
    assert 1 - (1 - Fraction(1, 16)) ** 3 == Fraction(chained.lost, chained.total)


@rule
async def once_more(bound):
    """Keep what exploded, or throw once more."""
    first = await tally(explode(D6, bound=bound))
    if await choose("keep", "again", about=first) == "keep":
        return first
    return tally(explode(D6, bound=bound))


def test_advice_says_what_a_bound_cut_off():
    """Values count it as the worst that can be; the chance of it is told."""
    advice = rw.advise(once_more(1), lambda came: came)
    keep = Fraction(1, 36)
    came = {
        **{n: Fraction(1, 6) for n in range(1, 6)},
        **{n: Fraction(1, 36) for n in range(7, 12)},
    }
    mean = sum(n * share for n, share in came.items()) + keep * 1
    best = sum(max(n, mean) * share for n, share in came.items()) + keep * 1
    assert best == advice.value
    again = sum(share for n, share in came.items() if n < mean)
    assert keep + again * keep == advice.lost
    assert "bound" in repr(advice)
    assert 0 == rw.advise(total(explode(D6, times=1)), lambda came: came).lost


def test_losing_is_never_better_than_the_worst():
    """A goal below nothing does not make it good to be cut off."""
    assert rw.advise(once_more(1), lambda came: -came).value <= -1
    lost = rw.value_lost(once_more(1), lambda now: "keep", lambda came: -came)
    assert lost >= 0


@rule
async def secret(times):
    """Take what only the referee has seen, or five."""
    came = await tally(explode(D6, times=times), sees=["referee"])
    return came if await choose("take", "leave", by="player") == "take" else 5


def test_secret_dice_explode_so_often():
    """Nobody notices that a hidden die is thrown again: 5 is sure, and the die comes to 49/12."""
    assert Fraction(49, 12) == rw.odds(secret(1), lambda now: "take").mean
    assert 5 == rw.advise(secret(1), lambda came: came).value
    with pytest.raises(Misuse, match="times="):
        rw.roll(secret(None))


@rule
async def half_secret():
    """A secret beside a die that explodes without end."""
    seen = await tally(D4, sees=["referee"])
    came = await tally(explode(D6))
    return came if await choose("take", "leave", by="player") == "take" else seen


def test_secrets_beside_a_bound_are_refused():
    """Best play with secrets is not found where something is cut off, and that is said."""
    with pytest.raises(HiddenChoices, match="times="):
        rw.advise(half_secret(), lambda came: came)


@rule
async def a_hand():
    """Three dice as they lie."""
    return await roll(3 * D6)


@pytest.mark.parametrize(
    "slip",
    [
        lambda: explode(D6, range(1, 7)),
        lambda: explode("d6"),
        lambda: explode(Die(["hit", "miss"])),
        lambda: explode(D6, times=-1),
        lambda: explode(D6, bound="far"),
        lambda: explode(D6) * 2,
        lambda: 0 * explode(D6),
        lambda: reroll(D6, lambda face: True, times=None),
        lambda: explode(D6, ">=5"),
        lambda: explode(D6, "6"),
        lambda: explode(D6, 7),
        lambda: reroll(2 * D6, "1"),
        lambda: reroll(2 * D6, [7, 8]),
        lambda: successes(3 * D6, ">=5"),
        lambda: rw.roll(a_hand(), seed=1).outcome.where(">=5"),
        lambda: rw.roll(a_hand(), seed=1).outcome.count("6"),
    ],
)
def test_slips_are_refused(slip):
    """What could never come to rest, is no dice or no face is refused when it is written."""
    with pytest.raises(Misuse):
        slip()


@pytest.mark.long
def test_a_pool_too_large_to_see_is_tallied():
    """Forty dice cannot be listed hand by hand, but added up they are counted at once."""
    found = rw.odds(total(explode(40 * D6)))
    assert abs(float(found.counted_mean) - 40 * 4.2) < 1e-6
    started = rw.odds(rw.Transcript(total(explode(40 * D20))))
    assert started == rw.odds(total(explode(40 * D20)))
