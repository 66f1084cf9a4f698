"""Throws of several kinds of dice, each asked by itself, and parts with choices, held to brute."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.dice import D4, D6, D10, D20, Die, Pool
from rollwright.engine.best import parts
from rollwright.engine.best.advice import advise
from rollwright.engine.compiled.positions import Compiling
from rollwright.engine.odds.count import odds
from rollwright.rules import choose, roll, rule

EDGE, FORCE = Die(8, name="edge"), Die(6, name="force")


@rule
async def strike(force: Pool, dc: int) -> tuple[int, int]:
    """Strike with the higher d20 and the edge; force counts where that is enough."""
    hand = await roll(2 * D20 + EDGE + force)
    total = hand.of(D20).highest()[0] + hand[EDGE]
    return total, hand.of(*force).sum if total >= dc else 0


@rule
async def both_seen(force: Pool) -> tuple[Any, ...]:
    """See both d20s, and of all others only what they come to together."""
    hand = await roll(2 * D20 + force)
    low, high = sorted(hand.of(D20))
    return high - low, (hand - hand.of(D20)).sum


@rule
async def ends(low: int) -> tuple[int, int]:
    """Take one end of some dice and a count of others, later the other end too."""
    hand = await roll(3 * D20 + 4 * D6)
    worst = hand.of(D20).lowest()[0]
    if worst < low:
        return worst, hand.of(D6).count(6)
    return worst, hand.of(D20).highest()[0]


@rule
async def kept_for_later() -> tuple[int, int]:
    """Ask something of dice only after another throw."""
    hand = await roll(2 * D20 + 3 * D6)
    first = hand.of(D20).highest()[0]
    more = (await roll(D4)).sum
    return first + more, hand.of(D6).sum if more == 4 else hand.of(D20).lowest()[0]


RULES = [
    strike(3 * FORCE, 15),
    strike(FORCE + D4, 12),
    both_seen(2 * D6 + D10),
    ends(4),
    kept_for_later(),
]


@pytest.mark.long
@pytest.mark.parametrize("call", RULES, ids=str)
def test_kinds_asked_by_themselves_have_the_odds_of_whole_hands(
    call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind told apart by what is asked of it gives the odds that whole hands give."""
    found = odds(call)
    monkeypatch.setattr(Compiling, "tries", lambda self, tokens: None)
    assert odds(call, budget=Budget(10**9)) == found


def test_dice_that_are_only_added_up_are_not_listed() -> None:
    """Two d20s beside twelve force dice, whose hands would be millions, are counted at once."""
    found = odds(strike(12 * FORCE, 15), budget=Budget(2_000_000))
    assert found.of(1).outcomes[-1] == 72


@rule
async def attempt(need: int) -> bool:
    """Throw two dice; the lower may be thrown again once."""
    hand = await roll(2 * D6)
    low, high = sorted(hand)
    if await choose("keep", "again", about=high) == "again":
        low = (await roll(D6)).sum
    return low + high >= need


@rule
async def three(need: int) -> int:
    """Try three times for as long as it goes well, or stop."""
    won = 0
    for number in range(3):
        won += await attempt(need + number)
        if won <= number or await choose("stop", "on", about=(won, number)) == "stop":
            break
    return won


def _slow(need: int, number: int = 0) -> Any:
    """Play three attempts best by hand."""
    from fractions import Fraction

    after = max(Fraction(0), _slow(need, number + 1)) if number < 2 else Fraction(0)
    total = Fraction(0)
    for low, high in combinations_with_replacement(range(1, 7), 2):
        ways = 1 if low == high else 2
        keep = Fraction(low + high >= need + number)
        again = Fraction(sum(new + high >= need + number for new in range(1, 7)), 6)
        total += ways * max(keep, again) * (1 + after)
    return total / 36


@pytest.mark.parametrize("need", [5, 7, 9])
def test_a_part_with_choices_is_followed_once_and_played_as_well(
    need: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Best play of parts that are followed once is that of parts gone into, and that by hand."""
    found = advise(three(need), float)
    assert found.value == _slow(need)
    monkeypatch.setattr(parts, "MOST_PLACES", -1)
    assert advise(three(need), float).value == found.value


class Try(NamedTuple):
    """What a part comes to."""

    won: bool


@rule
async def endless_part() -> Try:
    """Throw for as long as one likes: a part that goes round."""
    while True:
        face = (await roll(D6)).sum
        if face == 6 or await choose("again", "stop", about=face) == "stop":
            return Try(face > 4)


@rule
async def twice() -> int:
    """Do that two times over."""
    first = await endless_part()
    return first.won + (await endless_part()).won


def test_a_part_that_goes_round_is_gone_into() -> None:
    """A part with a loop of its own is played best too: whoever goes on comes to a six."""
    assert rw.advise(twice(), float).value == 2
