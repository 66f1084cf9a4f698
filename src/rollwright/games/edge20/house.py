"""The lines of the rules in our own words, and a switch where they can be read in several ways."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.kit import Shows, Value, rulebook_of, switch

LINES = rulebook_of("""
R1 guidance: Just play it out; dice come in when the GM calls for them, when you mean to hurt or
   influence somebody or something that matters, to get past, into or out of something, or to win
   knowledge, goods or sway.
R2 guidance: Pick for each action something that can be done within one round.
R3 guidance: Pick a target that your action can reach.
R4 Pick the skill that fits and roll a d20 plus its modifier plus whatever bonuses and penalties
   hold for now.
R5 Dice for damage or healing are rolled along with the check, if there are any.
R6 guidance: Say what you try without taking its result for granted.
R7 guidance: The GM names the bonuses and penalties and says what comes of it.
R8 A success has the effect you wanted.
R9 A failure wastes the action.
R10 Beating the DC by 10 or more is a critical success: what you wanted and a helpful extra.
R11 Missing the DC by 10 or more is a critical failure: the action is wasted, the turn is over, and
    something harmful happens.
R12 Every action of a turn is a check of its own, made in the same way.
R13 The second check of a turn is at -5, the third at -10, the fourth at -15, and so on.
R14 A plan of four checks is said to be too much for one round.
R15 A critical failure takes away the actions that were still to come.
R16 With advantage a second d20 is rolled and the higher one counts.
R17 With disadvantage a second d20 is rolled and the lower one counts.
R18 Several advantages are one advantage, several disadvantages one disadvantage.
R19 Advantage and disadvantage take each other away.
R20 A re-roll of the d20 under advantage or disadvantage is of one die only; you say which.
R21 An edge adds a d4 to the d20.
R22 Each further edge makes that die a size larger: d4, d6, d8, d10, at most d12.
R23 The same thing gives at most one edge.
R24 An edge die that shows more than the d20 is the natural roll, and the d20 its bonus.
R25 Which die is the natural one leaves the total alone: a natural 1 takes a 1 on both, a natural 20
    is always the d20.
R26 A lost edge works the other way round: its die is subtracted.
R27 Gained and lost edges take each other away, one for one.
R28 The d12 is the largest die for lost edges as well.
R29 An edge on a DC is half its die as a number: 2, 3, 4, 5 or 6 up for gained, down for lost.
R30 Bonuses and penalties are for d20 rolls or for damage rolls.
R31 Bonuses and penalties are set off against each other.
R32 Bonuses come to at most twice the largest of them.
R33 Penalties come to at most twice the largest of them.
R34 So +1, +1, +1, +2, +2 and +3 are not +10 but +6.
R35 Ten over or ten under the DC is what makes a result critical.
R36 A natural 1 makes the result one tier worse; nothing is below critical failure.
R37 A natural 20 makes the result one tier better; nothing is above critical success.
R38 A critical success takes damage or healing dice at their highest; an attack also does its
    critical effect to the main target.
R39 A critical failure puts the weapon or tool in use out of action.
R40 Getting it to work again takes a check against DC 10 + Tier.
R41 Each attempt on the same thing after the first has +5 more; a later jam starts anew.
""")

_CHECK = {"modifier": 5, "dc": 15}


def _flops(outcome: Any) -> bool:
    return bool(outcome.tier == "critical failure")


class House(Value):
    """The house rules of a table; their defaults are the readings we think are meant."""

    natural_is_automatic_critical: bool = switch(
        "D1",
        "What a natural 1 or 20 does.",
        {
            False: "it moves the result one tier down or up",
            True: "it is a critical failure or a critical success outright",
        },
        Shows(
            "chance of a critical success, +0 against DC 25",
            "check",
            {"modifier": 0, "dc": 25},
            lambda outcome: outcome.tier == "critical success",
        ),
        rule="EDGE R36",
    )
    tie: Literal["success", "failure"] = switch(
        "D2",
        "What a total equal to the DC is.",
        {"success": "meeting the DC is enough", "failure": "the DC must be exceeded"},
        Shows("chance of success, +5 against DC 15", "check", _CHECK, "success"),
        rule="EDGE R8",
    )
    lost_edge: Literal["subtract", "swap", "smaller"] = switch(
        "D3",
        "What it means that a lost edge works in reverse.",
        {
            "subtract": "its die is subtracted and the d20 stays the natural roll",
            "swap": "a die larger than the d20 becomes the natural roll, less the d20",
            "smaller": "its die is subtracted and the smaller of the two is the natural roll",
        },
        Shows(
            "chance of a critical failure with three lost edges, +0 against DC 10",
            "check",
            {"modifier": 0, "dc": 10, "edges": -3},
            _flops,
        ),
        rule="EDGE R26",
    )
    cancelling: Literal["nothing", "majority"] = switch(
        "D5",
        "What several advantages come to against fewer disadvantages, or the reverse.",
        {
            "nothing": "one of each is enough to cancel both",
            "majority": "they cancel one for one, and what is left over counts",
        },
        Shows(
            "chance of success with two advantages and a disadvantage, +5 against DC 15",
            "check",
            {**_CHECK, "advantages": 2, "disadvantages": 1},
            "success",
        ),
        rule="EDGE R19",
    )
    max_checks: int | None = switch(
        "D6",
        "The most checks anybody may make in one turn.",
        {None: "no limit but the growing penalty", 3: "no fourth check in a turn"},
        Shows(
            "successes in a turn of four checks, each +15 against DC 15",
            "turn",
            {"checks": ({"modifier": 15, "dc": 15},) * 4},
            "successes",
            unit="successes",
        ),
        rule="EDGE R14",
        low=1,
        high=20,
    )
    turn_penalty_stacks: bool = switch(
        "D7",
        "Whether the -5, -10, -15 for several checks is one of the capped penalties.",
        {
            False: "it stands apart from the other penalties and their cap",
            True: "it is one penalty more in the stack, and may raise the cap",
        },
        Shows(
            "chance of success of a second check with penalties 2, 2 and 2, +10 against DC 15",
            "check",
            {"modifier": 10, "dc": 15, "nth_check": 2, "penalties": (2, 2, 2)},
            "success",
        ),
        rule="EDGE R13",
    )
    bonus_order: Literal["cap first", "cancel first"] = switch(
        "D8",
        "Whether bonuses and penalties are capped before or after they cancel.",
        {
            "cap first": "each side is capped, then one is taken from the other",
            "cancel first": "the sums are set off, and what is left is capped",
        },
        Shows(
            "chance of success with bonuses 3, 3, 3 and a penalty of 3, +5 against DC 15",
            "check",
            {**_CHECK, "bonuses": (3, 3, 3), "penalties": (3,)},
            "success",
        ),
        rule="EDGE R31",
    )
    repair_bonus_stacks: bool = switch(
        "D17",
        "Whether the +5 for each further repair attempt is one of the capped bonuses.",
        {
            False: "it grows without a cap",
            True: "each +5 is a bonus in the stack, so that it stops at +10",
        },
        Shows(
            "chance that five attempts are enough, -8 against Tier 8",
            "repair",
            {"modifier": -8, "tier": 8, "limit": 5},
            "fixed",
        ),
        rule="EDGE R41",
    )
    jam_comes_on_top: bool = switch(
        "D18",
        "Whether a jam is the harm of a critical failure or comes on top of it.",
        {
            False: "the jam is the harm; without a weapon or tool something else happens",
            True: "the jam and another harm both happen",
        },
        Shows(
            "mishaps in an attack, +0 against DC 15",
            "check",
            {"modifier": 0, "dc": 15, "attack": True},
            lambda outcome: outcome.disabled + outcome.harm,
            unit="mishaps",
        ),
        rule="EDGE R39",
    )
    one_survives_swap: bool = switch(
        "D19",
        "Whether a 1 on the d20 is a natural 1 although the edge die shows more.",
        {False: "the larger edge die takes it away", True: "it stays a natural 1"},
        Shows(
            "chance of a critical failure with an edge, +5 against DC 12",
            "check",
            {"modifier": 5, "dc": 12, "edges": 1},
            _flops,
        ),
        rule="EDGE R25",
    )
