"""Dice expressions: `4d6kh3+2` written once, then rolled, counted, narrated and stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.notation.errors import NotationError, TooMuchToCount
from rollwright.notation.parser import parse
from rollwright.notation.results import Result, result, roll

if TYPE_CHECKING:
    from rollwright.notation.counter import as_rule as as_rule
    from rollwright.notation.counter import odds as odds
    from rollwright.notation.counter import odds_of_each as odds_of_each
    from rollwright.notation.dialects import Translation as Translation
    from rollwright.notation.dialects import translate as translate
    from rollwright.notation.hints import Hint as Hint
    from rollwright.notation.hints import hints_for as hints_for
    from rollwright.notation.parts import Degree as Degree

_HOMES = {
    "Degree": "parts",
    "Hint": "hints",
    "Translation": "dialects",
    "as_rule": "counter",
    "odds": "counter",
    "odds_of_each": "counter",
    "hints_for": "hints",
    "translate": "dialects",
}

__all__ = [
    "NotationError",
    "Result",
    "TooMuchToCount",
    "parse",
    "result",
    "roll",
    "Degree",
    "Hint",
    "Translation",
    "as_rule",
    "odds",
    "odds_of_each",
    "hints_for",
    "translate",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'rollwright.notation' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"rollwright.notation.{home}"), name)
