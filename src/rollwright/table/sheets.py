"""Sheets at the table: as data, as the values of their game, and their changes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rollwright.errors import RollwrightError
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json, JsonObject
from rollwright.kit.fields import REQUIRED, Field, Value, fields_of, made
from rollwright.kit.games import Effect, Game, find_game
from rollwright.kit.requests import Request, to_plain
from rollwright.kit.shared import TABLE, for_referees
from rollwright.table.errors import command_error
from rollwright.table.events import REFEREE, Audience, Seat
from rollwright.table.limits import weight_of
from rollwright.table.schemas import Changes

if TYPE_CHECKING:
    from rollwright.table.state import TableState

CHANGE_BYTES = 500
"""Bytes of memory that a change takes beside what it changed."""


class SheetChange(NamedTuple):
    """A change of a sheet that can be undone."""

    seq: int
    sheet: str
    changes: Changes | None
    """For each field what it was before and what it is after; None where only the log has it."""
    roll: str = ""
    """The roll behind it, if one is."""

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        return CHANGE_BYTES + weight_of(self.changes)


@dataclass(slots=True)
class Sheet:
    """A sheet: a seat's own has the seat's id, the referee's have ids of their own.

    What the table shares is one too: its id and its owner are TABLE.
    """

    id: str
    owner: str
    """A seat, "referee", or "table"."""
    values: JsonObject
    shown: bool = True
    """Whether everybody may see it."""
    removed: bool = False
    made: int = 0
    """The seq of the event that made it."""
    version: str = ""
    """The version of the game's sheets that it was made under."""
    changed: int = 0
    """The seq of the event that changed or removed it last."""
    named: int = 0
    """The seq of the event that made, named or removed it last."""
    written: bytes | None = field(default=None, compare=False)
    """Its JSON as last sent, until it changes."""
    made_of: tuple[JsonObject, Value] | None = field(default=None, compare=False, repr=False)
    """The sheet as its game has it, under these house rules, until it changes."""
    _weight: int | None = field(default=None, compare=False)

    @property
    def weight(self) -> int:
        """The bytes of its values, about."""
        if self._weight is None:
            self._weight = weight_of(self.values)
        return self._weight

    @property
    def audience(self) -> Audience:
        """Who may see it."""
        return None if self.shown else (REFEREE,)

    @property
    def name(self) -> str:
        """The name of the character."""
        found = self.values.get("name", "")
        return found if isinstance(found, str) else ""

    def change(self, changes: Changes) -> None:
        """Take changed fields in."""
        for name, both in changes.items():
            self.values[name] = both["after"]
        self.written = self.made_of = self._weight = None

    def remove(self) -> None:
        """It lies on the table no more."""
        self.removed, self.values = True, {}
        self.written = self.made_of = self._weight = None

    def bare(self) -> Sheet:
        """The sheet without what was made of it, for another process."""
        return Sheet(
            self.id,
            self.owner,
            self.values,
            self.shown,
            self.removed,
            self.made,
            self.version,
            self.changed,
            self.named,
        )


HOUSE = "house"
SheetValue: TypeAlias = Value | JsonObject
"""A sheet as its game has it; free notation keeps fields as they are."""


def game_of(state: TableState) -> Game | None:
    """The game of a table; None for free notation."""
    return find_game(state.game) if state.game else None


def sheet_version_of(state: TableState) -> str:
    """The version of the sheets of a table's game; empty for free notation."""
    game = game_of(state)
    return "" if game is None else game.sheet_version


def kind_of_sheet(game: Game | None, name: str) -> type[Value] | None:
    """Return the type of a sheet of that name: a character's, or the shared sheet's."""
    if game is None:
        return None
    return game.shared if name == TABLE else game.sheet


def change_by(game: Game, name: str) -> Callable[[Any, Effect], Value] | None:
    """Return how an effect changes a sheet of that name; None if a game knows no effects on it."""
    if name == TABLE:
        return None if game.shared is None else game.apply_shared
    return game.apply


def sheet_value(state: TableState, name: str, values: JsonObject) -> SheetValue:
    """Return the value of the sheet of that name from its fields, or raise BadField."""
    kind = kind_of_sheet(game_of(state), name)
    if kind is None:
        return dict(values)
    known: JsonObject = {HOUSE: state.house} if HOUSE in fields_of(kind) and state.house else {}
    return made(kind, known | values)


def shared_of(state: TableState) -> Value | None:
    """Return the shared sheet, or its first state if it was never changed."""
    game = game_of(state)
    if game is None or game.shared is None:
        return None
    sheet = state.sheets.get(TABLE)
    value = sheet_value(state, TABLE, {} if sheet is None else sheet.values)
    return value if isinstance(value, Value) else None


def values_to_json(state: TableState, name: str, values: JsonObject) -> JsonObject:
    """The fields of a sheet, checked, as they are stored: all of them, whatever their default.

    In the things on a sheet, such as weapons, what is at its default is left out.
    """
    value = sheet_value(state, name, values)
    if not isinstance(value, Value):
        return dict(values)
    plain = fields_to_json(value)
    if HOUSE not in values:
        plain.pop(HOUSE, None)
    return plain


def changes_between(values: JsonObject, before: SheetValue, after: SheetValue) -> Changes:
    """The fields in which two states of a sheet differ, as they were and as they are."""
    if isinstance(before, dict) and isinstance(after, dict):
        names = sorted({*before, *after})
        pairs = {name: (values.get(name), after.get(name)) for name in names}
    else:
        pairs = {
            name: (
                values[name] if name in values else _to_json(getattr(before, name)),
                _to_json(getattr(after, name)),
            )
            for name in fields_of(type(before))
            if getattr(before, name) != getattr(after, name)
        }
    return {name: {"before": was, "after": now} for name, (was, now) in pairs.items() if was != now}


def fields_to_json(value: Value) -> JsonObject:
    """All fields of a sheet as they are stored."""
    return {name: _to_json(getattr(value, name)) for name in fields_of(type(value))}


def _default(about: Field) -> Json:
    return None if about.default is REQUIRED else _to_json(about.default)


def _to_json(value: object) -> Json:
    if isinstance(value, Value):
        return to_plain(value)
    if isinstance(value, tuple):
        return [_to_json(part) for part in value]
    return value if value is None or isinstance(value, (str, int)) else str(value)


def differences(
    game: Game, kind: type[Request], before: JsonObject, after: JsonObject
) -> list[Message]:
    """Return the changes between two plain requests of a kind, in a few words."""
    pairs = {
        name: (before.get(name, _default(about)), after.get(name, _default(about)))
        for name, about in fields_of(kind).items()
        if name != HOUSE and name not in kind.elsewhere
    }
    found = [
        msg("table.was", field=_field_label(game, kind, name), was=_short(was), now=_short(now))
        for name, (was, now) in pairs.items()
        if was != now
    ]
    return found[:3]


def _field_label(game: Game, kind: type[Request], name: str) -> Message | str:
    """Return the label of a field in every language, or its title."""
    ids = (f"label.{kind.roll}.{name}", f"label.{name}")
    found = next((id for id in ids if id in game.words), "")
    return game.words.msg(found) if found else fields_of(kind)[name].title


def _short(value: Json) -> Message | str:
    if isinstance(value, (dict, list)):
        return Message("table.was.another")
    return Message("table.was.nothing") if value is None else str(value)[:40]


class CannotRevertError(Exception):
    """A change that cannot be taken back, since something later depends on it."""


def revert(before: Json, after: Json, now: Json) -> Json:
    """The value now, without a change that once led from `before` to `after`."""
    if now == after and type(now) is type(after):
        return before
    if type(before) is int and type(after) is int and type(now) is int:
        return now - (after - before)
    if isinstance(before, dict) and isinstance(after, dict) and isinstance(now, dict):
        return _revert_fields(before, after, now)
    if isinstance(before, list) and isinstance(after, list) and isinstance(now, list):
        return _revert_parts(before, after, now)
    raise CannotRevertError


def _revert_parts(before: list[Json], after: list[Json], now: list[Json]) -> list[Json]:
    if not len(before) == len(after) == len(now):
        raise CannotRevertError
    parts = zip(before, after, now, strict=True)
    return [n if b == a else revert(b, a, n) for b, a, n in parts]


def _revert_fields(before: JsonObject, after: JsonObject, now: JsonObject) -> JsonObject:
    found = dict(now)
    for name in {*before, *after}:
        if before.get(name) == after.get(name):
            continue
        if name in before and name in after and name in now:
            found[name] = revert(before[name], after[name], now[name])
        elif now.get(name) != after.get(name):
            raise CannotRevertError
        elif name in before:
            found[name] = before[name]
        else:
            del found[name]
    return found


def undo_changes(state: TableState, seq: int) -> tuple[Changes, list[str]]:
    """The changes that take a change of a sheet back, and the fields that must be left."""
    change = state.changes[seq]
    sheet, fields = state.sheets[change.sheet], change.changes or {}
    wanted: JsonObject = {}
    left = []
    for name, both in fields.items():
        try:
            wanted[name] = revert(both["before"], both["after"], sheet.values.get(name))
        except CannotRevertError:
            left.append(name)
    try:
        before = sheet_value(state, sheet.id, sheet.values)
        after = sheet_value(state, sheet.id, sheet.values | wanted)
    except RollwrightError:  # the sheet as it would be breaks a rule of its game
        return {}, sorted(fields)
    return changes_between(sheet.values, before, after), left


def manual_changes(state: TableState, sheet: Sheet, changed: JsonObject) -> Changes:
    """The changes that new values of some fields make, checked by the game."""
    before = sheet_value(state, sheet.id, sheet.values)
    after = sheet_value(state, sheet.id, sheet.values | changed)
    return changes_between(sheet.values, before, after)


def forbidden_field(state: TableState, seat: Seat, sheet: Sheet, changes: Collection[str]) -> str:
    """A changed field of the table's that is not for a player's hand; empty for none."""
    if sheet.id != TABLE or seat.is_referee:
        return ""
    guarded = for_referees(kind_of_sheet(game_of(state), TABLE))
    return next((name for name in changes if name in guarded), "")


def need_game(state: TableState, what: str) -> Game:
    """The game of the table, refused where there is none."""
    game = game_of(state)
    if game is None:
        raise command_error("bad_request", "table.gameless", what=what)
    return game
