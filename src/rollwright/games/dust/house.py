"""House rules: the places where the text can be read in more than one way, one switch each."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.kit import Shows, Value, field

DoublesCount = Literal["roll", "face", "pair"]
MinimumPool = Literal["none", "one", "fail"]
OpposingTie = Literal["nobody", "defender", "reroll"]
OpposingNumbers = Literal["common", "own"]
ExtendedBotch = Literal["nothing", "subtract", "reset", "end"]


def _succeeded(outcome: Any) -> bool:
    return bool(outcome.net >= 1)


def _completed(outcome: Any) -> bool:
    return bool(outcome.net >= 3)


def _earned(outcome: Any) -> int:
    return int(outcome.adrenaline_gained)


def _met(outcome: Any) -> int:
    return int(outcome.met)


def _actor_won(outcome: Any) -> bool:
    return bool(outcome.winner == "actor")


def _defender_won(outcome: Any) -> bool:
    return bool(outcome.winner == "defender")


def _done(outcome: Any) -> bool:
    return bool(outcome.done)


_HARD = {"pool": 4, "difficulty": 9, "need": 2}


class House(Value):
    """How this table reads the rules where the text leaves it open."""

    automatic_success_protected: bool = field(
        default=False,
        help="whether the success bought with Adrenaline is safe from 1s",
        code="D1",
        readings={
            False: "a 1 can take it away like any other success",
            True: "1s take away dice only, so a spender keeps it and never botches",
        },
        shows=Shows(
            "chance to succeed with 4 dice at difficulty 7 and a point spent",
            "roll",
            {"pool": 4, "difficulty": 7, "spend": 1},
            _succeeded,
        ),
    )
    max_adrenaline_per_roll: int = field(
        default=1,
        help="how many points of Adrenaline may be spent on one roll",
        low=1,
        high=10,
        code="D2",
        readings={1: "one point a roll", 10: "as many points as you have"},
        shows=Shows(
            "chance of 2 successes with 4 dice at difficulty 9, spending all that is allowed of 2",
            "plan",
            {"rolls": [_HARD], "adrenaline": 2},
            _met,
            "always",
        ),
    )
    doubles_must_survive: bool = field(
        default=False,
        help="whether doubles count only if the 1s leave both dice on the table",
        code="D3",
        readings={
            False: "doubles are read as rolled, before any 1 takes a die away",
            True: "both dice must stay; the player picks which successes the 1s take",
        },
        shows=Shows("chance that 5 dice earn Adrenaline", "roll", {"pool": 5}, _earned),
    )
    doubles_count: DoublesCount = field(
        default="roll",
        help="how many points several pairs, triples and more are worth",
        code="D4",
        readings={
            "roll": "1 point a roll, however many doubles there are",
            "face": "1 point for each face that shows at least twice",
            "pair": "1 point for each pair, so four of a kind are two",
        },
        shows=Shows(
            "Adrenaline that 8 dice earn on average",
            "roll",
            {"pool": 8},
            _earned,
            unit="points",
        ),
    )
    doubles_on_failure: bool = field(
        default=True,
        help="whether doubles earn Adrenaline although the roll failed or was a botch",
        code="D5",
        readings={
            True: "they do: both dice were successes when they fell",
            False: "they do not: only a roll that succeeds earns",
        },
        shows=Shows("chance that 6 dice earn Adrenaline", "roll", {"pool": 6}, _earned),
    )
    minimum_pool: MinimumPool = field(
        default="none",
        help="what happens when penalties leave no die",
        code="D6",
        readings={
            "none": "no dice are thrown; Adrenaline still gives its success",
            "one": "one die is thrown all the same",
            "fail": "the action fails by itself; nothing is thrown, spent, earned or won",
        },
        shows=Shows(
            "chance to succeed with 2 dice, 3 lost to wounds, and a point spent",
            "roll",
            {"pool": 2, "modifier": -3, "spend": 1},
            _succeeded,
        ),
    )
    opposing_tie: OpposingTie = field(
        default="nobody",
        help="who wins an opposing roll that comes out level",
        code="D7",
        readings={
            "nobody": "it is reported as a tie and the table decides",
            "defender": "the defender holds",
            "reroll": "both throw again until it is settled; only the last throw counts",
        },
        shows=Shows(
            "chance that the defender wins, 5 dice each",
            "opposing",
            {"actor": {"pool": 5}, "defender": {"pool": 5}},
            _defender_won,
        ),
    )
    opposing_floor: bool = field(
        default=False,
        help="whether a botch counts as 0 in an opposing roll",
        code="D8",
        readings={
            False: "a botch counts with its negative number",
            True: "nobody counts less than 0",
        },
        shows=Shows(
            "chance that the actor wins, 3 dice each at difficulty 8",
            "opposing",
            {"actor": {"pool": 3}, "defender": {"pool": 3}, "difficulty": 8},
            _actor_won,
        ),
    )
    extended_botch: ExtendedBotch = field(
        default="nothing",
        help="what a botch does to the successes gathered in an extended roll",
        code="D9",
        readings={
            "nothing": "it adds nothing and is reported",
            "subtract": "its negative number comes off the total, which stops at 0",
            "reset": "the total starts again at 0",
            "end": "the extended roll is over and has failed",
        },
        shows=Shows(
            "chance that 3 dice at difficulty 7 gather 4 successes in 6 turns",
            "extended",
            {"pool": 3, "difficulty": 7, "target": 4, "limit": 6},
            _done,
        ),
    )
    opposing_numbers: OpposingNumbers = field(
        default="common",
        help="whether the sides of an opposing roll may have different difficulties",
        code="D10",
        readings={
            "common": "one number is set for both; a side's own number does not count",
            "own": "each side may have a number of its own",
        },
        shows=Shows(
            "chance that the actor wins, 5 dice each, 6 set but 8 for the defender",
            "opposing",
            {"actor": {"pool": 5}, "defender": {"pool": 5, "difficulty": 8}},
            _actor_won,
        ),
    )
    pool_cap: int | None = field(
        default=10,
        help="the most dice a pool can have; none for no cap",
        low=1,
        high=40,
        code="D14",
        readings={10: "ten dice are the most", None: "every die counts"},
        shows=Shows(
            "chance of a complete success with 6 + 6 dice at difficulty 8",
            "roll",
            {"attribute": 6, "ability": 6, "difficulty": 8},
            _completed,
        ),
    )
    cap_before_modifiers: bool = field(
        default=False,
        help="whether the cap cuts the pool before penalties are taken off",
        code="D14",
        readings={
            False: "the cap limits the final pool: 12 dice less 3 are 9",
            True: "penalties come off the capped pool: 12 dice less 3 are 7",
        },
        shows=Shows(
            "chance of a complete success with 6 + 6 dice, 3 lost to wounds, at difficulty 8",
            "roll",
            {"attribute": 6, "ability": 6, "modifier": -3, "difficulty": 8},
            _completed,
        ),
    )
