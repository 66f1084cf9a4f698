"""Contests: the higher Score wins, and a coin breaks a tie."""

from fractions import Fraction
from itertools import product

import pytest
from tests.games.kleptonomicon import oracle

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.kleptonomicon import Contest, House, game
from rollwright.games.kleptonomicon.sheet import effects


def test_the_higher_score_wins():
    """KLEP R33: 5 + 4 beats 8."""
    outcome = rw.roll(Contest(first={"modifier": 4}), faces=[5, 8]).outcome
    assert ("first", False, 9, 8) == outcome[:4]


@pytest.mark.parametrize("toss", ["first", "second"])
def test_a_tie_is_tossed_for(toss):
    """KLEP R34: equal Scores leave it to the coin."""
    assert (toss, True) == rw.roll(Contest(), faces=[6, 6, toss]).outcome[:2]


@pytest.mark.parametrize("toss", ["first", "second"])
def test_two_critical_successes_tie(toss):
    """KLEP R34: 10! against 10! is a tie, whatever the Modifiers."""
    request = Contest(first={"modifier": 9})
    assert (toss, True) == rw.roll(request, faces=[10, "won", 10, "won", toss]).outcome[:2]


def test_a_critical_success_beats_every_number():
    """KLEP R12: 10! at -5 is above 9 + 9."""
    request = Contest(first={"modifier": -5}, second={"modifier": 9})
    assert "first" == rw.roll(request, faces=[10, "won", 9]).outcome.winner


def test_by_the_house_a_critical_counts_with_its_modifier():
    """KLEP R12: read as 10 - 5, it loses against 9 + 9 and is still told as a 10!."""
    house = House(critical_value="with_modifier")
    request = Contest(first={"modifier": -5}, second={"modifier": 9}, house=house)
    outcome = rw.roll(request, faces=[10, "won", 9]).outcome
    assert ("second", 5, "10!") == (outcome.winner, outcome.first_score, outcome.first_critical)


@pytest.mark.parametrize(("toss", "expected"), [("first", "[Win]"), ("second", "[Lose]")])
def test_win_and_lose_go_by_the_toss_too(toss, expected):
    """KLEP R35: after a tie the winner of the toss takes [Win], the other [Lose]."""
    request = Contest(first={"name": "Alice"}, second={"name": "Bob"})
    found = effects(request, rw.roll(request, faces=[6, 6, toss]).outcome)
    taken = {effect.target: effect.amount for effect in found}
    assert expected == taken["Alice"]
    assert {"[Win]", "[Lose]"} == set(taken.values())


@pytest.mark.parametrize(
    ("faces", "alices", "bobs"),
    [
        ((8, 5), "[Win]", "[Lose]"),
        ((5, 8), "[Lose]", "[Win]"),
        ((6, 7), "[Lose]", "[Win]"),
        ((10, "won", 9), "[Win]", "[Lose]"),
        ((10, "lost", 1), "[Lose]", "[Win]"),
    ],
)
def test_win_and_lose_go_by_score(faces, alices, bobs):
    """KLEP R35: the higher Score takes [Win] without a toss, whichever side it is."""
    request = Contest(first={"name": "Alice"}, second={"name": "Bob"})
    end = rw.roll(request, faces=faces)
    taken = [(one.target, one.amount) for one in effects(request, end.outcome)]
    assert [("Alice", alices), ("Bob", bobs)] == taken[:2]
    assert not end.outcome.tied
    assert f"{'Alice' if alices == '[Win]' else 'Bob'} wins with the higher Score" in (
        game.tell(request, end)
    )


def test_the_modifier_counts_for_the_win():
    """KLEP R35: a 5 with +4 takes [Win] from an 8."""
    request = Contest(first={"name": "Alice", "modifier": 4}, second={"name": "Bob"})
    found = effects(request, rw.roll(request, faces=[5, 8]).outcome)
    assert {"Alice": "[Win]", "Bob": "[Lose]"} == {one.target: one.amount for one in found}


@pytest.mark.parametrize("value", ["beyond", "with_modifier"])
@pytest.mark.parametrize("coins", ["each", "one"])
@pytest.mark.parametrize(("mods", "nets"), [((0, 0), (0, 0)), ((3, -2), (-1, 2)), ((6, 0), (1, 5))])
def test_odds_equal_the_enumeration(mods, nets, coins, value):
    """KLEP R33, KLEP R34: every pair of kept dice, half of every tie to each side."""
    sides = [
        {"modifier": mod, "advantages": max(0, net), "disadvantages": max(0, -net)}
        for mod, net in zip(mods, nets)
    ]
    house = House(coins=coins, critical_value=value)
    found = rw.odds(Contest(first=sides[0], second=sides[1], house=house))
    expected = {}
    ways = [oracle.kept(net, coins=coins).items() for net in nets]
    for (one, p), (other, q) in product(*ways):
        a, mark_a = oracle.scored(one, mods[0], value == "beyond")
        b, mark_b = oracle.scored(other, mods[1], value == "beyond")
        marks = [{-1: "0!", 0: "", 1: "10!"}[mark] for mark in (mark_a, mark_b)]
        for winner in ["first"] * (a >= b) + ["second"] * (b >= a):
            key = (winner, a == b, a, b, *marks)
            expected[key] = expected.get(key, 0) + p * q * Fraction(1, 1 + (a == b))
    assert expected == {tuple(outcome): found.p(outcome) for outcome in found}


def test_two_sides_of_one_name_are_refused():
    """KLEP R35: [Win] and [Lose] go by names."""
    with pytest.raises(BadField, match=r"second.name.*KLEP R35.*another name"):
        Contest(first={"name": "Alice"}, second={"name": "Alice"})
