"""Ids of seats, sheets, rolls and asks: a letter and a running number."""

from __future__ import annotations

from typing import Any


def count_of(name: Any) -> int:
    """The number in an id such as r7; 0 for none."""
    digits = name[1:] if isinstance(name, str) else ""
    return int(digits) if digits.isdecimal() and len(digits) < 10 else 0
