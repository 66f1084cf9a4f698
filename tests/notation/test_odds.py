"""The odds of every construct: against brute force, against peers, and against hand counts."""

from __future__ import annotations

import contextlib
import tracemalloc
from collections import Counter
from fractions import Fraction
from itertools import product

import dyce
import icepool
import pytest

import rollwright as rw
from rollwright import notation
from rollwright.budget import Budget
from rollwright.exact import Dist
from rollwright.notation import pool_modifiers
from tests.notation.oracles import every_way

CONSTRUCTS = [
    "1d6", "d4", "1d%", "3d4", "2dF", "d{1,1,2,3}", "2d{1/2,2}", "(1+1)d3", "(1d3)d3",
    "1d(1d4)", "(1d2)d(1d3)", "0d6", "(1d3-1)d4",
    "4d3kh2", "4d3kl2", "4d3dh1", "4d3dl1", "4d3k2", "4d3kh", "4d3kh9", "4d3kh0", "4d3dh1dl1",
    "4d3kh3kl1", "3d4ph1", "3d4pl1", "2d6kh1", "3dFkh2",
    "2d3!", "2d3!!", "2d3!p", "2d3xo", "1d4!>2", "1d4!!>=3", "1d4!p>2", "2d4xo>=3", "2d4e4",
    "2d3x",
    "2d3!kh1", "2d3!pkh1", "2d3xokh1", "2d3!!kh1", "2d3!kl1", "1d4!>2kh2", "2d3!p>1kl2",
    "2d3!dl1",
    "2d4xo<5kh2", "2d3!>=2", "2d3!!>=3", "2d3!=1>=2", "2d3!=3>=2f=1", "2d3!!=3>=4", "2d3!p=3>=2",
    "3d4ro1", "3d4ro<3", "2d4ro1kh1", "2d4ro2!", "2d4ro<2!!", "2d3ro1!kh1", "1d4ro=4!",
    "3d4min2", "3d4max3", "3d4min2max3", "3d4mi2", "3d4ma3", "3d4min2kh2", "2d3!min2",
    "2d3!!max4",
    "2d3!max2kh1", "3d4min5/2",
    "4d4>=3", "4d4>2", "4d4<2", "4d4<=2", "4d4=2", "4d4t3", "4d4>=3f=1", "4d4>=3f<2", "4d4=2f=3",
    "4d4kh2>=3", "4d4kh2<=2", "4d4kh2=3", "4d4kl3=2f=1", "4d4min2kh2>=3", "2dF>=-1",
    "3d4dl1f=1=3",
    "3d4cs4", "3d4cf1", "3d4cs>2cf<2sa", "3d4sd", "3d4sa",
    "{2d3, 1d6}kh1", "{2d3, 1d6}kl1", "{1d4, 1d4, 1d4}kh2", "{1d4, 1d6, 2}dl1", "{1d4+1, 1d6}>=4",
    "{1d4, 1d4, 1d6}=2", "{1d4}>=2", "{1d6, 1d4}min3", "{2d3!, 1d6}kh1", "{1d4, 1d4}",
    "floor(1d4/2)", "ceil(1d4/2)", "trunc(1d4/3-1)", "round(1d4/2)", "abs(1d4-3)", "min(1d4, 1d6)",
    "max(1d4, 1d6, 3)", "1d4+1d6-1d3", "-1d4", "1d4*1d4", "1d4/2", "1d4/1d3", "7//1d4", "1d6%3",
    "7%1d4", "2**1d4",
    "1d3**2", "1d4*2+1d4*2", "1d4/3+1d4/2", "1d4-1d4", "1.5+1d4", "(1d4+1)*(1d3-1)", "-1d4//3",
    "1d20adv", "1d6dis", "adv", "dis+1", "1d6advro1", "1d20 vs 11", "1d20+5 vs 15", "1d6 vs 1d6",
    "1d4 [fire] + 1d4 [cold]", "1d4 # for luck", "2x 1d4", "1d4; 1d3", "2x 1d3; 1d2!",
    "(2d3kh1)kl1", "3d4 kh 2", "3D4KH2", "1d4 + -1d3", "2d3 ≥ 2", "3d4×2",
    "{1/2,3}kh1+1", "{1d8/2,4}kh1+1d6", "2d6min30.5+4", "2d3min1.5", "(-1d4**2)+(-1d4**3)",
    "-d3**2+(-d3**2)", "-2**2", "-d3**2+d3**2", "2d{1/2,3/2}*2+1d4",
    "1d20+5 adv", "1d6+1 dis", "1d4+1d20+1 advantage", "1d20 disadvantage", "1d20+5 vs 15 adv",
    "1d4 disadvantage vs 3", "4d4 drop lowest", "4d4 drop the lowest", "4d4 drop lowest 2",
    "4d4 drop 2 lowest", "4d4 keep highest", "4d4 keep highest 3", "4d4 keep the 3 best",
    "4d4 keep 3", "4d4 keep lowest 2", "4d4 drop highest", "best of 4d4", "best 3 of 4d4",
    "worst of 2d6", "lowest 2 of 3d4", "best of {1d4, 1d6}", "best of (1d4,1d6)",
    "best of 3d4ro1", "best of 4d4 >=3", "/r 2d4", "/roll 2d4+1", "!r 2d4", " /R 2d4",
    "!roll 1d4", "[[2d4+1]]", "[[1d3]]d3", "2*[[1d4+1]]", "[[1d4[fire]]]", "2W4+3", "w6", "2W4!",
    "3w4k2", "1W%", "1d20+5 vs 15 nat", "1d20+30 vs 15 nat", "1d20adv+1 vs 15 nat",
    "1d20+1d4-1 vs 15 auto", "1d20+5 vs 1d20 nat", "1d20dis vs 11 auto", "1d20-30 vs 15 nat",
    "1d20+40 vs 15 auto", "1d20ro1+2 vs 12 nat", "1d20+1d4! vs 15 nat",
    "{2d4+2d6}kh3", "{2d4+1d6}dl1", "{4d4}kh3",
    "(1d6,1d8)kh1", "(1d4,1d6)", "{2d4ro1+1d6min3}kl2", "{2d4+1d6}kh2>=4", "{2d4+2dF}kh2",
    "3d4ro1ro3", "2d6ro1ro2kh1", "1d20cs20cs1", "3d4cs4cs1cf2cf3", "2d3!=1!=3", "3d4>=3f1f2",
    "dd23", "2dd22", "dd234kh1", "dd66>=44", "4d4t3t4", "4d4>=3>=4", "4d4=1=4", "4d4>=3>=4f=1",
    "3d4kh2t2t3", "3d4ra1", "2d4ra>=3kh1", "3d3ra3kl2", "2d3ra=3>=2", "4d4k>2", "4d4k=3",
    "4d4k<>3", "4d4p<2", "4d4 keep >2", "4d4 drop <3", "4d4k>2>=4", "3d4ro1k>2", "3d4k>2sf=4",
    "4d4 even", "4d4odd", "3d4kh2even", "2dFodd", "4d4evenf=1", "1d20ms15", "2d6ms>=8", "2d6ms<8",
    "3d4kh2ms(1d4)", "3d4sf1", "3d4sf<3", "3d4kh2sf=2", "3d4>=3sf1", "3d4kh2>=3sf=1", "3dc",
    "coin", "3 coins", "2coins+1", "4dc>=1", "3dckh1", "2d3!!p", "2d3!!pkh1", "1d4!!p>2",
    "2d3!!p=1>=3", "2^1d4", "1d3^2", "pow(1d3,2)", "pow(2,1d3)", "sqrt(1d20)", "sqrt(3d4/2)",
    "1+sqrt(16)", "if(1d20>=11, 2d4, 1d4)", "if(2d4>5, 1, 0)", "if(1d4, 5)", "if(1d4-1, 1d4)",
    "if((3d4>=3)>=2, 1d4, 1d6)", "if(1<2, 1d4, 9)", "if(1d4+1<>3, 1d6/2, 2)", "2*if(1d6=6,3)",
    "if(1d4>1d4,1d4!,2)", "4d4kh(1d2)", "3d4>=(1d4)", "3d4kh(1d3-1)", "3d4min(1d3)",
    "3d4max(1d3+1)kh2", "3d4>=(1d2+1)f=(1d2)", "(1d2)d4kh(1d2)", "{1d4,1d6}kh(1d2)",
    "{2d4+1d6}kh(1d2)", "{1d4, 1d6}>=(1d4)", "1d(1d4)>=(1d2)", "2d4k>(1d3)", "2d3!kh(1d2)",
    "3d4dl(1d2)kh(1d2)", "2d4min(1d4/2)", "4d3kh1&kl1", "5d3kh2&kl1", "4d3kh1&kl1>=2",
    "4d4k>2kh1", "4d4k>2kl1", "4d4kh2k>2", "4d4k<>3kh2kl1", "3d3!k>1kl2", "{2d4+1d6}k>2kl2",
    "4d4k>2kl1>=4", "3d4k>(1d3)kl1", "2d4+1d6 fire damage", "1d20+5 to hit",
    "{1d4,1d6,1d4}kh1&kl1", "4d4<>3", "4d4≠3", "3d4ro<>4",
]  # fmt: skip


@pytest.mark.parametrize("text", CONSTRUCTS)
def test_the_odds_of_every_construct_are_those_of_throwing_every_face(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quick count and the full enumeration agree to the last integer, also in what is lost."""
    monkeypatch.setattr(pool_modifiers, "MOST_EXPLOSIONS", 3)
    assert notation.odds(text) == every_way(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2d4rr<2", "2d{2,3,4}"),
        ("3d6rr1kh2", "3d{2,3,4,5,6}kh2"),
        ("2d4rr=4!=3", "2d{1,2,3}!=3"),
        ("2d6rr>4>=3", "2d{1,2,3,4}>=3"),
    ],
)
def test_rerolling_until_it_passes_is_a_die_without_those_faces(text: str, same: str) -> None:
    """`rr` has no bound and loses nothing: what is left are the faces that stand."""
    assert notation.odds(text) == notation.odds(same)


@pytest.mark.parametrize("text", ["3d4kh2", "1d4+{1d3,1d4}kh1", "3d4ro1>=2", "2x 1d3", "1d3xo"])
def test_the_shortcut_is_what_the_engine_finds_by_playing(text: str) -> None:
    """Where nothing is cut, playing the rule out in the engine gives the same odds."""
    from rollwright.budget import Budget
    from rollwright.engine.odds.count import RuleCounter
    from rollwright.notation.counter import expression

    shortcut, expression.shortcut = expression.shortcut, None
    try:
        played = RuleCounter(None, Budget()).outcomes_of(notation.as_rule(text))
    finally:
        expression.shortcut = shortcut
    assert rw.odds(text) == played


@pytest.mark.parametrize("text", ["-1d3", "2d6min30.5", "{1/2,3}kh1", "1d8/2", "1d6/2*2"])
def test_what_is_whole_is_a_whole_number(text: str) -> None:
    """A fraction that has no rest is no fraction any more, rolled or counted."""
    values = [*notation.odds(text), notation.roll(text).value]
    assert all(type(value) is int or value.denominator > 1 for value in values)


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        "20000d1000!!kh1", "1000d5000!!kh1", "20000d20!!kh1", "1d20000!>1", "1000d(1d15)",
        "2d20000min2", "200d(1d200)", "20000d20kh1", "5000d(1d2)",
    ],
)  # fmt: skip
def test_whatever_is_counted_is_bounded(text: str) -> None:
    """Answered or refused, in 200 MB at most."""
    tracemalloc.start()
    with contextlib.suppress(notation.TooMuchToCount):
        notation.odds(text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 200_000_000


def _icepool(die: icepool.Die) -> Dist[int]:
    return Dist({outcome: die.quantity(outcome) for outcome in die.outcomes()})


def test_icepool_agrees() -> None:
    """Sums, keeps, re-rolls, successes and bounded explosions are icepool's too."""
    d6, d10 = icepool.d(6), icepool.d(10)
    assert _icepool(d6.highest(4, 3)) == notation.odds("4d6kh3")
    assert _icepool(d6.lowest(3, 1)) == notation.odds("3d6kl1")
    assert _icepool(10 @ (d10 >= 6)) == notation.odds("10d10>=6")
    assert _icepool(3 @ d6.reroll([1], depth=1)) == notation.odds("3d6ro1")
    assert _icepool(3 @ d6.explode(depth=1)) == notation.odds("3d6xo")
    advantage = icepool.d(20).highest(2, 1) + icepool.d(8) + 7
    assert _icepool(advantage) == notation.odds("1d20adv+1d8+7")


def test_dyce_agrees() -> None:
    """Sums, keeps and products are dyce's too."""
    d6 = dyce.H(6)
    peers = {"5d6": 5 @ d6, "1d6*1d6": d6 * d6, "1d6-1d4": d6 - dyce.H(4), "2d6+3": 2 @ d6 + 3}
    for text, peer in peers.items():
        assert Dist(dict(peer.items())) == notation.odds(text)


def test_the_mean_of_four_dice_keeping_three() -> None:
    """The mean of 4d6kh3 is 15869/1296, about 12.24 (a hand count; some tools say 10.5)."""
    assert notation.odds("4d6kh3").mean == Fraction(15869, 1296)


def test_endless_explosions_say_what_they_lost() -> None:
    """A d6 that explodes eleven times in a row is beyond the bound: one chance in 6**11."""
    odds = rw.odds("1d6!")
    assert Fraction(odds.lost, odds.total) == Fraction(1, 6**11)
    assert odds.mean == Fraction(21, 5)


def test_three_exploding_dice_come_to_12_6() -> None:
    """The mean of 3d6! is 3 times 4.2 (some tools say 9010.5)."""
    assert rw.odds("3d6!").mean == Fraction(63, 5)
    assert rw.odds("2d6!! + d4!! - 1").mean == Fraction(42, 5) + Fraction(10, 3) - 1


def test_a_flat_sum_of_five_thousand_terms_is_counted() -> None:
    """Equal terms are counted as a power: the mean of 5,000 dice is 17,500."""
    odds = notation.odds("+".join(["1d6"] * 5_000))
    assert (odds.mean, len(odds)) == (17_500, 25_001)


def test_a_sum_with_many_labels_is_counted_like_one_without() -> None:
    """Labels are no part of the odds."""
    text = "+".join(f"1d6[hit {n}]" for n in range(200))
    assert notation.odds(text) == notation.odds("200d6")


def test_several_rolls_can_be_counted_one_by_one() -> None:
    """Six ability scores have too many combinations; each has its odds."""
    with pytest.raises(notation.TooMuchToCount) as refused:
        notation.odds("6x 4d6kh3")
    assert refused.value.repair == "4d6kh3"
    assert notation.odds_of_each("6x 4d6kh3") == (notation.odds("4d6kh3"),)


def test_a_larger_budget_counts_more() -> None:
    """What is refused in a moment is counted when more work is allowed."""
    text = "1d100*1d100*1d100"
    with pytest.raises(rw.RollwrightError):
        rw.odds(text)
    assert rw.odds(text, budget=rw.Budget(10_000_000)).total == 10**6


def test_an_expression_is_a_part_of_a_rule() -> None:
    """A rule may await an expression; its odds are those of the whole."""
    from rollwright.rules import rule

    @rule
    async def best_of_two() -> int:
        first = await notation.as_rule("2d6")
        return max(first, await notation.as_rule("2d6"))

    assert rw.odds(best_of_two()) == notation.odds("{2d6, 2d6}kh1")


def test_what_was_lost_is_never_passed_on_in_silence() -> None:
    """A rule that goes on from an endless explosion has lost what the explosion has."""
    from rollwright.rules import rule

    @rule
    async def twice() -> int:
        return 2 * await notation.as_rule("1d6!")

    part, whole = notation.odds("1d6!"), rw.odds(twice())
    assert part.lost
    assert Fraction(part.lost, part.total) == Fraction(whole.lost, whole.total)


def test_odds_from_the_middle_of_a_roll() -> None:
    """Physical dice may lie there already: the rest is counted from where the roll stands."""
    transcript = rw.Transcript(notation.as_rule("1d6+1d4")).throw([5])
    assert rw.odds(transcript) == notation.odds("5+1d4")


def _exploding_and_kept(number, sides, keep, *, highest):
    """By listing every throw: dice at rest, and as many of the highest face as explosions came."""
    chains = {n: Fraction(sides - 1, sides ** (n + 1)) for n in range(11)}
    extra = {0: Fraction(1)}
    for _ in range(number):
        longer = Counter()
        for (so_far, chance), (n, more) in product(extra.items(), chains.items()):
            longer[so_far + n] += chance * more
        extra = longer
    found = Counter()
    for faces in product(range(1, sides), repeat=number):
        for n, chance in extra.items():
            dice = sorted([*faces, *[sides] * n], reverse=highest)[:keep]
            found[sum(dice)] += chance / (sides - 1) ** number
    return found


@pytest.mark.parametrize(
    ("number", "sides", "keep"), [(3, 4, 2), (2, 6, 1), (4, 3, 3), (2, 6, 5), (3, 4, 3)]
)
@pytest.mark.parametrize("highest", [True, False])
def test_exploding_dice_that_are_kept_agree_with_every_throw(number, sides, keep, highest):
    """Each explosion is one more die that lies on top; ten for a die are counted."""
    dist = rw.odds(f"{number}d{sides}!k{'h' if highest else 'l'}{keep}")
    counted = {outcome: Fraction(weight, dist.total) for outcome, weight in dist.items()}
    assert _exploding_and_kept(number, sides, keep, highest=highest) == counted


@pytest.mark.parametrize("dice", ["20d10!kh3", "30d20!kh15", "50d100!kh2", "100d10!kl5"])
def test_many_exploding_dice_that_are_kept_are_no_work(dice):
    """What is kept of the dice below is counted once for each set of ranks, not for each case."""
    budget = Budget()
    rw.odds(dice, budget=budget)
    assert budget.spent < 4_000_000
