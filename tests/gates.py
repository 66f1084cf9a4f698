"""Two gates: what is run every time, and what only `./dev test --all` runs.

`./dev test` proves every promise once. What repeats one for another game, size, language, database
or proxy, or for longer, is `thorough`: it is marked, or it is a parameter after the first.
CONTRIBUTING.md lists what only the second gate has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

thorough = pytest.mark.thorough


def first(values: Iterable[Any], many: int = 1) -> list[Any]:
    """Parameters of which the first stand for all; the others are thorough."""
    found = list(values)
    return [*found[:many], *(pytest.param(value, marks=thorough) for value in found[many:])]


def first_row(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """The same where each parameter is a row of several."""
    found = list(rows)
    return [found[0], *(pytest.param(*row, marks=thorough) for row in found[1:])]


def but(values: Iterable[Any], *chosen: Any) -> list[Any]:
    """Parameters of which those chosen stand for all; the others are thorough."""
    return [one if one in chosen else pytest.param(one, marks=thorough) for one in values]
