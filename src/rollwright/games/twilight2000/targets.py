"""Targets: where they stand, what protects them, and whether an extra hit may go to them."""

from __future__ import annotations

import re
from typing import Literal

from rollwright.errors import BadField
from rollwright.games.twilight2000.hits import Figure
from rollwright.kit import Value, field, preset

Location = Literal["head", "torso", "arms", "legs"]
_LIKE_A_PLAN = re.compile(r";|\+\d+\s*$")


class Target(Value):
    """Somebody a burst may hit."""

    name: str = field(help="what the target is called", most=40)
    hex: str = preset("", "where it stands; an extra hit stays in this hex", rule="T2K R24")
    modifier: int = preset(
        0, "what aiming at it costs or gives: prone -1, cover less still", -9, 9, "T2K R24"
    )
    head: int = preset(0, "armour on the head", 0, 20, "T2K R70")
    torso: int = preset(0, "armour on the torso", 0, 20, "T2K R70")
    arms: int = preset(0, "armour on the arms", 0, 20, "T2K R70")
    legs: int = preset(0, "armour on the legs", 0, 20, "T2K R70")
    capacity: int = preset(0, "the hit capacity left; 0 if nobody keeps count", 0, 50, "T2K R71")

    def check(self) -> None:
        """A name must be there, and be told apart from the words of a plan."""
        if not self.name.strip() or _LIKE_A_PLAN.search(self.name):
            raise BadField(
                "name",
                f"{self.name!r} could not be told from a way to spend sixes",
                rule="T2K R23",
                would_do="a name without ; that does not end in a plus",
            )

    def foe(self, locations: tuple[str, ...], armour_modifier: int) -> Figure:
        """The target as the dice see it."""
        ratings = [int(getattr(self, place)) for place in locations]
        armour = tuple(max(0, rating + armour_modifier) if rating else 0 for rating in ratings)
        return Figure(self.name, armour, self.capacity)


def is_legal(primary: Target, other: Target) -> bool:
    """Whether an extra hit may go to `other`: same hex, and no harder to hit if aimed at."""
    return primary.hex == other.hex and other.modifier >= primary.modifier
