"""The dice: base dice by level, stepped by modifiers; what faces mean; what a push throws again."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress, product
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
LOOSE = range(2, SUCCESS)
"""Neither a success nor a 1, and on ammo dice neither a 6 nor a 1: a push throws these again."""
KINDS = tuple((die, worth) for worth in (0, 1, 2) for die in BASE)
"""Base dice without a 1, by the successes they show."""
MARKS = {kind: tuple(int(one is kind) for one in KINDS) for kind in KINDS}
"""By the kind, a row with a 1 in its place."""
NO_MARK = (0,) * len(KINDS)


class Lying(NamedTuple):
    """The counts of the dice as they lie."""

    successes: int
    ones: int
    """1s on base dice."""
    sixes: int
    """6s on ammo dice."""
    ammo_ones: int
    ammo_sum: int


def landed(face: int, die: Die) -> tuple[int, ...]:
    """Return what a die adds to these counts."""
    if die == AMMO:
        return 0, 0, int(face == 6), int(face == 1), face
    return (face >= SUCCESS) + (face >= DOUBLE), int(face == 1), 0, 0, 0


def shown(face: int, die: Die) -> tuple[int, ...]:
    """Return the same, and which of `KINDS` the die is."""
    counts = landed(face, die)
    mark = MARKS.get((die, counts[0]), NO_MARK) if face != 1 else NO_MARK
    return (*counts, *mark)


class Shown(NamedTuple):
    """A first throw: its counts, and how many dice there are of each kind."""

    lying: Lying
    kinds: tuple[int, ...]

    @classmethod
    def of(cls, counts: tuple[int, ...]) -> Shown:
        """Read the sums of a first throw."""
        return cls(Lying(*counts[:5]), counts[5:])


@lru_cache(maxsize=4096)
def base_of(kinds: tuple[int, ...], worths: tuple[int, ...]) -> tuple[tuple[Die, int], ...]:
    """The base dice of a first throw that show so many successes, each with them."""
    counted = zip(KINDS, kinds, strict=True)
    return tuple([kind for kind, count in counted for _ in range(count) if kind[1] in worths])


@lru_cache(maxsize=4096)
def loose_pool(kinds: tuple[int, ...], ammo: int) -> Pool:
    """The loose base dice of a first throw and so many ammo dice."""
    return Pool([die for die, _ in base_of(kinds, (0,))] + [AMMO] * ammo)


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


class Again(NamedTuple):
    """A way to push: its name, the dice to throw again, and what stays on the table."""

    name: str
    pool: Pool
    stays: Lying


def ways_to_push(handful: Handful, thrown: Shown) -> tuple[Again, ...]:
    """Every push the table allows here, the plain one first; none where there is nothing to do."""
    if not handful.pushable:
        return ()
    lying = thrown.lying
    loose = loose_pool(thrown.kinds, handful.ammo - lying.sixes - lying.ammo_ones)
    stays = lying._replace(ammo_sum=6 * lying.sixes + lying.ammo_ones)
    plain = Again("push", loose, stays)
    ways = (plain,) if loose.size or handful.idle_push else ()
    if not handful.any_die:
        return ways
    return (*ways, *[plain_and(plain, name, lift) for name, lift in lifts(thrown).items()])


class Lift(NamedTuple):
    """Dice with successes that a push takes up as well."""

    base: tuple[tuple[Die, int], ...]
    """Base dice, each with its successes."""
    sixes: int
    """How many ammo dice that show a 6."""


def lifts(thrown: Shown) -> dict[str, Lift]:
    """The further ways to push where successes may be thrown again as well, by their names."""
    scored = base_of(thrown.kinds, (1, 2))
    ways: dict[str, Lift] = {}
    for *taken, sixes in product(*[(False, True)] * len(scored), range(thrown.lying.sixes + 1)):
        lift = Lift(tuple(compress(scored, taken)), sixes)
        if any(lift):
            ways.setdefault(lift_name(lift), lift)
    return ways


def lift_name(lift: Lift) -> str:
    """A further way to push in words."""
    worths = {1: "a success", 2: "two successes"}
    said = [f"a D{len(die.faces)} with {worths[worth]}" for die, worth in lift.base]
    if lift.sixes:
        said.append(many(lift.sixes, "ammo six", "ammo sixes"))
    return "push and re-roll " + " and ".join(said)


def plain_and(plain: Again, name: str, lift: Lift) -> Again:
    """The push of the book with more dice taken up."""
    _, pool, stays = plain
    return Again(
        name,
        pool + Pool([die for die, _ in lift.base] + [AMMO] * lift.sixes),
        stays._replace(
            successes=stays.successes - sum(worth for _, worth in lift.base),
            sixes=stays.sixes - lift.sixes,
            ammo_sum=stays.ammo_sum - 6 * lift.sixes,
        ),
    )
