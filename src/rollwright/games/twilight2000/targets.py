"""Targets: where they stand, what protects them, and whether an extra hit may go to them."""

from __future__ import annotations

import re
from typing import Literal

from rollwright.errors import BadField
from rollwright.games.twilight2000.hits import Figure
from rollwright.kit import Value, field

Location = Literal["head", "torso", "arms", "legs"]
_LIKE_A_PLAN = re.compile(r";|\+\d+\s*$")


class Target(Value):
    """Somebody a burst may hit."""

    name: str = field(help="what the target is called", most=40)
    hex: str = field(
        default="", help="where it stands; an extra hit stays in this hex", rule="T2K R24"
    )
    modifier: int = field(
        default=0,
        help="what aiming at it costs or gives: prone -1, cover less still",
        low=-9,
        high=9,
        rule="T2K R24",
    )
    head: int = field(default=0, help="armour on the head", low=0, high=20, rule="T2K R70")
    torso: int = field(default=0, help="armour on the torso", low=0, high=20, rule="T2K R70")
    arms: int = field(default=0, help="armour on the arms", low=0, high=20, rule="T2K R70")
    legs: int = field(default=0, help="armour on the legs", low=0, high=20, rule="T2K R70")
    capacity: int = field(
        default=0,
        help="the hit capacity left; 0 if nobody keeps count",
        low=0,
        high=50,
        rule="T2K R71",
    )

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
