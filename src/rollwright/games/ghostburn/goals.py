"""What players want of a roll or of a session, in their words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rollwright.games.ghostburn.ladder import COOL
from rollwright.games.ghostburn.outcomes import Score
from rollwright.kit import Goal


def just_succeed(end: Any) -> int:
    """One for every Success or Cool Success."""
    return int(end.successes)


def no_glitch(end: Any) -> int:
    """Minus one for every Glitch."""
    return -int(end.glitches)


def cool(end: Any) -> int:
    """One for every Cool Success."""
    return end.cools if isinstance(end, Score) else int(end.outcome == COOL)


def value(end: Any) -> Any:
    """One for every step above a Glitch, or the session's own worths."""
    return end.value if isinstance(end, Score) else end.outcome.rank


def save_luck(end: Any) -> Fraction:
    """Successes, where a Luck Point is worth half a success."""
    return Fraction(2 * end.successes - end.luck_used, 2)


GOALS = {
    "just-succeed": Goal("a Success or better", just_succeed),
    "no-glitch": Goal("no Glitch", no_glitch),
    "cool": Goal("a Cool Success", cool),
    "value": Goal("as far up as possible: Glitch 0, Fade 1, Success 2, Cool Success 3", value),
    "save-luck": Goal("a Success, unless Luck is worth more: half a success a point", save_luck),
}
