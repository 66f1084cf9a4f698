"""The dice: base dice by level, stepped by modifiers; what faces mean; what a push throws again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple, get_args

from rollwright.dice import Die, Pool
from rollwright.kit.words import many

Level = Literal["A", "B", "C", "D"]
LEVELS: tuple[Level, ...] = ("A", "B", "C", "D")
"""From the best to the worst."""
Attribute = Literal["STR", "AGL", "INT", "EMP"]
_Strength = Literal["close combat", "heavy weapons", "stamina"]
_Agility = Literal["driving", "ranged combat", "mobility"]
_Intelligence = Literal["recon", "survival", "tech"]
_Empathy = Literal["command", "medical aid", "persuasion"]
SkillName = Literal[_Strength, _Agility, _Intelligence, _Empathy]

SIDES: dict[str, int] = {"A": 12, "B": 10, "C": 8, "D": 6}
"""How many sides the die of a level has."""
SKILLS: dict[str, Attribute] = {
    skill: attribute
    for attribute, skills in zip(
        get_args(Attribute), (_Strength, _Agility, _Intelligence, _Empathy), strict=True
    )
    for skill in get_args(skills)
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
        return pool_of(self.sides)


@lru_cache(maxsize=256)
def pool_of(sides: tuple[int, ...]) -> Pool:
    """Plain dice with these sides."""
    return Pool(Die(n) for n in sides)


@lru_cache(maxsize=2048)
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


AMMO = Die(6, name="ammo")
BASE = tuple(Die(sides) for sides in (6, 8, 10, 12))
SUCCESS, DOUBLE = 6, 10
"""From these faces on a base die counts one success, and two."""

KINDS = tuple((len(die.faces), worth) for worth in (0, 1, 2) for die in BASE)
"""Base dice by their sides and by the successes they show."""
MOST_BASE = 2

Vector = tuple[int, ...]


class Lying(NamedTuple):
    """The counts of the dice as they are."""

    successes: int = 0
    ones: int = 0
    """1s on base dice."""
    sixes: int = 0
    """6s on ammo dice."""
    ammo_ones: int = 0
    ammo_sum: int = 0


class Shown(NamedTuple):
    """The counts of a first roll: the dice as they are, and which base dice are which."""

    successes: int
    ones: int
    sixes: int
    ammo_ones: int
    ammo_sum: int
    loose: int
    """The base dice that show neither a success nor a 1, as a code for `dice_in`."""
    scored: int = 0
    """The base dice that show successes; read only where they may be thrown again."""


def landed(face: int, die: Die) -> Vector:
    """A die as it lies in the end: the places of `Lying`."""
    if die.name:
        return (0, 0, int(face == 6), int(face == 1), face)
    return (0 if face < SUCCESS else 1 if face < DOUBLE else 2, int(face == 1), 0, 0, 0)


def added_up(table: Iterable[tuple[Die, int]], read: Callable[[int, Die], Vector]) -> Vector:
    """Dice on the table as a tally of them reads them.

    >>> added_up([(Die(8), 7), (Die(12), 1)], landed)
    (1, 1, 0, 0, 0)
    """
    return tuple(map(sum, zip(*(read(face, die) for die, face in table), strict=True)))


def landed_without_rounds(face: int, die: Die) -> Vector:
    """The same where nobody counts rounds: the number on an ammo die is not read."""
    return (*landed(face, die)[:4], 0)


def mark(face: int, die: Die) -> Vector:
    """A die of a first roll: how it lies, and which die it is if it is loose."""
    return (*landed(face, die), _code(face, die) if 1 < face < SUCCESS else 0)


def mark_without_rounds(face: int, die: Die) -> Vector:
    """The same where nobody counts rounds."""
    return (*landed_without_rounds(face, die), mark(face, die)[-1])


def mark_successes(face: int, die: Die) -> Vector:
    """The same with the dice that show successes, for tables that may re-roll those too."""
    return (*mark(face, die), _code(face, die) if face >= SUCCESS else 0)


def _code(face: int, die: Die) -> int:
    """One digit for each kind of base die: codes add up as dice are put together."""
    if die.name:
        return 0
    kind = KINDS.index((len(die.faces), landed(face, die)[0]))
    return (MOST_BASE + 1) ** kind  # type: ignore[no-any-return]


@lru_cache(maxsize=4096)
def dice_in(code: int) -> tuple[tuple[int, int], ...]:
    """The base dice behind a code: the sides of each, and the successes it shows."""
    found = []
    for kind in KINDS:
        code, count = divmod(code, MOST_BASE + 1)
        found += [kind] * count
    return tuple(found)


class Handful(NamedTuple):
    """Dice taken up for a roll, and what the table allows to be done with them."""

    pool: Pool
    ammo: int = 0
    """How many of the dice are ammo dice."""
    pushable: bool = True
    any_die: bool = False
    """Whether a push may throw successes again too."""
    idle_push: bool = False
    """Whether one may push with nothing to throw again, and pay for it."""
    reads: str = "everything"
    """The reading of the dice: everything, no rounds, or only what wounds."""

    @property
    def first(self) -> Callable[[int, Die], Vector]:
        """How the dice of the first roll are read."""
        if self.any_die:
            return mark_successes
        return mark if self.reads == "everything" else mark_without_rounds

    @property
    def last(self) -> Callable[[int, Die], Vector]:
        """How the dice of a push are read."""
        return landed if self.any_die or self.reads == "everything" else landed_without_rounds


class Again(NamedTuple):
    """A way to push: the dice to throw again, and what stays on the table."""

    pool: Pool
    stays: Lying


@lru_cache(maxsize=4096)
def loose_pool(loose: int, ammo: int) -> Pool:
    """The loose base dice and so many ammo dice."""
    return Pool([Die(sides) for sides, _ in dice_in(loose)] + [AMMO] * ammo)


def plain_push(shown: Shown, ammo: int, rounds: bool = True) -> Again:
    """Return the push of the book: every die that shows neither a success nor a 1.

    `ammo` is the number of ammo dice; those that show 6 or 1 stay.
    """
    return _pushed(shown[:4], shown[5], ammo, rounds)


@lru_cache(maxsize=4096)
def _pushed(lying: Vector, loose: int, ammo: int, rounds: bool) -> Again:
    """The push of the book, whatever the loose ammo dice add up to: they are thrown again."""
    successes, ones, sixes, ammo_ones = lying
    kept = 6 * sixes + ammo_ones if rounds else 0
    pool = loose_pool(loose, ammo - sixes - ammo_ones)
    return Again(pool, Lying(successes, ones, sixes, ammo_ones, kept))


Lift = tuple[tuple[tuple[int, int], ...], int]
"""Dice with successes that a push takes up: sides and successes of each; and how many sixes."""


@lru_cache(maxsize=4096)
def lifts(shown: Shown) -> dict[str, Lift]:
    """The further ways to push where successes may be thrown again as well, by their names."""
    scored = dice_in(shown.scored)
    ways: dict[str, Lift] = {}
    for *taken, sixes in product(*[(False, True)] * len(scored), range(shown.sixes + 1)):
        picked = tuple(kind for kind, is_taken in zip(scored, taken, strict=True) if is_taken)
        if picked or sixes:
            ways.setdefault(_named(picked, sixes), (picked, sixes))
    return ways


@lru_cache(maxsize=4096)
def free_pushes(shown: Shown, ammo: int) -> dict[str, Again]:
    """Return the dice that each of the further ways throws again, and those that stay."""
    plain = plain_push(shown, ammo)
    return {name: _lifted(plain, *lift) for name, lift in lifts(shown).items()}


def _named(picked: tuple[tuple[int, int], ...], sixes: int) -> str:
    worths = {1: "a success", 2: "two successes"}
    said = [f"a D{sides} with {worths[worth]}" for sides, worth in picked]
    if sixes:
        said.append(many(sixes, "ammo six", "ammo sixes"))
    return "push and re-roll " + " and ".join(said)


def _lifted(plain: Again, picked: tuple[tuple[int, int], ...], sixes: int) -> Again:
    pool, stays = plain
    return Again(
        pool + Pool([Die(sides) for sides, _ in picked] + [AMMO] * sixes),
        stays._replace(
            successes=stays.successes - sum(worth for _, worth in picked),
            sixes=stays.sixes - sixes,
            ammo_sum=stays.ammo_sum - 6 * sixes,
        ),
    )
