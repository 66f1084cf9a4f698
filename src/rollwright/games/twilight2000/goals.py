"""What players want of a roll, in their words; the default is to just succeed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rollwright.games.twilight2000.outcomes import (
    AttackOutcome,
    ClearJamOutcome,
    MagazineOutcome,
    OpposedOutcome,
)
from rollwright.kit import Goal

CHECKS = ("skill", "opposed", "group")


def just_succeed(outcome: Any) -> bool:
    """Whether it worked at all: a success, a hit, a win, a cleared jam, the last round fired."""
    if isinstance(outcome, OpposedOutcome):
        return outcome.winner == "active"
    if isinstance(outcome, ClearJamOutcome):
        return outcome.cleared
    if isinstance(outcome, MagazineOutcome):
        return outcome.emptied
    return bool(outcome.successes > 0)


def price_paid(outcome: Any) -> int:
    """Damage, stress and reliability lost, each as one point."""
    return int(outcome.damage + outcome.stress + outcome.reliability_loss)


def succeed_cheaply(outcome: Any) -> Fraction:
    """A success, less three tenths for every point it costs."""
    return just_succeed(outcome) - Fraction(3, 10) * price_paid(outcome)


def hit_without_a_jam(outcome: AttackOutcome) -> bool:
    """Whether the shot hits and the weapon can fire on."""
    return outcome.hit and not outcome.jammed and not outcome.broken


def unhurt(outcome: Any) -> int:
    """Every point of damage and stress counts against it."""
    return -int(outcome.damage + outcome.stress)


WEIGHS_THE_WEAPON = ("succeed-cheaply", "hit-without-a-jam")
"""The goals of an attack that turn on 1s: reliability lost, jams, breaking."""

GOALS = {
    "just-succeed": Goal("just succeed", just_succeed),
    "two-successes": Goal("get two successes or more", lambda o: o.successes >= 2, CHECKS),
    "three-successes": Goal("get three successes or more", lambda o: o.successes >= 3, CHECKS),
    "most-successes": Goal("get as many successes as possible", lambda o: o.successes, CHECKS),
    "succeed-cheaply": Goal(
        "succeed, but a point of damage, stress or reliability counts 0.3",
        succeed_cheaply,
        (*CHECKS, "attack"),
    ),
    "stay-unhurt": Goal("do not get hurt", unhurt, CHECKS),
    "hit-without-a-jam": Goal("hit without a jam", hit_without_a_jam, ("attack",)),
    "most-damage": Goal("do as much damage as possible", lambda o: o.damage_dealt, ("attack",)),
    "kill": Goal("put as many targets down as possible", lambda o: o.kills, ("attack",)),
    "wound": Goal("cause a critical injury", lambda o: o.crits > 0, ("attack",)),
    "suppress-or-hit": Goal(
        "hit, or at least keep their heads down", lambda o: o.hit or o.can_suppress, ("attack",)
    ),
    "most-attacks": Goal("keep firing as long as possible", lambda o: o.attacks, ("magazine",)),
}
