"""Random and broken input: only errors of our own ever escape, and suggestions always parse."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwright import notation
from rollwright.errors import RollwrightError
from rollwright.notation import NotationError
from tests.notation.test_errors import NASTY, check
from tests.notation.test_odds import CONSTRUCTS

PIECES = [
    *"0123456789dkrxeptf!<>=+-*/%(){}[],;#@. \n", "kh", "kl", "dh", "dl", "ro", "rr", "!!", "!p",
    "xo", "min", "max",
    "cs", "cf", "sa", "sd", "adv", "dis", "vs", "floor", "ceil", "round", "abs", "1d6", "4d6kh3",
    "2d20", ">=", "<=", "**",
    "//", "d%", "dF", "[fire]", "# note", "@str", "6x", "{1d6, 2}", "999", "0", "1000000", "é",
    "½", "\x00", "w", "dc", "dd", "ra", "u", "sf", "ms", "nat", "auto", "even", "odd", "pow(",
    "sqrt(", "if(", "keep ", "drop ", "highest", "lowest", "best of ", "advantage", "/r ", "[[",
    "]]", "&", "<>", "^", "!!p", "kh(1d2)", "coins", "dd66",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def survives(text: str) -> None:
    """Roll and count a text: a value, or a refusal that keeps its promises."""
    for use in (notation.roll, notation.odds):
        try:
            str(use(text))
        except NotationError as problem:
            check(problem, text)


@settings(max_examples=400)
@given(st.text(max_size=60))
def test_any_text_is_answered_or_refused(text: str) -> None:
    """Random text never ends in an error that is not ours."""
    survives(text)


@settings(max_examples=200)
@given(st.binary(max_size=60))
def test_random_bytes_as_text_are_answered_or_refused(data: bytes) -> None:
    """Neither do random bytes."""
    survives(data.decode("latin-1"))
    survives(data.decode("utf-8", "surrogateescape"))


@pytest.mark.long
@settings(max_examples=600)
@given(SOUP)
def test_soup_of_the_language_is_answered_or_refused(text: str) -> None:
    """Words of the language in any order are read, or refused with a suggestion that parses."""
    survives(text)


@pytest.mark.long
@settings(max_examples=400)
@given(
    st.sampled_from([*CONSTRUCTS, *NASTY]),
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from(["", *PIECES])), max_size=4),
)
def test_mutated_expressions_are_answered_or_refused(
    text: str, changes: list[tuple[int, str]]
) -> None:
    """So are expressions with some characters replaced, inserted or taken out."""
    for place, piece in changes:
        text = text[:place] + piece + text[place + 1 :]
    survives(text)


@settings(max_examples=50)
@given(
    st.sampled_from(["(", "{", "-", "floor(", "max(1,", "2**", "(1+", "d(", "1d6kh("]),
    st.integers(1, 3_000),
)
def test_deep_nesting_is_answered_or_refused(opening: str, depth: int) -> None:
    """However deep it goes, Python's own limit is never met."""
    survives(opening * depth + "1d6" + ")" * depth)


@settings(max_examples=15)
@given(st.sampled_from(PIECES), st.integers(1_000, 65_536))
def test_64_kb_of_anything_is_answered_or_refused(piece: str, size: int) -> None:
    """The same piece over and over fills a message, and nothing else."""
    survives((piece * size)[:size])


@settings(max_examples=200)
@given(SOUP, st.sampled_from(["roll20", "foundry", "avrae"]))
def test_translating_anything_gives_an_expression_or_a_refusal(text: str, dialect: str) -> None:
    """What a translation gives can be read; what cannot be translated is refused by us."""
    with suppress(RollwrightError):
        translated = notation.translate(text, dialect)
        assert notation.parse(translated.text)
