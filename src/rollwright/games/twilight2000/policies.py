"""Rules of thumb by name: when to push, and what is done about the other choices meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rollwright.count import Situation
from rollwright.errors import BadField, UnknownName
from rollwright.games.twilight2000.rules import PushAbout, WhoAbout
from rollwright.kit import Policy, Request

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


def any_die(about: PushAbout) -> bool:
    """Whether any die, base or ammo, would be thrown again."""
    return about.loose + about.loose_ammo > 0


def failed(about: PushAbout) -> bool:
    """Whether there is no base success, and a base die to try again with."""
    return not about.successes and about.loose > 0


def not_ahead(about: PushAbout) -> bool:
    """Whether the other side is not beaten, and there is a base die to try again with."""
    return about.successes <= (about.against or 0) and about.loose > 0


def below(argument: str, request: Request) -> Decide:
    """Push with fewer successes than the number given."""
    try:
        need = int(argument or "1")
    except ValueError:
        raise BadField(
            "policy", f"{argument!r} is not a number of successes", would_do="below:2"
        ) from None
    return pushes_when(lambda about: about.successes < need and about.loose > 0)


def _simple(wanted: Callable[[PushAbout], bool]) -> Callable[[str, Request], Decide]:
    return lambda argument, request: pushes_when(wanted)


POLICIES = {
    "never": Policy("never push", _simple(lambda about: False)),
    "always": Policy("push whenever a die can be thrown again", _simple(any_die)),
    "if-failed": Policy("push a failure, if a base die can be thrown again", _simple(failed)),
    "below": Policy("push with fewer than N successes", below, argument="N"),
    "if-not-ahead": Policy("push while the other side is not beaten", _simple(not_ahead)),
    "eager": Policy("push whenever the table allows it, even for nothing", _simple(bool)),
}


def deciding(policy: str, request: Request) -> Decide:
    """A rule of thumb by its name, for questions that have no best play to offer."""
    word, _, argument = policy.partition(":")
    if word not in POLICIES:
        raise UnknownName("policy", word, POLICIES)
    decide: Decide = POLICIES[word].make(argument, request)
    return decide
