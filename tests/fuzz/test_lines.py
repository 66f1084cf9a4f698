"""Random lines under fixed seeds; `./dev fuzz` tries others for as long as one likes."""

from __future__ import annotations

import pytest

from tests.fuzz.lines import KINDS, line_of
from tests.fuzz.trials import try_all

AT_ONCE = 20


@pytest.mark.parametrize("first", range(0, 100, AT_ONCE))
@pytest.mark.parametrize("kind", KINDS)
def test_random_lines_are_answered_or_refused(kind: str, first: int) -> None:
    """Each is rolled, told, played again, counted and translated, or refused with help."""
    for seed in range(first, first + AT_ONCE):
        try_all(line_of(kind, seed))


def test_a_seed_settles_its_line() -> None:
    """So what `./dev fuzz` names can be tried again, and different seeds make different lines."""
    lines = {line_of("sound", seed) for seed in range(20)}
    assert lines == {line_of("sound", seed) for seed in range(20)}
    assert len(lines) > 10
