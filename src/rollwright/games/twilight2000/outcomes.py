"""What a roll comes to, in fields that can be counted; the story is told from the transcript."""

from __future__ import annotations

from typing import Literal, NamedTuple


class SkillOutcome(NamedTuple):
    """What a skill roll comes to."""

    successes: int
    ones: int
    """1s showing on base dice; they cost something only after a push."""
    pushed: bool
    damage: int
    """Damage to the roller."""
    stress: int
    reliability_loss: int
    """What the tool in use loses; never more than it has."""
    broken: bool
    """Whether the tool is broken once the action is resolved."""


class AttackOutcome(NamedTuple):
    """What an attack with a firearm comes to."""

    hit: bool
    successes: int
    ones: int
    """1s showing on base and ammo dice together."""
    ammo_ones: int
    """Those of them on ammo dice."""
    sixes: int
    """6s showing on ammo dice."""
    pushed: bool
    damage: int
    stress: int
    reliability_loss: int
    broken: bool
    jammed: bool
    rounds_rolled: int
    """What the ammo dice asked for."""
    rounds_spent: int
    """What was fired: never more than there was."""
    rounds_left: int
    emptied: bool
    can_suppress: bool
    hits: int
    """The primary hit and those bought with 6s."""
    damage_dealt: int
    """With targets: what came through armour. Without: the primary hit, its 6s unspent."""
    kills: int = 0
    """Targets brought to the end of their hit capacity."""
    crits: int = 0
    """Critical injuries caused."""
    wounds: tuple[int, ...] = ()
    """The damage each target listed takes off its hit capacity."""
    injuries: tuple[int, ...] = ()
    """The critical injuries of each target listed."""


class OpposedOutcome(NamedTuple):
    """What an opposed roll comes to."""

    winner: Literal["active", "passive"]
    """`active` or `passive`; equal successes are the passive side's win."""
    margin: int
    """The active side's successes less the passive side's."""
    successes: int
    opposing: int
    ones: int
    pushed: bool
    damage: int
    stress: int
    reliability_loss: int
    broken: bool


class GroupOutcome(NamedTuple):
    """What a group roll comes to: one roll, and everybody's success or failure."""

    roller: str
    helpers: int
    successes: int
    ones: int
    pushed: bool
    damage: int
    stress: int
    reliability_loss: int
    broken: bool


class ClearJamOutcome(NamedTuple):
    """What trying to clear a jam comes to."""

    cleared: bool
    tries: int
    """How many slow actions it took, or were spent in vain."""
    reliability_loss: int
    broken: bool


class RepairOutcome(NamedTuple):
    """What a repair comes to: a skill roll, and what the item has of it."""

    successes: int
    ones: int
    pushed: bool
    damage: int
    stress: int
    reliability_loss: int
    """What the tool in use loses, not what is repaired."""
    broken: bool
    restored: int
    """How much reliability comes back; never more than the item had in good condition."""
    reliability: int
    """What the item has then."""


class MagazineOutcome(NamedTuple):
    """How firing until the weapon falls silent comes out."""

    attacks: int
    """How many attacks were made."""
    emptied: bool
    """Whether it ended because the last round was fired."""
    jammed: bool
    broken: bool
    reliability_loss: int
    rounds_left: int
