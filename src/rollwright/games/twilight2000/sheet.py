"""A character's sheet: what they are, carry and fight; what rolls take from it and change on it.

Effects are data, and `apply` gives the sheet after one; undo is the sheet before.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from rollwright.i18n.catalogs import words_of
from rollwright.kit import Effect, Request, Value, field, preset, refuse_if
from rollwright.kit.checks import checked
from rollwright.kit.fields import fields_of, made, refuse_above
from rollwright.kit.sheets import (
    Change,
    Fields,
    adds,
    applying,
    clamped,
    filling,
    mine,
    named,
    sets,
    with_others,
    with_thing,
)

from .dice import SIDES, SKILLS, Level
from .firearms import Attack, ClearJam, Firing, Magazine, Tool, Weapon
from .outcomes import AttackOutcome
from .requests import Group, Member, Opposed, Repair, Skill

msg = words_of(__package__ or __name__).msg
MOST_ACTIONS = 4
MOST_CRITS = 50


class Foe(Value):
    """Somebody shot at, as far as the table keeps count."""

    name: str = field(help="what the target is called", most=40)
    capacity: int = field(help="its hit capacity", low=1, high=50, rule="T2K R71")
    damage: int = preset(0, "what it has taken", 0, 50, "T2K R71")
    crits: int = preset(0, "critical injuries", 0, MOST_CRITS, "T2K R72")

    def check(self) -> None:
        problem = msg("refusal.dead", n=self.damage)
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
    crits: int = preset(0, "critical injuries", 0, MOST_CRITS, "T2K R72")
    falling: bool = preset(
        False,
        "whether the price of a push fells the character once the action is resolved",
        rule="T2K R14",
    )
    incapacitated: bool = preset(False, "whether the character is out", rule="T2K R14")
    actions_used: tuple[Literal["fast", "slow"], ...] = preset(
        (), "actions used up this round, helping included", most=MOST_ACTIONS, rule="T2K R55"
    )
    group_failures: tuple[str, ...] = preset(
        (), "shared challenges that were failed for all", most=99, rule="T2K R38"
    )
    spare_parts: int = preset(0, "spare parts for repairs", 0, 99, "T2K R67")
    weapons: tuple[Weapon, ...] = preset((), "firearms carried", most=12, once="name")
    tools: tuple[Tool, ...] = preset((), "other gear with a reliability", most=40, once="name")
    foes: tuple[Foe, ...] = preset((), "targets the table keeps count of", most=40, once="name")

    def check(self) -> None:
        for kind, most in (("damage", self.hit_capacity), ("stress", self.stress_capacity)):
            taken = getattr(self, kind)
            refuse_above(kind, taken, most, msg("refusal.capacity", n=taken), "T2K R13")
        spent = self.damage == self.hit_capacity or self.stress == self.stress_capacity
        early = self.falling and not spent
        refuse_if(early, "falling", msg("refusal.not.falling"), "T2K R14", msg("do.false"))

    def level(self, skill_name: str) -> Level | None:
        found: Level | None = getattr(self, skill_name.replace(" ", "_"))
        return found

    def weapon(self, name: str = "") -> Weapon:
        """A weapon by name, or the first."""
        first = self.weapons[0].name if self.weapons else ""
        return named("weapon", name or first, self.weapons)

    @property
    def ammo_encumbrance(self) -> Fraction:
        """Encumbrance units of all spare magazines and belts."""
        return sum((weapon.encumbrance for weapon in self.weapons), Fraction(0))

    @property
    def worn(self) -> tuple[Tool, ...]:
        """Weapons and tools that have less reliability than they had."""
        return tuple(
            item for item in (*self.weapons, *self.tools) if item.reliability < item.max_reliability
        )


def usual_capacities(sheet: Sheet) -> tuple[int, int]:
    """Hit and stress capacity as the full rules have them, which this source does not say.

    >>> usual_capacities(Sheet(STR="A", AGL="B", INT="C", EMP="D"))
    (6, 4)
    """
    body = SIDES[sheet.STR] + SIDES[sheet.AGL]
    mind = SIDES[sheet.INT] + SIDES[sheet.EMP]
    return -(-body // 4), -(-mind // 4)


def _refuse_out(sheet: Sheet) -> None:
    problem = msg("refusal.out", name=sheet.name, named=bool(sheet.name))
    refuse_if(sheet.incapacitated, "incapacitated", problem, "T2K R14")


def _refuse_broken(item: Tool) -> None:
    problem = msg("refusal.broken", name=item.name)
    refuse_if(item.broken, "gear", problem, "T2K R66", msg("do.repair"))


_ALL_SKILLS = ", ".join(SKILLS)
_SIDE = {"skill_name", "attribute_name", "modifier", "modifiers", "helpers", "gear", "pushable"}


def _levels(sheet: Sheet, fields: Fields) -> Fields:
    skill_name = fields.get("skill_name", "")
    named = msg("refusal.no.skill", name=repr(skill_name))
    problem = named if skill_name else msg("refusal.skill")
    known = isinstance(skill_name, str) and skill_name in SKILLS
    refuse_if(not known, "skill_name", problem, "T2K R3", _ALL_SKILLS)
    attribute = fields.get("attribute_name") or SKILLS[skill_name]
    checked(fields_of(Skill)["attribute_name"], attribute)
    return {"attribute": getattr(sheet, attribute), "skill": sheet.level(skill_name)}


def _with_tool(sheet: Sheet, fields: Fields) -> Fields:
    """Return the fields of the named tool, under the given ones: its reliability and its skill."""
    if not fields.get("gear"):
        return fields
    tool: Tool = named("tool", fields["gear"], sheet.tools)
    _refuse_broken(tool)
    skill = {"skill_name": tool.skill_name} if tool.skill_name else {}
    return {"gear_reliability": tool.reliability, **skill, **fields}


def _skill_from(sheet: Sheet, fields: Fields) -> Skill:
    _refuse_out(sheet)
    fields = _with_tool(sheet, fields)
    return made(Skill, _levels(sheet, fields) | fields)


def _opposed_from(sheet: Sheet, fields: Fields) -> Opposed:
    side = {name: fields.pop(name) for name in tuple(fields) if name in _SIDE}
    return made(Opposed, {"active": _skill_from(sheet, side), **fields})


def _group_from(sheet: Sheet, fields: Fields) -> Group:
    _refuse_out(sheet)
    fields = _with_tool(sheet, fields)
    me = Member(name=sheet.name or "you", **_levels(sheet, fields))
    members = with_others("members", me, fields.get("members", ()))
    return made(Group, {**fields, "members": members})


def _weapon_from(sheet: Sheet, fields: Fields, *names: str) -> Fields:
    """Return the sheet's fields of a weapon and its user, under the given ones."""
    weapon = sheet.weapon(fields.get("weapon", ""))
    _refuse_broken(weapon)
    known = _levels(sheet, {"skill_name": weapon.skill_name, **fields})
    known |= {"skill_name": weapon.skill_name, "weapon": weapon.name}
    known |= {name: getattr(weapon, name) for name in ("rate_of_fire", "reliability", *names)}
    return known | fields


def _refuse_empty(weapon: Weapon, fields: Fields) -> None:
    empty = "rounds" not in fields and not weapon.rounds and not weapon.broken
    none, would_do = msg("refusal.empty", name=weapon.name), msg("do.reload")
    refuse_if(empty, "weapon", none, "T2K R73", would_do)


def _attack_from(sheet: Sheet, fields: Fields) -> Attack:
    _refuse_out(sheet)
    weapon = sheet.weapon(fields.get("weapon", ""))
    jam, would_do = msg("refusal.jammed", name=weapon.name), msg("do.clear")
    refuse_if(weapon.jammed and not weapon.broken, "weapon", jam, "T2K R32", would_do)
    _refuse_empty(weapon, fields)
    names = ("rounds", "base_damage", "armour_modifier", "crit_threshold")
    return made(Attack, _weapon_from(sheet, fields, *names))


def _jam_from(sheet: Sheet, fields: Fields) -> ClearJam:
    _refuse_out(sheet)
    jam = made(ClearJam, _weapon_from(sheet, fields))
    several, would_do = msg("refusal.tries", n=jam.tries), msg("do.again")
    refuse_if(jam.tries > 1, "tries", several, "T2K R32", would_do)
    return jam


def _magazine_from(sheet: Sheet, fields: Fields) -> Magazine:
    _refuse_out(sheet)
    weapon = sheet.weapon(fields.get("weapon", ""))
    _refuse_empty(weapon, fields)
    spares = {"spare_magazines": weapon.spares}
    return made(Magazine, spares | _weapon_from(sheet, fields, "rounds", "magazine_size"))


def _repair_from(sheet: Sheet, fields: Fields) -> Repair:
    _refuse_out(sheet)
    wanted = fields.get("item") or (sheet.worn[0].name if sheet.worn else "")
    item = named("item", wanted, (*sheet.weapons, *sheet.tools), field="item", rule="T2K R67")
    none, would_do = msg("refusal.no.parts"), msg("do.parts")
    refuse_if(not sheet.spare_parts, "spare_parts", none, "T2K R67", would_do)
    known = _skill_from(sheet, {"skill_name": "tech", **_of_skill(fields)})
    wear = {"reliability": item.reliability, "max_reliability": item.max_reliability}
    filled = {name: getattr(known, name) for name in fields_of(Skill)}
    parts = {"item": item.name, "spare_parts": sheet.spare_parts}
    return made(Repair, {**filled, **wear, **parts, **fields})


def _of_skill(fields: Fields) -> Fields:
    return {name: held for name, held in fields.items() if name in fields_of(Skill)}


from_sheet = filling(
    {
        "skill": _skill_from,
        "opposed": _opposed_from,
        "group": _group_from,
        "attack": _attack_from,
        "clear_jam": _jam_from,
        "magazine": _magazine_from,
        "repair": _repair_from,
    }
)
"""A request with what the sheet knows filled in; fields that are given go first."""


def effects(request: Request, outcome: Any) -> tuple[Effect, ...]:
    """Return an outcome's changes, in the order they take hold; the action is resolved last."""
    made = [*_actions(request, outcome), *_worn(request, outcome)]
    if type(request) is Skill:  # as most are
        return (*made, _RESOLVED)
    if isinstance(request, Attack):
        made = [*_wounds(request, outcome), Effect("rounds", -(outcome.rounds_spent or 0)), *made]
        made = [effect._replace(target=effect.target or request.weapon) for effect in made]
    if isinstance(request, ClearJam) and outcome.cleared:
        made.append(Effect("clear", 0, request.weapon))
    if isinstance(request, Repair):
        made += [Effect("reliability", outcome.restored, request.item), Effect("parts", -1)]
    if isinstance(request, Group) and not outcome.successes:
        made.append(Effect("group failure", 1, request.skill_name or "the challenge"))
    if isinstance(request, Magazine):
        return ()
    return (*[effect for effect in made if effect.amount or effect.kind == "clear"], _RESOLVED)


_RESOLVED = Effect("resolved", 1, quiet=True)


def _actions(request: Request, outcome: Any) -> list[Effect]:
    asked: Any = request.active if isinstance(request, Opposed) else request
    kind = asked.action
    helpers = outcome.helpers if isinstance(request, Group) else asked.helpers
    if not kind:
        return []
    own = [Effect("action", kind)] * outcome.tries if isinstance(request, ClearJam) else []
    return [*own, *[Effect("action", kind, "helper")] * helpers]


def _worn(request: Request, outcome: Any) -> list[Effect]:
    who = getattr(outcome, "roller", "")
    asked = request.active if isinstance(request, Opposed) else request
    item = str(getattr(asked, "weapon", getattr(asked, "gear", "")))
    worn = "wear" if isinstance(asked, Firing) and not item else "reliability"
    amounts = (
        ("damage", getattr(outcome, "damage", 0), who),
        ("stress", getattr(outcome, "stress", 0), who),
        (worn, -(getattr(outcome, "reliability_loss", 0) or 0), item),
        ("jam", int(getattr(outcome, "jammed", False) or False), item),
    )
    return [Effect(*amount) for amount in amounts if amount[1]]


def _wounds(request: Attack, outcome: AttackOutcome) -> list[Effect]:
    made = []
    for number, target in enumerate(request.targets):
        made.append(Effect("wound", outcome.wounds[number], target.name))
        made.append(Effect("crit", outcome.injuries[number], target.name))
    return made


def _taking(field_name: str, capacity: str) -> Change[Sheet]:
    def change(sheet: Sheet, effect: Effect) -> Sheet:
        most = getattr(sheet, capacity)
        now = clamped(getattr(sheet, field_name) + effect.amount, 0, most)
        falls = now == most and effect.amount > 0
        return sheet.but(**{field_name: now}, falling=sheet.falling or falls)

    return change


def _reliability(sheet: Sheet, effect: Effect) -> Sheet:
    if not effect.target:
        return sheet
    where = "tools" if effect.target in {t.name for t in sheet.tools} else "weapons"
    item: Tool = named("item", effect.target, getattr(sheet, where))
    rating = clamped(item.reliability + effect.amount, 0, item.max_reliability)
    return with_thing(sheet, where, item.name, reliability=rating)


def _weapon(change: Change[Weapon]) -> Change[Sheet]:
    """The weapon that is named, or the first; where there is none, nothing changes."""

    def changed(sheet: Sheet, effect: Effect) -> Sheet:
        if not effect.target and not sheet.weapons:
            return sheet
        weapon = sheet.weapon(effect.target)
        after = change(weapon, effect)
        return sheet.but(weapons=tuple(after if w is weapon else w for w in sheet.weapons))

    return changed


def _reload(weapon: Weapon, effect: Effect) -> Weapon:
    return weapon.reloaded(keep_partial=effect.amount == "keep")


def _foe(sheet: Sheet, effect: Effect) -> Sheet:
    if not effect.target:
        return _shot_at(sheet, effect)
    if effect.target not in {foe.name for foe in sheet.foes}:
        return sheet
    foe = named("target", effect.target, sheet.foes)
    if effect.kind == "crit":
        return with_thing(sheet, "foes", foe.name, crits=_injured(foe.crits, effect))
    damage = min(foe.capacity, foe.damage + effect.amount)
    return with_thing(sheet, "foes", foe.name, damage=damage)


def _injured(crits: int, effect: Effect) -> int:
    return clamped(crits + effect.amount, 0, MOST_CRITS)


def _shot_at(sheet: Sheet, effect: Effect) -> Sheet:
    """The character of the sheet itself was hit: damage, and the critical injuries it made."""
    if effect.kind == "crit":
        return sheet.but(crits=_injured(sheet.crits, effect))
    damage = min(sheet.hit_capacity, sheet.damage + effect.amount)
    out = damage == sheet.hit_capacity and effect.amount > 0
    return sheet.but(damage=damage, incapacitated=sheet.incapacitated or out)


def _resolved(sheet: Sheet, effect: Effect) -> Sheet:
    return sheet.but(falling=False, incapacitated=sheet.incapacitated or sheet.falling)


def _acted(sheet: Sheet, effect: Effect) -> Sheet:
    """One more action is used up; of a round that nobody ended the last ones are kept."""
    return sheet.but(actions_used=(*sheet.actions_used, effect.amount)[-MOST_ACTIONS:])


def _failed(sheet: Sheet, effect: Effect) -> Sheet:
    return sheet.but(group_failures=(*sheet.group_failures, effect.target))


apply: Change[Sheet] = applying(
    {
        "damage": mine(_taking("damage", "hit_capacity")),
        "stress": mine(_taking("stress", "stress_capacity")),
        "reliability": _reliability,
        "wear": _weapon(adds("reliability", low=0)),
        "jam": _weapon(sets(jammed=True)),
        "clear": _weapon(sets(jammed=False)),
        "rounds": _weapon(adds("rounds", low=0)),
        "reload": _weapon(_reload),
        "wound": _foe,
        "crit": _foe,
        "parts": mine(adds("spare_parts", low=0)),
        "action": mine(_acted),
        "new round": sets(actions_used=()),
        "group failure": _failed,
        "resolved": _resolved,
    }
)
"""The sheet after an effect; what is meant for somebody else leaves it as it is."""
