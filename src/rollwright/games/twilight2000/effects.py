"""What an outcome changes, as data, and the sheet after it; undo is the sheet before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollwright.errors import UnknownName
from rollwright.games.twilight2000.firearms import Attack, ClearJam, Firing, Magazine
from rollwright.games.twilight2000.gear import Weapon
from rollwright.games.twilight2000.requests import Group, Opposed
from rollwright.games.twilight2000.sheet import Item, Sheet, named
from rollwright.kit import Effect, Request


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


def apply(sheet: Sheet, effect: Effect) -> Sheet:
    """The sheet after an effect; what is meant for somebody else leaves it as it is."""
    change = _CHANGES.get(effect.kind)
    if change is None:
        raise UnknownName("effect", effect.kind, _CHANGES)
    changed: Sheet = change(sheet, effect)
    return changed


def _person(field_name: str, capacity: str) -> Callable[[Sheet, Effect], Any]:
    def change(sheet: Sheet, effect: Effect) -> Any:
        if effect.target not in ("", sheet.name):
            return sheet
        most = getattr(sheet, capacity)
        now = max(0, min(most, getattr(sheet, field_name) + effect.amount))
        falls = now == most and effect.amount > 0
        return sheet.but(**{field_name: now}, falling=sheet.falling or falls)

    return change


def _changed(things: tuple[Item, ...], name: str, **fields: Any) -> tuple[Item, ...]:
    return tuple(thing.but(**fields) if thing.name == name else thing for thing in things)


def _reliability(sheet: Sheet, effect: Effect) -> Any:
    if not effect.target:
        return sheet
    where = "tools" if effect.target in {t.name for t in sheet.tools} else "weapons"
    item: Any = named(getattr(sheet, where), effect.target, "item")
    rating = max(0, min(item.max_reliability, item.reliability + effect.amount))
    things = _changed(getattr(sheet, where), item.name, reliability=rating)
    return sheet.but(**{where: things})


def _weapon(change: Callable[[Weapon, Effect], dict[str, Any]]) -> Callable[[Sheet, Effect], Any]:
    def changed(sheet: Sheet, effect: Effect) -> Any:
        if not effect.target and not sheet.weapons:
            return sheet
        weapon = sheet.weapon(effect.target)
        return sheet.but(weapons=_changed(sheet.weapons, weapon.name, **change(weapon, effect)))

    return changed


def _wear(weapon: Weapon, effect: Effect) -> dict[str, Any]:
    return {"reliability": max(0, weapon.reliability + effect.amount)}


def _rounds(weapon: Weapon, effect: Effect) -> dict[str, Any]:
    return {"rounds": max(0, weapon.rounds + effect.amount)}


def _reload(weapon: Weapon, effect: Effect) -> dict[str, Any]:
    fresh = weapon.reloaded(keep_partial=effect.amount == "keep")
    return {"rounds": fresh.rounds, "spares": fresh.spares, "partials": fresh.partials}


def _foe(sheet: Sheet, effect: Effect) -> Any:
    if not effect.target and effect.kind == "wound":
        return _wounded(sheet, effect.amount)
    if effect.target not in {foe.name for foe in sheet.foes}:
        return sheet
    foe = named(sheet.foes, effect.target, "target")
    if effect.kind == "crit":
        fields = {"crits": foe.crits + effect.amount}
    else:
        fields = {"damage": min(foe.capacity, foe.damage + effect.amount)}
    return sheet.but(foes=_changed(sheet.foes, foe.name, **fields))


def _wounded(sheet: Sheet, amount: int) -> Any:
    """The character of the sheet itself was shot at."""
    damage = min(sheet.hit_capacity, sheet.damage + amount)
    out = damage == sheet.hit_capacity and amount > 0
    return sheet.but(damage=damage, incapacitated=sheet.incapacitated or out)


def _action(sheet: Sheet, effect: Effect) -> Any:
    if effect.target not in ("", sheet.name):
        return sheet
    return sheet.but(actions_used=(*sheet.actions_used, effect.amount))


def _resolved(sheet: Sheet, effect: Effect) -> Any:
    return sheet.but(falling=False, incapacitated=sheet.incapacitated or sheet.falling)


def _failed(sheet: Sheet, effect: Effect) -> Any:
    return sheet.but(group_failures=(*sheet.group_failures, effect.target))


_CHANGES: dict[str, Callable[[Sheet, Effect], Any]] = {
    "damage": _person("damage", "hit_capacity"),
    "stress": _person("stress", "stress_capacity"),
    "reliability": _reliability,
    "wear": _weapon(_wear),
    "jam": _weapon(lambda weapon, effect: {"jammed": True}),
    "clear": _weapon(lambda weapon, effect: {"jammed": False}),
    "rounds": _weapon(_rounds),
    "reload": _weapon(_reload),
    "wound": _foe,
    "crit": _foe,
    "action": _action,
    "new round": lambda sheet, effect: sheet.but(actions_used=()),
    "group failure": _failed,
    "resolved": _resolved,
}
