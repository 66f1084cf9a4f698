"""What an outcome does to the sheets at the table."""

from __future__ import annotations

from typing import Any, NamedTuple

from rollwright.errors import RollwrightError
from rollwright.kit.games import Effect, Game, find_game
from rollwright.table.rolls import Roll
from rollwright.table.sheet_values import changes_between, sheet_value
from rollwright.table.sheets import Sheet
from rollwright.table.state import TableState
from rollwright.telling import effect_said
from rollwright.transcript import Transcript
from rollwright.values import to_plain


class Settled(NamedTuple):
    """Effects as they were applied: what is told of each, and what changed on which sheet."""

    effects: list[dict[str, Any]]
    sheets: dict[str, dict[str, Any]]
    """For each sheet that changed, its changed fields."""

    @property
    def told(self) -> list[dict[str, Any]]:
        """The effects that people want to hear of."""
        return [effect for effect in self.effects if not effect.get("quiet")]

    def on(self, sheet: str) -> list[dict[str, Any]]:
        """The effects that changed a sheet."""
        return [effect for effect in self.effects if effect["sheet"] == sheet and effect["applied"]]


NOTHING = Settled([], {})


def settled(state: TableState, roll: Roll, transcript: Transcript) -> Settled:
    """What a finished roll does to the sheets; what a game refuses is told, and stops nothing."""
    request = transcript.request
    if request is None:
        return NOTHING
    game = find_game(request.game)
    try:
        effects = () if game.effects is None else game.effects(request, transcript.outcome)
    except Exception:  # a game that stumbles over an outcome does not take the roll with it
        effects = ()
    aimed = [(effect, *_aimed(state, roll, effect)) for effect in effects]
    return applied(state, game, aimed)


def applied(
    state: TableState, game: Game, aimed: list[tuple[Effect, Sheet | None, Effect]]
) -> Settled:
    """Effects applied one after the other, each as it is told and as its sheet understands it."""
    before: dict[str, Any] = {}
    now: dict[str, Any] = {}
    found = []
    for told, sheet, effect in aimed:
        plain = _plain(told, "" if sheet is None else sheet.id)
        found.append(plain)
        if sheet is None or game.apply is None:
            continue
        try:
            if sheet.id not in now:
                now[sheet.id] = before[sheet.id] = sheet_value(state, sheet.values)
            after = game.apply(now[sheet.id], effect)
            plain["applied"] = after != now[sheet.id]
            now[sheet.id] = after
        except RollwrightError as problem:
            plain["why"] = str(problem)
        except Exception:  # a plugged-in game may stumble over anything
            plain["why"] = f"the game cannot make sense of {plain['said']}"
    changes = {
        name: changes_between(state.sheets[name].values, before[name], value)
        for name, value in now.items()
    }
    return Settled(found, {name: changed for name, changed in changes.items() if changed})


def _plain(effect: Effect, sheet: str) -> dict[str, Any]:
    plain = {
        "kind": effect.kind,
        "amount": _amount(effect.amount),
        "target": effect.target,
        "said": effect_said(effect),
        "sheet": sheet,
        "applied": False,
    }
    return plain | {"quiet": True} if effect.quiet else plain


def _amount(value: Any) -> Any:
    try:
        return to_plain(value)
    except RollwrightError:  # such as a number with a point, which no log can hold
        return str(value)


def _aimed(state: TableState, roll: Roll, effect: Effect) -> tuple[Sheet | None, Effect]:
    """The sheet an effect is for, and the effect as that sheet has it: on its own character."""
    target = effect.target
    name = target[1:] if target.startswith("@") else roll.roles.get(target, "") if target else ""
    sheet = _lying(state, name) if name else None
    if sheet is not None:
        return sheet, effect._replace(target="")
    if name:
        return None, effect
    return _lying(state, roll.sheet), effect


def _lying(state: TableState, name: str) -> Sheet | None:
    sheet = state.sheets.get(name)
    return None if sheet is None or sheet.removed else sheet
