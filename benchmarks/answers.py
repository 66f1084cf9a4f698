"""What a workload found, in a form in which libraries can be compared to the last integer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from math import gcd
from typing import Any

Parts = Mapping[Any, Iterable[tuple[Any, int]]]


def reduced(items: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    """Plain outcomes with their weights in lowest terms.

    >>> reduced([(1, 2), (2, 4), (3, 0)])
    {1: 1, 2: 2}
    """
    found = {plain(outcome): weight for outcome, weight in items if weight}
    common = gcd(*found.values())
    return {outcome: found[outcome] // common for outcome in sorted(found)}


def plain(outcome: Any) -> Any:
    """An outcome without its library's own types: whole numbers, fractions, strings, tuples."""
    if isinstance(outcome, bool):
        return int(outcome)
    if hasattr(outcome, "__iter__") and not isinstance(outcome, str):
        return tuple([plain(part) for part in outcome])
    return outcome


def digest(parts: Parts) -> str:
    """A fingerprint of every outcome and every weight of a result."""
    made = sha256()
    for label in sorted(parts):
        made.update(repr(label).encode())
        for outcome, weight in reduced(parts[label]).items():
            made.update(f"{outcome}:{weight:x};".encode())
    return made.hexdigest()
