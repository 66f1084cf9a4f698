"""House rules: where the text can be read in more than one way, each reading is a switch."""

from __future__ import annotations

from typing import Literal

from rollwright.games.edge20.outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from rollwright.kit import Shows, Value, field


def _succeeds(outcome: CheckOutcome) -> bool:
    return outcome.success


def _fails_badly(outcome: CheckOutcome) -> bool:
    return outcome.tier is Tier.CRITICAL_FAILURE


def _shines(outcome: CheckOutcome) -> bool:
    return outcome.tier is Tier.CRITICAL_SUCCESS


def _mishaps(outcome: CheckOutcome) -> int:
    return outcome.disabled + outcome.harm


def _successes(outcome: TurnOutcome) -> int:
    return outcome.successes


def _works(outcome: RepairOutcome) -> bool:
    return outcome.fixed


_CHECK = {"modifier": 5, "dc": 15}
_FOUR_CHECKS = {"checks": ({"modifier": 15, "dc": 15},) * 4}


class House(Value):
    """The house rules of a table; as they stand, they are the readings we think are meant."""

    natural_is_automatic_critical: bool = field(
        default=False,
        help="What a natural 1 or 20 does.",
        rule="EDGE R36",
        code="D1",
        readings={
            False: "it moves the result one tier down or up",
            True: "it is a critical failure or a critical success outright",
        },
        shows=Shows(
            "chance of a critical success, +0 against DC 25",
            "check",
            {"modifier": 0, "dc": 25},
            _shines,
        ),
    )
    tie: Literal["success", "failure"] = field(
        default="success",
        help="What a total equal to the DC is.",
        rule="EDGE R8",
        code="D2",
        readings={"success": "meeting the DC is enough", "failure": "the DC must be exceeded"},
        shows=Shows("chance of success, +5 against DC 15", "check", _CHECK, _succeeds),
    )
    lost_edge: Literal["subtract", "swap", "smaller"] = field(
        default="subtract",
        help="What it means that a lost edge works in reverse.",
        rule="EDGE R26",
        code="D3",
        readings={
            "subtract": "its die is subtracted and the d20 stays the natural roll",
            "swap": "a die larger than the d20 becomes the natural roll, less the d20",
            "smaller": "its die is subtracted and the smaller of the two is the natural roll",
        },
        shows=Shows(
            "chance of a critical failure with three lost edges, +0 against DC 10",
            "check",
            {"modifier": 0, "dc": 10, "edges": -3},
            _fails_badly,
        ),
    )
    cancelling: Literal["nothing", "majority"] = field(
        default="nothing",
        help="What several advantages come to against fewer disadvantages, or the reverse.",
        rule="EDGE R19",
        code="D5",
        readings={
            "nothing": "one of each is enough to cancel both",
            "majority": "they cancel one for one, and what is left over counts",
        },
        shows=Shows(
            "chance of success with two advantages and a disadvantage, +5 against DC 15",
            "check",
            {**_CHECK, "advantages": 2, "disadvantages": 1},
            _succeeds,
        ),
    )
    max_checks: int | None = field(
        default=None,
        help="The most checks anybody may make in one turn.",
        low=1,
        high=20,
        rule="EDGE R14",
        code="D6",
        readings={None: "no limit but the growing penalty", 3: "no fourth check in a turn"},
        shows=Shows(
            "successes in a turn of four checks, each +15 against DC 15",
            "turn",
            _FOUR_CHECKS,
            _successes,
            unit="successes",
        ),
    )
    turn_penalty_stacks: bool = field(
        default=False,
        help="Whether the -5, -10, -15 for several checks is one of the capped penalties.",
        rule="EDGE R13",
        code="D7",
        readings={
            False: "it stands apart from the other penalties and their cap",
            True: "it is one penalty more in the stack, and may raise the cap",
        },
        shows=Shows(
            "chance of success of a second check with penalties 2, 2 and 2, +10 against DC 15",
            "check",
            {"modifier": 10, "dc": 15, "nth_check": 2, "penalties": (2, 2, 2)},
            _succeeds,
        ),
    )
    bonus_order: Literal["cap first", "cancel first"] = field(
        default="cap first",
        help="Whether bonuses and penalties are capped before or after they cancel.",
        rule="EDGE R31",
        code="D8",
        readings={
            "cap first": "each side is capped, then one is taken from the other",
            "cancel first": "the sums are set off, and what is left is capped",
        },
        shows=Shows(
            "chance of success with bonuses 3, 3, 3 and a penalty of 3, +5 against DC 15",
            "check",
            {**_CHECK, "bonuses": (3, 3, 3), "penalties": (3,)},
            _succeeds,
        ),
    )
    repair_bonus_stacks: bool = field(
        default=False,
        help="Whether the +5 for each further repair attempt is one of the capped bonuses.",
        rule="EDGE R41",
        code="D17",
        readings={
            False: "it grows without a cap",
            True: "each +5 is a bonus in the stack, so that it stops at +10",
        },
        shows=Shows(
            "chance that five attempts are enough, -8 against Tier 8",
            "repair",
            {"modifier": -8, "tier": 8, "limit": 5},
            _works,
        ),
    )
    jam_comes_on_top: bool = field(
        default=False,
        help="Whether a jam is the harm of a critical failure or comes on top of it.",
        rule="EDGE R39",
        code="D18",
        readings={
            False: "the jam is the harm; without a weapon or tool something else happens",
            True: "the jam and another harm both happen",
        },
        shows=Shows(
            "mishaps in an attack, +0 against DC 15",
            "check",
            {"modifier": 0, "dc": 15, "attack": True},
            _mishaps,
            unit="mishaps",
        ),
    )
    one_survives_swap: bool = field(
        default=False,
        help="Whether a 1 on the d20 is a natural 1 although the edge die shows more.",
        rule="EDGE R25",
        code="D19",
        readings={
            False: "the larger edge die takes it away",
            True: "it stays a natural 1",
        },
        shows=Shows(
            "chance of a critical failure with an edge, +5 against DC 12",
            "check",
            {"modifier": 5, "dc": 12, "edges": 1},
            _fails_badly,
        ),
    )
