"""Problems as somebody writes them who has read the first pages, each with a value of its own.

A race whose turns go round by `itertools.cycle`, a host who opens doors, and dice that are
drafted; none of the expected values comes from the engine.
"""

# ruff: noqa: D103 - rules are written here as they come to mind

from __future__ import annotations

import sys
from fractions import Fraction as F
from functools import cache
from itertools import cycle, product

import pytest

import rollwright as rw
from rollwright.dice import D4, D6, Die
from rollwright.rules import choose, roll, rule


@rule
async def first_to_throw_it():
    for who in cycle("ABC"):
        if sum(await roll(D6)) == 6:
            return who


@rule
async def first_to_collect(need, losing):
    """Throw a 4 or more to collect; a throw in so many empties all hands."""
    got = dict.fromkeys("ABC", 0)
    for who in cycle(got):
        got[who] += sum(await roll(D6)) >= 4
        if losing and sum(await roll(Die(losing))) == 1:
            got = dict.fromkeys(got, 0)
        if got[who] == need:
            return who


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="cycle cannot be copied there")
def test_turns_that_go_round_come_back_to_where_they_were() -> None:
    """Nothing is cut off, and the work does not grow with the turns."""
    odds = rw.odds(first_to_throw_it())
    assert odds.lost == 0
    assert [odds.p(who) for who in "ABC"] == [F(36, 91), F(30, 91), F(25, 91)]


@cache
def collected(need: int, a: int, b: int, c: int) -> tuple[F, ...]:
    """The chance of each; the one whose turn it is comes first."""
    # Whoever has it next, if all three miss the round comes back: solve for the first of them.
    chances = [F(0)] * 3
    for hits in product((0, 1), repeat=3):
        held = [had + hit for had, hit in zip((a, b, c), hits, strict=True)]
        share = F(1, 8)
        if not any(hits):
            continue
        done = next((n for n in range(3) if held[n] == need), None)
        after = [F(n == done) for n in range(3)] if done is not None else collected(need, *held)
        chances = [sum_ + share * each for sum_, each in zip(chances, after, strict=True)]
    return tuple(each / F(7, 8) for each in chances)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="cycle cannot be copied there")
def test_a_race_in_turns_is_counted_whole() -> None:
    """Three collect in turn, which is counted by rounds here."""
    odds = rw.odds(first_to_collect(3, 0))
    assert tuple(odds.p(who) for who in "ABC") == collected(3, 0, 0, 0)
    assert odds.lost == 0


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="cycle cannot be copied there")
def test_a_race_that_may_start_again_has_an_end() -> None:
    """With one to collect, a throw of three in four that counts, else the next one's turn."""
    odds = rw.odds(first_to_collect(1, 4))
    hit = F(1, 2) * F(3, 4)
    miss = 1 - hit
    assert [odds.p(who) for who in "ABC"] == [hit * miss**n / (1 - miss**3) for n in range(3)]


@rule
async def doors(n):
    """The host opens a door without the prize; you may pay for a look, and switch."""
    prize = sum(await roll(Die(n), sees=["host"]))
    first = await choose(*range(1, n + 1), by="you")
    can = [door for door in range(1, n + 1) if door not in (prize, first)]
    if len(can) > 1 and sum(await roll(D4, sees=["host"])) > 3:
        can.reverse()
    opened = can[0]
    await choose(("opened", opened), by="host")
    left = [door for door in range(1, n + 1) if door != opened]
    paid = 0
    if await choose("no", "look", by="you", about=(first, opened)) == "look":
        paid = 1
        low = next(door for door in left if door != first)
        await choose(("there", low == prize), by="host")
    return 10 * (await choose(*left, by="you", about=(first, opened, paid)) == prize) - paid


def opened(n: int) -> F:
    """The best of all doors, by what is known after each that the host may open."""
    best = F(0)
    for first in range(1, n + 1):
        after: dict[int, dict[int, F]] = {}
        for prize in range(1, n + 1):
            can = [door for door in range(1, n + 1) if door not in (prize, first)]
            ways = [(can[0], F(3, 4)), (can[-1], F(1, 4))] if len(can) > 1 else [(can[0], F(1))]
            for door, share in ways:
                there = after.setdefault(door, {})
                there[prize] = there.get(prize, F(0)) + share / n
        worth = F(0)
        for door, there in after.items():
            left = [each for each in range(1, n + 1) if each != door]
            low = next(each for each in left if each != first)
            other = max(there.get(each, F(0)) for each in left if each != low)
            look = 10 * (there.get(low, F(0)) + other) - sum(there.values())
            worth += max(10 * max(there.get(each, F(0)) for each in left), look)
        best = max(best, worth)
    return best


@pytest.mark.parametrize("n", [3, 4, 5])
def test_advice_goes_by_what_a_host_shows(n: int) -> None:
    """Doors that are opened and a look that is paid for tell something, and no more than that."""
    assert rw.advise(doors(n), lambda end: end).value == opened(n)


def score(got):
    return sum(got) + (5 if len(set(got)) < len(got) else 0)


@rule
async def draft(dice, size):
    """All dice lie open, and two take one each: me, you, you, me."""
    table = sorted(await roll(dice * Die(size)))
    taken = {"me": [], "you": []}
    order = ["me", "you", "you", "me"]
    turn = 0
    while len(table) > 1:
        who = order[turn % 4]
        die = await choose(*sorted(set(table)), by=who)
        table.remove(die)
        taken[who].append(die)
        turn += 1
    return score(taken["me"]) - score(taken["you"])


@cache
def drafted(table: tuple[int, ...], me: tuple[int, ...], you: tuple[int, ...], turn: int) -> int:
    """What is gained if both take what is best for them."""
    if len(table) < 2:
        return score(me) - score(you)
    mine = turn % 4 in (0, 3)
    worths = []
    for place, die in enumerate(table):
        rest = table[:place] + table[place + 1 :]
        hands = ((*me, die), you) if mine else (me, (*you, die))
        worths.append(drafted(rest, *hands, turn + 1))
    return max(worths) if mine else min(worths)


def test_a_draft_of_open_dice_is_played_well_by_both() -> None:
    """Every throw of four dice, each played to the end."""
    throws = list(product(range(1, 5), repeat=4))
    worth = F(sum(drafted(tuple(sorted(each)), (), (), 0) for each in throws), len(throws))
    assert rw.advise(draft(4, 4), lambda gain: gain, against="you").value == worth
