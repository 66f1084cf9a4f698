"""Tests: the die, the Modifier, criticals, Advantages and their odds."""

from fractions import Fraction
from itertools import pairwise

import pytest
from tests.games.kleptonomicon import oracle

import rollwright as rw
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.games.kleptonomicon import Group, House, Test, game
from rollwright.games.kleptonomicon.rules import D10ISH
from rollwright.kit.requests import to_plain
from rollwright.queries import answer

METHODS = ("coin", "odd_even", "d10ish")


def rolled(*faces, **fields):
    """The outcome of a Test with these faces."""
    return rw.roll(Test(**fields), faces=faces).outcome


def test_focus_save():
    """KLEP R1, C1: an 8 and +1 make a Score of 9, which is Mixed."""
    outcome = rolled(8, modifier=1, score_name="Focus Save")
    assert (9, "", "mixed", True, ("[7..9]",)) == outcome


def test_five_advantages_against_one_disadvantage():
    """KLEP R16, KLEP R17, C2 corrected: four dice, the 8 is kept, and +2 makes 10."""
    request = Test(advantages=5, disadvantages=1, modifier=2)
    transcript = rw.roll(request, faces=[1, 4, 8, 2])
    assert 4 == transcript.throws[0][0].pool.size
    assert (10, "high") == transcript.outcome[0:3:2]


def test_advantage_sheds_a_lost_coin():
    """KLEP R19, C3: 4 and a 10 with the coin lost; the 0! is discarded and 4 + 1 is 5."""
    assert (5, "") == rolled(4, 10, "lost", advantages=1, modifier=1)[:2]


def test_disadvantage_keeps_a_lost_coin():
    """KLEP R18, C4: with Disadvantage the 0! is the lowest, a Critical Failure."""
    assert (-99, "0!", "low", False) == rolled(4, 10, "lost", disadvantages=1, modifier=1)[:4]


def test_disadvantage_loses_a_won_coin():
    """KLEP R19: a 10! is the highest die, and with Disadvantage the other one counts."""
    assert (5, "") == rolled(4, 10, "won", disadvantages=1, modifier=1)[:2]


@pytest.mark.parametrize(
    ("modifier", "coin", "expected"), [(9, "lost", ("0!", "low")), (-5, "won", ("10!", "high"))]
)
def test_a_critical_score_does_not_heed_the_modifier(modifier, coin, expected):
    """KLEP R12: +9 does not lift a 0!, and -5 does not lower a 10!."""
    assert expected == rolled(10, coin, modifier=modifier)[1:3]


def test_each_ten_has_its_own_coin():
    """KLEP R9: of two 10s one coin is lost and one won, so the highest is a 10!."""
    assert "10!" == rolled(10, 10, 3, 2, "lost", "won", advantages=3).critical


def test_one_coin_for_all_by_the_house():
    """KLEP R18: where the house flips once, all 10s of the throw fall together."""
    outcome = rolled(10, 10, 3, 2, "lost", advantages=3, house=House(coins="one"))
    assert 3 == outcome.score


@pytest.mark.parametrize(("again", "critical"), [(3, "0!"), (8, "10!"), (10, "10!")])
def test_without_a_coin_the_die_is_rolled_again(again, critical):
    """KLEP R10: odd fails, even succeeds, and a second 10 is just even."""
    assert critical == rolled(10, again, method="odd_even").critical


def test_the_d10ish_has_its_twenty_faces():
    """KLEP R11: 1 to 9 twice, one 0 and one 10."""
    assert {0: 1, 10: 1, **dict.fromkeys(range(1, 10), 2)} == dict(D10ISH.items)
    assert ("0!", "10!") == tuple(rolled(face, method="d10ish").critical for face in (0, 10))


def by_hand(net):
    """The chances of a kept die: one side of twenty each for 0! and 10!, two for 1 to 9.

    Of n dice the highest is at most k if all are: ((2k + 1) / 20) ** n; with Disadvantage it is
    the same upside down.
    """
    dice = abs(net) + 1
    at_most = [Fraction(0), *(Fraction(2 * k + 1, 20) ** dice for k in range(10)), Fraction(1)]
    chances = [after - before for before, after in pairwise(at_most)]
    return chances if net >= 0 else chances[::-1]


@pytest.mark.parametrize("net", range(-3, 4))
@pytest.mark.parametrize("method", METHODS)
def test_each_method_has_the_odds_of_twenty_sides(net, method):
    """KLEP R9, KLEP R10, KLEP R11: coin, second roll and d10ish, counted by hand for each."""
    request = Test(advantages=max(0, net), disadvantages=max(0, -net), method=method)
    found = rw.odds(request).of("score")
    assert by_hand(net) == [found.p(score) for score in (-99, *range(1, 10), 99)]


@pytest.mark.parametrize(
    ("method", "dice"),
    [("coin", ["coin"] * 2), ("odd_even", ["again"] * 2), ("d10ish", None)],
)
def test_each_ten_is_decided_by_what_the_method_says(method, dice):
    """KLEP R9, KLEP R10, KLEP R11: a coin or a die again for every 10; a d10ish needs neither."""
    lying = Transcript(Test(advantages=2, method=method).call()).throw([10, 10, 4])
    assert (dice is None) == lying.is_done
    if dice:
        assert dice == [die.name for die in lying.step.pool.dice]


@pytest.mark.parametrize(
    ("faces", "method", "critical"),
    [
        ((10, "won"), "coin", "10!"),
        ((10, "lost"), "coin", "0!"),
        *(((10, face), "odd_even", "0!") for face in (1, 3, 5, 7, 9)),
        *(((10, face), "odd_even", "10!") for face in (2, 4, 6, 8, 10)),
        ((10,), "d10ish", "10!"),
        ((0,), "d10ish", "0!"),
        *(((face,), "d10ish", "") for face in range(1, 10)),
    ],
)
def test_what_a_ten_becomes(faces, method, critical):
    """KLEP R9, KLEP R10, KLEP R11: every face of what decides."""
    assert critical == rolled(*faces, method=method).critical


@pytest.mark.parametrize("coins", ["each", "one"])
@pytest.mark.parametrize("net", [-5, -3, -2, -1, 0, 1, 2, 3, 4])
def test_odds_equal_the_enumeration_of_raw_faces(net, coins):
    """KLEP R14, KLEP R15: every die and every coin written out."""
    request = Test(
        modifier=2,
        advantages=max(0, net) + 1,
        disadvantages=max(0, -net) + 1,
        ranges=("[..6]", "[0!]", "[8..]"),
        house=House(coins=coins),
    )
    expected = {}
    for die, chance in oracle.kept(net, coins=coins).items():
        number, mark = oracle.scored(die, 2)
        held = ("[..6]",) * (number < 7) + ("[0!]",) * (mark < 0) + ("[8..]",) * (number > 7)
        critical = {-1: "0!", 0: "", 1: "10!"}[mark]
        expected[number, critical, oracle.band(number), number >= 7, held] = chance
    found = rw.odds(request)
    assert expected == {tuple(outcome): found.p(outcome) for outcome in found}


def test_a_critical_roll_is_one_in_ten():
    """KLEP R8: a tenth of all plain Tests are critical, half of them each way."""
    odds = rw.odds(Test()).of("critical")
    assert (Fraction(1, 20), Fraction(1, 20)) == (odds.p("0!"), odds.p("10!"))


def test_a_score_is_the_end_value():
    """KLEP R3: kept die and Modifier are both in the Score, and nothing is added to it later."""
    assert 12 == rolled(2, 8, advantages=1, modifier=4).score


@pytest.mark.parametrize("modifier", [-30, -1, 0, 30])
def test_a_modifier_is_added_or_taken_away(modifier):
    """KLEP R4: the Score moves with the Modifier, point by point."""
    assert 5 + modifier == rolled(5, modifier=modifier).score


def test_dice_shorthand_is_summed():
    """KLEP R5: 2d12 +3 with 5 and 9 is 17; the Modifier may also stand by itself."""
    assert 17 == rolled(5, 9, dice="2d12 +3").score
    assert 17 == rolled(5, 9, dice="2d12", modifier=3).score


def test_dice_shorthand_is_never_critical():
    """KLEP R5: two 10s of 2d10 are 20 and nothing else; no coin is flipped."""
    assert (20, "") == rolled(10, 10, dice="2d10")[:2]


def test_plain_dice_are_no_test():
    """KLEP R5, R20: a total is neither Low nor High, passes nothing and brings no range about."""
    damage = Test(dice="2d12 +3")
    outcome = rolled(5, 9, dice="2d12 +3")
    assert (17, "", None, None, ()) == outcome
    assert () == game.effects(damage, outcome)
    assert game.card.is_good(damage, outcome) is None
    assert ("17", "even", ()) == shown_as(damage, outcome)
    with pytest.raises(BadField, match=r"goal.*KLEP R5"):
        rw.odds(damage).map(game.goals["just-succeed"].worth)
    measured = answer("preview", {"request": to_plain(damage)})["chance"]
    assert ("16", "score") == (measured["exact"], measured["goal"]["title"])


def test_dice_with_ranges_of_their_own_are_read_by_them():
    """KLEP R5, R22: what is said of a range holds for whatever dice make the number."""
    request = Test(dice="2d12 +3", ranges=("[..6]", "[12..]"))
    outcome = rw.roll(request, faces=[5, 9]).outcome
    assert ("[12..]",) == outcome.ranges
    assert ("17", "even", ("the range from 12 on takes effect",)) == shown_as(request, outcome)


@pytest.mark.parametrize(
    ("face", "word", "tone"), [(6, "6 · Failed", "bad"), (7, "7 · Passed", "good")]
)
def test_a_test_that_is_passed_or_failed_is_neither_mixed_nor_high(face, word, tone):
    """KLEP R21: [7..] passes and [..6] fails; nothing lies between."""
    request = Test(ranges=("[..6]", "[7..]"))
    assert (word, tone, ()) == shown_as(request, rw.roll(request, faces=[face]).outcome)
    alone = request.but(ranges=("[7..]",))
    assert (word, tone, ()) == shown_as(alone, rw.roll(alone, faces=[face]).outcome)


def test_a_group_that_passes_or_fails_is_told_so():
    """KLEP R21, R31: by the ranges of the Test."""
    request = Group(members=[{}, {}], ranges=("[..6]", "[7..]"))
    rolled = rw.roll(request, faces=[8, 9], policy="never")
    assert ("8 · Passed", "good", ("goal 7 reached",)) == shown_as(request, rolled.outcome)
    assert "the lowest Score is 8, which passes, and" in game.tell(request, rolled)


@pytest.mark.parametrize("face", [3, 5])
def test_a_test_with_ranges_of_its_own_is_judged_by_them_alone(face):
    """KLEP R22: whether a range is good or bad, only who wrote it knows."""
    request = Test(ranges=("[3..4]",))
    word, tone, _ = shown_as(request, rw.roll(request, faces=[face]).outcome)
    assert (str(face), "even") == (word, tone)


def shown_as(request, outcome):
    """The verdict in English: its word, its tone, and what stands beside it."""
    verdict = game.card.verdict(request, outcome)
    say = game.words.say
    return say(verdict.word), verdict.tone, tuple(map(say, verdict.detail))


def test_dice_shorthand_is_counted():
    """KLEP R5: the odds of 2d12 +3 are those of the written-out sums."""
    odds = rw.odds(Test(dice="2d12 +3")).of("score")
    assert all(
        odds.p(total + 3)
        == Fraction(sum(a + b == total for a in range(1, 13) for b in range(1, 13)), 144)
        for total in range(2, 25)
    )
