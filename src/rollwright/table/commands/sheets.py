"""Commands about sheets: making, changing, removing, undoing."""

from __future__ import annotations

from collections.abc import Sequence

from rollwright.errors import BadField, UnknownName
from rollwright.i18n.messages import Message, row_of
from rollwright.jsonable import Json, JsonObject, canonical_json
from rollwright.kit.bodies import Data, Object, Text
from rollwright.kit.checks import format_value
from rollwright.kit.fields import field
from rollwright.kit.games import Effect, find_game
from rollwright.kit.shared import TABLE
from rollwright.table.commands.context import (
    PLAYERS,
    REFEREES,
    Command,
    Id,
    find_own_sheet,
    find_sheet,
)
from rollwright.table.commands.roll_execution import write_change
from rollwright.table.commands.writer import EventWriter
from rollwright.table.effects import apply_effects
from rollwright.table.errors import (
    CodedError,
    NeedsEvents,
    as_field_errors,
    bad_field,
    command_error,
    command_error_of,
)
from rollwright.table.events import REFEREE, next_id
from rollwright.table.limits import weight_of
from rollwright.table.schemas import ChangeCause, Changes, SheetCreatedEvent, SheetRemovedEvent
from rollwright.table.sheets import (
    HOUSE,
    Sheet,
    change_by,
    fields_to_json,
    forbidden_field,
    game_of,
    manual_changes,
    need_game,
    sheet_value,
    sheet_version_of,
    undo_changes,
    values_to_json,
)
from rollwright.table.state import TableState

NPC = "npc"
MOST_AMOUNT = 10_000
"""Largest amount of an effect made by hand: far beyond what any sheet holds."""


class CreateSheetCommand(Command, do="sheet.create", allowed=PLAYERS):
    """A sheet of one's own, or one of the referee's."""

    sheet: Id = field("", help='Whose; your own without it, one of the referees\' for "npc".')
    values: Object | None = field(None, help="What stands on it.", most="sheet")
    shown: bool = field(False, help="Whether everybody sees a sheet of the referees'.")

    def run(self, writer: EventWriter) -> None:
        state = writer.state
        name = self.sheet or writer.seat.id
        others = (*state.seats, TABLE) if _has_shared_sheet(state) else tuple(state.seats)
        if name not in (NPC, writer.seat.id) and not (writer.seat.is_referee and name in others):
            unmade = Message("table.sheet.unmade", {"name": repr(name)})
            raise bad_field("sheet", unmade, Message("table.sheet.unmade.do", {"npc": repr(NPC)}))
        if name == NPC and not writer.seat.is_referee:
            raise command_error("forbidden", "table.sheet.npc", "sheet")
        lying = [sheet for sheet in state.sheets.values() if not sheet.removed]
        if name in [sheet.id for sheet in lying]:
            raise command_error("conflict", "table.sheet.there", "sheet", sheet=name)
        if len(lying) >= writer.limits.sheets:
            raise command_error("too_many", "table.sheets.many", most=writer.limits.sheets)
        with as_field_errors("values"):
            values = values_to_json(state, name, self.values or {})
        _check_space(writer, name, weight_of(values))
        is_npc = name == NPC
        body = SheetCreatedEvent(
            by=writer.by,
            sheet=next_id("n", state.npcs, writer.seq, secret=not self.shown) if is_npc else name,
            owner=REFEREE if is_npc else name,  # what the table shares is the table's
            values=values,
            shown=self.shown or not is_npc,
            version=sheet_version_of(state),
        )
        writer.write("sheet.created", body, None if body["shown"] else (REFEREE,))


def _has_shared_sheet(state: TableState) -> bool:
    """Whether tables of this game share anything."""
    game = game_of(state)
    return game is not None and game.shared is not None


def create_shared_sheet(writer: EventWriter, game: str) -> None:
    """A new table has what its game lets it share, as it begins."""
    kind = find_game(game).shared if game else None
    if kind is None:
        return
    body = SheetCreatedEvent(
        by=writer.by,
        sheet=TABLE,
        owner=TABLE,
        values={name: held for name, held in fields_to_json(kind()).items() if name != HOUSE},
        shown=True,
        version=find_game(game).sheet_version,
    )
    writer.write("sheet.created", body)


def _check_space(writer: EventWriter, name: str, weight: int) -> None:
    """Refuse a sheet that would make all sheets of a table too much to be shown at once."""
    others = sum(sheet.weight for sheet in writer.state.sheets.values() if sheet.id != name)
    if others + weight > writer.limits.sheets_bytes:
        most = writer.limits.sheets_bytes
        raise command_error("too_large", "table.sheets.large", "values", most=most)


def _check_size(writer: EventWriter, values: JsonObject) -> None:
    """Refuse a sheet that would be too much by itself."""
    size, most = len(canonical_json(values)), writer.limits.sheet
    if size > most:
        say = BadField("values", Message("table.bytes", {"n": size, "most": most}))
        raise CodedError("too_large", say.wording, "values")


def _check_manual_change(writer: EventWriter, sheet: Sheet, changes: Changes) -> None:
    """Refuse a player's hand on what of the table's is for referees."""
    if held := forbidden_field(writer.state, writer.seat, sheet, changes):
        raise command_error("forbidden", "table.shared.referees", f"values.{held}", field=held)


class ManualChangeCommand(Command):
    """A sheet is changed by somebody's own hand."""

    sheet: Id = field(help="The sheet.")
    why: Text = field("", help="Why.", most="note", empty=True, lines=True)

    def cause(self, writer: EventWriter) -> ChangeCause:
        """Return the cause of the change."""
        return {"hand": True, "why": writer.seal(self.why)}

    def set(self, writer: EventWriter, sheet: Sheet, values: JsonObject) -> None:
        """Fields are set, if the sheet can bear it."""
        with as_field_errors("values"):
            changes = manual_changes(writer.state, sheet, values)
        _check_manual_change(writer, sheet, changes)
        after = sheet.values | {name: both["after"] for name, both in changes.items()}
        _check_size(writer, after)
        _check_space(writer, sheet.id, weight_of(after))
        if changes:
            write_change(writer, sheet, changes, self.cause(writer))


class ChangeSheetCommand(ManualChangeCommand, do="sheet.change", allowed=PLAYERS):
    """Fields of a sheet set by hand."""

    values: Object = field(help="The fields that change.", most="sheet")

    def run(self, writer: EventWriter) -> None:
        self.set(writer, find_own_sheet(writer, self.sheet), self.values)


class ChangeItemCommand(ManualChangeCommand, do="sheet.change_item", allowed=PLAYERS):
    """One thing in a list of a sheet is put there, changed or taken away."""

    list: Text = field(help="The list.", most=60)
    before: Object | None = field(
        None, help="The thing as it was; without it one is added.", most="sheet"
    )
    after: Object | None = field(
        None, help="The thing as it is to be; without it it is taken away.", most="sheet"
    )

    def run(self, writer: EventWriter) -> None:
        sheet = find_own_sheet(writer, self.sheet)
        held = sheet.values.get(self.list, [])
        if not isinstance(held, list):
            raise bad_field("list", Message("table.no_list", {"name": format_value(self.list)}))
        if self.before is None and self.after is None:
            raise command_error("bad_request", "table.thing.nothing", "after")
        self.set(writer, sheet, {self.list: self._change_item(held)})

    def _change_item(self, held: Sequence[Json]) -> Json:
        """The list with the thing changed where it lies now, unless it is not there as it was."""
        added = [] if self.after is None else [self.after]
        if self.before is None:
            return [*held, *added]
        was = canonical_json(self.before)
        place = next((n for n, thing in enumerate(held) if canonical_json(thing) == was), None)
        if place is None:
            raise command_error("conflict", "table.thing.meanwhile", "before")
        return [*held[:place], *added, *held[place + 1 :]]


class RemoveSheetCommand(Command, do="sheet.remove", allowed=REFEREES):
    """A sheet is taken away; what it was stays in the log."""

    sheet: Id = field(help="The sheet.")

    def run(self, writer: EventWriter) -> None:
        sheet = find_sheet(writer, self.sheet)
        if sheet.id == TABLE:
            raise command_error("conflict", "table.shared.stays", "sheet")
        writer.write(
            "sheet.removed", SheetRemovedEvent(by=writer.by, sheet=sheet.id), sheet.audience
        )


class ApplyEffectCommand(ManualChangeCommand, do="sheet.apply_effect", allowed=PLAYERS):
    """An effect of the game that no roll brought about: the next turn, a reload."""

    kind: Text = field(help="The kind of effect.", most=60)
    amount: Data = field(0, help="How much of it.", most=2000)
    target: Text = field("", help="What on the sheet it is for.", most=60, empty=True)

    def run(self, writer: EventWriter) -> None:
        sheet = find_own_sheet(writer, self.sheet)
        game = need_game(writer.state, "effect")
        apply = change_by(game, sheet.id)
        if apply is None:
            raise command_error("bad_request", "table.effects.none", game=game.title)
        if isinstance(self.amount, bool):
            raise bad_field("amount", Message("table.amount.truth"), Message("table.amount.do"))
        if isinstance(self.amount, int) and abs(self.amount) > MOST_AMOUNT:
            fits = Message("fits.range", {"low": -MOST_AMOUNT, "high": MOST_AMOUNT})
            raise bad_field(
                "amount", Message("field.came", {"came": format_value(self.amount)}), fits
            )
        effect = Effect(self.kind, self.amount, self.target)
        with as_field_errors("amount"):
            try:
                apply(sheet_value(writer.state, sheet.id, sheet.values), effect)
            except UnknownName as problem:
                where = "kind" if problem.kind == "effect" else "target"
                raise command_error_of(problem, where) from None
        done = apply_effects(writer.state, game, [(effect, sheet, effect)])
        for name, changes in done.sheets.items():
            after = sheet.values | {field: both["after"] for field, both in changes.items()}
            _check_size(writer, after)
            _check_manual_change(writer, sheet, changes)
            cause: ChangeCause = {**self.cause(writer), "effects": done.on(name)}
            write_change(writer, sheet, changes, cause)


class UndoChangeCommand(Command, do="sheet.undo", allowed=REFEREES):
    """A change of a sheet is taken back, whatever has changed beside it since."""

    seq: int = field(help="The event of the change.", low=1)
    why: Text = field("", help="Why.", most="note", empty=True, lines=True)

    def run(self, writer: EventWriter) -> None:
        state, seq = writer.state, self.seq
        check_whole_changes(state, [seq])
        change = state.changes.get(seq)
        if change is None or change.changes is None:
            raise command_error("not_found", "table.no_change", "seq", seq=str(seq))
        if seq in state.undone:
            raise command_error("conflict", "table.change.undone", "seq", seq=str(seq))
        if _is_missing(writer, seq):
            raise command_error("gone", "table.sheet.gone", "seq", sheet=change.sheet)
        if not write_undo(writer, seq, self.why):
            names = row_of(change.changes)
            raise command_error("conflict", "table.change.since", "seq", seq=str(seq), names=names)


def _is_missing(writer: EventWriter, seq: int) -> bool:
    """Whether the sheet that was changed is there no more, or another one in its place."""
    sheet = writer.state.sheets[writer.state.changes[seq].sheet]
    return sheet.removed or seq < sheet.made


def check_whole_changes(state: TableState, seqs: Sequence[int]) -> None:
    """Changes with what they changed; that of old ones has to be read again."""
    old = [seq for seq in seqs if seq in state.old_changes]
    if old:
        raise NeedsEvents(old)


def write_undo(writer: EventWriter, seq: int, why: str = "") -> bool:
    """Write the change that takes another back; False where nothing of it can be."""
    state = writer.state
    change = state.changes[seq]
    sheet = state.sheets[change.sheet]
    if _is_missing(writer, seq) or seq in state.undone:
        return False
    changes, left = undo_changes(state, seq)
    if not changes:
        return False
    cause: ChangeCause = {"undo": seq}
    if why:
        cause["why"] = writer.seal(why)
    if left:
        cause["left"] = left
    write_change(writer, sheet, changes, cause, state.roll(change.roll))
    return True
