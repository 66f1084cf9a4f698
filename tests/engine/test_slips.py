"""What people write by habit is answered, or refused with what would do."""

from fractions import Fraction

import pytest

import rollwright as rw
from rollwright.dice import D6, D8, Die, Pool
from rollwright.engine.endings import Ending
from rollwright.errors import (
    BadAnswer,
    BadDie,
    BadDist,
    BadField,
    Misuse,
    NeverEnds,
    RollwrightError,
    UnknownName,
)
from rollwright.pictures import Figure, picture_comparison
from rollwright.pictures.files import CannotDraw
from rollwright.rules import choose, explode, repeat, reroll, rule, tally

TWO = rw.odds(2 * D6)
SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}


@pytest.mark.parametrize(
    "several", [(5, 6), [5, 6], {5, 6}, range(5, 7), frozenset({5, 6}), [5, 6, 5]]
)
def test_one_of_several_outcomes_is_an_event(several):
    """4 + 5 of 36 ways to throw a 5 or a 6."""
    assert Fraction(9, 36) == TWO.p(several)


def test_where_outcomes_are_tuples_a_tuple_is_one():
    """A pair is an outcome of pairs, also one that never comes; a list is several."""
    pairs = rw.Dist({(1, 2): 1, (3, 4): 3})
    assert (Fraction(1, 4), 0) == (pairs.p((1, 2)), pairs.p((1, 3)))
    assert pairs.p([(1, 2), (3, 4)]) == 1


def test_a_word_among_several_that_nothing_is_called_is_refused():
    """One wrong word would make a chance too small without a word."""
    with pytest.raises(BadDist, match="did you mean 'miss'"):
        rw.Dist({"hit": 1, "miss": 2}).p(["hit", "mis"])


@pytest.mark.parametrize("event", [2 * D6 >= 7, D6, 2 * D6, True])
def test_odds_and_yes_are_no_outcome_of_numbers(event):
    """They were 0 without a word."""
    with pytest.raises(BadDist, match="lambda total: total >= 7"):
        TWO.p(event)


def test_yes_and_no_are_outcomes_of_yes_and_no():
    """Also where they are written as 1 and 0."""
    assert (TWO >= 7).p(True) == rw.Dist({0: 15, 1: 21}).p(True)


@pytest.mark.parametrize("dice", [D6, 2 * D6, explode(D6)])
def test_dice_equal_no_number(dice):
    """`2 * D6 == 7` would be False, where people mean how likely it is."""
    for compare in (lambda: dice == 7, lambda: dice != 7, lambda: 7 == dice):
        with pytest.raises(BadDie, match=r"p\(7\)"):
            compare()


def test_odds_equal_no_number():
    """The same for what comes of arithmetic."""
    with pytest.raises(BadDist, match=r"p\(7\)"):
        assert D6 + 1 == 7


def test_dice_are_still_compared_with_dice_and_kept_in_sets():
    """Equal dice are one; anything that is no number is simply another thing."""
    assert Die([1, 2, 3, 4, 5, 6]) == D6 != D8
    assert {D6: "six", 3: "three"}[D6] == "six"
    assert "D6" != D6 is not None
    assert explode(D6) == explode(D6) != explode(D8)


@pytest.mark.parametrize("ask", [TWO.at_least, TWO.at_most, TWO.bands])
@pytest.mark.parametrize("mark", ["3", (5, 6)])
def test_a_mark_of_another_kind_is_refused(ask, mark):
    """Not with an error of Python's own."""
    with pytest.raises(BadDist, match="no place among outcomes such as 2"):
        ask(mark)


def test_odds_are_compared_with_dice_and_with_numbers():
    """As the signs between them are."""
    assert TWO.compare(rw.odds(2 * D8)) == TWO.compare(2 * D8)
    assert Fraction(6, 36) == TWO.compare(7).equal


def test_dice_that_are_thrown_again_count_like_dice():
    """A D6 that explodes once at most is 7 or more whenever it shows a 6."""
    once = explode(D6, times=1)
    assert Fraction(1, 6) == (once >= 7).p(True)
    assert rw.odds(once).mean + 1 == (once + 1).mean == (1 + once).mean
    assert (explode(D6, times=1) > explode(D8, times=1)).p(True) == rw.odds(once).compare(
        rw.odds(explode(D8, times=1))
    ).greater
    assert D8 + once == once + D8


@pytest.mark.parametrize("twice", [lambda: explode(reroll(D6, 1)), lambda: reroll(explode(D6), 1)])
def test_dice_thrown_again_for_two_reasons_are_refused_with_the_way(twice):
    """A rule can do it."""
    with pytest.raises(Misuse, match="write a rule"):
        twice()


def test_dice_are_repeated_as_they_are():
    """Without tally around them: a 7 of two dice comes in every sixth throw."""
    assert Fraction(5, 36) == rw.odds(repeat(2 * D6, until=7)).of("times").p(2)
    assert rw.odds(repeat(D6, until=6)) == rw.odds(repeat(tally(D6), until=6))
    with pytest.raises(NeverEnds, match="comes to 1, 2, 3, 4, 5, 6"):
        rw.odds(repeat(D6, until=lambda face: face > 6))
    with pytest.raises(Misuse, match="dice, a throw or a rule"):
        repeat(5, until=7)


def test_an_expression_and_a_request_are_swept():
    """The names in dice, and the fields of a request, are what moves."""
    swept = rw.sweep("(@n)d6", n=[1, 2])
    assert {(1,): Fraction(7, 2), (2,): Fraction(7)} == swept.cells
    request = rw.sweep(SKILL, where=lambda found: found.successes > 0, modifier=[0, 1])
    assert rw.odds({**SKILL, "modifier": 1}).p(lambda found: found.successes > 0) == request[1]


@pytest.mark.parametrize(
    ("slip", "kind", "said"),
    [
        (lambda: rw.sweep("2d6", n=[1]), Misuse, "has no 'n'"),
        (lambda: rw.sweep(2 * D6, n=[1]), Misuse, "lambda dice: dice"),
        (lambda: rw.sweep(lambda n: n * D6, n=3), Misuse, "n=range"),
        (lambda: rw.sweep(lambda n: n * D6, dice=[3]), Misuse, "only n"),
        (lambda: rw.sweep(SKILL, modifer=[1]), BadField, "'modifier'"),
        (lambda: rw.odds(waiting), Misuse, r"waiting\(…\)"),
        (lambda: rw.roll(2 * D6, faces=3), Misuse, r"faces=\[3\]"),
        (lambda: rw.roll(2 * D6, faces=[3]), BadAnswer, "whole throw"),
        (lambda: Die(6.0), BadDie, "6.0"),
        (lambda: Die(None), BadDie, "None"),
        (lambda: Pool(3), BadDie, r"Pool\(\[D6, D8\]\)"),
        (lambda: rw.Dist([1, 2, 3]), BadDist, "uniform"),
        (lambda: rw.Dist(3), BadDist, "uniform"),
        (lambda: Die([1, 2, "x"]) + 1, BadDist, "not 'x'"),
        (lambda: TWO.where(7), BadDist, "where"),
        (lambda: Figure(picture_comparison), CannotDraw, "several odds by name"),
    ],
)
def test_slips_are_refused_with_what_would_do(slip, kind, said):
    """Each was an error of Python's own, or named the wrong thing."""
    assert issubclass(kind, RollwrightError)
    with pytest.raises(kind, match=said):
        slip()


def test_a_figure_is_made_of_odds_and_of_sweeps():
    """It is what people have in hand."""
    both = {"one": rw.odds(D6), "two": TWO}
    assert picture_comparison(both) == Figure(both).picture
    assert len(TWO) == len(Figure(TWO).picture.labels)
    swept = rw.sweep("(@n)d6", n=[1, 2])
    assert swept.picture == Figure(swept).picture


@rule
async def waiting(worth: int) -> Ending[int]:
    """The referee gives all or nothing."""
    return worth if await choose("all", "nothing", by="referee") == "all" else 0


def test_others_are_given_by_name():
    """A policy or a goal of the game, as everywhere else; of a rule there are none."""
    never = rw.advise(SKILL, others={"roller": "never"})
    assert rw.odds(SKILL, "never").p(lambda found: found.successes > 0) == never.value
    for goal in ("just-succeed", rw.best("just-succeed")):
        assert rw.advise(SKILL).value == rw.advise(SKILL, others={"roller": goal}).value
    with pytest.raises(UnknownName, match="'never'"):
        rw.advise(SKILL, others={"roller": "nevr"})
    with pytest.raises(Misuse, match="or with best"):
        rw.advise(waiting(3), float, others={"referee": "mean"})
    with pytest.raises(Misuse, match="by the name they choose under"):
        rw.advise(waiting(3), float, others="referee")


@pytest.mark.parametrize("name", ["mean", "p", "at_least"])
def test_dice_say_where_their_odds_are(name):
    """`(2 * D6).mean` is what somebody writes who knows other libraries."""
    with pytest.raises(AttributeError, match=rf"odds\(…\).{name}"):
        getattr(2 * D6, name)
    with pytest.raises(AttributeError, match=r"rollwright.Die\(3\)"):
        getattr(rw, "D3")  # noqa: B009 - type checkers know that there is none
    assert not hasattr(D6, "nothing_of_the_kind")
