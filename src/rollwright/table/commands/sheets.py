"""Commands about sheets: making, changing, removing, undoing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rollwright.kit.games import Effect
from rollwright.table.commands.context import (
    PLAYERS,
    REFEREES,
    Command,
    an_id,
    find_sheet,
    owned_sheet,
)
from rollwright.table.commands.forms import (
    Field,
    anything,
    bad_field,
    mapping,
    sized,
    text,
    whole,
    yes_or_no,
)
from rollwright.table.commands.plays import write_change
from rollwright.table.commands.writer import Pen
from rollwright.table.effects import applied
from rollwright.table.frames import EXACT_IN_EVERY_PARSER
from rollwright.table.limits import Limits
from rollwright.table.memory import weighed
from rollwright.table.refusals import Recall, Refusal, refusing_what_came
from rollwright.table.seats import REFEREE
from rollwright.table.sheet_values import (
    changed_by_hand,
    need_game,
    plain_values,
    sheet_version_of,
    undone,
)
from rollwright.table.state import TableState

NPC = "npc"


def commands(limits: Limits) -> dict[str, Command]:
    """The commands about sheets."""
    a_sheet = Field(an_id)
    values = Field(mapping(limits.sheet))
    why = Field(text(limits.note, empty=True, lines=True), "")
    make = {
        "sheet": Field(an_id, ""),
        "values": Field(mapping(limits.sheet), {}),
        "shown": Field(yes_or_no, False),
    }
    effect = {
        "sheet": a_sheet,
        "kind": Field(text(60)),
        "amount": Field(anything(2000), 0),
        "target": Field(text(60, empty=True), ""),
        "why": why,
    }
    seq = Field(whole(1, EXACT_IN_EVERY_PARSER - 1))
    return {
        "sheet.make": Command(make, PLAYERS, make_sheet),
        "sheet.change": Command(
            {"sheet": a_sheet, "values": values, "why": why}, PLAYERS, change_sheet
        ),
        "sheet.remove": Command({"sheet": a_sheet}, REFEREES, remove_sheet),
        "sheet.undo": Command({"seq": seq, "why": why}, REFEREES, undo_change),
        "sheet.effect": Command(effect, PLAYERS, effect_by_hand),
    }


def make_sheet(pen: Pen, fields: dict[str, Any]) -> None:
    """A sheet of one's own, or one of the referee's."""
    state = pen.state
    name = fields["sheet"] or pen.seat.id
    if name not in (NPC, pen.seat.id) and not (pen.seat.is_referee and name in state.seats):
        raise bad_field("sheet", f"{name!r} cannot be made", f"your own seat's id or {NPC!r}")
    if name == NPC and not pen.seat.is_referee:
        raise Refusal("forbidden", "sheets of others than the players are for referees", "sheet")
    lying = [sheet for sheet in state.sheets.values() if not sheet.removed]
    if name in [sheet.id for sheet in lying]:
        raise Refusal("conflict", f"{name} has a sheet already: sheet.change changes it", "sheet")
    if len(lying) >= pen.limits.sheets:
        raise Refusal("too_many", f"a table has at most {pen.limits.sheets} sheets")
    with refusing_what_came("values"):
        values = plain_values(state, fields["values"])
    _check_room(pen, name, weighed(values))
    is_npc = name == NPC
    body = {
        "sheet": f"n{state.npcs + 1}" if is_npc else name,
        "owner": REFEREE if is_npc else name,
        "values": values,
        "shown": fields["shown"] or not is_npc,
        "version": sheet_version_of(state),
    }
    pen.write("sheet.made", body, None if body["shown"] else (REFEREE,))


def _check_room(pen: Pen, name: str, weight: int) -> None:
    """Refuse a sheet that would make all sheets of a table too much to be shown at once."""
    others = sum(sheet.weight for sheet in pen.state.sheets.values() if sheet.id != name)
    if others + weight > pen.limits.sheets_bytes:
        most = f"{pen.limits.sheets_bytes:,} bytes"
        raise Refusal("too_large", f"all sheets of a table have at most {most}", "values")


def _hand(pen: Pen, fields: dict[str, Any]) -> dict[str, Any]:
    return {"hand": True, "why": pen.seal(fields["why"])}


def change_sheet(pen: Pen, fields: dict[str, Any]) -> None:
    """Fields of a sheet set by hand."""
    sheet = owned_sheet(pen, fields["sheet"])
    with refusing_what_came("values"):
        changes = changed_by_hand(pen.state, sheet.values, fields["values"])
    after = sheet.values | {name: both["after"] for name, both in changes.items()}
    sized("values", after, pen.limits.sheet)
    _check_room(pen, sheet.id, weighed(after))
    if changes:
        body = {"sheet": sheet.id, "changes": changes, "cause": _hand(pen, fields)}
        pen.write("sheet.changed", body, sheet.audience)


def remove_sheet(pen: Pen, fields: dict[str, Any]) -> None:
    """A sheet is taken away; what it was stays in the log."""
    sheet = find_sheet(pen, fields["sheet"])
    pen.write("sheet.removed", {"sheet": sheet.id}, sheet.audience)


def effect_by_hand(pen: Pen, fields: dict[str, Any]) -> None:
    """An effect of the game that no roll brought about: the next turn, a reload."""
    sheet = owned_sheet(pen, fields["sheet"])
    game = need_game(pen.state, "effect")
    if game.apply is None:
        raise Refusal("bad_request", f"{game.title} knows no effects on sheets")
    effect = Effect(fields["kind"], fields["amount"], fields["target"])
    done = applied(pen.state, game, [(effect, sheet, effect)])
    (told,) = done.effects
    if "why" in told:
        raise Refusal("bad_field", told["why"], "kind")
    for name, changes in done.sheets.items():
        after = sheet.values | {field: both["after"] for field, both in changes.items()}
        sized("values", after, pen.limits.sheet)
        cause = _hand(pen, fields) | {"effects": done.on(name)}
        body = {"sheet": name, "changes": changes, "cause": cause}
        pen.write("sheet.changed", body, sheet.audience)


def undo_change(pen: Pen, fields: dict[str, Any]) -> None:
    """A change of a sheet is taken back, whatever has changed beside it since."""
    state, seq = pen.state, fields["seq"]
    need_whole(state, [seq])
    change = state.changes.get(seq)
    if change is None or change.changes is None:
        raise Refusal("not_found", f"event {seq} is no change of a sheet", "seq")
    if seq in state.undone:
        raise Refusal("conflict", f"the change {seq} was taken back before", "seq")
    if _is_gone(pen, seq):
        raise Refusal("gone", f"the sheet {change.sheet} was removed", "seq")
    if not write_undo(pen, seq, fields["why"]):
        names = ", ".join(change.changes)
        raise Refusal(
            "conflict",
            f"what {seq} changed ({names}) has changed since; sheet.change sets it by hand",
            "seq",
        )


def _is_gone(pen: Pen, seq: int) -> bool:
    """Whether the sheet that was changed is there no more, or another one in its place."""
    sheet = pen.state.sheets[pen.state.changes[seq].sheet]
    return sheet.removed or seq < sheet.made


def need_whole(state: TableState, seqs: Sequence[int]) -> None:
    """Changes with what they changed; that of old ones has to be read again."""
    old = [seq for seq in seqs if seq in state.old_changes]
    if old:
        raise Recall(old)


def write_undo(pen: Pen, seq: int, why: str = "") -> bool:
    """Write the change that takes another back; False where nothing of it can be."""
    state = pen.state
    change = state.changes[seq]
    sheet = state.sheets[change.sheet]
    if _is_gone(pen, seq) or seq in state.undone:
        return False
    changes, left = undone(state, seq)
    if not changes:
        return False
    cause: dict[str, Any] = {"undo": seq}
    if why:
        cause["why"] = pen.seal(why)
    if left:
        cause["left"] = left
    body = {"sheet": sheet.id, "changes": changes, "cause": cause}
    write_change(pen, state.roll(change.roll), body, sheet.audience)
    return True
