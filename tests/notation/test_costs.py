"""What a line costs: anything is answered or refused within a few steps and megabytes."""

from __future__ import annotations

import re
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

import pytest

from rollwright import exact, notation
from rollwright.budget import Budget
from rollwright.dice import Die, Pool
from rollwright.errors import RollwrightError
from rollwright.i18n.catalogs import words_of
from rollwright.notation import NotationError, TooMuchToCount
from rollwright.notation.dialects import DIALECTS

ROLL_CALLS, ROLL_BYTES = 500_000, 50_000_000
ODDS_CALLS, ODDS_BYTES = 1_500_000, 200_000_000
"""Calls, of Python and of C; an ordinary machine makes about ten million a second."""


class TooManyCalls(BaseException):
    """More than was allowed: nothing may catch it on the way."""


def cost_of(use: Callable[[str], object], text: str, most: int) -> int:
    """The most memory it takes until a text is answered or refused, within so many calls."""
    calls = 0

    def noted(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > 2 * most:  # each ends, too
            sys.setprofile(None)
            raise TooManyCalls(text[:60])

    tracemalloc.start()
    sys.setprofile(noted)
    try:
        with suppress(RollwrightError):
            use(text)
    finally:
        sys.setprofile(None)
        _, size = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return size


def rolled(text: str) -> str:
    """Roll a line and tell it."""
    return str(notation.roll(text))


COUNTED = [
    "20000d1000!!kh1", "20000d20!!kh1", "1000d(1d15)", "20000d6!!kh1", "100d(1d100)", "(100d6)d6",
    "20000d2kh10000", "100d6xokh50", "1000x 1d2", "5x 1d20", "2000d200ra<=50min2kh3",
    "50dF!!p+50dF!!p+50dF!!p+50dF!!p+50dF!!p**sqrt(200d10!p>5000)",
    "{1000dFt(1d100)/(1d20)d(1d6)+50d{1,2,3}dh5}t(1d100)",
]  # fmt: skip
LARGE = [
    "1000d5000!!kh1", "1d20000!>1", "2d20000min2", "3d20000min2", "1d20000*1d20000",
    "if(1d20000>1d20000,1d20000,1d20000)", "1d20000/7+1d20000/11", "2000d20000ra<=5000min2",
    "4d20000kh(1d2000)",
]  # fmt: skip
ROLLED = {
    "exploding dice": "+".join(["d6!"] * 5_900),
    "fewer exploding dice": "+".join(["d6!"] * 1_990),
    "re-rolled and exploding": "95d20rr<20!",
    "no dice, a thousand times": "1000x (" + "+".join(["0d6"] * 1_900) + ")",
    "labels, a thousand times": "1000x " + "+".join(["1[a]"] * 5_900),
    "functions, a thousand times": "1000x " + "+".join(["floor(0d6/2)"] * 1_000),
    "groups, a thousand times": "1000x {" + ",".join(["0d6"] * 499) + "}kh3",
    "labels, as often as it goes": "1000x " + "+".join(["1[a]"] * 11),
    "many dice that are counted": "20000d10>=5f1",
    "many dice that are kept": "20000d8kh10000",
}


@pytest.mark.parametrize(
    "text", [*COUNTED, *[pytest.param(text, marks=pytest.mark.long) for text in LARGE]]
)
def test_odds_take_few_steps_or_are_refused(text: str) -> None:
    """What took minutes or gigabytes, and its relatives (each found by the fuzzers)."""
    assert ODDS_BYTES > cost_of(notation.odds, text, ODDS_CALLS)


@pytest.mark.long
@pytest.mark.long
@pytest.mark.parametrize("text", ROLLED.values(), ids=ROLLED)
def test_rolling_takes_few_steps_or_is_refused(text: str) -> None:
    """Thousands of parts and dice, and few parts thousands of times."""
    assert ROLL_BYTES > cost_of(rolled, text, ROLL_CALLS)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("piece", ["}", "1d6}", "{1d6}}", "<)", ")", "[", "{1d6,", "1d6>3+", "d6"])
def test_translating_takes_few_steps_or_is_refused(piece: str, dialect: str) -> None:
    """A line as long as may be of pieces that once were gone through again and again."""

    def translated(text: str) -> object:
        return notation.translate(text, dialect)

    assert ROLL_BYTES > cost_of(translated, (piece * 8_000)[:8_000], ROLL_CALLS)


def test_a_bracket_that_was_never_opened_is_refused_where_it_stands() -> None:
    """Whatever stands before it is not gone through again for each of them."""
    with pytest.raises(NotationError) as caught:
        notation.translate("{1d6}}+2", "roll20")
    assert ("unexpected", (5, 6)) == (caught.value.code, caught.value.span)
    assert "{1d6}+2" == caught.value.repair


def test_parts_count_as_often_as_they_are_rolled() -> None:
    """A thousand times a few parts is a line of many, and fewer times are suggested."""
    with pytest.raises(NotationError) as caught:
        notation.roll("1000x " + "+".join(["0d6"] * 40))
    assert "too-many-terms" == caught.value.code
    assert notation.roll(caught.value.repair)


def test_all_rolls_together_are_refused_at_their_line() -> None:
    """Where the pairs are too many only at the last roll, it is a refusal with help as well."""
    with pytest.raises(TooMuchToCount):
        notation.odds("4x 1d22")


@pytest.mark.parametrize("text", ["50d10!!kh20", "30d10!!kh12", "50d10!!kh8", "1000d6!!kh9"])
def test_large_weights_are_charged_before_they_are_counted(text: str) -> None:
    """An allowance of two million steps, under a second, is no allowance for these."""
    budget = Budget(2_000_000)
    with pytest.raises(TooMuchToCount):
        notation.odds(text, budget=budget)
    assert budget.spent < 100_000


def test_what_is_multiplied_by_weights_counts_for_more_than_what_is_doubled() -> None:
    """As many dice with as many faces: twenty times the work where all weights differ."""
    even, uneven = Budget(), Budget()
    exact.keep(Pool({Die(range(1, 101)): 20}), highest=5, budget=even)
    weights = {face: 2**30 + face for face in range(1, 101)}
    exact.keep(Pool({Die(weights): 20}), highest=5, budget=uneven)
    assert uneven.spent > 20 * even.spent


REFUSED = [
    "50d10!!kh20", "1000d1000", "200d20kh100", "(100d100)d100", "1000d6kh999", "4x 1d22",
    "100d100*100d100", "6x 4d6kh3", "20000d20!!kh1", "100d6xokh50",
]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("text", REFUSED)
def test_a_refused_count_speaks_of_what_was_typed(text: str, language: str) -> None:
    """No die with its weights, no pool or sum that the line was taken apart into."""
    with pytest.raises(TooMuchToCount) as caught:
        notation.odds(text)
    words = words_of("rollwright")
    for said in (caught.value.wording, caught.value.needs):
        told = words.say(said, language)
        assert repr(text) in told
        assert not re.search(r"D\{|\dD\d|Pool|Die\(|keeping|the sum of", told)


def test_a_line_that_is_refused_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether words behind it are its comment is asked of the text, not of a second reading."""
    from rollwright.notation import parser

    class Counted(parser.Parser):
        __slots__ = ()

        def __init__(self, text: str) -> None:
            read.append(text)
            super().__init__(text)

    read: list[str] = []
    monkeypatch.setattr(parser, "Parser", Counted)
    for use in (parser.parse, parser.names_in):
        read.clear()
        with pytest.raises(NotationError):
            use("2d6 + + )")
        assert ["2d6 + + )"] == read
