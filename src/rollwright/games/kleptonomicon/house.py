"""The lines of the rules in our own words, and a switch where they can be read in several ways."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.kit import Shows, Value, rulebook_of, switch

LINES = rulebook_of("""
R1 A Test is a d10 plus a Modifier; what comes out is the Score.
R2 guidance: Which Modifier to use is up to the referee or the Ability that calls for the Test; a
   Sneaking Score is a Test with the Sneaking Modifier.
R3 A Score is always the end value, when everything has been applied.
R4 A Modifier is a fixed number that is added or taken away.
R5 Dice shorthand before a Modifier, as in 2d12 +3, says which dice to sum.
R6 A named Modifier on the sheet that has no shorthand goes with a d10.
R7 guidance: Asked for your Score, name the end value and not the die.
R8 A 10 on a d10, which many dice print as 0, is a Critical Roll.
R9 A coin decides whether a Critical Roll is a success (10!) or a failure (0!).
R10 Without a coin the die is rolled again: odd is a failure, even a success.
R11 A d10ish, with 1 to 9 twice and one 0 and one 10 on twenty sides, needs no coin.
R12 10! is the best Score there is and 0! the worst, whatever the Modifier, and a good or a bad side
    effect is due.
R13 Advantages and Disadvantages stay, however often used, till their cause ends.
R14 Each Advantage adds a d10, and the highest die counts.
R15 Each Disadvantage adds a d10, and the lowest die counts.
R16 One Advantage and one Disadvantage cancel each other.
R17 Of what is left after cancelling, three count, so a Test has at most four dice.
R18 Each 10 becomes a 0! or a 10! before the highest or lowest die is picked.
R19 So Advantage can be rid of a 0!, and Disadvantage can lose a 10!.
R20 Ranges include their ends: [..6] is Low, [7..9] is Mixed, [10..] is High.
R21 Where only pass or fail is asked, [7..] passes and [..6] fails.
R22 A Test may have ranges of its own, written in the same brackets.
R23 [0!] and [10!] are for a Critical Failure and a Critical Success.
R24 In a Group Test every player involved makes a Test of their own.
R25 The lowest Score at the end is the Score of the group.
R26 A player with 7 to 9 can give one Advantage to somebody's Test before the end.
R27 A player with 10 or more can give two, to one player or to two.
R28 Nobody has to give.
R29 Nobody can give to themselves.
R30 First all roll, then help is given, then the lowest Score is read.
R31 The group's Score is read against the ranges like any other.
R32 What an Advantage does that comes after the roll is for the table to say.
R33 In a Contest two sides make a Test each, and the higher Score wins.
R34 A coin toss breaks a tie.
R35 [Win] is for the winner of a Contest, by Score or by toss, [Lose] for the loser.
R36 Every range of a Test that holds the Score takes effect; it may be none.
""")


_NAMES = ("Alice", "Bob", "Carol", "David")


def _group(*modifiers: int, **last: int) -> dict[str, Any]:
    members = [{"name": name, "modifier": more} for name, more in zip(_NAMES, modifiers)]
    return {"members": (*members[:-1], members[-1] | last), "goal": 7}


def _is_zero(outcome: Any) -> bool:
    return bool(outcome.critical == "0!")


class House(Value):
    """How this table reads the places where the book is silent or says two things."""

    group_help: Literal["extra_die", "plus_one"] = switch(
        "D1",
        "what an Advantage given in a Group Test does",
        {
            "extra_die": "one more d10 is rolled and the highest counts, as for any Advantage",
            "plus_one": "the Score rises by 1 and nothing is rolled, as in the book's example",
        },
        Shows("chance that a pair (+3, +0) passes", "group", _group(3, 0), "reached", "best"),
        rule="KLEP R32",
    )
    late_advantage: Literal["cancel", "add_die"] = switch(
        "D2",
        "what a given Advantage does for a player who rolled with Disadvantage",
        {
            "cancel": "it cancels a Disadvantage: the last Disadvantage die rolled is taken away",
            "add_die": "it adds a d10, and the better of that and the kept die counts",
        },
        Shows(
            "chance that a pair (+3, +0 with a Disadvantage) passes",
            "group",
            _group(3, 0, disadvantages=1),
            "reached",
            "best",
        ),
        rule="KLEP R16",
    )
    group_chain: bool = switch(
        "D3",
        "whether a player who was rescued may help in turn",
        {
            False: "only the Score of the first roll gives Advantages away",
            True: "a Score that help has raised gives Advantages away too",
        },
        Shows(
            "chance that four (0, +2, 0, +1) pass", "group", _group(0, 2, 0, 1), "reached", "best"
        ),
        rule="KLEP R26",
    )
    group_looking: Literal["one_by_one", "at_once"] = switch(
        "D4",
        "whether the helpers see each given die before the next Advantage is given",
        {
            "one_by_one": "each Advantage is rolled before the next is given",
            "at_once": "all Advantages are given first, then all their dice are rolled",
        },
        Shows(
            "chance that four (0, +2, 0, +1) pass", "group", _group(0, 2, 0, 1), "reached", "best"
        ),
        rule="KLEP R30",
    )
    critical_value: Literal["beyond", "with_modifier"] = switch(
        "D5",
        "what 0! and 10! count when Scores are compared in Contests and Group Tests",
        {
            "beyond": "below and above every number, whatever the Modifier",
            "with_modifier": "0 and 10 plus the Modifier",
        },
        Shows(
            "chance that +6 wins a Contest against +0",
            "contest",
            {"first": {"modifier": 6}, "second": {"modifier": 0}},
            lambda outcome: outcome.winner == "first",
        ),
        rule="KLEP R12",
    )
    coins: Literal["each", "one"] = switch(
        "D6",
        "how many coins are flipped when several dice of a throw show a 10",
        {"each": "one for every 10", "one": "one for all 10s thrown together"},
        Shows("chance of a 0! with one Disadvantage", "test", {"disadvantages": 1}, _is_zero),
        rule="KLEP R18",
    )
    group_zero: Literal["critical", "low"] = switch(
        "D7",
        "what it means that the group's lowest Score is a 0!",
        {"critical": "a Critical Failure for all", "low": "a Low Score and no more"},
        Shows(
            "chance that an unaided pair has a Critical Failure",
            "group",
            _group(3, 0) | {"read": "bands"},
            _is_zero,
            "never",
        ),
        rule="KLEP R31",
    )
    critical_ranges: Literal["both", "critical_only"] = switch(
        "D13",
        "whether 10! also counts for [10..] and 0! for [..6] where both kinds are listed",
        {
            "both": "every range that holds the Score takes effect",
            "critical_only": "where a critical range holds it, that one alone takes effect",
        },
        Shows(
            "chance that [10..] takes effect beside [10!] at +2",
            "test",
            {"modifier": 2, "ranges": ("[10..]", "[10!]")},
            lambda outcome: "[10..]" in outcome.ranges,
        ),
        rule="KLEP R23",
    )
