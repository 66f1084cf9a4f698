"""Commands about rolls as a whole: starting, revealing, undoing, letting go, throwing anew."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rollwright.errors import RollwrightError
from rollwright.table.commands.context import (
    PLAYERS,
    REFEREES,
    Command,
    an_id,
    find_roll,
    find_seat,
    open_roll,
    owned_sheet,
    rollers,
    seen_roll,
    whole_roll,
)
from rollwright.table.commands.forms import Field, bad_field, nonce, one_of, said, text, yes_or_no
from rollwright.table.commands.plays import Play, apply_late, weigh_late, weight
from rollwright.table.commands.sheets import need_whole, write_undo
from rollwright.table.commands.subjects import Start, start_of, the_way, what_fields
from rollwright.table.commands.writer import Pen
from rollwright.table.effects import is_foreign, may_let, waiting_sheets
from rollwright.table.limits import Limits
from rollwright.table.refusals import Refusal
from rollwright.table.rolls import BLIND, DONE, OPEN, VISIBILITIES, Ask, Roll, audience_of, called
from rollwright.table.seats import REFEREE, belongs
from rollwright.table.sheets import Sheet

MOST_ROLES = 40


def how_fields(limits: Limits) -> dict[str, Field]:
    """The fields that say how it is rolled."""
    return {
        "visibility": Field(one_of(*VISIBILITIES), ""),
        "announce": Field(yes_or_no, True),
        "roles": Field(_roles, {}),
        "physical": Field(yes_or_no, False),
        "goal": Field(text(200, empty=True), ""),
        "note": Field(text(limits.note, empty=True, lines=True), ""),
    }


def commands(limits: Limits) -> dict[str, Command]:
    """The commands about rolls as a whole."""
    a_roll, a_nonce = Field(an_id), Field(nonce, b"")
    why = Field(text(limits.note, empty=True, lines=True), "")
    start = {
        **what_fields(limits),
        **how_fields(limits),
        "sheet": Field(an_id, ""),
        "ask": Field(an_id, ""),
        "nonce": a_nonce,
    }
    return {
        "roll.start": Command(start, PLAYERS, start_roll),
        "roll.reveal": Command({"roll": a_roll}, PLAYERS, reveal),
        "roll.apply": Command({"roll": a_roll, "sheet": Field(an_id, "")}, PLAYERS, apply_roll),
        "roll.decline": Command({"roll": a_roll, "sheet": Field(an_id, "")}, PLAYERS, decline),
        "roll.undo": Command({"roll": a_roll, "why": why}, REFEREES, undo_roll),
        "roll.abandon": Command({"roll": a_roll}, PLAYERS, abandon),
        "roll.again": Command({"roll": a_roll, "nonce": a_nonce}, PLAYERS, roll_again),
    }


def _roles(name: str, came: Any) -> dict[str, str]:
    if not isinstance(came, dict) or len(came) > MOST_ROLES:
        raise bad_field(name, f"{said(came)} came", "seats of the rule with seats of the table")
    for rule_seat, seat in came.items():
        if not isinstance(seat, str) or not 0 < len(rule_seat) <= 60:
            raise bad_field(name, f"{said(seat)} for {said(rule_seat)}", '{"roller": "s2"}')
    return came


def start_roll(pen: Pen, fields: dict[str, Any]) -> None:
    """A roll begins; the table throws until somebody must choose."""
    ask = _asked(pen, fields["ask"])
    if ask is not None:
        fields = _as_asked(fields, ask)
    sheet = _sheet(pen, fields)
    start = start_of(pen.state, fields, sheet, fields["goal"], whose=pen.seat.id)
    for rule_seat, seat in fields["roles"].items():
        if seat != REFEREE:
            find_seat(pen, seat, f"roles.{rule_seat}"[:60])
    visibility = fields["visibility"] or OPEN
    roll = Roll(
        id=f"r{pen.state.rolled + 1}",
        by=pen.seat.id,
        what=start.what,
        version=start.version,
        written=start.written,
        title=start.title,
        sheet="" if sheet is None or "expression" in start.what else sheet.id,
        from_sheet=start.from_sheet,
        visibility=visibility,
        announce=fields["announce"] or visibility == OPEN,
        audience=audience_of(visibility, pen.seat.id),
        roles=fields["roles"],
        ask=fields["ask"],
        physical=fields["physical"],
        goal=fields["goal"],
    )
    _begin(pen, roll, start, fields["note"])
    if ask is not None:
        _answer(pen, roll, ask)


def _begin(pen: Pen, roll: Roll, start: Start, note: str = "", leaving: str = "") -> None:
    _check_room(pen, roll, leaving)
    play = Play(pen, roll, start.transcript)
    body = {
        "roll": roll.id,
        "by": roll.by,
        "what": roll.what,
        "title": roll.title,
        "sheet": roll.sheet,
        "visibility": roll.visibility,
        "announce": roll.announce,
        "note": pen.seal(note),
        "roles": roll.roles,
        "ask": roll.ask,
        "physical": roll.physical,
        "goal": roll.goal,
        "version": roll.version,
    }
    if roll.from_sheet is not None:
        body["from_sheet"] = roll.from_sheet
    play.start(body)
    play.go_on()


def _check_room(pen: Pen, roll: Roll, leaving: str) -> None:
    going = [held for held in pen.state.going.values() if held.id != leaving]
    mine = [held for held in going if held.by == roll.by]
    if len(mine) >= pen.limits.open_rolls_each or weight(mine) > pen.limits.open_bytes_each:
        say = f"{len(mine)} of your rolls are open; finish one, or roll.abandon lets it go"
        raise Refusal("too_many", say)
    if len(going) >= pen.limits.open_rolls or weight(going) > pen.limits.open_bytes:
        raise Refusal("too_many", f"{len(going)} rolls are open at this table; finish one first")


def _sheet(pen: Pen, fields: dict[str, Any]) -> Sheet | None:
    """The sheet that is named, or one's own if there is one."""
    if fields["sheet"]:
        return owned_sheet(pen, fields["sheet"])
    own = pen.state.sheets.get(pen.seat.id)
    return None if own is None or own.removed else own


def _asked(pen: Pen, name: str) -> Ask | None:
    if not name:
        return None
    ask = pen.state.asks.get(name)
    if ask is None or not belongs(pen.seat, ask.audience):
        raise Refusal("not_found", f"there is no open ask {said(name)}", "ask")
    if not ask.asks(pen.seat.id):
        raise Refusal("forbidden", f"{name} asks others, not {pen.seat.id}", "ask")
    if pen.seat.id in ask.answered:
        raise Refusal("conflict", f"you have answered {name} already", "ask")
    return ask


def _as_asked(fields: dict[str, Any], ask: Ask) -> dict[str, Any]:
    """The fields of the ask, under those of whoever answers it; the visibility is the ask's."""
    if fields["visibility"] not in ("", ask.visibility):
        raise bad_field("visibility", f"{ask.id} asks for a roll that is {ask.visibility}")
    found = fields | {"visibility": ask.visibility, "announce": ask.announce}
    if not the_way(fields):
        found |= {name: ask.roll[name] for name in ask.roll}
        found["goal"] = fields["goal"] or ask.roll.get("goal", "")
        found["physical"] = fields["physical"] or ask.roll.get("physical", False)
    return found


def _answer(pen: Pen, roll: Roll, ask: Ask) -> None:
    body = {"ask": ask.id, "seat": pen.seat.id, "roll": roll.id}
    if roll.is_secret and not roll.announce:
        pen.write_unnamed("ask.answered", body, roll.seers)
    else:
        pen.write("ask.answered", body)
    ask_after = {**ask.answered, pen.seat.id: roll.id}
    if ask.who != "all" and all(seat in ask_after for seat in ask.who):
        write_closed(pen, ask)


def write_closed(pen: Pen, ask: Ask) -> None:
    """An ask is over, for those who know of it."""
    write = pen.write_unnamed if ask.is_silent else pen.write
    write("ask.closed", {"ask": ask.id}, ask.audience)


def reveal(pen: Pen, fields: dict[str, Any]) -> None:
    """Everybody may see the roll from now on."""
    roll = find_roll(pen, fields["roll"])
    rollers(pen, roll, "roll.reveal")
    if not roll.is_secret:
        raise Refusal("conflict", f"everybody can see {roll.id} already", "roll")
    if roll.visibility == BLIND and not pen.seat.is_referee:
        raise Refusal("forbidden", "a blind roll is revealed by a referee", "roll")
    waiting = waiting_sheets(pen.state, roll)
    ready = [sheet.id for sheet in waiting if not is_foreign(pen.state, roll, sheet)]
    if ready:
        whole_roll(roll)
    shown = {"sheets": ready} if ready else {}
    pen.write("roll.revealed", {"roll": roll.id, **_unshown(pen, roll), **shown})
    if ready:
        weigh_late(pen, roll)
        with suppress(RollwrightError):  # the rules have changed: nobody can tell what it would do
            apply_late(pen, roll, ready)


def _unshown(pen: Pen, roll: Roll) -> dict[str, int]:
    """How many more rolls a player made that nobody heard of: none is picked out of many."""
    if roll.announce or pen.state.seats[roll.by].role == REFEREE:
        return {}
    return {"unshown": pen.state.unshown[roll.by] - 1}


def apply_roll(pen: Pen, fields: dict[str, Any]) -> None:
    """What waits of a roll is put on sheets; a secret roll stays secret."""
    roll, sheets = _let(pen, fields, "roll.apply")
    whole_roll(roll)
    weigh_late(pen, roll)
    _write_end(pen, "roll.applied", roll, {"sheets": sheets})
    apply_late(pen, roll, sheets)


def decline(pen: Pen, fields: dict[str, Any]) -> None:
    """What waits of a roll does not happen."""
    roll, sheets = _let(pen, fields, "roll.decline")
    _write_end(pen, "roll.declined", roll, {"sheets": sheets})


def _let(pen: Pen, fields: dict[str, Any], what: str) -> tuple[Roll, list[str]]:
    """A roll of which something waits, and the sheets for which the one who commands decides."""
    roll = find_roll(pen, fields["roll"])
    seen_roll(pen, roll)
    named = fields["sheet"]
    waiting = [s for s in waiting_sheets(pen.state, roll) if named in ("", s.id)]
    if not waiting:
        on = f"the sheet {said(named)}" if named else "sheets"
        raise Refusal("conflict", f"nothing of {roll.id} waits to be put on {on}", "roll")
    sheets = [sheet.id for sheet in waiting if may_let(pen.state, pen.seat, roll, sheet)]
    if not sheets:
        whose = called(waiting[0].owner)
        raise Refusal("forbidden", f"{what} is for {whose}, whose sheet it is, and for referees")
    return roll, sheets


def _write_end(pen: Pen, kind: str, roll: Roll, body: dict[str, Any]) -> None:
    whole_body = {"roll": roll.id, **body}
    if not roll.is_secret:
        pen.write(kind, whole_body)
    elif roll.announce:
        pen.write(kind, whole_body, roll.seers, {"by": pen.seat.id, "roll": roll.id})
    else:
        pen.write_unnamed(kind, whole_body, roll.seers)


def abandon(pen: Pen, fields: dict[str, Any]) -> None:
    """An open roll is let go."""
    roll = open_roll(pen, fields["roll"])
    rollers(pen, roll, "roll.abandon")
    _write_end(pen, "roll.abandoned", roll, {"opened": list(roll.veiled)})


def undo_roll(pen: Pen, fields: dict[str, Any]) -> None:
    """A roll counts for nothing, and what it did to sheets is taken back."""
    roll = find_roll(pen, fields["roll"])
    if roll.status != DONE:
        hint = "; roll.abandon lets it go" if roll.is_open else ""
        raise Refusal("conflict", f"{roll.id} is {roll.status}, so it is not undone{hint}", "roll")
    need_whole(pen.state, roll.changes)
    _write_end(pen, "roll.undone", roll, {"why": pen.seal(fields["why"])})
    for seq in reversed(roll.changes):
        write_undo(pen, seq)


def _still_theirs(pen: Pen, roll: Roll) -> Sheet | None:
    """The sheet that a roll was made with; None where it is gone."""
    sheet = pen.state.sheets.get(roll.sheet)
    return None if sheet is None or sheet.removed else owned_sheet(pen, sheet.id)


def roll_again(pen: Pen, fields: dict[str, Any]) -> None:
    """The same roll anew; an open one is let go first."""
    roll = find_roll(pen, fields["roll"])
    rollers(pen, roll, "roll.again")
    whole_roll(roll)
    sheet = _still_theirs(pen, roll)
    wanted = roll.what if roll.from_sheet is None else {"from_sheet": roll.from_sheet}
    start = start_of(pen.state, wanted, sheet, roll.goal, whose=pen.seat.id)
    if roll.is_open:
        _write_end(pen, "roll.abandoned", roll, {"opened": list(roll.veiled)})
    again = Roll(
        id=f"r{pen.state.rolled + 1}",
        by=roll.by,
        what=start.what,
        version=start.version,
        written=start.written,
        title=start.title,
        sheet="" if sheet is None else sheet.id,
        from_sheet=start.from_sheet,
        visibility=roll.visibility,
        announce=roll.announce,
        audience=roll.audience,
        roles=roll.roles,
        physical=roll.physical,
        goal=roll.goal,
    )
    _begin(pen, again, start, leaving=roll.id)
