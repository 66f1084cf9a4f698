"""The book: its lines in our own words, and a switch wherever they can be read in several ways.

Tests cite the lines as `DUST R9`.
"""

from __future__ import annotations

from typing import Literal

from rollwright.kit import Shows, Value, rulebook_of, switch

BOTCH = "something goes wrong as well: gear, health or friends may suffer, the referee says how"
ELSEWHERE = "the game's own chapter on Adrenaline may add to this; only the basics are known here"

LINES = rulebook_of(
    f"""
    R1 Every die is a ten-sider, and each one is read by itself; nothing is summed.
    R2 The pool is an attribute plus an ability, or now and then one stat alone.
    R3 Wounds, special traits and circumstances add dice to the pool or take some away.
    R4 A pool has at most ten dice as a rule.
    R5 A roll has a difficulty from 2 to 10, 6 unless said; damage is always rolled at 6.
    R6 A die that reaches the difficulty is one success.
    R7 A die that falls short without being a 1 counts for nothing.
    R8 Every 1 leaves the roll and takes one success with it.
    R9 With more 1s than successes the roll is a botch, reported as a negative number.
    R10 If exactly nothing is left, the roll has failed, but it is no botch.
    R11 One success left is barely enough, three are complete, five are overwhelming.
    R12 After a failure the action has simply not worked.
    R13 guidance: After a botch the action has failed, and {BOTCH}.
    R14 A standard roll is settled by one throw: an attack, its damage, a jump.
    R15 An extended roll gathers successes over several turns: a lock, rubble, research.
    R16 In an opposing roll both sides meet one number; the margin measures the effect.
    R17 Two successes with the same face are doubles: you may add 1 Adrenaline.
    R18 Adrenaline never rises above 10.
    R19 A point of Adrenaline spent on a roll is one success without a die.
    R20 Spending is declared before the dice are thrown.
    R21 guidance: About Adrenaline: {ELSEWHERE}.
    """
)

ExtendedBotch = Literal["nothing", "subtract", "reset", "end"]
_HARD = {"pool": 4, "difficulty": 9, "need": 2}


class House(Value):
    """How this table reads the rules where the text leaves it open."""

    automatic_success_protected: bool = switch(
        "D1",
        "whether the success bought with Adrenaline is safe from 1s",
        {
            False: "a 1 can take it away like any other success",
            True: "1s take away dice only, so a spender keeps it and never botches",
        },
        Shows(
            "chance to succeed with 4 dice at difficulty 7 and a point spent",
            "roll",
            {"pool": 4, "difficulty": 7, "spend": 1},
            lambda rolled: rolled.net >= 1,
        ),
    )
    max_adrenaline_per_roll: int = switch(
        "D2",
        "how many points of Adrenaline may be spent on one roll",
        {1: "one point a roll", 10: "as many points as you have"},
        Shows(
            "chance of 2 successes with 4 dice at difficulty 9, spending all that is allowed of 2",
            "plan",
            {"rolls": [_HARD], "adrenaline": 2},
            "met",
            "always",
        ),
        low=1,
        high=10,
    )
    doubles_must_survive: bool = switch(
        "D3",
        "whether doubles count only if the 1s leave both dice on the table",
        {
            False: "doubles are read as rolled, before any 1 takes a die away",
            True: "both dice must stay; the player picks which successes the 1s take",
        },
        Shows("chance that 5 dice earn Adrenaline", "roll", {"pool": 5}, "adrenaline_gained"),
    )
    doubles_count: Literal["roll", "face", "pair"] = switch(
        "D4",
        "how many points several pairs, triples and more are worth",
        {
            "roll": "1 point a roll, however many doubles there are",
            "face": "1 point for each face that shows at least twice",
            "pair": "1 point for each pair, so four of a kind are two",
        },
        Shows(
            "Adrenaline that 8 dice earn on average",
            "roll",
            {"pool": 8},
            "adrenaline_gained",
            unit="points",
        ),
    )
    doubles_on_failure: bool = switch(
        "D5",
        "whether doubles earn Adrenaline although the roll failed or was a botch",
        {
            True: "they do: both dice were successes when they fell",
            False: "they do not: only a roll that succeeds earns",
        },
        Shows("chance that 6 dice earn Adrenaline", "roll", {"pool": 6}, "adrenaline_gained"),
    )
    minimum_pool: Literal["none", "one", "fail"] = switch(
        "D6",
        "what happens when penalties leave no die",
        {
            "none": "no dice are thrown; Adrenaline still gives its success",
            "one": "one die is thrown all the same",
            "fail": "the action fails by itself; nothing is thrown, spent, earned or won",
        },
        Shows(
            "chance to succeed with 2 dice, 3 lost to wounds, and a point spent",
            "roll",
            {"pool": 2, "modifier": -3, "spend": 1},
            lambda rolled: rolled.net >= 1,
        ),
    )
    opposing_tie: Literal["nobody", "defender", "reroll"] = switch(
        "D7",
        "who wins an opposing roll that comes out level",
        {
            "nobody": "it is reported as a tie and the table decides",
            "defender": "the defender holds",
            "reroll": "both throw again until it is settled; only the last throw counts",
        },
        Shows(
            "chance that the defender wins, 5 dice each",
            "opposing",
            {"actor": {"pool": 5}, "defender": {"pool": 5}},
            lambda opposed: opposed.winner == "defender",
        ),
    )
    opposing_floor: bool = switch(
        "D8",
        "whether a botch counts as 0 in an opposing roll",
        {
            False: "a botch counts with its negative number",
            True: "nobody counts less than 0",
        },
        Shows(
            "chance that the actor wins, 3 dice each at difficulty 8",
            "opposing",
            {"actor": {"pool": 3}, "defender": {"pool": 3}, "difficulty": 8},
            lambda opposed: opposed.winner == "actor",
        ),
    )
    extended_botch: ExtendedBotch = switch(
        "D9",
        "what a botch does to the successes gathered in an extended roll",
        {
            "nothing": "it adds nothing and is reported",
            "subtract": "its negative number comes off the total, which stops at 0",
            "reset": "the total starts again at 0",
            "end": "the extended roll is over and has failed",
        },
        Shows(
            "chance that 3 dice at difficulty 7 gather 4 successes in 6 turns",
            "extended",
            {"pool": 3, "difficulty": 7, "target": 4, "limit": 6},
            "done",
        ),
    )
    opposing_numbers: Literal["common", "own"] = switch(
        "D10",
        "whether the sides of an opposing roll may have different difficulties",
        {
            "common": "one number is set for both; a side's own number does not count",
            "own": "each side may have a number of its own",
        },
        Shows(
            "chance that the actor wins, 5 dice each, 6 set but 8 for the defender",
            "opposing",
            {"actor": {"pool": 5}, "defender": {"pool": 5, "difficulty": 8}},
            lambda opposed: opposed.winner == "actor",
        ),
    )
    pool_cap: int | None = switch(
        "D14",
        "the most dice a pool can have; none for no cap",
        {10: "ten dice are the most", None: "every die counts"},
        Shows(
            "chance of a complete success with 6 + 6 dice at difficulty 8",
            "roll",
            {"attribute": 6, "ability": 6, "difficulty": 8},
            lambda rolled: rolled.net >= 3,
        ),
        low=1,
        high=40,
    )
    cap_before_modifiers: bool = switch(
        "D14",
        "whether the cap cuts the pool before penalties are taken off",
        {
            False: "the cap limits the final pool: 12 dice less 3 are 9",
            True: "penalties come off the capped pool: 12 dice less 3 are 7",
        },
        Shows(
            "chance of a complete success with 6 + 6 dice, 3 lost to wounds, at difficulty 8",
            "roll",
            {"attribute": 6, "ability": 6, "modifier": -3, "difficulty": 8},
            lambda rolled: rolled.net >= 3,
        ),
    )
