"""Programs of AnyDice come out exactly as going through all throws by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rollwright.anydice import run
from tests.anydice.programs import PROGRAMS, exact


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_comes_out_as_all_its_throws_do(name):
    """Every output has the odds that are counted in `programs`, throw by throw."""
    program, expected = PROGRAMS[name]
    wanted = expected if isinstance(expected, list) else [expected]
    assert wanted == [exact(shown.odds) for shown in run(program).outputs]


def test_there_are_programs_enough():
    """The language is shown by at least sixty of them."""
    assert len(PROGRAMS) >= 60


@pytest.mark.parametrize(
    "program", ["output d{}", "output {}", "output d{} * 3", "output 1@d{}", "output 1@(d{}d2)"]
)
def test_what_has_no_faces_shows_no_outcomes(program):
    """The die without faces, and what comes of it by most operators, has no odds."""
    assert [None] == [shown.odds for shown in run(program).outputs]


def test_names_of_outputs_have_the_values_of_variables():
    """A number is written as it is, plain dice as dice, and others are not spelled out."""
    program = """
        N: 4  DIE: 2d4  OWN: d{1, 3}  LIST: {1, 2}  NONE: 2d{}
        output N named "[N] and [DIE], [OWN], [LIST], [NONE], [no variable]"
        output N
    """
    names = [shown.name for shown in run(program).outputs]
    assert ["4 and 2d4, d{?}, {?}, d{}, [no variable]", "output 2"] == names


def test_calls_that_are_cut_off_are_told():
    """Endless recursion is cut at the depth that is set, with a word about it."""
    [warning] = run("function: f { result: 1 + [f] } output [f]").warnings
    assert "cut off at 10" in str(warning)


def test_exact_beyond_what_floating_point_holds():
    """The chance of a hundred sixes is one in 6^100, to the last digit."""
    [shown] = run("output 100d6").outputs
    assert 6**100 == shown.odds.total // shown.odds[600]


def test_equal_calls_are_made_once():
    """A function of two pools of ten is worked out once for each pair of its sums, not of rolls."""
    program = "function: more A:n B:n { result: A > B } output [more (10d10) (10d10)]"
    [shown] = run(program).outputs
    assert 1 == shown.odds.p(0) + shown.odds.p(1)
    assert Fraction(1, 2) > shown.odds.p(1)


def test_there_may_be_many_outputs():
    """AnyDice shows more than two hundred as well."""
    outputs = run("loop N over {1..250} { output N }").outputs
    assert [*range(1, 251)] == [shown.odds.outcomes[0] for shown in outputs]
