"""Named ways to spend Luck, and what players want of a roll or of a session, in their words.

Each policy goes by the outcome and by what Luck would make of it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rollwright.errors import BadField
from rollwright.kit import Goal, Policy, Request

from .outcomes import COOL, FADE, SUCCESS, Grade, Score
from .rules import Moment

Chooser = Callable[[Any], str]
FLOORS = {"fade": FADE, "success": SUCCESS, "cool": COOL}


def best_use(moment: Moment) -> str:
    """The use of Luck that gives the best outcome; keep where none gives a better one.

    Where both uses do the same, the one that always works is taken.
    """
    avoided = max(moment.outcome, FADE)
    if moment.with_bonus > avoided:
        return "bonus"
    return "avoid-glitch" if avoided > moment.outcome else "keep"


def spend_below(floor: Grade) -> Chooser:
    """Spend Luck on an outcome below `floor`, as soon as Luck betters it."""

    def decide(situation: Any) -> str:
        moment: Moment = situation.about
        return best_use(moment) if moment.outcome < floor else "keep"

    return decide


def _below(argument: str, request: Request) -> Chooser:
    floor = FLOORS.get(argument.lower())
    if floor is None:
        problem = f"{argument!r} is no outcome to spend Luck below"
        would_do = ", ".join(f"below:{word}" for word in FLOORS)
        raise BadField("policy", problem, rule="GHOST R14", would_do=would_do)
    return spend_below(floor)


POLICIES = {
    "never": Policy.of("keep the Luck Point", lambda situation: "keep"),
    "if-failed": Policy.of("spend it on a Glitch", spend_below(FADE)),
    "always": Policy.of("spend it on the first outcome that it betters", spend_below(COOL)),
    "below": Policy(
        "spend it on the first outcome below this one that it betters", _below, "OUTCOME"
    ),
}


def cool(end: Any) -> int:
    """One for every Cool Success."""
    return end.cools if isinstance(end, Score) else int(end.outcome == COOL)


def value(end: Any) -> Any:
    """One for every step above a Glitch, or the session's own worths."""
    return end.value if isinstance(end, Score) else end.outcome.rank


GOALS = {
    "just-succeed": Goal("a Success or better", lambda end: end.successes),
    "no-glitch": Goal("no Glitch", lambda end: -end.glitches),
    "cool": Goal("a Cool Success", cool),
    "value": Goal("as far up as possible: Glitch 0, Fade 1, Success 2, Cool Success 3", value),
    "save-luck": Goal(
        "a Success, unless Luck is worth more: half a success a point",
        lambda end: Fraction(2 * end.successes - end.luck_used, 2),
    ),
}
