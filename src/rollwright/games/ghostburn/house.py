"""House rules: each place where the book can be read in two ways, as a switch."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.kit import Shows, Value, field


def _glitched(outcome: Any) -> int:
    return int(outcome.glitches)


def _succeeded(outcome: Any) -> int:
    return int(outcome.successes)


def _cool(outcome: Any) -> bool:
    return bool(outcome.outcome == "Cool Success")


def _value(outcome: Any) -> Any:
    return outcome.value


_THREE_HARD_ROLLS = tuple({"ability": 3, "skill": (2,), "dl": "Hard"} for _ in range(3))


class House(Value):
    """How this table reads the book where it leaves room."""

    below_easy: Literal["level", "failure"] = field(
        default="level",
        help="what a result below 8 is",
        code="D1",
        readings={
            "level": "one more level under Easy: a Fade on Easy, a Glitch on anything higher",
            "failure": "a failure of its own: a Glitch on every Difficulty Level, Easy as well",
        },
        shows=Shows(
            "chance of a Glitch on Easy with a bonus of 0",
            "roll",
            {"ability": 0, "dl": "Easy", "luck_points": 0},
            _glitched,
        ),
    )
    above_severe: Literal["ladder", "open", "site"] = field(
        default="ladder",
        help="what lies above Severe, and what it is called",
        code="D2",
        readings={
            "ladder": "the ladder goes on every 6 points (Severe +1 at 32, Severe +2 at 38, …)",
            "open": "26 and more is all Severe, so Severe has no Cool Success",
            "site": "the publisher's site: Extreme at 32, and 38 or more is Impossible",
        },
        shows=Shows(
            "chance of a Cool Success on Severe with a bonus of 15",
            "roll",
            {"ability": 10, "skill": (5,), "dl": "Severe", "luck_points": 0},
            _cool,
        ),
    )
    double_ten_cool: bool = field(
        default=False,
        help="whether a 10 on both dice is a Cool Success whatever the result (publisher's site)",
        code="D4",
        readings={
            False: "two tens are a 20 like any other",
            True: "two tens are a Cool Success on every Difficulty Level",
        },
        shows=Shows(
            "chance of a Cool Success on Hard with a bonus of 5",
            "roll",
            {"ability": 3, "skill": (2,), "dl": "Hard", "luck_points": 0},
            _cool,
        ),
    )
    luck_carries: bool = field(
        default=False,
        help="whether a Luck Point left over goes on to the next session",
        code="D6",
        readings={
            False: "every session begins with exactly one Luck Point",
            True: "every session adds one Luck Point to what is left",
        },
        shows=Shows(
            "value of three Hard rolls with a bonus of 5 after a session without Luck, played best",
            "session",
            {"rolls": _THREE_HARD_ROLLS, "left_over": 1},
            _value,
            "best:value",
            "steps above a Glitch",
        ),
    )
    dl_shown: bool = field(
        default=True,
        help="whether the player is told the Difficulty Level",
        code="D11",
        readings={
            True: "the GM tells it, as the book advises",
            False: "the GM keeps it hidden: what is told names the outcome, not the level needed",
        },
        shows=Shows(
            "chance of a Success or better on Hard with a bonus of 5, Luck spent when it helps",
            "roll",
            {"ability": 3, "skill": (2,), "dl": "Hard"},
            _succeeded,
            "always",
        ),
    )
    dl_between: Literal["refuse", "level"] = field(
        default="refuse",
        help="what a Difficulty Level given as a number between two levels, such as 17, means",
        code="D12",
        readings={
            "refuse": "it is refused: only numbers on the ladder are levels",
            "level": "the level the number lies in: 17 is Moderate",
        },
        shows=Shows(
            "chance of a Success or better with a bonus of 5 on Moderate, which a 17 is read as",
            "roll",
            {"ability": 3, "skill": (2,), "dl": "Moderate", "luck_points": 0},
            _succeeded,
        ),
    )
