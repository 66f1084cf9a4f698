"""What rolls come to: only what can be counted; faces and reasons are told from the transcript."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from rollwright.games.ghostburn.ladder import Grade, Level


class Check(NamedTuple):
    """What one roll comes to, after Luck."""

    outcome: Grade
    """Glitch, Fade, Success or Cool Success."""
    level: Level
    """The level that the result reaches."""
    result: int
    """The dice and every bonus that counts, the Luck Bonus with them."""
    luck_used: bool
    """Whether a Luck Point was spent."""
    steps: int
    """How many levels the result lies above the Difficulty Level; below it is negative."""
    before: Grade
    """The outcome before Luck altered it."""
    successes: int
    """1 for a Success or a Cool Success, else 0."""
    glitches: int
    """1 for a Glitch, else 0."""


class Score(NamedTuple):
    """What the rolls of a session come to."""

    successes: int = 0
    """How many ended as a Success or a Cool Success."""
    value: Fraction | int = 0
    """The worth of all outcomes, added up."""
    glitches: int = 0
    cools: int = 0
    """How many ended as a Cool Success."""
    luck_used: int = 0
    """How many Luck Points were spent."""
