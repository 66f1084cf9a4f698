"""Refusals: each with a code, a place, a sentence and a suggestion that itself parses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rollwright as rw
from rollwright import notation
from rollwright.notation import NotationError, TooMuchToCount

NASTY: list[str] = json.loads(Path(__file__).with_name("nasty.json").read_text("utf-8"))
NASTIER = [
    "(" * 1_000 + "1d6" + ")" * 1_000, "(" * 60_000, "{" * 60_000, "-" * 60_000 + "1",
    "2**" * 20_000 + "2",
    "1d6!" * 10_000, "d" * 65_536, "1d6" + "kh1" * 20_000, "+".join(["1d6"] * 16_000), "9" * 65_536,
    "+".join(["1d99999"] * 8_000), "*".join(["9"] * 30_000), "*".join(["1d6"] * 5_000),
    "floor(" * 10_000,
    "+".join(f"1/{n}" for n in range(2, 8_000)), "[a]" * 20_000, "1d6;" * 16_000,
    "@a" * 30_000, "#" * 65_536,
    "max(" + ",".join(["1d6"] * 15_000) + ")", "{" + ",".join(["1d6"] * 9_000) + "}kh3",
    " " * 65_536,
    "1d6" + " " * 65_000 + "x", "d{" + ",".join(map(str, range(12_000))) + "}",
    "1d6" + ">=3" * 20_000,
    "10**" + "9" * 300, "(9**999)d6", "1d6+" * 9_000 + "1d6", "x" * 65_536, "💥" * 60_000,
    "1d6[" + "a" * 60_000 + "]",
]  # fmt: skip


def refusal(text: str) -> NotationError:
    """The refusal of a text that cannot be rolled."""
    with pytest.raises(NotationError) as caught:
        notation.roll(text)
    return caught.value


def check(problem: NotationError, text: str) -> None:
    """Everything a refusal promises."""
    start, end = problem.span
    assert problem.code
    assert problem.code == problem.code.lower()
    assert 0 <= start <= end <= len(text)
    assert problem.sentence[0].islower() or not problem.sentence[0].isalpha()
    assert problem.repair
    for suggestion in problem.repairs:
        notation.parse(suggestion)
    assert str(problem)
    json.dumps(problem.to_json())


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_the_nastiest_are_answered_or_refused(text: str) -> None:
    """A line is rolled and counted, or refused by an error of ours that helps."""
    for use in (notation.roll, notation.odds, rw.roll):
        try:
            answer = use(text)
        except NotationError as problem:
            check(problem, text)
        else:
            assert str(answer)


@pytest.mark.parametrize("text", NASTIER, ids=range(len(NASTIER)))
def test_long_lines_are_answered_or_refused(text: str) -> None:
    """64 kB of anything end in a value or in an error of ours."""
    for use in (notation.roll, notation.odds):
        try:
            assert use(text) is not None
        except NotationError as problem:
            check(problem, text)


@pytest.mark.parametrize(
    ("text", "code", "readings"),
    [
        ("4d6r<2", "ambiguous-reroll", ("4d6ro<2", "4d6rr<2")),
        ("4d6r1+2", "ambiguous-reroll", ("4d6ro1+2", "4d6rr1+2")),
        ("4d6!3", "ambiguous-explosion", ("4d6!=3", "4d6!>=3")),
        ("4d6x3", "ambiguous-explosion", ("4d6x=3", "4d6x>=3")),
        ("4d6d1", "ambiguous-drop", ("4d6dl1", "(4d6)d1")),
        ("1+4d6d1+1", "ambiguous-drop", ("1+4d6dl1+1", "1+(4d6)d1+1")),
        ("4d6p1", "ambiguous-drop", ("4d6dl1", "4d6dh1")),
        (
            "2x 3d6>d8; 1d4",
            "ambiguous-comparison",
            ("2x if(3d6 > d8, 1, 0); 1d4", "2x 3d6>(d8); 1d4", "2x 3d6 vs d8; 1d4"),
        ),
        (
            "/r (3d6<2d8)+1 # hi",
            "ambiguous-comparison",
            ("/r (if(3d6 < 2d8, 1, 0))+1 # hi", "/r (3d6<(2d8))+1 # hi"),
        ),
        (
            "3d6 > 2d8",
            "ambiguous-comparison",
            ("if(3d6 > 2d8, 1, 0)", "3d6 > (2d8)", "3d6 vs 2d8"),
        ),
        ("2d6+3 > 2d6", "not-dice", ("if(2d6+3 > 2d6, 1, 0)", "2d6+3 vs 2d6")),
        ("4d6>=5!", "order", ("4d6!=6>=5",)),
        ("4d6kh3ro1", "order", ("4d6ro1kh3",)),
        ("1d20+5>=15", "not-dice", ("{1d20+5}>=15", "1d20+5 vs 15")),
        ("{4d6+2}kh3", "group-of-one", ("{4d6}kh3+2", "{4d6+2, 4d6+2}kh3", "4d6+2")),
        ("2d6 2d8", "trailing-text", ("2d6 +2d8", "2d6 ; 2d8", "2d6 # 2d8")),
        ("1d6/0", "zero-division", ("1d6/1",)),
        ("1d6/(1d3-1)", "zero-division", ("1d6/max(1, (1d3-1))", "1d6/2")),
        ("((1d6+2", "unclosed", ("((1d6+2))",)),
        ("1d6rr<7", "never-ends", ("1d6ro<7", "1d6rr=1", "1d6")),
        ("1d6!>0", "never-ends", ("1d6!=6", "1d6xo>0", "1d6")),
        ("1d6rr<6!", "never-ends", ("1d6rr<6xo", "1d6rr<6")),
        ("1d2rr1!!+1", "never-ends", ("1d2rr1xo+1", "1d2rr1+1")),
        ("95d20rr<20!", "never-ends", ("95d20rr<20",)),
        ("+".join(["d6!"] * 2_500), "too-many-terms", ("1d20+5",)),
        ("(1d4-2)d6", "negative-count", ("(max(0, (1d4-2)))d6", "1d6")),
        ("(1d4/2)d6", "not-whole", ("(floor((1d4/2)))d6", "1d6")),
        ("4d6f=1", "no-successes", ("4d6>=6f=1",)),
        ("2d20adv", "not-one-die", ("2d20kh1",)),
        ("flor(1d6/2)", "unknown-word", ("floor(1d6/2)",)),
    ],
)
def test_known_slips_are_explained(text: str, code: str, readings: tuple[str, ...]) -> None:
    """Where tools disagree, every reading is offered; where it is a slip, the likely meaning."""
    problem = refusal(text)
    assert (code, readings) == (problem.code, problem.repairs)


def test_a_refusal_names_the_place() -> None:
    """The span is the place in the text, and the sentence quotes it."""
    problem = refusal("1d20 + 4d6r<2")
    assert ((10, 11), "r") == (problem.span, problem.excerpt)
    assert "('r' at 11); did you mean '1d20 + 4d6ro<2' or '1d20 + 4d6rr<2'?" in str(problem)


def test_unknown_variables_are_guessed() -> None:
    """A name that is nearly right is offered."""
    with pytest.raises(NotationError) as caught:
        notation.roll("1d20+@stregth", {"strength": 3})
    assert ("unknown-variable", "1d20+@strength") == (caught.value.code, caught.value.repair)


@pytest.mark.parametrize("value", [1.5, "3", None, True, [1], 1 << 20_000], ids=range(6))
def test_variables_are_exact_numbers(value: object) -> None:
    """Anything that is no whole number or fraction of moderate size is refused."""
    with pytest.raises(NotationError):
        notation.roll("1d20+@x", {"x": value})


def test_a_variable_is_not_known_by_what_equals_it() -> None:
    """1 and True are equal, but only one of them is a number on a sheet."""
    assert notation.roll("7+@x", {"x": 1}).value == 8
    for value in (True, 1.0):
        with pytest.raises(NotationError):
            notation.roll("7+@x", {"x": value})


def test_variables_have_names() -> None:
    """A mapping with other keys is refused by an error of ours."""
    with pytest.raises(NotationError):
        notation.roll("1d6", {1: 2, "a": 3})  # type: ignore[dict-item]


@pytest.mark.parametrize("text", [None, 5, b"1d6", ["1d6"]])
def test_an_expression_is_text(text: object) -> None:
    """Anything else is refused by an error of ours."""
    with pytest.raises(NotationError) as caught:
        notation.roll(text)  # type: ignore[arg-type]
    assert "not-text" == caught.value.code


def test_longer_than_64_kb_is_refused_at_once() -> None:
    """The limit is stated in the refusal."""
    problem = refusal("1d6+" * 20_000 + "1")
    assert "too-long" == problem.code
    assert "65,536" in problem.sentence


def test_too_much_to_count_is_both_kinds_of_error() -> None:
    """Odds that take too long have a place and a suggestion, and are a `TooMuchWork` too."""
    from rollwright.errors import TooMuchWork

    with pytest.raises(TooMuchWork) as caught:
        rw.odds("1 + 1000d6kh999")
    problem = caught.value
    assert isinstance(problem, TooMuchToCount)
    assert ((4, 15), "too-much-work") == (problem.span, problem.code)
    assert problem.estimate > problem.budget


def test_every_refusal_is_a_rollwright_error() -> None:
    """One root catches them all."""
    assert issubclass(NotationError, rw.RollwrightError)
