"""Tests of a distribution: an outcome, several, or a word; anything else is refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any

from rollwright.arithmetic import Arithmetic
from rollwright.dice import Outcome
from rollwright.errors import BadDist, likeliest
from rollwright.exact.outcomes import Outcomes
from rollwright.ranks import words_beside
from rollwright.readings import SEVERAL

MOST_WORDS = 12
PLAIN = (int, bool, str, Fraction)
"""Outcomes without words of their own."""


def weight_of(weights: Mapping[Outcome, int], event: object) -> int:
    """The weight of what is asked for, where that is not simply one of the outcomes.

    >>> weight_of({4: 1, 5: 2, 6: 3}, range(5, 7)), weight_of({4: 1}, 7)
    (5, 0)
    """
    if isinstance(event, SEVERAL) and not _is_outcome(weights, event):
        return _weight_of_several(weights, event)
    if isinstance(event, str):
        return _weight_of_word(weights, event)
    if isinstance(event, (Outcomes, Arithmetic)):
        raise BadDist(
            "an event is one outcome or a test of outcomes, not other odds or dice: "
            "write (2 * D6 >= 7).p(True), or odds(2 * D6).p(lambda total: total >= 7)"
        )
    try:
        hash(event)
    except TypeError:
        raise BadDist(
            f"an event is one outcome, several, or a test of outcomes, not {event!r}"
        ) from None
    return 0


def weight_of_truth(weights: Mapping[Outcome, int], event: bool) -> int:
    """The weight of yes or no; of numbers that are more than 0 and 1 it is no event."""
    number = next((one for one in weights if type(one) is int and one not in (0, 1)), None)
    if number is not None:
        raise BadDist(
            f"outcomes such as {number!r} are neither true nor false: "
            "write p(lambda total: total >= 7), or (2 * D6 >= 7).p(True)"
        )
    return weights.get(event, 0)


def _is_outcome(weights: Mapping[Outcome, int], event: object) -> bool:
    """Check whether a value that could mean several is itself of an outcome's kind."""
    return any(isinstance(outcome, SEVERAL) for outcome in weights) and isinstance(
        event, (tuple, frozenset, range)
    )


def _weight_of_several(weights: Mapping[Outcome, int], wanted: Collection[object]) -> int:
    """The weight of one of several outcomes; a word that nothing is called is refused."""
    if isinstance(wanted, range):
        return sum([weight for outcome, weight in weights.items() if outcome in wanted])
    found = 0
    for one in dict.fromkeys(wanted):
        known = weights.get(one)
        found += weight_of(weights, one) if known is None else known
    return found


def _weight_of_word(weights: Mapping[Outcome, int], word: str) -> int:
    """The weight of the outcomes that are printed like this; what none can be called is refused."""
    found = sum([weight for outcome, weight in weights.items() if str(outcome) == word])
    known = dict.fromkeys(text for outcome in weights for text in words_beside(outcome))
    if found or word in known:
        return found
    known |= dict.fromkeys(str(outcome) for outcome in weights if type(outcome) is not int)
    if close := likeliest(word, list(known)):
        raise BadDist(f"no outcome is {word!r}; did you mean {close!r}?")
    if words := list(known)[:MOST_WORDS]:
        raise BadDist(f"no outcome is {word!r}; there are {', '.join(words)}")
    raise BadDist(
        f"no outcome is {word!r}: an event is one outcome, or a test of outcomes "
        "such as p(lambda outcome: outcome >= 7); at_least(7) and at_most(7) ask for the same"
    )


def match_text(mark: object, outcomes: tuple[Outcome, ...]) -> Any:
    """The outcome of its own words that a mark is printed like; what is none is refused."""
    if isinstance(mark, str):
        for outcome in outcomes:
            if type(outcome) not in PLAIN and str(outcome) == mark:
                return outcome
    close = likeliest(str(mark), list(map(str, outcomes))) if isinstance(mark, str) else ""
    hint = f"; did you mean {close!r}?" if close else ""
    raise BadDist(
        f"{mark!r} has no place among outcomes such as {_format_outcome(outcomes[0])}{hint}"
    )


def _format_outcome(outcome: Outcome) -> str:
    return repr(outcome) if isinstance(outcome, str) else str(outcome)


def check_truths(weights: Mapping[Outcome, int], sign: str) -> None:
    """Refuse to join what is neither true nor false."""
    other = next((outcome for outcome in weights if type(outcome) is not bool), None)
    if other is not None:
        raise BadDist(
            f"{sign} joins what is true or false, not outcomes such as {_format_outcome(other)}: "
            "write (2 * D6 >= 7) & (D8 >= 5); dice are added with +"
        )


def test_of(test: object) -> Callable[[Outcome], object]:
    """Return a test of outcomes; a plain value is refused with the test to write instead."""
    if callable(test):
        return test
    raise BadDist(
        f"a test is a function of an outcome, not {test!r}: write where(lambda total: total >= 7)"
    )
