"""Programs of AnyDice beside an interpreter of the language that others wrote: `dice-calc`."""

from __future__ import annotations

from fractions import Fraction

import pytest
from dice_calc import factory
from dice_calc.parser.parse_and_exec import build_lex_yacc, do_resolve, do_yacc, unsafe_exec
from dice_calc.settings import settings_reset, settings_set
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwright.anydice import run
from tests.anydice.programs import PROGRAMS

OTHERWISE = {
    "faces by range and repetition": "a range with a repetition is not read",
    "as many dice as a die says": "a die as a count in brackets is not read",
    "length": "a range with a repetition is not read",
    "digits": "a number has no digits",
    "a digit": "a number has no digits",
    "digits from the right": "a number has no digits",
    "digits of a negative number": "a number has no digits",
    "several of its digits": "a number has no digits",
    "how many digits it has": "a number has no digits",
    "the lower of two sums, negated": "a negative number of dice is one die",
    "the highest of negated dice": "a negative number of dice is one die",
    "a repetition beside a number": "a repetition is not read",
    "a repetition beside a sequence": "a repetition is not read",
    "as many as a die says are a sum": "a die as a count in brackets is not read",
    "a function without words": "refused",
    "no faces are no dice": "not read",
    "as many as nothing says are one die": "not read",
    "beside that die is nothing": "not read",
    "the best of mixed dice": "built in since 2025",
    "the worst of mixed dice": "built in since 2025",
    "either": "dice cannot be joined by |",
    "divided by nothing": "refused",
    "a caller's variable changes": "a function sees no variable of its caller",
    "cut toward zero": "cut downwards",
    "a sign binds first": "read as -(2^2)",
    "powers from the left": "read from the right",
    "not": "only 0 is turned round",
    "sequences from the left": "compared element by element",
    "the longer is greater": "compared element by element",
}
"""What it does not do, or not as AnyDice does: `tests/anydice/programs.py` counts them by hand."""


LEXER, PARSER = build_lex_yacc()
"""Made once: it takes longer than any program."""


def compiled(program: str) -> str:
    """A program as the Python that the other interpreter makes of it."""
    LEXER.LEX_ILLEGAL_CHARS, LEXER.YACC_ILLEGALs, LEXER.lineno = [], [], 1
    tree = do_yacc(program, LEXER, PARSER)
    if tree is None or LEXER.LEX_ILLEGAL_CHARS or LEXER.YACC_ILLEGALs:
        raise ValueError(program)
    return do_resolve(tree)


def of_peer(program: str) -> list[dict[int, Fraction]]:
    """What the other interpreter shows, exactly."""
    settings_reset()
    settings_set("RV_TRUNC", True)
    return [_odds(shown[0][0]) for shown in unsafe_exec(compiled(program))]


def _odds(shown: object) -> dict[int, Fraction]:
    held = factory.get_rv(shown)
    total = sum(held.probs)
    found: dict[int, Fraction] = {}
    for outcome, weight in zip(held.vals, held.probs, strict=True):
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(weight, total)
    return {outcome: chance for outcome, chance in found.items() if chance}


def of_ours(program: str) -> list[dict[int, Fraction]]:
    """What we show, exactly."""
    return [
        {outcome: Fraction(weight, shown.odds.total) for outcome, weight in shown.odds.items()}
        for shown in run(program).outputs
        if shown.odds is not None
    ]


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in OTHERWISE])
def test_another_interpreter_shows_the_same(name):
    """To the last digit, for all but a few of the programs with known answers."""
    program, _ = PROGRAMS[name]
    assert of_peer(program) == of_ours(program)


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_it_does_otherwise_is_known(name):
    """It still refuses each of these, or shows something else: none is left out without need."""
    program, _ = PROGRAMS[name]
    try:
        found = of_peer(program)
    except Exception:
        return
    assert found != of_ours(program)


SIDES = st.sampled_from((2, 3, 4, 6))
POOLS = st.builds("{}d{}".format, st.integers(1, 3), SIDES)
KEPT = st.builds(
    "[{} {} of {}]".format,
    st.sampled_from(("highest", "lowest", "middle")),
    st.integers(1, 3),
    POOLS,
)
PICKED = st.builds("({}@{})".format, st.sampled_from(("1", "2", "{1, 2}", "{2, 3}")), POOLS)
OWN = st.lists(st.integers(-2, 5), min_size=1, max_size=4).map(
    lambda faces: f"d{{{', '.join(map(str, faces))}}}"
)
EXPLODED = st.builds("[explode d{}]".format, SIDES)
LEAVES = st.one_of(POOLS, KEPT, PICKED, OWN, EXPLODED, st.integers(0, 4).map(str))


def _joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from(("+", "-", "*", "=", "!=", "<", "<=", ">", ">="))
    return st.one_of(
        st.builds("({} {} {})".format, parts, signs, parts),
        st.builds(
            "[{} of ({}) and ({})]".format, st.sampled_from(("highest", "lowest")), parts, parts
        ),
        st.builds("[absolute ({})]".format, parts),
    )


VALUES = st.recursive(LEAVES, _joined, max_leaves=4)
FUNCTIONS = (
    "function: f A:n B:n {{ if A > B {{ result: A - B }} result: 2 * B }} output [f ({}) ({})]",
    "function: f A:n {{ if A < 2 {{ result: d4 }} else {{ result: A }} }} output [f ({})] + {}",
    "function: f S:s A:n {{ result: (S = 2) + 1@S + #S * A }} output [f ({}) ({})]",
    "function: f D:d A:n {{ result: A + [highest 1 of D] }} output [f ({}) ({})]",
    "function: f S:s {{ N: 0 loop X over S {{ if X > 2 {{ N: N + X }} }} result: N }}"
    " output [f ({})] - {}",
)
PROGRAMS_MADE = st.one_of(
    st.builds("output {}".format, VALUES),
    st.builds("X: {} output X + X output {}".format, VALUES, VALUES),
    st.builds("loop N over {{1..3}} {{ output {} * N }}".format, VALUES),
    *(st.builds(one.format, st.one_of(POOLS, OWN), LEAVES) for one in FUNCTIONS),
)


@settings(max_examples=150, deadline=None)
@given(PROGRAMS_MADE)
def test_any_program_shows_the_same_there(program):
    """Whatever is made of pools, built-in functions, operators and functions with parameters."""
    assert of_peer(program) == of_ours(program)
