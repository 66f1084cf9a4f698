"""A roll is counted with variables in the place of fields, and comes to what it comes to played."""

from typing import Annotated

import pytest

import rollwright as rw
from rollwright.dice import D6
from rollwright.game import Boxes, Dots, Game, Sheet, Verdict, choose, roll
from rollwright.kit import add_game

game = Game("Ledger", name="ledger_of_tests")


class Clerk(Sheet):
    """Somebody with an account."""

    coins: Annotated[int, Dots(5)] = 3
    ink: Annotated[int, Boxes(4)] = 0
    debt: int = 0
    is_late: bool = False

    def stain(self, drops: int) -> None:
        """Ink, by a method of the sheet's own."""
        self.ink += drops


@game.roll(order=("good", "bad"))
async def audit(me: Clerk, *, tries: int = 2, friend: Clerk | None = None) -> Verdict:
    """Costs, loops, values that are set, and somebody else."""
    me.pay(coins=1)
    me.is_late = False
    best = 0
    for _ in range(tries):
        face = (await roll(D6)).sum
        best = max(best, face)
        if face == 1:
            me.ink += 2
        elif face == 6:
            me.coins += 1
        if friend and friend.coins and await choose("alone", "ask", by=friend) == "ask":
            friend.pay(coins=1)
            friend.debt -= 1
            best += 1
        if best > 4:
            me.debt = best
            return Verdict("good", found=best)
    me.is_late = True
    return Verdict("bad")


@game.roll(order=("good", "bad"))
async def spill(me: Clerk) -> Verdict:
    """A method changes the sheet, so that it is counted as it is played."""
    for _ in range(2):
        if (await roll(D6)).sum < 3:
            me.stain(1)
    return Verdict("bad" if me.ink else "good")


add_game(game)
REQUESTS = (
    {"roll": "audit"},
    {"roll": "audit", "coins": 5, "ink": 3, "tries": 6},
    {"roll": "audit", "friend": {"coins": 1}, "is_late": True, "debt": 4},
    {"roll": "spill", "ink": 3},
)


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
@pytest.mark.parametrize("place", [0, -1])
def test_what_is_counted_is_what_is_played(request_, place):
    """Under both policies the same odds, with variables and with sheets as objects."""
    kind = game.requests[request_["roll"]]
    counted = kind.rule.counted
    found = []
    try:
        for function in (counted, kind.rule.function):
            kind.rule.counted = function
            request = {"game": "ledger_of_tests", **request_}
            found.append(rw.odds(request, lambda now: now.options[place]))
    finally:
        kind.rule.counted = counted
    assert found[0] == found[1]
    assert len(found[0]) > 1


def test_only_what_can_be_followed_has_variables():
    """A sheet that changes itself is counted as an object."""
    assert game.requests["audit"].rule.counted is not game.requests["audit"].rule.function
    assert game.requests["spill"].rule.counted is game.requests["spill"].rule.function


def test_a_value_that_is_set_is_told_apart_from_an_amount():
    """`debt` is set in one place of the roll, so it is a value; `coins` is an amount."""
    done = rw.roll({"game": "ledger_of_tests", "roll": "audit", "coins": 2}, faces=[6])
    assert (0, 6) == (done.outcome.coins, done.outcome.debt)
    assert [("debt=", 6)] == [
        (one.kind, one.amount) for one in game.effects(done.request, done.outcome)
    ]
    late = rw.roll({"game": "ledger_of_tests", "roll": "audit"}, faces=[2, 3])
    effects = game.effects(late.request, late.outcome)
    sheet = Clerk(name="Ann", coins=1)
    for effect in effects:
        sheet = game.apply(sheet, effect)
    assert (0, True) == (sheet.coins, sheet.is_late)
