"""The house rules: one switch for each place where the book can be read in more than one way."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.kit import Shows, Value, field

_PAIR: dict[str, Any] = {
    "members": ({"name": "Alice", "modifier": 3}, {"name": "Carol", "modifier": 0}),
    "goal": 7,
}
_HINDERED: dict[str, Any] = {
    "members": (
        {"name": "Alice", "modifier": 3},
        {"name": "Carol", "modifier": 0, "disadvantages": 1},
    ),
    "goal": 7,
}
_FOUR: dict[str, Any] = {
    "members": tuple(
        {"name": name, "modifier": modifier}
        for name, modifier in (("Alice", 0), ("Bob", 2), ("Carol", 0), ("David", 1))
    ),
    "goal": 7,
}


def _reached(outcome: Any) -> bool:
    return bool(outcome.reached)


def _first_wins(outcome: Any) -> bool:
    return bool(outcome.winner == "first")


def _is_zero(outcome: Any) -> bool:
    return bool(outcome.critical == "0!")


def _is_high_in_effect(outcome: Any) -> bool:
    return "[10..]" in outcome.ranges


class House(Value):
    """How this table reads the places where the book is silent or says two things."""

    group_help: Literal["extra_die", "plus_one"] = field(
        default="extra_die",
        help="what an Advantage given in a Group Test does",
        rule="KLEP R32",
        code="D1",
        readings={
            "extra_die": "one more d10 is rolled and the highest counts, as for any Advantage",
            "plus_one": "the Score rises by 1 and nothing is rolled, as in the book's example",
        },
        shows=Shows("chance that a pair (+3, +0) passes", "group", _PAIR, _reached, "best"),
    )
    late_advantage: Literal["cancel", "add_die"] = field(
        default="cancel",
        help="what a given Advantage does for a player who rolled with Disadvantage",
        rule="KLEP R16",
        code="D2",
        readings={
            "cancel": "it cancels a Disadvantage: the last Disadvantage die rolled is taken away",
            "add_die": "it adds a d10, and the better of that and the kept die counts",
        },
        shows=Shows(
            "chance that a pair (+3, +0 with a Disadvantage) passes",
            "group",
            _HINDERED,
            _reached,
            "best",
        ),
    )
    group_chain: bool = field(
        default=False,
        help="whether a player who was rescued may help in turn",
        rule="KLEP R26",
        code="D3",
        readings={
            False: "only the Score of the first roll gives Advantages away",
            True: "a Score that help has raised gives Advantages away too",
        },
        shows=Shows("chance that four (0, +2, 0, +1) pass", "group", _FOUR, _reached, "best"),
    )
    group_looking: Literal["one_by_one", "at_once"] = field(
        default="one_by_one",
        help="whether the helpers see each given die before the next Advantage is given",
        rule="KLEP R30",
        code="D4",
        readings={
            "one_by_one": "each Advantage is rolled before the next is given",
            "at_once": "all Advantages are given first, then all their dice are rolled",
        },
        shows=Shows("chance that four (0, +2, 0, +1) pass", "group", _FOUR, _reached, "best"),
    )
    critical_value: Literal["beyond", "with_modifier"] = field(
        default="beyond",
        help="what 0! and 10! count when Scores are compared in Contests and Group Tests",
        rule="KLEP R12",
        code="D5",
        readings={
            "beyond": "below and above every number, whatever the Modifier",
            "with_modifier": "0 and 10 plus the Modifier",
        },
        shows=Shows(
            "chance that +6 wins a Contest against +0",
            "contest",
            {"first": {"modifier": 6}, "second": {"modifier": 0}},
            _first_wins,
        ),
    )
    coins: Literal["each", "one"] = field(
        default="each",
        help="how many coins are flipped when several dice of a throw show a 10",
        rule="KLEP R18",
        code="D6",
        readings={
            "each": "one for every 10",
            "one": "one for all 10s thrown together",
        },
        shows=Shows("chance of a 0! with one Disadvantage", "test", {"disadvantages": 1}, _is_zero),
    )
    group_zero: Literal["critical", "low"] = field(
        default="critical",
        help="what it means that the group's lowest Score is a 0!",
        rule="KLEP R31",
        code="D7",
        readings={
            "critical": "a Critical Failure for all",
            "low": "a Low Score and no more",
        },
        shows=Shows(
            "chance that an unaided pair has a Critical Failure",
            "group",
            {**_PAIR, "read": "bands"},
            _is_zero,
            "never",
        ),
    )
    critical_ranges: Literal["both", "critical_only"] = field(
        default="both",
        help="whether 10! also counts for [10..] and 0! for [..6] where both kinds are listed",
        rule="KLEP R23",
        code="D13",
        readings={
            "both": "every range that holds the Score takes effect",
            "critical_only": "where a critical range holds it, that one alone takes effect",
        },
        shows=Shows(
            "chance that [10..] takes effect beside [10!] at +2",
            "test",
            {"modifier": 2, "ranges": ("[10..]", "[10!]")},
            _is_high_in_effect,
        ),
    )
