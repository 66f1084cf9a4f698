"""The syntax of texts: what is read, and how what cannot be read is refused."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.errors import BadCatalog
from rollwright.i18n.parser import compile_text

REFUSED = [
    ("{", 1, "the name of a value is missing"),
    ("{n", 2, "a value is a name, or a name and a comma"),
    ("a } b", 2, "this bracket closes nothing"),
    ("{n, plurl, other {}}", 4, "plurl is no way to choose"),
    ("{n, number}", 4, "number is no way to choose"),
    ("{n, plural}", 10, "after plural a comma and its texts are missing"),
    ("{n, plural, one {a}}", 20, "plural has no text for all the others"),
    ("{n, plural, offset:1 other {a}}", 12, "offset:1: there are no offsets here"),
    ("{n, plural, some {a} other {b}}", 12, "some: that is no form of a number"),
    ("{n, plural, =01 {a} other {b}}", 12, "=01: that is no form of a number"),
    ("{n, plural, one {a} one {b} other {c}}", 20, "one: it is there twice"),
    ("{n, select, a other {b}}", 14, "after a its text is missing"),
    ("{n, select, a {b", 16, "a bracket is not closed"),
    ("{n, plural, other {{n, plural, other {x}}", 41, "a bracket is not closed"),
    ("{n-m}", 2, "a value is a name, or a name and a comma"),
]


@pytest.mark.parametrize(("text", "place", "problem"), REFUSED, ids=[text for text, *_ in REFUSED])
def test_a_text_that_cannot_be_read_is_refused_at_its_place(text, place, problem):
    """The refusal says what is wrong, where, and what would do."""
    with pytest.raises(BadCatalog) as refused:
        compile_text(text)
    assert (place, problem) == (refused.value.place, refused.value.problem)
    assert " would do" in str(refused.value)


def test_texts_within_texts_have_an_end():
    """A thousand levels are refused, not crashed on."""
    with pytest.raises(BadCatalog, match="nested too deeply"):
        compile_text("{n, select, other {" * 1000)


@given(st.text(alphabet="{}'#,= \nnaplurselcto0thr", max_size=80))
def test_any_text_is_read_or_refused(text):
    """Nothing but lists of texts comes out, or an error of ours."""
    try:
        found = compile_text(text)
    except BadCatalog:
        return
    assert isinstance(found, str) or all(isinstance(part, (str, list)) for part in found)


@given(st.text(max_size=60))
def test_any_text_can_be_quoted(text):
    """Runs of brackets in apostrophes, apostrophes doubled: every text stands for itself."""
    doubled = text.replace("'", "''")
    assert text == compile_text(re.sub(r"[{}]+(?:'*[{}]+)*", r"'\g<0>'", doubled))
