"""Random plain programs, held against an interpreter that follows every way by itself."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.errors import Misuse
from tests.engine.plain.counting import compiled_odds, compiled_value
from tests.engine.plain.naive import brute_odds, brute_value
from tests.engine.plain.programs import first, program
from tests.gates import thorough

BATCH = 25


def goal(outcome: Any) -> int:
    """A number for any outcome, that tells nearly all of them apart."""
    return sum(ord(sign) * (place + 1) for place, sign in enumerate(repr(outcome))) % 97


def holds(seed: int) -> None:
    """Hold one program against brute force."""
    call, text = program(seed)
    try:
        listed = brute_odds(call, first)
    except Exception as problem:  # the program is wrong, and must be so when it is counted too
        with pytest.raises(type(problem)):
            compiled_odds(call, first)
        return
    expected = {(type(outcome), repr(outcome)): weight for outcome, weight in listed}
    alike = len({outcome for outcome, _ in listed}) < len(expected)
    for merges in (True, False):
        if alike:
            with pytest.raises(Misuse, match="equal to Python"):
                compiled_odds(call, first, merges=merges)
            continue
        found = compiled_odds(call, first, merges=merges)
        assert found == expected, f"seed {seed}, merges {merges}\n{text}"
        assert compiled_odds(call, first, merges=merges, learns=False) == expected
    if len(expected) < 400 and text.count("choose") <= 6:
        best = brute_value(call, goal, against="B")
        for merges in (True, False):
            assert compiled_value(call, goal, "B", merges=merges) == best, f"seed {seed}\n{text}"


@pytest.mark.parametrize("batch", range(8))
def test_random_programs(batch: int) -> None:
    """Odds and best play are those of following every way, with merging on and off."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        holds(seed)


@thorough
@pytest.mark.parametrize("batch", range(8, 120))
def test_many_random_programs(batch: int) -> None:
    """The same for thousands."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        holds(seed)
