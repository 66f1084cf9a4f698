"""What an outcome changes, as data, and the sheet after it; undo is the sheet before."""

from __future__ import annotations

from typing import Any

from rollwright.kit import Effect, Request
from rollwright.kit.sheets import (
    Change,
    adds,
    appends,
    applying,
    clamped,
    mine,
    named,
    sets,
    with_thing,
)

from .firearms import Attack, ClearJam, Firing, Magazine
from .requests import Group, Opposed
from .sheet import Sheet, Tool, Weapon


def effects(request: Request, outcome: Any) -> tuple[Effect, ...]:
    """What an outcome changes, in the order it takes hold; the action is resolved last."""
    made = [*_actions(request, outcome), *_worn(request, outcome)]
    if isinstance(request, Attack):
        made = [*_wounds(request, outcome), Effect("rounds", -outcome.rounds_spent), *made]
        made = [effect._replace(target=effect.target or request.weapon) for effect in made]
    if isinstance(request, ClearJam) and outcome.cleared:
        made.append(Effect("clear", 0, request.weapon))
    if isinstance(request, Group) and not outcome.successes:
        made.append(Effect("group failure", 1, request.skill_name or "the challenge"))
    if isinstance(request, Magazine):
        return ()
    return (*(effect for effect in made if effect.amount or effect.kind == "clear"), _RESOLVED)


_RESOLVED = Effect("resolved", 1, quiet=True)


def _actions(request: Request, outcome: Any) -> list[Effect]:
    asked: Any = request.active if isinstance(request, Opposed) else request
    kind = asked.action
    helpers = outcome.helpers if isinstance(request, Group) else asked.helpers
    return [Effect("action", kind, "helper")] * helpers if kind else []


def _worn(request: Request, outcome: Any) -> list[Effect]:
    who = getattr(outcome, "roller", "")
    asked = request.active if isinstance(request, Opposed) else request
    item = str(getattr(asked, "weapon", getattr(asked, "gear", "")))
    worn = "wear" if isinstance(asked, Firing) and not item else "reliability"
    return [
        Effect("damage", getattr(outcome, "damage", 0), who),
        Effect("stress", getattr(outcome, "stress", 0), who),
        Effect(worn, -getattr(outcome, "reliability_loss", 0), item),
        Effect("jam", int(getattr(outcome, "jammed", False)), item),
    ]


def _wounds(request: Attack, outcome: Any) -> list[Effect]:
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
    if not effect.target and effect.kind == "wound":
        return _wounded(sheet, effect.amount)
    if effect.target not in {foe.name for foe in sheet.foes}:
        return sheet
    foe = named("target", effect.target, sheet.foes)
    if effect.kind == "crit":
        return with_thing(sheet, "foes", foe.name, crits=foe.crits + effect.amount)
    damage = min(foe.capacity, foe.damage + effect.amount)
    return with_thing(sheet, "foes", foe.name, damage=damage)


def _wounded(sheet: Sheet, amount: int) -> Sheet:
    """The character of the sheet itself was shot at."""
    damage = min(sheet.hit_capacity, sheet.damage + amount)
    out = damage == sheet.hit_capacity and amount > 0
    return sheet.but(damage=damage, incapacitated=sheet.incapacitated or out)


def _resolved(sheet: Sheet, effect: Effect) -> Sheet:
    return sheet.but(falling=False, incapacitated=sheet.incapacitated or sheet.falling)


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
        "action": mine(appends("actions_used")),
        "new round": sets(actions_used=()),
        "group failure": _failed,
        "resolved": _resolved,
    }
)
"""The sheet after an effect; what is meant for somebody else leaves it as it is."""
