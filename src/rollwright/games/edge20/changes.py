"""What an outcome changes, as data, and the sheet after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rollwright.games.edge20.outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from rollwright.games.edge20.requests import Check, Repair, Turn
from rollwright.games.edge20.sheet import Item, Sheet
from rollwright.kit import Effect, Request, by_request
from rollwright.kit.sheets import Change, adds, applying, left_to_people, sets, with_thing


def _of_check(request: Check, outcome: CheckOutcome) -> Iterable[Effect]:
    yield Effect("checks", 1)
    if outcome.rerolled:
        yield Effect("rerolls", -outcome.rerolled)
    if outcome.effect:
        yield Effect("effect", outcome.effect, request.target or "target")
    if outcome.tier is Tier.CRITICAL_SUCCESS:
        yield Effect("helpful extra")
    if outcome.critical_effect:
        yield Effect("critical effect", 1, request.target or "target")
    yield from _of_disaster(request, outcome, outcome.turn_ends)


def _of_turn(request: Turn, outcome: TurnOutcome) -> Iterable[Effect]:
    yield Effect("checks", outcome.checks)
    if outcome.rerolled:
        yield Effect("rerolls", -outcome.rerolled)
    if outcome.effect:
        targets = {check.target for check in request.checks if check.effect}
        target = targets.pop() if len(targets) == 1 else "targets"
        yield Effect("effect", outcome.effect, target or "target")
    for _ in range(outcome.critical_successes):
        yield Effect("helpful extra")
    if outcome.critical_effects:
        targets = {check.target for check in request.checks if check.attack}
        target = targets.pop() if len(targets) == 1 else "targets"
        yield Effect("critical effect", outcome.critical_effects, target or "target")
    yield from _of_disaster(request.checks[outcome.last - 1], outcome, outcome.cut_short)


def _of_disaster(action: Any, outcome: Any, happened: bool) -> Iterable[Effect]:
    if happened:
        yield Effect("turn ended")
    if outcome.disabled:
        yield Effect("disabled", action.item_tier or 0, action.used_item)
    if outcome.harm:
        yield Effect("harm")


def _of_repair(request: Repair, outcome: RepairOutcome) -> Iterable[Effect]:
    made = outcome.checks_this_turn
    if outcome.turns > 1:
        yield Effect("new turn", outcome.turns - 1)
    else:
        made -= request.checks_before
    yield Effect("checks", made)
    yield Effect("attempts", outcome.attempts, request.item)
    if outcome.fixed:
        yield Effect("repaired", 0, request.item)
    if outcome.turn_ends:
        yield Effect("turn ended")
    for _ in range(outcome.critical_failures):
        yield Effect("harm")


_EFFECTS = by_request({Check: _of_check, Turn: _of_turn, Repair: _of_repair})


def effects(request: Request, outcome: Any) -> tuple[Effect, ...]:
    """What an outcome changes, as data."""
    return tuple(_EFFECTS(request, outcome))


def _with_item(sheet: Sheet, name: str, **changes: Any) -> Sheet:
    """The sheet with an item changed; one that was never noted down is from now on."""
    if name not in [item.name for item in sheet.items]:
        sheet = sheet.but(items=(*sheet.items, Item(name=name)))
    return with_thing(sheet, "items", name, **changes)


def _disable(sheet: Sheet, effect: Effect) -> Sheet:
    known = [item.tier for item in sheet.items if item.name == effect.target]
    tier = known[0] if known else effect.amount
    return _with_item(sheet, effect.target, tier=tier, disabled=True, attempts=0)


def _attempt(sheet: Sheet, effect: Effect) -> Sheet:
    if not effect.target:
        return sheet
    attempts = sheet.item(effect.target).attempts + effect.amount
    return _with_item(sheet, effect.target, attempts=attempts)


def _repair(sheet: Sheet, effect: Effect) -> Sheet:
    if not effect.target:
        return sheet
    return _with_item(sheet, effect.target, disabled=False, attempts=0)


apply: Change[Sheet] = applying(
    {
        "checks": adds("checks_made"),
        "rerolls": adds("rerolls"),
        "turn ended": sets(turn_ended=True),
        "new turn": sets(checks_made=0, turn_ended=False),
        "new round": sets(checks_made=0, turn_ended=False, reaction_lost=False),
        "reaction lost": sets(reaction_lost=True),
        "disabled": _disable,
        "attempts": _attempt,
        "repaired": _repair,
        "effect": left_to_people,
        "critical effect": left_to_people,
        "helpful extra": left_to_people,
        "harm": left_to_people,
    }
)
"""The sheet after an effect; what concerns others, or is for the GM to say, leaves it alone."""
