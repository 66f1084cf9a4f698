"""Targets: who may be hit, where the ammo sixes go, and what every hit does to whom it strikes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from rollwright.dice import Die, Pool
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Value, field, preset, refuse_if
from rollwright.readings import lasting

msg = words_of(__package__ or __name__).msg
Location = Literal["head", "torso", "arms", "legs"]
_LIKE_A_PLAN = re.compile(r";|\+\d+\s*$")


class Figure(NamedTuple):
    """A target as the dice see it."""

    name: str
    armour: tuple[int, ...]
    """Its protection if a location die shows 1 to 6, after the weapon's armour modifier."""
    capacity: int = 0
    """The damage it can still take; 0 if nobody keeps count."""


class Target(Value):
    """Somebody a burst may hit."""

    name: str = field(help="what the target is called", most=40, person=True)
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
        alike = not self.name.strip() or _LIKE_A_PLAN.search(self.name)
        problem = msg("refusal.like.plan", name=repr(self.name))
        refuse_if(alike, "name", problem, "T2K R23", msg("do.name"))

    def foe(self, locations: tuple[str, ...], armour_modifier: int) -> Figure:
        """The target as the dice see it."""
        ratings = [int(getattr(self, place)) for place in locations]
        armour = tuple(max(0, rating + armour_modifier) if rating else 0 for rating in ratings)
        return Figure(self.name, armour, self.capacity)


def is_legal(primary: Target, other: Target) -> bool:
    """Whether an extra hit may go to `other`: same hex, and no harder to hit if aimed at."""
    return primary.hex == other.hex and other.modifier >= primary.modifier


class Aim(NamedTuple):
    """At whom a burst is fired, and who else may be hit."""

    foes: tuple[Figure, ...]
    primary: int
    legal: tuple[int, ...]
    """Whom an extra hit may go to, by number; the primary target first."""
    base_damage: int
    crit_threshold: int
    free_successes: bool = False
    """Whether base successes after the first may be spent like ammo sixes."""


class Plan(NamedTuple):
    """A way to spend the sixes."""

    boost: int
    """How many raise the primary hit."""
    extra: tuple[tuple[int, int], ...] = ()
    """Additional hits: whom they strike, and how many further sixes raise each."""

    @property
    def hits(self) -> int:
        return 1 + len(self.extra)


class Spending(NamedTuple):
    """The basis of the decision how to spend the sixes."""

    successes: int
    sixes: int
    usual: str
    """The plan that does most damage on average."""

    def __str__(self) -> str:
        return f"successes {self.successes}, sixes {self.sixes}"


class Wounded(NamedTuple):
    """The effect of an attack on its targets, in the order of the outcome's last fields."""

    hits: int
    damage_dealt: int
    kills: int = 0
    crits: int = 0
    wounds: tuple[int, ...] = ()
    injuries: tuple[int, ...] = ()


@lru_cache(maxsize=512)
def _plans(sixes: int, legal: tuple[int, ...], names: tuple[str, ...]) -> dict[str, Plan]:
    found = {}
    for boost in range(sixes, -1, -1):
        for extra in _shared_out(sixes - boost, [(foe, sixes) for foe in legal]):
            plan = Plan(boost, extra)
            found[plan_name(plan, names)] = plan
    return found


def plans(sixes: int, aim: Aim) -> dict[str, Plan]:
    """Every legal way to spend so many sixes, by name; all on the primary hit first."""
    return _plans(sixes, aim.legal, tuple(foe.name for foe in aim.foes))


@lru_cache(maxsize=256)
def count_plans(sixes: int, targets: int) -> int:
    """How many ways there are to spend so many sixes, without making them.

    >>> count_plans(3, 3), len(_plans(3, (0, 1, 2), ("A", "B", "C")))
    (35, 35)
    """
    ways = [1] * (sixes + 1)  # what the primary hit is not raised by is left for others
    for size in range(1, sixes + 1):
        for _ in range(targets):
            for spent in range(size, sixes + 1):
                ways[spent] += ways[spent - size]
    return ways[sixes]


def _shared_out(sixes: int, bounds: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Additional hits that use exactly so many sixes: sizes falling for each target in turn."""
    if not sixes:
        yield ()
        return
    for place, (foe, bound) in enumerate(bounds):
        for size in range(min(sixes, bound), 0, -1):
            rest = [(foe, size), *bounds[place + 1 :]]
            for more in _shared_out(sixes - size, rest):
                yield ((foe, size - 1), *more)


def plan_name(plan: Plan, names: tuple[str, ...]) -> str:
    """A plan in words: `+1 damage; hit B +1; hit C`."""
    said = [f"+{plan.boost} damage"] if plan.boost else []
    said += [f"hit {names[foe]}" + (f" +{more}" if more else "") for foe, more in plan.extra]
    return "; ".join(said) or "no six to spend"


def struck_hits(aim: Aim, plan: Plan, extra: int) -> list[tuple[int, int]]:
    """Every hit of a plan: whom it strikes and what it does before armour."""
    base = aim.base_damage
    first = (aim.primary, base + extra + plan.boost)
    return [first, *[(foe, base + more) for foe, more in plan.extra]]


@lru_cache(maxsize=65536)
def hit_pool(aim: Aim, plan: Plan, extra: int) -> Pool:
    """A location die for every hit, named after whom it strikes and how hard."""
    return Pool([_hit_die(foe, damage, aim) for foe, damage in struck_hits(aim, plan, extra)])


@lru_cache(maxsize=4096)
def _hit_die(foe: int, damage: int, aim: Aim) -> Die:
    return Die(6, name=f"{aim.foes[foe].name} {damage}")


@lru_cache(maxsize=256)
def location_reader(aim: Aim) -> Callable[[int, Die], tuple[int, ...]]:
    """Reads a location die: what each target takes, damage and critical injuries."""
    by_name = {foe.name: number for number, foe in enumerate(aim.foes)}

    @lasting
    def read(face: int, die: Die) -> tuple[int, ...]:
        name, _, damage = die.name.rpartition(" ")
        return _through(aim, by_name[name], int(damage), face)

    return read


def _through(aim: Aim, foe: int, damage: int, face: int) -> tuple[int, ...]:
    left = after_armour(damage, aim.foes[foe].armour[face - 1])
    places = [0] * (2 * len(aim.foes))
    places[2 * foe] = left
    places[2 * foe + 1] = int(left >= aim.crit_threshold)
    return tuple(places)


def after_armour(damage: int, armour: int) -> int:
    """Return the damage that comes through."""
    return max(0, damage - armour)


@lru_cache(maxsize=65536)
def wounded(summed: tuple[int, ...], aim: Aim, hits: int) -> Wounded:
    """Return the damage to each target, and its effect."""
    wounds, injuries = summed[0::2], summed[1::2]
    kills = sum(0 < foe.capacity <= took for foe, took in zip(aim.foes, wounds, strict=True))
    return Wounded(hits, sum(wounds), kills, sum(injuries), wounds, injuries)


def mean_damage(aim: Aim, plan: Plan, extra: int) -> Fraction:
    """Return a plan's average damage, through armour."""
    return Fraction(_damage_in_six(aim, plan, extra), 6)


def _damage_in_six(aim: Aim, plan: Plan, extra: int) -> int:
    """Return a plan's damage if every location is struck once."""
    return sum([_hit_in_six(hit, aim) for hit in struck_hits(aim, plan, extra)])


@lru_cache(maxsize=4096)
def _hit_in_six(hit: tuple[int, int], aim: Aim) -> int:
    foe, damage = hit
    return sum([after_armour(damage, armour) for armour in aim.foes[foe].armour])


@lru_cache(maxsize=4096)
def usual_plan(aim: Aim, extra: int, sixes: int) -> str:
    """The plan that does most damage on average; among equals the first."""
    choices = plans(sixes, aim)
    return max(choices, key=lambda name: _damage_in_six(aim, choices[name], extra))
