"""The outcomes of rolls, in fields that can be counted; transcripts have the narration."""

from __future__ import annotations

from typing import Literal, NamedTuple


class SkillOutcome(NamedTuple):
    """The result of a skill roll."""

    successes: int
    ones: int
    """1s showing on base dice; they cost something only after a push."""
    pushed: bool
    damage: int
    """Damage to the roller."""
    stress: int
    reliability_loss: int
    """The loss of the tool in use; never more than it has."""
    broken: bool
    """Whether the tool is broken once the action is resolved."""


class AttackOutcome(NamedTuple):
    """The result of an attack with a firearm."""

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
    """Rounds that the ammo dice asked for."""
    rounds_spent: int
    """Rounds fired: never more than there were."""
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
    """The result of an opposed roll."""

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
    """The result of a group roll: one roll, and everybody's success or failure."""

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
    """The result of trying to clear a jam."""

    cleared: bool
    tries: int
    """How many slow actions it took, or were spent in vain."""
    reliability_loss: int
    broken: bool


class RepairOutcome(NamedTuple):
    """The result of a repair: a skill roll, and its effect on the item."""

    successes: int
    ones: int
    pushed: bool
    damage: int
    stress: int
    reliability_loss: int
    """The loss of the tool in use, not of what is repaired."""
    broken: bool
    restored: int
    """How much reliability comes back; never more than the item had in good condition."""
    reliability: int
    """The item's reliability afterwards."""


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
