"""The outcomes of checks, turns and repairs: fields that can be counted."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Tier(StrEnum):
    """The four results of a check, from worst to best; they compare by rank, not by letter.

    >>> Tier.FAILURE < "success", Tier.CRITICAL_SUCCESS > Tier.SUCCESS
    (True, True)
    """

    CRITICAL_FAILURE = "critical failure"
    FAILURE = "failure"
    SUCCESS = "success"
    CRITICAL_SUCCESS = "critical success"

    @property
    def rank(self) -> int:
        """0 for a critical failure to 3 for a critical success."""
        return _RANKS[self]

    @property
    def is_success(self) -> bool:
        return self.rank >= 2

    def shifted(self, steps: int) -> Tier:
        """So many tiers better, or worse where negative, within the four there are."""
        return TIERS[min(max(self.rank + steps, 0), 3)]

    def __lt__(self, other: str) -> bool:
        return self.rank < Tier(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= Tier(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > Tier(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= Tier(other).rank

    def __repr__(self) -> str:
        return repr(self.value)


TIERS = tuple(Tier)
_RANKS = {tier: rank for rank, tier in enumerate(TIERS)}


class CheckOutcome(NamedTuple):
    """The result of one check."""

    tier: Tier
    """The result after a natural 1 or 20 has shifted it."""
    natural: int
    """The face that counts as the natural roll."""
    total: int
    """That face with everything that is added to it."""
    margin: int
    """The total less the DC."""
    effect: int
    """Damage or healing: 0 without success, the dice at their highest on a critical success."""
    base_tier: Tier
    """The result by the margin alone."""
    success: bool
    """Whether it is a success or a critical success."""
    swapped: bool
    """Whether the edge die is the natural roll."""
    critical_effect: bool
    """Whether the main target of an attack suffers a critical effect."""
    turn_ends: bool
    """Whether it is a critical failure in a turn, which ends the turn."""
    disabled: bool
    """Whether the weapon or tool in use no longer works."""
    harm: bool
    """Whether something harmful happens besides."""
    rerolled: int
    """How many re-rolls were used."""


class TurnOutcome(NamedTuple):
    """The result of several checks in one turn."""

    successes: int
    """How many checks succeeded, critical successes included."""
    cut_short: bool
    """Whether a critical failure took planned checks away."""
    checks: int
    """How many checks were made."""
    critical_successes: int
    """How many checks succeeded critically."""
    effect: int
    """Damage or healing of all checks together."""
    completed: bool
    """Whether every check of the plan was made."""
    stopped: bool
    """Whether the player left off before the plan was done."""
    last: int
    """The number in the plan of the check made last."""
    disabled: bool
    """Whether the weapon or tool of the last check no longer works."""
    harm: bool
    """Whether something harmful happens besides."""
    rerolled: int
    """How many re-rolls were used in all."""
    critical_effects: int = 0
    """How many attacks did their critical effect to the main target."""
    critical_failure: bool = False
    """Whether a critical failure ended the turn, also where nothing more was planned."""

    @property
    def ended_badly(self) -> bool:
        """The same of turns up to version 2, in which `cut_short` said it."""
        return self.critical_failure or self.cut_short


class RepairOutcome(NamedTuple):
    """The result of trying until the thing works again, or until the limit."""

    fixed: bool
    """Whether it works again."""
    attempts: int
    """How many attempts were made."""
    turns: int
    """How many turns the attempts took, the one under way included."""
    critical_failures: int
    """How many of the attempts failed critically."""
    checks_this_turn: int
    """How many checks the turn under way has seen."""
    turn_ends: bool
    """Whether the last attempt was a critical failure."""
