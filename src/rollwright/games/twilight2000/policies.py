"""Rules of thumb by name, and what players want of a roll, in their words.

A policy says when to push, and what is done about the other choices meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rollwright.engine.odds.count import Situation
from rollwright.errors import UnknownName
from rollwright.kit import Goal, Policy, Request

from .outcomes import ClearJamOutcome, MagazineOutcome, OpposedOutcome
from .rules import PushAbout, WhoAbout

Decide = Callable[[Situation], Any]


def pushes_when(wanted: Callable[[PushAbout], bool]) -> Decide:
    """Push the plain way when `wanted`; spend sixes for damage; let the best suited roll."""

    def decide(situation: Situation) -> Any:
        if situation.by == "shooter":
            return situation.about.usual
        if situation.by in ("group", "helpers"):
            return best_suited(situation)
        push = "push" in situation.options and wanted(situation.about)
        return "push" if push else "keep"

    return decide


def best_suited(situation: Situation) -> Any:
    """Whoever has the best chance rolls; as many help as add to it."""
    about: WhoAbout = situation.about
    chances = [Fraction(weight, total) for _, weight, total in about.chances]
    return situation.options[chances.index(max(chances))]


def pushes_below(need: int) -> Decide:
    """Push with fewer successes than are needed, if a base die can be thrown again."""
    return pushes_when(lambda about: about.successes < need and about.loose > 0)


def any_die(about: PushAbout) -> bool:
    """Whether any die, base or ammo, would be thrown again."""
    return about.loose + about.loose_ammo > 0


def not_ahead(about: PushAbout) -> bool:
    """Whether the other side is not beaten, and there is a base die to try again with."""
    return about.successes <= (about.against or 0) and about.loose > 0


POLICIES = {
    "never": Policy.of("never push", pushes_when(lambda about: False)),
    "always": Policy.of("push whenever a die can be thrown again", pushes_when(any_die)),
    "if-failed": Policy.of("push a failure, if a base die can be thrown again", pushes_below(1)),
    "below": Policy.numbered(
        "push with fewer than N successes",
        pushes_below,
        name="below",
        says="how many successes are enough",
        low=0,
        high=99,
        default="1",
    ),
    "if-not-ahead": Policy.of("push while the other side is not beaten", pushes_when(not_ahead)),
    "eager": Policy.of("push whenever the table allows it, even for nothing", pushes_when(bool)),
}


def deciding(policy: str, request: Request) -> Decide:
    """A rule of thumb by its name, for questions that have no best play to offer."""
    word, _, argument = policy.partition(":")
    if word not in POLICIES:
        raise UnknownName("policy", word, POLICIES)
    decide: Decide = POLICIES[word].make(argument, request)
    return decide


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
    "stay-unhurt": Goal("do not get hurt", lambda o: -(o.damage + o.stress), CHECKS),
    "hit-without-a-jam": Goal(
        "hit without a jam", lambda o: o.hit and not o.jammed and not o.broken, ("attack",)
    ),
    "most-damage": Goal("do as much damage as possible", lambda o: o.damage_dealt, ("attack",)),
    "kill": Goal("put as many targets down as possible", lambda o: o.kills, ("attack",)),
    "wound": Goal("cause a critical injury", lambda o: o.crits > 0, ("attack",)),
    "suppress-or-hit": Goal(
        "hit, or at least keep their heads down", lambda o: o.hit or o.can_suppress, ("attack",)
    ),
    "most-attacks": Goal("keep firing as long as possible", lambda o: o.attacks, ("magazine",)),
}
