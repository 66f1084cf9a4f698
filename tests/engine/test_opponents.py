"""Opponents: those who play against a goal, and those who have one of their own."""

from fractions import Fraction
from itertools import product

import pytest

import rollwright as rw
from rollwright import D4, D6, Die
from rollwright.errors import HiddenChoices, Misuse, NeverEnds
from rollwright.rules import choose, roll, rule

D3 = Die(3)


@rule
async def pig(goal, mine, theirs, turn, first):
    """Two players take turns: a 1 ends the turn with nothing, whoever holds keeps the points."""
    by, score = ("me", mine) if first else ("you", theirs)
    if await choose("roll", "hold", by=by, about=(mine, theirs, turn, first)) == "hold":
        if score + turn >= goal:
            return by
        kept = (mine + turn, theirs) if first else (mine, theirs + turn)
        return pig(goal, *kept, 0, not first)
    face = min(await roll(D4))
    if face == 1:
        return pig(goal, mine, theirs, 0, not first)
    return pig(goal, mine, theirs, min(turn + face, goal - score), first)


def to_win(winner):
    """What both want: one of them."""
    return winner == "me"


def pig_by_iteration(goal):
    """The mover's chance in every state, by another way: values of all states, again and again."""
    states = [(m, y, t) for m, y in product(range(goal), repeat=2) for t in range(goal - m + 1)]
    chance = dict.fromkeys(states, 0.0)
    for _ in range(2000):
        for mine, theirs, turn in states:
            hold = 1.0 if mine + turn >= goal else 1 - chance[theirs, mine + turn, 0]
            gains = [chance[mine, theirs, min(turn + face, goal - mine)] for face in (2, 3, 4)]
            thrown = ((1 - chance[theirs, mine, 0]) + sum(gains)) / 4
            chance[mine, theirs, turn] = max(hold, thrown)
    return chance


@pytest.mark.long
@pytest.mark.parametrize("goal", [2, 3, 5, 8])
def test_two_at_pig_play_against_each_other(goal):
    """A loop of two opposed sides, exactly; all for one it is sure, which is no answer."""
    expected = pig_by_iteration(goal)
    for mine, theirs in product(range(0, goal, 2), repeat=2):
        start = pig(goal, mine, theirs, 0, True)
        advice = rw.advise(start, to_win, against="you")
        assert float(advice.value) == pytest.approx(expected[mine, theirs, 0], abs=1e-9)
        assert advice.value == rw.odds(start, rw.best(to_win, against="you")).p("me")
    assert 1 == rw.advise(pig(goal, 0, 0, 0, True), to_win).value


@pytest.mark.long
def test_what_pig_is_worth_solves_its_equations():
    """No state has an option that is better for whoever moves there: exactly, in fractions."""
    goal = 5
    states = [(m, y, t) for m, y in product(range(goal), repeat=2) for t in range(goal - m + 1)]
    found = {
        state: rw.advise(pig(goal, *state, True), to_win, against="you").value for state in states
    }
    for mine, theirs, turn in states:
        hold = 1 if mine + turn >= goal else 1 - found[theirs, mine + turn, 0]
        gains = [found[mine, theirs, min(turn + face, goal - mine)] for face in (2, 3, 4)]
        thrown = Fraction(1, 4) * ((1 - found[theirs, mine, 0]) + sum(gains))
        assert found[mine, theirs, turn] == max(hold, thrown)


@rule
async def stalling():
    """An opponent may let it go round for ever."""
    if await choose("let it be", "again", by="you") == "again":
        return stalling()
    return min(await roll(D6))


def test_only_play_that_comes_to_an_end_is_considered():
    """An opponent does not win by never ending it; both sides are held to that."""
    found = rw.advise(stalling(), lambda points: 4 - points, against="you")
    assert Fraction(1, 2) == found.value == 4 - rw.advise(stalling(), lambda points: points).value


@rule
async def market():
    """Ann offers high or low, Bo takes it or leaves it; what each gets is told at the end."""
    price = await choose("high", "low", by="ann")
    luck = min(await roll(D3))
    answer = await choose("take", "leave", by="bo", about=(price, luck))
    if answer == "leave":
        return (1, 1)
    return (4, luck - 1) if price == "high" else (2, luck)


def gains(place):
    """What one of them gets."""
    return lambda outcome: outcome[place]


def by_hand(wants):
    """Backward induction over the six situations, written out."""
    ends = {}
    for price, luck in product(("high", "low"), (1, 2, 3)):
        taken = (4, luck - 1) if price == "high" else (2, luck)
        ends[price, luck] = max([taken, (1, 1)], key=lambda end: (wants(end), end == taken))
    offers = {
        price: Fraction(sum(ends[price, luck][0] for luck in (1, 2, 3)), 3)
        for price in ("high", "low")
    }
    return max(offers.values())


@pytest.mark.parametrize(
    "wants", [gains(1), gains(0), lambda end: -end[0], lambda end: end[1] - Fraction(end[0], 3)]
)
def test_each_decides_for_themselves(wants):
    """Bo wants what Bo wants; Ann reckons with that."""
    advice = rw.advise(market(), gains(0), others={"bo": rw.best(wants)})
    assert by_hand(wants) == advice.value
    assert (
        advice.value
        == rw.odds(market(), rw.best(gains(0), others={"bo": rw.best(wants)})).map(gains(0)).mean
    )


def test_an_opponent_is_one_who_wants_the_opposite():
    """`against` is the same as the goal turned round, where nothing goes in loops."""
    mean = rw.advise(market(), gains(0), others={"bo": rw.best(lambda end: -end[0])})
    assert mean.value == rw.advise(market(), gains(0), against="bo").value
    assert mean.value == rw.advise(market(), gains(0), against=["bo"]).value


def test_what_has_no_answer_is_refused_with_the_reason():
    """Somebody who is not there; loops of several goals; secrets among several goals."""
    with pytest.raises(Misuse, match="nobody called 'bob' chooses here; there are ann, bo"):
        rw.advise(market(), gains(0), against="bob")
    for policy in (rw.best(gains(1)), lambda now: now.options[0]):
        with pytest.raises(Misuse, match="nobody called 'bob' chooses here; there are ann, bo"):
            rw.advise(market(), gains(0), others={"bob": policy})
    with pytest.raises(Misuse, match="bo decides by a function of the decision, or with best"):
        rw.advise(market(), gains(0), others={"bo": "take"})
    with pytest.raises(NeverEnds, match="say against= instead"):
        rw.advise(pig(3, 0, 0, 0, True), to_win, others={"you": rw.best(lambda won: won == "you")})
    with pytest.raises(HiddenChoices, match="where nothing is hidden"):
        rw.advise(hidden(), gains(0), others={"bo": rw.best(gains(1))})


@rule
async def hidden():
    """Bo sees a die that Ann does not."""
    luck = min(await roll(D3, sees=["bo"]))
    bid = await choose(1, 2, by="ann")
    return (bid, luck) if await choose("yes", "no", by="bo") == "yes" else (0, 0)


def test_an_opponent_with_a_secret_plays_against_the_goal_too():
    """Bo, who may spoil it, does; alone with her goal Ann has 2."""
    assert 0 == rw.advise(hidden(), gains(0), against="bo").value
    assert 2 == rw.advise(hidden(), gains(0)).value
