"""What a character carries: weapons with their magazines, tools; and the foes they shoot at."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from rollwright.errors import BadField
from rollwright.kit import Value, field, preset
from rollwright.kit.fields import refuse_above

ENCUMBRANCE = {"magazine": Fraction(1, 4), "belt": Fraction(1)}
"""What a full one weighs in encumbrance units."""


class Tool(Value):
    """A piece of gear with a reliability."""

    name: str = field(help="what it is", most=60)
    reliability: int = preset(5, "its reliability now; broken at 0", 0, 10, "T2K R66")
    max_reliability: int = preset(5, "its reliability in good condition", 1, 10, "T2K R64")

    def check(self) -> None:
        """Nothing is better than in good condition."""
        problem = f"{self.reliability} is more than it ever had"
        refuse_above("reliability", self.reliability, self.max_reliability, problem, "T2K R64")

    @property
    def broken(self) -> bool:
        """Whether it is of no use."""
        return self.reliability == 0


class Weapon(Tool):
    """A firearm, the rounds in it, and the full magazines or belts carried for it."""

    skill_name: Literal["ranged combat", "heavy weapons"] = preset(
        "ranged combat", "the skill it is fired with", rule="T2K R3"
    )
    rate_of_fire: int = preset(6, "its rate of fire", 0, 12, "T2K R20")
    base_damage: int = preset(2, "what a hit does", 0, 20, "T2K R25")
    armour_modifier: int = preset(0, "what it adds to armour it meets", -9, 9, "T2K R70")
    crit_threshold: int = preset(3, "the damage from which a wound is critical", 1, 20, "T2K R72")
    jammed: bool = preset(False, "whether it is jammed", rule="T2K R32")
    kind: Literal["magazine", "belt"] = preset("magazine", "what it is fed from", rule="T2K R35")
    magazine_size: int = preset(30, "rounds in a full one", 1, 250, "T2K R34")
    rounds: int = preset(30, "rounds in it now", 0, 250, "T2K R33")
    spares: int = preset(0, "full magazines or belts carried", 0, 99, "T2K R34")
    partials: tuple[int, ...] = preset(
        (), "rounds in part-used ones, where the table keeps them", 1, 249, "T2K R34", most=20
    )

    def check(self) -> None:
        """No magazine holds more than it can."""
        super().check()
        for name, rounds in [("rounds", self.rounds), *(("partials", n) for n in self.partials)]:
            if rounds > self.magazine_size:
                raise BadField(
                    name,
                    f"{rounds} rounds do not fit into a {self.kind} of {self.magazine_size}",
                    rule="T2K R34",
                    would_do=f"at most {self.magazine_size}",
                )

    @property
    def encumbrance(self) -> Fraction:
        """What the spare magazines or belts weigh, in encumbrance units."""
        return ENCUMBRANCE[self.kind] * (self.spares + len(self.partials))

    def reloaded(self, keep_partial: bool = False) -> Weapon:
        """The weapon with a fresh magazine in; refused where none is carried."""
        kept = (self.rounds,) if keep_partial and self.rounds else ()
        if self.spares:
            partials = _falling(self.partials + kept)
            return self.but(rounds=self.magazine_size, spares=self.spares - 1, partials=partials)
        if self.partials:
            fullest, *others = _falling(self.partials)
            return self.but(rounds=fullest, partials=_falling((*others, *kept)))
        raise BadField("spares", f"no {self.kind} is left for the {self.name}", rule="T2K R34")


def _falling(rounds: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(rounds, reverse=True))


class Foe(Value):
    """Somebody shot at, as far as the table keeps count."""

    name: str = field(help="what the target is called", most=40)
    capacity: int = field(help="its hit capacity", low=1, high=50, rule="T2K R71")
    damage: int = preset(0, "what it has taken", 0, 50, "T2K R71")
    crits: int = preset(0, "its critical injuries", 0, 50, "T2K R72")

    def check(self) -> None:
        """Nobody takes more than they can."""
        problem = f"{self.damage} is more than the hit capacity"
        refuse_above("damage", self.damage, self.capacity, problem, "T2K R71")

    @property
    def is_down(self) -> bool:
        """Whether its hit capacity is used up."""
        return self.damage == self.capacity
