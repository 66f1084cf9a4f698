"""The lines of the rulebook in our own words, and a switch where they can be read in two ways."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.kit import Shows, Value, rulebook_of, switch

LINES = rulebook_of("""
R1 When the GM calls for a roll it goes in six steps: trick, Difficulty Level, dice, bonuses,
   outcome, Luck.
R2 guidance: Choose the skill and the trick that fits what you try; where no trick does, the GM may
   let you improvise one.
R3 The trick says where its Difficulty Level comes from, for example a trait of the target, and the
   player should hear it.
R4 Two ten-sided dice are thrown and added.
R5 One ability score is always added, as a rule the skill's own.
R6 The skill bonus, the gear bonus and the aug bonus for the skill are added too.
R7 The sheet keeps the total bonus of every skill ready.
R8 Easy begins at 8, Moderate at 14, Hard at 20, Severe at 26; a result is of the highest level it
   reaches.
R9 A level or more above the Difficulty Level is a Cool Success.
R10 The level of the Difficulty Level itself is a Success.
R11 The level right below is a Fade: it works, with a complication.
R12 Two levels or more below is a Glitch: it fails, with a complication.
R13 Each player has one Luck Point for a session.
R14 Once the outcome is known, Luck can add 2 to the result, or 3 with a favored skill, and the
    outcome is read again.
R15 Or it can turn a Glitch into a Fade.
R16 Only the new outcome counts; what the old one would have brought does not.
R17 A Luck Point is used once and for one of the two.
R18 A roll has one ability score and at most one skill, one gear, one aug and one luck bonus.
R19 Of several bonuses of one kind for a skill only the highest counts.
R20 The GM may have another ability take the place of the skill's own.
R21 Every trick has a chart of what its four outcomes do, conditions such as Confident among them.
""")

_HARD: dict[str, Any] = {"ability": 3, "skill": (2,), "dl": "Hard"}
_NO_LUCK = {"luck_points": 0}


def _cool(outcome: Any) -> bool:
    return bool(outcome.outcome == "Cool Success")


class House(Value):
    """How this table reads the book where it leaves room."""

    below_easy: Literal["level", "failure"] = switch(
        "D1",
        "what a result below 8 is",
        {
            "level": "one more level under Easy: a Fade on Easy, a Glitch on anything higher",
            "failure": "a failure of its own: a Glitch on every Difficulty Level, Easy as well",
        },
        Shows(
            "chance of a Glitch on Easy with a bonus of 0",
            "roll",
            {"ability": 0, "dl": "Easy", **_NO_LUCK},
            "glitches",
        ),
    )
    above_severe: Literal["ladder", "open", "site"] = switch(
        "D2",
        "what lies above Severe, and what it is called",
        {
            "ladder": "the ladder goes on every 6 points (Severe +1 at 32, Severe +2 at 38, …)",
            "open": "26 and more is all Severe, so Severe has no Cool Success",
            "site": "the publisher's site: Extreme at 32, and 38 or more is Impossible",
        },
        Shows(
            "chance of a Cool Success on Severe with a bonus of 15",
            "roll",
            {"ability": 10, "skill": (5,), "dl": "Severe", **_NO_LUCK},
            _cool,
        ),
    )
    double_ten_cool: bool = switch(
        "D4",
        "whether a 10 on both dice is a Cool Success whatever the result (publisher's site)",
        {
            False: "two tens are a 20 like any other",
            True: "two tens are a Cool Success on every Difficulty Level",
        },
        Shows(
            "chance of a Cool Success on Hard with a bonus of 5", "roll", _HARD | _NO_LUCK, _cool
        ),
    )
    luck_carries: bool = switch(
        "D6",
        "whether a Luck Point left over goes on to the next session",
        {
            False: "every session begins with exactly one Luck Point",
            True: "every session adds one Luck Point to what is left",
        },
        Shows(
            "value of three Hard rolls with a bonus of 5 after a session without Luck, played best",
            "session",
            {"rolls": (_HARD,) * 3, "left_over": 1},
            "value",
            "best:value",
            "steps above a Glitch",
        ),
    )
    dl_shown: bool = switch(
        "D11",
        "whether the player is told the Difficulty Level",
        {
            True: "the GM tells it, as the book advises",
            False: "the GM keeps it hidden: what is told names the outcome, not the level needed",
        },
        Shows(
            "chance of a Success or better on Hard with a bonus of 5, Luck spent when it helps",
            "roll",
            _HARD,
            "successes",
            "always",
        ),
    )
    dl_between: Literal["refuse", "level"] = switch(
        "D12",
        "what a Difficulty Level given as a number between two levels, such as 17, means",
        {
            "refuse": "it is refused: only numbers on the ladder are levels",
            "level": "the level the number lies in: 17 is Moderate",
        },
        Shows(
            "chance of a Success or better with a bonus of 5 on Moderate, which a 17 is read as",
            "roll",
            _HARD | _NO_LUCK | {"dl": "Moderate"},
            "successes",
        ),
    )
