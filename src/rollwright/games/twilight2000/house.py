"""House rules: the readings a table may choose where the book leaves room."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.kit import Shows, Value, field

_FLAK = {"torso": 2, "arms": 2}
_SQUAD = [
    {"name": "A", **_FLAK},
    {"name": "B", **_FLAK},
    {"name": "C", "capacity": 3},
]
_MEDIC = {"attribute": "B", "skill": "C", "skill_name": "medical aid"}
_RIFLE = {"attribute": "B", "skill": "C", "ammo_dice": 3}
_JAMMED = {"attribute": "B", "skill": "C", "tries": 1}


def _two(outcome: Any) -> bool:
    return bool(outcome.successes >= 2)


def _one_or_more(outcome: Any) -> bool:
    return bool(outcome.successes)


class House(Value):
    """How this table reads the book; the defaults are the readings the docs argue for."""

    push_may_reroll_successes: bool = field(
        default=False,
        help="whether a push may also throw dice again that show successes",
        code="D1",
        readings={
            False: "successes stay on the table, like 1s",
            True: "only 1s must stay; the roller may also pick up successes",
        },
        shows=Shows(
            "chance of two successes on a lone D12, pushed as well as can be",
            "skill",
            {"attribute": "A"},
            _two,
            "best:two-successes",
        ),
    )
    push_with_nothing: bool = field(
        default=False,
        help="whether one may push when no die can be thrown again, and pay for it",
        code="D2",
        readings={
            False: "refused: there is nothing to throw again",
            True: "allowed: the 1s on the table are paid for, and nothing else changes",
        },
        shows=Shows(
            "chance to be hurt by pushing a lone D6 whenever one is asked",
            "skill",
            {"attribute": "D", "skill_name": "stamina"},
            lambda outcome: outcome.damage > 0,
            "eager",
        ),
    )
    jam_rule: Literal["together", "one-kind", "ammo"] = field(
        default="together",
        help="which 1s jam a pushed weapon",
        code="D3",
        readings={
            "together": "two or more 1s on base and ammo dice taken together",
            "one-kind": "two or more 1s on base dice, or two or more on ammo dice",
            "ammo": "two or more 1s, at least one of them on an ammo die",
        },
        shows=Shows(
            "chance that a burst of three ammo dice, always pushed, jams",
            "attack",
            _RIFLE,
            lambda outcome: outcome.jammed,
            "always",
        ),
    )
    ammo_plus_one: bool = field(
        default=True,
        help="whether an attack fires one round more than the ammo dice show",
        code="D4",
        readings={
            True: "the sum of the ammo dice and one more",
            False: "the sum of the ammo dice, at least one",
        },
        shows=Shows(
            "rounds fired on average with three ammo dice, never pushed",
            "attack",
            _RIFLE,
            lambda outcome: outcome.rounds_rolled,
            "never",
            "rounds",
        ),
    )
    gear_takes_strain: bool = field(
        default=False,
        help="whether a tool also pays for pushed rolls of INT and EMP",
        code="D8",
        readings={
            False: "a push of the mind costs the roller stress, tool or no tool",
            True: "the tool loses reliability whatever the attribute",
        },
        shows=Shows(
            "stress on average of a medic with a kit who pushes if failed",
            "skill",
            {**_MEDIC, "gear_reliability": 5},
            lambda outcome: outcome.stress,
            "if-failed",
            "stress",
        ),
    )
    successes_buy_hits: bool = field(
        default=False,
        help="whether base successes after the first may be spent like ammo sixes",
        code="D9",
        readings={
            False: "each adds 1 damage to the primary hit",
            True: "each may also buy or raise an additional hit",
        },
        shows=Shows(
            "damage on average to three targets, two in flak, with one ammo die",
            "attack",
            {"attribute": "A", "skill": "B", "ammo_dice": 1, "targets": _SQUAD},
            lambda outcome: outcome.damage_dealt,
            "never",
            "damage",
        ),
    )
    push_jam_clearing: bool = field(
        default=True,
        help="whether the roll to clear a jam may be pushed, at the weapon's cost",
        code="D11",
        readings={
            True: "the weapon is the tool and loses reliability for every 1",
            False: "failed is failed until the next try",
        },
        shows=Shows(
            "chance to clear a jam at the first try, pushing if failed",
            "clear_jam",
            _JAMMED,
            lambda outcome: outcome.cleared,
            "if-failed",
        ),
    )
    keep_partial_magazines: bool = field(
        default=False,
        help="whether a part-used magazine is kept when a full one is put in",
        code="D13",
        readings={
            False: "it is gone: only full magazines are carried",
            True: "it is kept, and used when no full one is left",
        },
        shows=Shows(
            "attacks on average from ten rounds and one spare, reloading below five",
            "magazine",
            {
                "attribute": "B",
                "skill": "C",
                "ammo_dice": 1,
                "rounds": 10,
                "magazine_size": 10,
                "spare_magazines": 1,
                "reload_below": 5,
            },
            lambda outcome: outcome.attacks,
            "never",
            "attacks",
        ),
    )
    hit_suppresses: bool = field(
        default=False,
        help="whether a target that is hit can be suppressed too",
        code="D17",
        readings={
            False: "suppression is noted for a miss with an ammo six; a hit is left open",
            True: "a hit suppresses as well",
        },
        shows=Shows(
            "chance that the target can be suppressed by three ammo dice, never pushed",
            "attack",
            _RIFLE,
            lambda outcome: outcome.can_suppress,
            "never",
        ),
    )
    unskilled_steps: Literal["lower", "added"] = field(
        default="lower",
        help="where the pluses after the first go when there is no skill die",
        code="D18",
        readings={
            "lower": "to the lower die, as always",
            "added": "to the added die, and to the attribute die once that is a D12",
        },
        shows=Shows(
            "chance of a success for an unskilled D6 at +3",
            "skill",
            {"attribute": "D", "modifier": 3},
            _one_or_more,
            "never",
        ),
    )
