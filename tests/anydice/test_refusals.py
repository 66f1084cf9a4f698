"""What is wrong with a program of AnyDice is said at its place, within a bounded amount of work."""

from __future__ import annotations

from contextlib import suppress

import pytest

from rollwright.anydice import AnyDiceError, run
from rollwright.budget import Budget
from rollwright.errors import RollwrightError, TooMuchWork

WRONG = {
    "output": ("value", ""),
    "X": ("value-alone", "X"),
    "3d6": ("output-missing", "3"),
    "output X": ("variable", "X"),
    'output 1 named "[X]"': ("variable", "output"),
    "output [foo 3]": ("function", "[foo 3]"),
    "output [f] function: f { result: 1 }": ("function", "[f]"),
    "function: f A B { result: A } output [f d6 d6]": ("places", "[f d6 d6]"),
    "output {1": ("unclosed", "{"),
    "output [f": ("unclosed", "["),
    "output (1": ("unclosed", "("),
    "if 1 { X: 2": ("unclosed", "{"),
    'output 1 named "x': ("unclosed", '"'),
    "output 1 \\ a comment": ("unclosed", "\\"),
    "output []": ("call-empty", "[]"),
    "output d6@3": ("die-position", "d6@3"),
    "output (d6 + 1)@3": ("die-position", "(d6 + 1)@3"),
    "if d6 { }": ("condition", "d6"),
    "if {1} { }": ("condition", "{1}"),
    "loop X over 3 { }": ("loop", "3"),
    "loop X over d6 { }": ("loop", "d6"),
    "loop X {1} { }": ("expected", "{"),
    "if 1 output 2": ("expected", "output"),
    "result: 3": ("result-outside", "result"),
    "function: a { output 3 }": ("not-inside", "output"),
    'function: a { set "explode depth" to 3 }': ("not-inside", "set"),
    "function: a { function: b { } }": ("not-inside", "function"),
    "function: a { result: 1 X: 2 }": ("after-result", "X"),
    "function: 3 { }": ("function-name", "3"),
    "function: f A:q { }": ("parameter-kind", "q"),
    'output "x"': ("text-value", '"x"'),
    "output 3d6 foo": ("statement", "foo"),
    "output ~": ("character", "~"),
    'set "foo" to 3': ("setting", "set"),
    'set "explode depth" to 0': ("positive", "set"),
    'set "maximum function depth" to "x"': ("positive", "set"),
    'set "position order" to 1': ("order", "set"),
    "output {1..d6}": ("range", "d6"),
    "output {1:d6}": ("repetition", "d6"),
    "output 9999999d6": ("many-dice", "9999999d6"),
    "output d9999999": ("many-faces", "d9999999"),
    "output 2^99999": ("large", "2^99999"),
    "output {1..9999999}": ("long-sequence", "{1..9999999}"),
    "output {1:9999999}": ("long-sequence", "{1:9999999}"),
}


@pytest.mark.parametrize("program", WRONG)
def test_a_slip_is_named_at_its_place(program):
    """The code says what is wrong, the excerpt where, and the sentence both."""
    with pytest.raises(AnyDiceError) as refusal:
        run(program)
    code, excerpt = WRONG[program]
    assert (code, excerpt) == (refusal.value.code, refusal.value.excerpt)
    assert "line 1" in str(refusal.value)


def test_the_line_of_a_slip_is_told():
    """Lines and places in them are counted from 1."""
    with pytest.raises(AnyDiceError) as refusal:
        run("X: 3\n\noutput X +\n  Y")
    assert (4, 3) == (refusal.value.line, refusal.value.column)
    assert "Y has no value here (line 4, at 'Y')" == str(refusal.value)


@pytest.mark.parametrize(
    "program",
    [
        "function: f S:s { result: 1@S } output [f 40d40]",
        "function: f A:n B:n C:n { result: 1 } output [f (d2000) (d2000) (d2000)]",
        "loop A over {1..90000} { loop B over {1..90000} { X: A + B } }",
        "output d60000 * d60000",
        "X: {1:90000} loop A over X { Y: X = A }",
        "function: f N:n { result: [f d9] + [f d9] } output [f 1]",
        "output {1..90000}@90000d6",
        "X: 2 loop N over {1..100} { X: X * X }",
        "output " + "(" * 30_000,
        "output " + "-" * 30_000 + "1",
        "output " + "1+" * 30_000 + "1",
        "output " + "{" * 59 + "1" + "}" * 59,
        "function: f N:n { if N { result: [f N - 1] } result: 1 }"
        'set "maximum function depth" to 500 output [f 499]',
    ],
)
def test_whatever_is_written_ends(program):
    """An answer or a refusal of our own, within a small budget."""
    with suppress(RollwrightError):
        assert run(program, Budget(2_000_000)).outputs


TOO_MUCH = {
    "function: f S:s { result: 1@S }\n\noutput [f 40d40]": (3, "[f 40d40]"),
    "function: f D:d {\n  result: D *\n D }\noutput [f d60000]": (2, "D * D"),
    "X: 1\nY: {1..60}@\n(50d(d100 * d100))": (2, "{1..60}@ (50d(d100 * d100))"),
    "loop A over {1..90000} {\n loop B over {1..90000} {\n X: A } }": (3, "X: A"),
    "function: f N:n { X: N + 1 result: X * 2 }\nloop A over {1..90000} {\n  output\n [f A] }": (
        3,
        "output [f A]",
    ),
}
"""What is too much, and where: a value that is, or a statement that used up what there was."""


@pytest.mark.parametrize("program", TOO_MUCH)
def test_too_much_work_is_refused_at_its_line(program):
    """Forty dice of forty sides have more sorted rolls than anybody can go through."""
    with pytest.raises(TooMuchWork) as refusal:
        run(program, Budget(500_000))
    line, excerpt = TOO_MUCH[program]
    assert isinstance(refusal.value, AnyDiceError)
    assert (line, excerpt) == (refusal.value.line, refusal.value.excerpt)
    assert f"{excerpt!r} in line {line}" in str(refusal.value)


@pytest.mark.parametrize(
    "turn",
    ["D: [f (D) (D)]", "D: D * D != 0", "D: [f 1@2dD]", "D: (D)d(D > 0)"],
)
def test_chances_of_endlessly_many_digits_are_too_much_work(turn):
    """Each turn doubles the digits of the chances: after forty they are more than all atoms."""
    program = f"""
        function: f N:n {{ result: N }} function: f A:n B:n {{ result: A * B > 0 }}
        D: d{{0, 0, 1}} loop I over {{1..40}} {{ {turn} }} output D
    """
    with pytest.raises(TooMuchWork):
        run(program, Budget(2_000_000))
