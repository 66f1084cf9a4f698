"""Which language is spoken, and how it writes numbers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.exact.text import percent as exact_percent
from rollwright.i18n.codes import language_code, language_from
from rollwright.i18n.languages import language_of, percent


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de-DE"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR"}, "fr-FR"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR", "LC_ALL": "pl_PL@euro"}, "pl-PL"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de-DE"),
        ({"LANG": "fr_FR", "LC_ALL": "pl_PL", "ROLLWRIGHT_LANGUAGE": "de"}, "de"),
        ({"LANG": "../../etc/passwd"}, "en"),
        ({"LANG": "de", "LC_TIME": "fr", "LANGUAGE": "fr"}, "de"),
    ],
)
def test_the_environment_picks_the_language(environment, language):
    """Our own variable, then LC_ALL, LC_MESSAGES and LANG as POSIX orders them."""
    assert language == language_from(environment)


@pytest.mark.parametrize(
    "written", ["", "C", "c", "x", "german", "d1", "de_DE_x_y_z_w", "de-", "é"]
)
def test_what_is_no_code_is_none(written):
    """Nothing is guessed from a text that names no language."""
    assert "" == language_code(written)


@pytest.mark.parametrize(
    ("code", "number", "places", "written"),
    [
        ("en", 1234, 0, "1,234"),
        ("de", 123456789, 2, "1.234.567,89"),
        ("fr", 12345, 0, "12\u202f345"),
        ("pl", 1234, 0, "1234"),
        ("pl", 12345, 0, "12\xa0345"),
        ("en", -500, 2, "-5"),
        ("en", 5, 2, "0.05"),
        ("en", 10**15, 0, "10^15"),
        ("de-AT", 1234, 0, "1.234"),
        ("tlh", 1234, 0, "1,234"),
    ],
)
def test_numbers_are_written_as_the_language_does(code, number, places, written):
    """Signs between thousands and before decimals; very large ones by their size."""
    assert written == language_of(code).number(number, places)


@given(st.integers(0, 10**9), st.integers(1, 10**9))
def test_a_chance_is_said_as_a_distribution_says_it(weight, more):
    """In English it is the percent of the library."""
    sign, digits = percent(weight, weight + more, language_of("en"))
    expected = exact_percent(weight, weight + more)
    if "e-" not in expected:
        assert expected.removesuffix(" %") == sign + digits


@given(st.fractions(0, 1))
def test_a_chance_is_never_rounded_to_a_certainty(chance):
    """0 and 100 are said of nothing else."""
    sign, digits = percent(chance.numerator, chance.denominator, language_of("en"))
    assert (sign + digits == "0") == (chance == 0)
    assert (sign + digits == "100") == (chance == 1)
    if not sign:
        assert abs(Fraction(digits) / 100 - chance) <= Fraction(1, 200)
