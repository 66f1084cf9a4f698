"""The effects of an outcome on the sheets at the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import Any, NamedTuple

from rollwright.dice import Outcome
from rollwright.engine.values import value_to_json
from rollwright.errors import CodedError, RollwrightError
from rollwright.hooks import LONGEST_NAME, Text, check_name, text_to_json
from rollwright.i18n.messages import msg
from rollwright.jsonable import Json, check_jsonable
from rollwright.kit.card.endings import effect_text
from rollwright.kit.games import Effect, Game, find_game
from rollwright.kit.requests import Request
from rollwright.kit.shared import SHARED, TABLE
from rollwright.kit.words import format_effect
from rollwright.table.errors import cut
from rollwright.table.events import REFEREE, Seat, is_within
from rollwright.table.limits import weight_of
from rollwright.table.rolls import TableRoll
from rollwright.table.schemas import Changes, SheetEffectData
from rollwright.table.sheets import Sheet, SheetValue, change_by, changes_between, sheet_value
from rollwright.table.state import TableState

LARGEST_AMOUNT = 4_000
"""Bytes that an amount takes in an event; a larger one is cut there."""
MOST_EFFECTS = 400
"""Most effects of one roll, or of a new session on one sheet: an event has room for all of them."""
log = logging.getLogger("rollwright.table")


class Ending(NamedTuple):
    """A roll that has come to its end: what was asked for, and what came of it."""

    request: Request | None
    outcome: Outcome


class EffectResult(NamedTuple):
    """Effects as they were applied: the description of each, and the changes of each sheet."""

    effects: list[SheetEffectData]
    sheets: dict[str, Changes]
    """For each sheet that changed, its changed fields."""

    @property
    def waiting_sheets(self) -> list[str]:
        """The sheets on which some of it waits."""
        return list(dict.fromkeys([e["sheet"] for e in self.effects if e.get("waits")]))

    @property
    def audible_effects(self) -> list[SheetEffectData]:
        """The effects that people want to hear of."""
        return [effect for effect in self.effects if not effect.get("quiet")]

    def on(self, sheet: str) -> list[SheetEffectData]:
        """The effects that changed a sheet."""
        return [effect for effect in self.effects if effect["sheet"] == sheet and effect["applied"]]


NOTHING = EffectResult([], {})


_stumbled: set[str] = set()
"""Games whose failure was logged: one line in the log of a host is enough."""


def _effects(game: Game, say: Callable[..., Iterable[Effect]] | None, *of: Any) -> list[Effect]:
    """Return the effects of an outcome, or of a new session; a game that fails does not stop it.

    The failure is not logged in detail: the roll may be secret, and a log is read by the host. More
    effects than an event has room for are refused, all of them.
    """
    try:
        given = () if say is None else islice(say(*of), MOST_EFFECTS + 1)
        made = [_check_effect(effect) for effect in given]
    except (Exception, SystemExit) as problem:
        _log_failure(game, "say what a roll changes", problem)
        return []
    if len(made) > MOST_EFFECTS:
        raise CodedError("too_much_work", TOO_MANY)
    return made


def _log_failure(game: Game, over: str, problem: BaseException) -> None:
    if game.name not in _stumbled:
        _stumbled.add(game.name)
        log.error("the game %s fails to %s: %s", game.name, over, type(problem).__name__)


def _check_effect(effect: Effect) -> Effect:
    """Return an effect whose kind and target are names, so that it can be described and aimed."""
    names: tuple[object, ...] = (effect.kind, effect.target)
    for name in names:
        if not isinstance(name, str) or len(name) > LONGEST_NAME:
            raise TypeError("an effect is Effect(kind, amount, target), kind and target in words")
        name.encode()
    format_effect(effect)  # any amount must have a description
    return effect


def settle_effects(
    state: TableState, roll: TableRoll, ended: Ending, *, late: Collection[str] | None = None
) -> EffectResult:
    """Return a finished roll's effects on the sheets; a game's refusal is noted, and stops nothing.

    A secret roll's effect on a sheet that others may see as well waits, and so does a player's
    effect on the sheet of somebody else who threw none of its dice. `late` are the sheets whose
    moment has come.
    """
    request = ended.request
    if request is None:
        return NOTHING
    game = find_game(request.game)
    try:
        effects = _effects(game, game.effects, request, ended.outcome)
    except CodedError:  # the dice are thrown, so that the roll stays
        return EffectResult([_REFUSED], {})
    aims = [(effect, *_aim(state, roll, effect)) for effect in effects]
    aimed = [one for one in aims if one[1] is not None or not one[0].quiet]  # else nobody hears
    if late is not None:
        return apply_effects(state, game, [one for one in aimed if one[1] and one[1].id in late])
    sheets = [sheet for _, sheet, _ in aimed if sheet is not None]
    waiting = {s.id for s in sheets if _would_reveal(roll, s) or needs_consent(state, roll, s)}
    found = apply_effects(state, game, aimed, waiting)
    for (_, sheet, _), told in zip(aimed, found.effects, strict=True):
        if "why" in told and sheet is not None and not is_within(roll.seers, sheet.audience):
            told["why"] = text_to_json(msg("not_done.sheet"))  # the reason describes the sheet
    return found


def _would_reveal(roll: TableRoll, sheet: Sheet) -> bool:
    """Check whether a change of the sheet would reveal a roll that its seers may not see."""
    return roll.is_secret and not is_within(sheet.audience, roll.audience)


def needs_consent(state: TableState, roll: TableRoll, sheet: Sheet) -> bool:
    """Check whether the owner must approve first; one who threw their own dice has done so.

    So has one who chose in it, where the game says so of such rolls.
    """
    if not is_foreign(state, roll, sheet) or sheet.owner in roll.threw:
        return False
    return sheet.owner not in roll.chose or not _choosers_agree(state, roll)


def _choosers_agree(state: TableState, roll: TableRoll) -> bool:
    """Whether who chose in such a roll has agreed to it; believed of a game that is not here."""
    request = roll.what.get("request") or {}
    try:
        kind = find_game(state.game).requests.get(str(request.get("roll")))
    except RollwrightError:
        return True
    return kind is not None and kind.choosers_agree


def is_foreign(state: TableState, roll: TableRoll, sheet: Sheet) -> bool:
    """Check whether a sheet belongs to somebody other than the roller, who is no referee.

    The roller chose the target, and may have typed the faces. What the table shares is everybody's.
    """
    roller = state.seats.get(roll.by)
    return sheet.owner not in (roll.by, TABLE) and (roller is None or not roller.is_referee)


def may_decide_effects(state: TableState, seat: Seat, roll: TableRoll, sheet: Sheet) -> bool:
    """Whether a seat says if what waits of a roll happens to a sheet."""
    if seat.is_referee:
        return True
    return seat.id == (sheet.owner if is_foreign(state, roll, sheet) else roll.by)


def waiting_sheets(state: TableState, roll: TableRoll) -> list[Sheet]:
    """The sheets on which something of a roll waits; a character who came since is another."""
    found = [_sheet_at(state, name) for name in roll.waits]
    return [sheet for sheet in found if sheet is not None and sheet.made < roll.seqs[0]]


def apply_effects(
    state: TableState,
    game: Game,
    aimed: list[tuple[Effect, Sheet | None, Effect]],
    waiting: Collection[str] = (),
) -> EffectResult:
    """Apply effects one after the other, each with its description and as its sheet understands it.

    Those on the sheets that are `waiting` are only described.
    """
    before: dict[str, SheetValue] = {}
    now: dict[str, SheetValue] = {}
    found = []
    for told, sheet, effect in aimed:
        plain = _effect_data(told, "" if sheet is None else sheet.id, effect_text(game, told))
        found.append(plain)
        apply = None if sheet is None else change_by(game, sheet.id)
        if sheet is None or apply is None:
            continue
        try:
            if sheet.id not in now:
                now[sheet.id] = before[sheet.id] = sheet_value(state, sheet.id, sheet.values)
            after = apply(now[sheet.id], effect)
            if not isinstance(after, type(now[sheet.id])):
                raise TypeError("after an effect a sheet is a sheet of the same kind")
            if after != now[sheet.id]:
                if sheet.id in waiting:
                    plain["waits"] = True
                else:
                    plain["applied"] = True
            now[sheet.id] = after
        except RollwrightError as problem:
            plain["why"] = text_to_json(cut(problem))
        except (Exception, SystemExit) as problem:  # a plugged-in game may stumble over anything
            _log_failure(game, "apply an effect", problem)
            plain["why"] = text_to_json(msg("not_done.game", game=game.title))
    changes = {
        name: changes_between(state.sheets[name].values, before[name], value)
        for name, value in now.items()
        if name not in waiting
    }
    return EffectResult(found, {name: changed for name, changed in changes.items() if changed})


def session_effects(state: TableState, game: Game, sheet: Sheet) -> EffectResult:
    """Return the changes of a new session on a sheet; effects on SHARED are for the shared one."""
    effects = _effects(game, game.new_session)
    its = [effect for effect in effects if (effect.target == SHARED) == (sheet.id == TABLE)]
    aimed = [effect._replace(target="") if sheet.id == TABLE else effect for effect in its]
    return apply_effects(state, game, [(effect, sheet, effect) for effect in aimed])


def _effect_data(effect: Effect, sheet: str, said: Text) -> SheetEffectData:
    plain: SheetEffectData = {
        "kind": effect.kind,
        "amount": _amount(effect.amount),
        "target": effect.target,
        "said": said,
        "sheet": sheet,
        "applied": False,
    }
    if effect.quiet:
        plain["quiet"] = True
    return plain


def _amount(value: object) -> Json:
    try:
        plain: Json = value_to_json(value)
        check_jsonable(plain)
        return plain if weight_of(plain) <= LARGEST_AMOUNT else _placeholder(value)
    except RollwrightError:  # such as a number with a point, which no log can hold
        return _placeholder(value)


def _placeholder(value: object) -> str:
    """Return a placeholder for an amount that no log can hold."""
    try:
        return check_name(str(value))
    except Exception:  # it cannot even be put into words
        return type(value).__name__


def _aim(state: TableState, roll: TableRoll, effect: Effect) -> tuple[Sheet | None, Effect]:
    """The sheet an effect is for, and the effect as that sheet has it: on its own character."""
    target = effect.target
    name = target[1:] if target.startswith("@") else roll.roles.get(target, "") if target else ""
    sheet = _visible_sheet(state, roll, name) if name else None
    if sheet is not None:
        return sheet, effect._replace(target="")
    if name:
        return None, effect
    return _sheet_at(state, roll.sheet), effect


def _visible_sheet(state: TableState, roll: TableRoll, name: str) -> Sheet | None:
    """Return the sheet if the roller may see it: what others keep hidden cannot be aimed at."""
    sheet, roller = _sheet_at(state, name), state.seats.get(roll.by)
    if sheet is None or sheet.shown or name == roll.sheet:
        return sheet
    return sheet if roller is not None and roller.role == REFEREE else None


def _sheet_at(state: TableState, name: str) -> Sheet | None:
    sheet = state.sheets.get(name)
    return None if sheet is None or sheet.removed else sheet


TOO_MANY = msg("effects.refused", most=MOST_EFFECTS)
_REFUSED = _effect_data(Effect("refused"), "", text_to_json(TOO_MANY))
"""The note in place of more effects than an event has room for."""
