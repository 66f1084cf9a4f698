"""How many dice are thrown and against what: stats, modifiers, the cap, the difficulty."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.errors import BadField
from rollwright.games.dust.house import House
from rollwright.kit import Value, field

STANDARD = 6
MOST_LESS = -30
"""The most dice that can be taken away: more than any pool has, wounds included."""
DIFFICULTIES = {
    2: "Trivial",
    3: "Easy",
    4: "Routine",
    5: "Straightforward",
    6: "Standard",
    7: "Challenging",
    8: "Difficult",
    9: "Extremely Difficult",
    10: "Practically Impossible",
}


class PoolUsed(NamedTuple):
    """How a pool came about, step by step, so that it can be told."""

    stats: int
    modifier: int
    cut: int
    """Dice that the cap took away."""
    lifted: int
    """Dice that a minimum gave back."""
    dice: int


class Stats(Value):
    """What a pool is made of."""

    pool: int | None = field(
        default=None, help="the dice, if they are counted already", low=0, high=20, rule="DUST R2"
    )
    attribute: int | None = field(
        default=None, help="the attribute, or a single stat", low=0, high=10, rule="DUST R2"
    )
    ability: int | None = field(
        default=None, help="the ability that goes with it", low=0, high=10, rule="DUST R2"
    )
    modifier: int = field(
        default=0,
        help="dice more or less: wounds, traits, circumstances",
        low=MOST_LESS,
        high=20,
        rule="DUST R3",
    )

    def check(self) -> None:
        """Either the pool itself or the stats it is made of."""
        stats = self.attribute is not None or self.ability is not None
        if self.pool is None and not stats:
            raise BadField(
                "pool",
                "there is nothing to roll",
                rule="DUST R2",
                would_do="a pool, or an attribute with an ability",
            )
        if self.pool is not None and stats:
            raise BadField(
                "pool",
                f"{self.pool} dice are given, and stats beside them",
                rule="DUST R2",
                would_do="one of the two",
            )


def pool_used(stats: Stats, house: House) -> PoolUsed:
    """The dice of a roll: stats and modifier under the cap, and what happens below one die."""
    base = (stats.attribute or 0) + (stats.ability or 0) if stats.pool is None else stats.pool
    cap = house.pool_cap
    asked = base + stats.modifier
    capped = asked
    if cap is not None:
        if house.cap_before_modifiers:
            capped = min(base, cap) + stats.modifier
        capped = min(capped, cap)
    dice = max(capped, 1 if house.minimum_pool == "one" else 0)
    return PoolUsed(base, stats.modifier, asked - capped, dice - capped, dice)
