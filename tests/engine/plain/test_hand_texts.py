"""A hand that is taken for a list, or asked for what it does not know, says what to write."""

# ruff: noqa: D103 - a rule here says all that it does in its own lines

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rollwright as rw
from rollwright.dice import D6, D8, Die, Pool
from rollwright.errors import Misuse
from rollwright.rules import choose, roll, rule
from tests.engine.plain.counting import compiled_odds


@rule
async def asked(dice: Pool, what: Callable[[Any], Any]) -> Any:
    return what(await roll(dice))


def change(hand: Any) -> None:
    hand[0] = 6


@pytest.mark.parametrize(
    ("dice", "what", "said"),
    [
        (1 * D6, lambda hand: hand[0], r"its only die is hand\.sum, or hand\[D6\]"),
        (1 * D6, lambda hand: hand[-1], r"its only die is hand\.sum"),
        (1 * Die(["x", "y"]), lambda hand: hand[0], r"its only die is min\(hand\)"),
        (3 * D6, lambda hand: hand[0], r"write sorted\(hand\)\[0\] .* lowest first"),
        (3 * D6, lambda hand: hand[-2], r"write sorted\(hand\)\[-2\]"),
        (3 * D6, lambda hand: hand[:2], r"write sorted\(hand\)\[:2\]"),
        (3 * D6, lambda hand: hand[::2], r"write sorted\(hand\)\[::2\]"),
        (3 * D6, lambda hand: hand["D6"], "'D6' is no die"),
        (3 * D6, lambda hand: hand[D6], r"a hand has 3 D6 .* use hand\.of\(die\)"),
        (3 * D6, lambda hand: hand == [1, 6, 1], r"write sorted\(hand\) == \[1, 1, 6\]"),
        (3 * D6, change, r"a hand does not change: .* hand - these \+ await roll"),
        (3 * D6, lambda hand: hand.append(1), r"write sorted\(hand\), which is a list"),
        (3 * D6, lambda hand: hand.total, r"write hand\.sum"),
        (3 * D6, lambda hand: hand.max, r"write max\(hand\), or hand\.highest\(2\)"),
    ],
)
def test_a_hand_says_what_to_ask_it(dice: Pool, what: Any, said: str) -> None:
    """In odds of small rules and of large ones, and at the table."""
    call = asked(dice, what)
    for ask in (rw.odds, compiled_odds, lambda rolled: rw.roll(rolled, seed=1)):
        with pytest.raises((Misuse, AttributeError), match=said):
            ask(call)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: roll("2d6"), r"not as '2d6': write roll\(2 \* D6\)"),
        (lambda: roll(2), r"not as 2: write roll\(2 \* D6\)"),
        (lambda: roll(D6, D8), r"write roll\(D6 \+ D8\)"),
        (lambda: choose(["keep", "push"]), r"write choose\(\*options\)"),
    ],
)
def test_a_word_says_what_it_takes(make: Any, said: str) -> None:
    """Dice as a text or a number, dice side by side, and options in a list."""
    with pytest.raises(Misuse, match=said):
        make()
