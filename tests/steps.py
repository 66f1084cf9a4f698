"""How much is done, by something that is the same on every machine: the calls of functions."""

from __future__ import annotations

import sys
from collections.abc import Callable


def calls_of(do: Callable[[], object]) -> int:
    """How many functions are called and left, of Python's and of C's, while something is done."""
    many = 0

    def count(*_: object) -> None:
        nonlocal many
        many += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(before)
    return many
