"""Endless play between opponents has no best play, and is refused; whatever ends is not."""

from fractions import Fraction

import pytest

import rollwright as rw
from rollwright import D6
from rollwright.errors import NeverEnds
from rollwright.rules import choose, roll, rule

OTHER = {"A": "B", "B": "A"}
WORTH = {"A": Fraction(2, 5), "B": Fraction(3, 5)}


def worth(who):
    """What it is worth that somebody wins."""
    return WORTH[who]


@rule
async def standoff():
    """Whoever acts first, acts: each would rather that the other does."""
    while True:
        for who in "AB":
            if await choose("pass", "act", by=who) == "act":
                return who


@rule
async def passed_on(who):
    """The same, by a rule that ends in itself."""
    if await choose("pass", "act", by=who) == "act":
        return who
    return passed_on(OTHER[who])


@rule
async def drawn_out():
    """The same with a die thrown between, which ends nothing."""
    while True:
        for who in "AB":
            await roll(D6)
            if await choose("pass", "act", by=who) == "act":
                return who


@pytest.mark.parametrize("call", [standoff(), passed_on("A"), drawn_out()], ids=repr)
def test_two_who_may_pass_for_ever_are_refused(call):
    """Each side was told 3/5, which is 120 % together; neither is told anything now."""
    with pytest.raises(NeverEnds, match="wait for the other"):
        rw.advise(call, worth, against="B")
    with pytest.raises(NeverEnds, match="wait for the other"):
        rw.advise(call, lambda who: 1 - worth(who), against="A")


@pytest.mark.parametrize("call", [standoff(), passed_on("A")], ids=repr)
def test_who_gains_by_acting_acts(call):
    """Where acting is better than waiting there is nothing to refuse."""
    assert rw.advise(call, lambda who: 1 - worth(who), against="B").value == Fraction(3, 5)


@rule
async def wearing(hurry):
    """As the standoff, but a 6 ends it against whoever waits."""
    while True:
        for who in "AB":
            if await choose("pass", "act", by=who) == "act":
                return who
            if min(await roll(D6)) >= hurry:
                return "nobody"


@pytest.mark.parametrize("hurry", [6, 2])
def test_what_dice_end_has_a_value_for_both_sides(hurry):
    """The chances of the two sides make 100 % together."""
    worths = {"A": Fraction(2, 5), "B": Fraction(3, 5), "nobody": Fraction(1, 10)}
    mine = rw.advise(wearing(hurry), worths.get, against="B").value
    theirs = rw.advise(wearing(hurry), lambda who: 1 - worths[who], against="A").value
    assert mine + theirs == 1


@rule
async def only_one_may_end():
    """B has to follow A round for as long as A likes."""
    while True:
        if await choose("on", "stop", by="A") == "stop":
            return 1
        if await choose("left", "right", by="B") == "left":
            await roll(D6)


def test_who_alone_can_end_it_has_to():
    """Staying for ever is no way to dodge an end, as for one player."""
    assert rw.advise(only_one_may_end(), lambda end: end, against="B").value == 1
