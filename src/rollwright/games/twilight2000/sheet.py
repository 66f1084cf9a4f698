"""A character's sheet: what they are, carry and fight; and requests filled in from it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from rollwright.errors import BadField
from rollwright.kit import Value, field, preset, refuse_if
from rollwright.kit.fields import made, refuse_above
from rollwright.kit.sheets import filling, named, with_others

from .dice import SIDES, SKILLS, Level
from .firearms import Attack, ClearJam, Magazine
from .requests import Group, Member, Opposed, Skill

ENCUMBRANCE = {"magazine": Fraction(1, 4), "belt": Fraction(1)}
"""What a full one weighs in encumbrance units."""


class Tool(Value):
    """A piece of gear with a reliability."""

    name: str = field(help="what it is", most=60)
    reliability: int = preset(5, "its reliability now; broken at 0", 0, 10, "T2K R66")
    max_reliability: int = preset(5, "its reliability in good condition", 1, 10, "T2K R64")

    def check(self) -> None:
        problem = f"{self.reliability} is more than it ever had"
        refuse_above("reliability", self.reliability, self.max_reliability, problem, "T2K R64")

    @property
    def broken(self) -> bool:
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
        super().check()
        for name, rounds in [("rounds", self.rounds), *(("partials", n) for n in self.partials)]:
            problem = f"{rounds} rounds do not fit into a {self.kind} of {self.magazine_size}"
            most = self.magazine_size
            refuse_if(rounds > most, name, problem, "T2K R34", f"at most {most}")

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
        problem = f"{self.damage} is more than the hit capacity"
        refuse_above("damage", self.damage, self.capacity, problem, "T2K R71")

    @property
    def is_down(self) -> bool:
        return self.damage == self.capacity


def _skill(name: str) -> Any:
    return preset(None, f"the level in {name.upper()}, if any", rule="T2K R5")


class Sheet(Value):
    """A character: attributes, skills, wounds, gear, and whom they are fighting."""

    name: str = preset("", "who it is", most=60)
    STR: Level = preset("C", "strength", rule="T2K R4")
    AGL: Level = preset("C", "agility", rule="T2K R4")
    INT: Level = preset("C", "intelligence", rule="T2K R4")
    EMP: Level = preset("C", "empathy", rule="T2K R4")
    close_combat: Level | None = _skill("close combat")
    heavy_weapons: Level | None = _skill("heavy weapons")
    stamina: Level | None = _skill("stamina")
    driving: Level | None = _skill("driving")
    ranged_combat: Level | None = _skill("ranged combat")
    mobility: Level | None = _skill("mobility")
    recon: Level | None = _skill("recon")
    survival: Level | None = _skill("survival")
    tech: Level | None = _skill("tech")
    command: Level | None = _skill("command")
    medical_aid: Level | None = _skill("medical aid")
    persuasion: Level | None = _skill("persuasion")
    hit_capacity: int = preset(5, "damage that can be taken", 1, 20)
    stress_capacity: int = preset(5, "stress that can be taken", 1, 20)
    damage: int = preset(0, "damage taken", 0, 20, "T2K R13")
    stress: int = preset(0, "stress taken", 0, 20, "T2K R13")
    falling: bool = preset(
        False,
        "whether the price of a push fells the character once the action is resolved",
        rule="T2K R14",
    )
    incapacitated: bool = preset(False, "whether the character is out", rule="T2K R14")
    actions_used: tuple[Literal["fast", "slow"], ...] = preset(
        (), "actions used up this round, helping included", most=4, rule="T2K R55"
    )
    group_failures: tuple[str, ...] = preset(
        (), "shared challenges that were failed for all", most=99, rule="T2K R38"
    )
    weapons: tuple[Weapon, ...] = preset((), "firearms carried", most=12, once="name")
    tools: tuple[Tool, ...] = preset((), "other gear with a reliability", most=40, once="name")
    foes: tuple[Foe, ...] = preset((), "targets the table keeps count of", most=40, once="name")

    def check(self) -> None:
        for kind, most in (("damage", self.hit_capacity), ("stress", self.stress_capacity)):
            taken = getattr(self, kind)
            refuse_above(kind, taken, most, f"{taken} is more than the capacity", "T2K R13")
        spent = self.damage == self.hit_capacity or self.stress == self.stress_capacity
        early = self.falling and not spent
        refuse_if(early, "falling", "no capacity is used up", "T2K R14", "false")

    def level(self, skill_name: str) -> Level | None:
        found: Level | None = getattr(self, skill_name.replace(" ", "_"))
        return found

    def weapon(self, name: str = "") -> Weapon:
        """A weapon by name, or the first."""
        first = self.weapons[0].name if self.weapons else ""
        return named("weapon", name or first, self.weapons)

    @property
    def ammo_encumbrance(self) -> Fraction:
        """What spare magazines and belts weigh together, in units."""
        return sum((weapon.encumbrance for weapon in self.weapons), Fraction(0))


def usual_capacities(sheet: Sheet) -> tuple[int, int]:
    """Hit and stress capacity as the full rules have them, which this source does not say.

    >>> usual_capacities(Sheet(STR="A", AGL="B", INT="C", EMP="D"))
    (6, 4)
    """
    body = SIDES[sheet.STR] + SIDES[sheet.AGL]
    mind = SIDES[sheet.INT] + SIDES[sheet.EMP]
    return -(-body // 4), -(-mind // 4)


def _refuse_out(sheet: Sheet) -> None:
    problem = f"{sheet.name or 'the character'} is out"
    refuse_if(sheet.incapacitated, "incapacitated", problem, "T2K R14")


def _refuse_broken(item: Tool) -> None:
    refuse_if(item.broken, "gear", f"the {item.name} is broken", "T2K R66", "a repair")


_SIDE = {"skill_name", "attribute_name", "modifier", "modifiers", "helpers", "gear", "pushable"}


def _levels(sheet: Sheet, fields: dict[str, Any]) -> dict[str, Any]:
    skill_name = fields.get("skill_name")
    if skill_name not in SKILLS:
        came = f"{skill_name!r} is no skill" if skill_name else "no skill is picked"
        raise BadField("skill_name", came, rule="T2K R3", would_do=", ".join(SKILLS))
    attribute = fields.get("attribute_name") or SKILLS[skill_name]
    return {"attribute": getattr(sheet, attribute), "skill": sheet.level(skill_name)}


def _skill_from(sheet: Sheet, fields: dict[str, Any]) -> Skill:
    _refuse_out(sheet)
    known = _levels(sheet, fields)
    if fields.get("gear"):
        tool = named("tool", fields["gear"], sheet.tools)
        _refuse_broken(tool)
        known["gear_reliability"] = tool.reliability
    return made(Skill, known | fields)


def _opposed_from(sheet: Sheet, fields: dict[str, Any]) -> Opposed:
    side = {name: fields.pop(name) for name in tuple(fields) if name in _SIDE}
    return made(Opposed, {"active": _skill_from(sheet, side), **fields})


def _group_from(sheet: Sheet, fields: dict[str, Any]) -> Group:
    _refuse_out(sheet)
    me = Member(name=sheet.name or "you", **_levels(sheet, fields))
    members = with_others("members", me, fields.get("members", ()))
    return made(Group, {**fields, "members": members})


def _weapon_from(sheet: Sheet, fields: dict[str, Any], *names: str) -> dict[str, Any]:
    """What the sheet knows of a weapon and of whoever fires it, under what is given."""
    weapon = sheet.weapon(fields.get("weapon", ""))
    _refuse_broken(weapon)
    known = _levels(sheet, {"skill_name": weapon.skill_name, **fields})
    known |= {"skill_name": weapon.skill_name, "weapon": weapon.name}
    known |= {name: getattr(weapon, name) for name in ("rate_of_fire", "reliability", *names)}
    return known | fields


def _attack_from(sheet: Sheet, fields: dict[str, Any]) -> Attack:
    _refuse_out(sheet)
    weapon = sheet.weapon(fields.get("weapon", ""))
    jam, would_do = f"the {weapon.name} is jammed", "clearing the jam first"
    refuse_if(weapon.jammed and not weapon.broken, "weapon", jam, "T2K R32", would_do)
    names = ("rounds", "base_damage", "armour_modifier", "crit_threshold")
    return made(Attack, _weapon_from(sheet, fields, *names))


def _jam_from(sheet: Sheet, fields: dict[str, Any]) -> ClearJam:
    _refuse_out(sheet)
    return made(ClearJam, _weapon_from(sheet, fields))


def _magazine_from(sheet: Sheet, fields: dict[str, Any]) -> Magazine:
    _refuse_out(sheet)
    spares = {"spare_magazines": sheet.weapon(fields.get("weapon", "")).spares}
    return made(Magazine, spares | _weapon_from(sheet, fields, "rounds", "magazine_size"))


from_sheet = filling(
    {
        "skill": _skill_from,
        "opposed": _opposed_from,
        "group": _group_from,
        "attack": _attack_from,
        "clear_jam": _jam_from,
        "magazine": _magazine_from,
    }
)
"""A request with what the sheet knows filled in; fields that are given go first."""
