"""Ids: of tables, which nobody can guess; of seats, sheets, rolls and asks, letter and number."""

from __future__ import annotations

from re import compile as pattern
from typing import Any

TABLE_ID = pattern("[a-z2-7]{12}")


def count_of(name: Any) -> int:
    """The number in an id such as r7; 0 for none."""
    digits = name[1:] if isinstance(name, str) else ""
    return int(digits) if digits.isdecimal() and len(digits) < 10 else 0
