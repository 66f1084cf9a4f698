"""Programs of AnyDice in Python with our words: they come out the same, or are refused."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollwright as rw
from rollwright.anydice import run, translate
from rollwright.anydice.names import TAKEN
from rollwright.budget import Budget
from rollwright.errors import RollwrightError
from rollwright.workbench import answer, prelude
from tests.anydice.programs import PROGRAMS, exact

REFUSED = {
    "a caller's variable changes": "outer",
    "a function in a loop": "outer",
    "a function in a condition": "output-inside",
    "no faces are no dice": "no-faces",
    "nor are several without faces": "no-faces",
    "as many as nothing says are one die": "no-faces",
    "beside that die is nothing": "no-faces",
}
"""The programs of those with known answers that have no natural form, and why."""
OTHERS = {
    "output d{}": "no-faces",
    "output 2 * d{}": "no-faces",
    "S: {} output 1 + dS": "no-faces",
    "output {}": "no-outcomes",
    "output {3..1}": "no-outcomes",
    "function: f N:n { if N > 6 { result: N } } output [f d6]": "no-outcomes",
    "function: f { result: [f] } output [f] + 1": "recursion",
    "function: f { result: 2 * [f] } output [f]": "recursion",
    "function: f { result: 1 + [g] } function: g { result: 1 + [f] } output [f]": "recursion",
    "function: f { result: 1 + [f] } function: g { result: [f] } output [g]": "recursion",
    "function: f N:n { if N > 1 { result: [f d3] + [f d3] } result: N } output [f d3]": "recursion",
    "function: g { result: 1 } function: f { result: 2 + [g] } "
    'set "maximum function depth" to 1 output [f]': "recursion",
    'function: f { result: 1 + [f] } output [f] set "maximum function depth" to 3 output [f]': (
        "settings"
    ),
    "function: f D:d { result: [explode D] } output [f d4] "
    'set "explode depth" to 1 output [f d4]': "settings",
    "function: f N:n { if N > 2 { result: N } } output 1 + [f d6]": "no-result",
    "function: f { result: 1 } output [f] function: f { result: 2 } output [f]": "defined-twice",
    "X: 3 function: f { result: X } function: g X:n { result: [f] } output [g 5]": "outer",
    "X: 5 function: f { X: X + 1 result: X } output [f]": "variable",
    "X: 5 function: f N:n { if N > 2 { X: 1 } result: X } output [f d4]": "variable",
    "function: f N:n { result: Nd6 } X: [f 2] output [highest 1 of X]": "held",
    "function: f { result: {1, 2} } X: [f] output #X": "held",
    "function: f A { result: A + A } output [f [highest of d4 and d6]]": "held",
    "function: f N:n { result: Nd6 } output {1, 2} < [f 2]": "held",
    "function: f N:n { if N > 2 { result: {1, N} } result: N } output [f 3]": "kinds",
}
"""Others that have none."""
TRANSLATED = [name for name in PROGRAMS if name not in REFUSED]


def python_of(program: str) -> str:
    """The translation, of which nothing was refused."""
    found = translate(program)
    assert () == found.refused
    return found.text


def shown(python: str) -> list[dict[Any, Fraction]]:
    """What the bare expressions of a program show, as the workbench reads it."""
    names = {**prelude.words(), "__name__": "a_program"}
    found = []
    for node in ast.parse(python).body:
        if not isinstance(node, ast.Expr):
            exec(compile(ast.Module([node], []), "program", "exec"), names)
            continue
        value = eval(compile(ast.Expression(node.value), "program", "eval"), names)
        odds = value if isinstance(value, rw.Dist) else rw.odds(value)
        found.append({one: Fraction(weight, odds.total) for one, weight in odds.items()})
    return found


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_translated_program_comes_out_the_same(name):
    """Run as Python it has the odds that are counted in `programs`, throw by throw."""
    program, expected = PROGRAMS[name]
    assert (expected if isinstance(expected, list) else [expected]) == shown(python_of(program))


def test_most_programs_have_a_natural_form():
    """All but a few of more than a hundred are translated whole."""
    assert len(TRANSLATED) >= 120


@pytest.mark.parametrize(
    ("program", "code"),
    [*((PROGRAMS[name][0], code) for name, code in REFUSED.items()), *OTHERS.items()],
)
def test_what_has_no_form_is_refused_at_its_place(program, code):
    """With a reason, its line, and a comment in the Python; the answer is given all the same."""
    found = run(program)
    made = translate(program, found)
    assert found.outputs
    assert f"python.{code}" == made.refused[0].code
    start, end = made.refused[0].span
    assert 0 <= start < end <= len(program)
    assert f"# {made.refused[0].line}: " in made.text


DICE = ("d2", "2d2", "d3", "-2d2", "0d3", "d{0, 1, 1}", "2d(2d2)")
OTHER = ("0", "1", "2", "-1", "12", "{1, 2}", "{1..3}", "{2:2, 1}", "{}", "A", "B")
LEAVES = st.sampled_from((*DICE, *OTHER))
SIGNS = st.sampled_from(("+", "-", "*", "/", "=", "!=", "<", "<=", ">", ">=", "&", "|", "d"))
BEFORE = st.sampled_from(("-", "+", "!", "#", "d"))
PLACES = st.sampled_from(("0", "1", "2", "{1, 2}", "{2, 2}"))
ENDS = st.sampled_from(("highest", "lowest", "middle"))
WORDS = st.sampled_from(("sort", "reverse", "absolute", "explode", "maximum of", "f", "g"))


def _larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} {} {})".format, parts, SIGNS, parts),
        st.builds("({}{})".format, BEFORE, parts),
        st.builds("({}@{})".format, PLACES, parts),
        st.builds("{{{}, {}:2}}".format, parts, parts),
        st.builds("[{} {} of {}]".format, ENDS, st.integers(0, 2), parts),
        st.builds("[highest of {} and {}]".format, parts, parts),
        st.builds("[count {} in {}]".format, parts, parts),
        st.builds("[{} contains {}]".format, parts, parts),
        st.builds("[{} {}]".format, WORDS, parts),
    )


VALUES = st.recursive(LEAVES, _larger, max_leaves=4)
TAKES = st.sampled_from((":n", ":s", ":d", ""))
WHOLE = (
    "A: {} B: {} function: f A{} {{ B: 2 result: {} }} function: g B{} {{ result: [f {}] }} "
    "output {} output {}"
)
PROGRAMS_MADE = st.builds(
    WHOLE.format, VALUES, VALUES, TAKES, VALUES, TAKES, VALUES, VALUES, VALUES
)


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(PROGRAMS_MADE)
def test_any_translation_comes_out_as_the_program_does(program):
    """Whatever is put together of all operators and functions: the same, or it is refused."""
    with Budget(3_000_000):
        try:
            found = run(program)
        except RollwrightError:
            return
        made = translate(program, found)
        if not made.refused:
            assert [exact(one.odds) for one in found.outputs] == shown(made.text)


def test_functions_are_rules_that_roll_and_return():
    """A function is a rule; a die that it is given is thrown where it is called."""
    python = python_of(PROGRAMS["critical hits"][0])
    assert "@rule\nasync def attack_against(roll_: int, ac: int):" in python
    assert "        return await tally(2 * D8) + 3" in python
    assert "    return await attack_against(await tally(D20), 15)" in python


@pytest.mark.parametrize(
    "last", ["N + 3 >= 12", "!(N + 3 < 12)", "N + 3 >= 12 & N", "[{9..19} contains N]"]
)
def test_a_function_may_come_to_a_number_or_to_a_comparison(last):
    """A 1 misses, a 20 hits, and so do 9 to 19: 12 of 20 faces (counted by hand)."""
    program = f"""
        function: hits N:n {{ if N = 20 {{ result: 1 }} if N = 1 {{ result: 0 }} result: {last} }}
        output [hits d20]
    """
    assert [{0: Fraction(2, 5), 1: Fraction(3, 5)}] == shown(python_of(program))


def test_calls_that_are_cut_off_are_counted():
    """Exploding by hand keeps its form: a rule with so many calls left."""
    python = python_of(PROGRAMS["exploding by hand"][0])
    assert "async def wild(n: int, left: int = 2):\n    if not left:" in python
    assert "        return 6 + await wild(await tally(D6), left - 1)" in python


def test_simple_outputs_are_one_line():
    """Dice and what is kept of them need no rule; a name becomes a name."""
    program = 'output 3d6 output [highest 3 of 4d6] + 1 named "a score" output 2d6 >= 8'
    lines = ["3 * D6", "a_score = keep(4 * D6, highest=3) + 1", "a_score", "2 * D6 >= 8"]
    assert lines == python_of(program).splitlines()


def test_names_hide_no_words_of_the_workbench():
    """Every word that a program has without an import is taken, but for those in capitals."""
    assert {word for word in prelude.words() if not word.isupper() and word[1:].isalpha()} <= TAKEN


def test_a_translation_is_a_program_of_the_workbench():
    """It runs there without a problem, and shows as many outputs."""
    text = python_of(PROGRAMS["roll and keep"][0])
    found = answer("program", {"text": text})
    assert [] == found["problems"]
    assert 2 == len(found["outputs"])
