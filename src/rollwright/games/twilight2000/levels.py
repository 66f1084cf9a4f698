"""Levels, skills and the base dice they give, stepped up and down by modifiers."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from rollwright.dice import Die, Pool

Level = Literal["A", "B", "C", "D"]
Attribute = Literal["STR", "AGL", "INT", "EMP"]
SkillName = Literal[
    "close combat",
    "heavy weapons",
    "stamina",
    "driving",
    "ranged combat",
    "mobility",
    "recon",
    "survival",
    "tech",
    "command",
    "medical aid",
    "persuasion",
]

SIDES: dict[str, int] = {"A": 12, "B": 10, "C": 8, "D": 6}
"""How many sides the die of a level has."""

_BEHIND: dict[Attribute, tuple[str, ...]] = {
    "STR": ("close combat", "heavy weapons", "stamina"),
    "AGL": ("driving", "ranged combat", "mobility"),
    "INT": ("recon", "survival", "tech"),
    "EMP": ("command", "medical aid", "persuasion"),
}
SKILLS: dict[str, Attribute] = {
    skill: attribute for attribute, skills in _BEHIND.items() for skill in skills
}
"""The attribute behind each skill."""

BODY = ("STR", "AGL")
"""The attributes whose pushed rolls cost damage; those of the mind cost stress."""

MOST_HELPERS = 3
SMALLEST, LARGEST, STEP = 6, 12, 2


class BaseDice(NamedTuple):
    """The sides of the attribute die and of the skill die; 0 where there is no skill die."""

    attribute: int
    skill: int = 0
    lost: int = 0
    """How many pluses (or, below zero, minuses) had nothing left to step."""

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of each die there is, small first."""
        return tuple(sorted(s for s in (self.attribute, self.skill) if s))

    @property
    def pool(self) -> Pool:
        """The dice themselves."""
        return pool_of(self.sides)


@lru_cache(maxsize=256)
def pool_of(sides: tuple[int, ...]) -> Pool:
    """Plain dice with these sides."""
    return Pool(Die(n) for n in sides)


def base_dice(
    attribute: str, skill: str | None = None, net: int = 0, *, steps: str = "lower"
) -> BaseDice:
    """The base dice of two levels after a net modifier.

    >>> base_dice("A", "D", +1).sides
    (8, 12)
    >>> base_dice("C").sides, base_dice("C", None, +1).sides, base_dice("D", "D", -1).sides
    ((8,), (6, 8), (6,))
    """
    dice = BaseDice(SIDES[attribute], SIDES[skill] if skill else 0)
    feeds_added = skill is None and steps == "added"
    for _ in range(abs(net)):
        dice = _stepped_up(dice, feeds_added) if net > 0 else _stepped_down(dice)
    return dice


def _stepped_up(dice: BaseDice, feeds_added: bool) -> BaseDice:
    if not dice.skill:
        return dice._replace(skill=SMALLEST)
    if feeds_added and dice.skill < LARGEST:
        return dice._replace(skill=dice.skill + STEP)
    if min(dice.attribute, dice.skill) == LARGEST:
        return dice._replace(lost=dice.lost + 1)
    if dice.attribute <= dice.skill:
        return dice._replace(attribute=dice.attribute + STEP)
    return dice._replace(skill=dice.skill + STEP)


def _stepped_down(dice: BaseDice) -> BaseDice:
    if max(dice.attribute, dice.skill) > SMALLEST:
        if dice.attribute >= dice.skill:
            return dice._replace(attribute=dice.attribute - STEP)
        return dice._replace(skill=dice.skill - STEP)
    if dice.skill:
        return dice._replace(skill=0)
    return dice._replace(lost=dice.lost - 1)
