"""Score Ranges: their notation, the bands, and what takes effect."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.kleptonomicon import House, Test
from rollwright.games.kleptonomicon.outcomes import Score, band_of, range_of, ranges_in_effect

ALL = ("[..6]", "[7..9]", "[10..]", "[0!]", "[10!]")


@pytest.mark.parametrize(
    ("face", "band", "passed"), [(6, "low", False), (7, "mixed", True), (9, "mixed", True)]
)
def test_bands_include_their_ends(face, band, passed):
    """KLEP R20, KLEP R21: 6 is Low and fails, 7 and 9 are Mixed and pass."""
    outcome = rw.roll(Test(), faces=[face]).outcome
    assert (band, passed) == (outcome.band, outcome.passed)


def test_ten_is_high():
    """KLEP R20: a Score of 10 is High, by whatever Modifier it comes."""
    assert ("high", "[10..]") == (band_of(10), *ranges_in_effect(ALL, Score(10)))


@pytest.mark.parametrize(
    ("text", "held"), [("[3..5]", range(3, 6)), ("[..4]", range(1, 5)), ("[8..]", range(8, 10))]
)
def test_own_ranges_are_read_in_the_same_notation(text, held):
    """KLEP R22: a Test's own range takes effect for exactly the Scores it holds."""
    request = Test(ranges=(text,))
    found = {face for face in range(1, 10) if rw.roll(request, faces=[face]).outcome.ranges}
    assert set(held) == found


def test_a_range_may_lie_below_zero_and_have_spaces():
    """KLEP R22: Modifiers can make Scores negative, so ranges may be too."""
    assert (-3, 0, 0) == range_of("[ -3 .. 0 ]")


def test_critical_ranges_hold_only_criticals():
    """KLEP R23: [0!] and [10!] hold a 0! and a 10!, and no plain 0 or 10."""
    assert ("[..6]", "[0!]") == ranges_in_effect(ALL, Score(-99, -1))
    assert ("[10..]", "[10!]") == ranges_in_effect(ALL, Score(99, 1))
    assert ("[..6]",) == ranges_in_effect(ALL, Score(0))


def test_every_range_that_holds_the_score_takes_effect():
    """KLEP R36: overlapping ranges all count, and a gap leaves none."""
    request = Test(ranges=("[4..8]", "[6..7]", "[7..]"))
    ends = [rw.roll(request, faces=[face]).outcome.ranges for face in (7, 5, 3)]
    assert [("[4..8]", "[6..7]", "[7..]"), ("[4..8]",), ()] == ends


@pytest.mark.parametrize(
    ("reading", "expected"), [("both", Fraction(1, 4)), ("critical_only", Fraction(1, 5))]
)
def test_a_critical_range_may_shut_out_the_others(reading, expected):
    """KLEP R23: by the house, a 10! counts for [10!] alone; 8, 9 (+2) stay for [10..]."""
    request = Test(modifier=2, ranges=("[10..]", "[10!]"), house=House(critical_ranges=reading))
    assert expected == rw.odds(request).p(lambda outcome: "[10..]" in outcome.ranges)


@given(st.integers(-30, 30), st.integers(-30, 30), st.integers(-40, 40))
def test_a_range_holds_what_lies_between_its_ends(one, other, score):
    """KLEP R20: inclusive at both ends."""
    low, high = sorted((one, other))
    assert (low <= score <= high) == range_of(f"[{low}..{high}]").holds(Score(score))


@pytest.mark.parametrize(
    ("text", "would_do"),
    [
        ("[9..7]", "[7..9]"),
        ("[7]", "[7..7]"),
        ("7..9", "[..6], [7..9]"),
        ("[..]", "[..6], [7..9]"),
        ("[5!]", "[..6], [7..9]"),
        ("[7...9]", "[..6], [7..9]"),
        (f"[{'9' * 5000}..]", "[..6], [7..9]"),
    ],
)
def test_an_unreadable_range_is_refused_with_what_would_do(text, would_do):
    """KLEP R20, KLEP R22: the refusal names the field, the rule and a range that works."""
    with pytest.raises(BadField) as refusal:
        Test(ranges=("[..6]", text))
    assert ("ranges", True) == (refusal.value.field, refusal.value.rule.startswith("KLEP R2"))
    assert refusal.value.would_do.startswith(would_do)
