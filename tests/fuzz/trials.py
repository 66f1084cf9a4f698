"""What must hold for any line, whatever somebody types."""

from __future__ import annotations

import rollwright as rw
from rollwright import notation
from rollwright.engine.sources import SeededSource
from rollwright.errors import RollwrightError
from rollwright.notation import NotationError
from rollwright.notation.dialects import DIALECTS
from tests.notation.test_errors import check

FEWEST_ENTRIES = 200
"""Rolls with more throws than this are not played again, which takes its time."""


def try_roll(text: str) -> notation.Result | None:
    """Roll a line: it is told, and the engine comes to the same; or it is refused with help."""
    try:
        result = notation.roll(text, source=SeededSource(text))
    except NotationError as problem:
        check(problem, text)
        return None
    assert str(result)
    assert result.to_json()
    told = tuple([one.value for one in result.rolls])
    assert result.value == (told[0] if result.program.is_single else told)
    if len(result.throws) <= FEWEST_ENTRIES:
        quick = rw.roll(text, seed=text)
        played = rw.roll(notation.as_rule(text), seed=text)
        assert (played, str(played)) == (quick, str(quick))
    return result


def try_odds(text: str, result: notation.Result | None) -> None:
    """Count a line: what was rolled can happen, or a bound was reached; or it is refused."""
    try:
        odds = notation.odds(text)
    except NotationError as problem:
        check(problem, text)
        return
    assert result is not None
    assert odds.total >= sum([weight for _, weight in odds.items()]) >= 0
    assert odds.lost or odds.p(result.value) > 0, f"{result.value} has no chance"


def try_dialects(text: str) -> None:
    """Translate a line from every dialect: it can be read then, or it is refused by us."""
    for dialect in DIALECTS:
        try:
            translated = notation.translate(text, dialect)
        except RollwrightError:
            continue
        assert notation.parse(translated.text)


def try_all(text: str) -> None:
    """Everything that can be done with a line."""
    try_odds(text, try_roll(text))
    try_dialects(text)
