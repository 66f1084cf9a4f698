"""Where a program comes to something else here than AnyDice shows, and why.

`docs/howto/coming-from.md` lists the same reasons for whoever compares.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from rollwright.anydice import AnyDiceError, run
from rollwright.budget import Budget
from rollwright.errors import TooMuchWork
from tests.anydice.programs import D6, Odds, exact, of, sure, total

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "coming-from.md"


class Difference(NamedTuple):
    """A program: what it comes to here, what AnyDice shows, and where the page speaks of it.

    What AnyDice shows is None where only its kind is known: too little in all.
    """

    program: str
    here: Odds
    there: Odds | None
    listed: str


THIRD = Fraction(1, 3)
DIFFERENCES = {
    "a variable goes on from one outcome to the next": Difference(
        "X: 0 function: f N:n { X: X + N result: X } output [f d3]",
        of(total, (1, 2, 3)),
        {1: THIRD, 3: THIRD, 6: THIRD},
        "keep what they were set to for one outcome",
    ),
    "a parameter goes on as well": Difference(
        "function: f A:n and B:n { C: B B: B + A result: C } output [f d2 and d1]",
        sure(1),
        {1: Fraction(1, 2), 2: Fraction(1, 2)},
        "keep what they were set to for one outcome",
    ),
    "nothing to a power below zero": Difference(
        "output 0^d{-1, 1}", sure(0), {0: Fraction(1, 2), -(2**63): Fraction(1, 2)}, "`0^-1`"
    ),
    "a die at most a sequence": Difference(
        "output d6 <= {2, 3}",
        of(lambda a: int(a <= 5), D6),
        of(lambda a: int(a == 5), D6),
        "`d6 <= {2, 3}`",
    ),
    "a die at most an empty sequence": Difference(
        "output d6 <= {}", sure(0), sure(1), "`d6 <= {}`"
    ),
    "no faces before a sequence": Difference(
        "output d{} + {1, 2, 3}", sure(6), of(total, (1, 2, 3)), "`d{} + {1, 2, 3}`"
    ),
    "no faces or a sequence": Difference("output {1, 2, 3} | d{}", sure(1), sure(6), "`| d{}`"),
    "no faces or no elements": Difference("output d{} | {}", sure(0), {}, "`d{} | {}`"),
    "a nested call that is cut off": Difference(
        'set "maximum function depth" to 2 '
        "function: f N:n { if N > 2 { result: N } result: [f d4] } output [f d4]",
        of(total, (3, 4)),
        None,
        "add up to less than 100 %",
    ),
}
"""By what each shows. What AnyDice shows was seen there for programs of this kind; the chances are
counted by hand."""


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_difference_is_meant(name):
    """What stands here is what the rules of the language say; AnyDice shows something else."""
    difference = DIFFERENCES[name]
    [shown] = run(difference.program).outputs
    assert difference.here == exact(shown.odds)
    assert difference.here != difference.there


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_difference_is_listed_for_whoever_compares(name):
    """The page for those who come from AnyDice names it."""
    assert DIFFERENCES[name].listed in PAGE.read_text("utf-8")


def test_chances_of_millions_of_digits_are_refused():
    """AnyDice rounds; a die of two dice of itself, forty times over, has 2^40 digits here."""
    program = "D: d{0, 1, 1} loop I over {1..40} { D: 1@2dD } output D"
    with pytest.raises(TooMuchWork) as refusal:
        run(program, Budget(5_000_000))
    assert isinstance(refusal.value, AnyDiceError)
    assert "'1@2dD' in line 1" in str(refusal.value)
    assert "millions of digits" in PAGE.read_text("utf-8")


def test_there_is_no_limit_of_five_seconds():
    """Fifty dice of which the highest ten count: counted by their faces, not by their throws."""
    [shown] = run("output [highest 10 of 50d20]").outputs
    assert 1 == sum(exact(shown.odds).values())
