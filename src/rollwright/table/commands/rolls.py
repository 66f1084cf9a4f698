"""Commands about rolls as a whole: starting, revealing, undoing, letting go, throwing anew."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from rollwright.errors import RollwrightError
from rollwright.kit.bodies import Object, Text
from rollwright.kit.checks import said
from rollwright.kit.fields import field
from rollwright.table.commands.context import (
    PLAYERS,
    REFEREES,
    Command,
    find_roll,
    find_seat,
    open_roll,
    owned_sheet,
    rollers,
    seen_roll,
    whole_roll,
)
from rollwright.table.commands.forms import Id, Nonce, Roles
from rollwright.table.commands.plays import Play, apply_late, weigh_late, weight
from rollwright.table.commands.sheets import need_whole, write_undo
from rollwright.table.commands.subjects import WAYS, Start, start_of
from rollwright.table.commands.writer import EventWriter
from rollwright.table.effects import is_foreign, may_let, waiting_sheets
from rollwright.table.refusals import Refusal, bad_field
from rollwright.table.rolls import BLIND, DONE, OPEN, Ask, Roll, audience_of, called
from rollwright.table.seats import REFEREE, belongs
from rollwright.table.shapes import Visibility
from rollwright.table.sheets import Sheet


class Wanted(NamedTuple):
    """What is rolled and how, whether whoever rolls says so or whoever asked for it."""

    ways: dict[str, Any]
    roles: dict[str, str]
    physical: bool
    goal: str
    visibility: str
    announce: bool


class Rolling(Command):
    """What is rolled, in one of three ways, and how."""

    expression: Text | None = field(None, help="Dice as they are written.", most="expression")
    request: Object | None = field(None, help="A roll of the table's game.", most="request")
    from_sheet: Object | None = field(
        None, help="`roll`, and the fields that the sheet does not fill in.", most="request"
    )
    visibility: Visibility | None = field(
        None, help="Who sees it: all, the roller and the referees, the referees, the roller."
    )
    announce: bool = field(True, help="Whether the others learn that something is rolled.")
    roles: Roles | None = field(None, help="Seats of the rule with seats of the table.")
    physical: bool = field(False, help="Whether the dice are real ones, to be typed in.")
    goal: Text = field("", help="What advice goes by.", most=200, empty=True)
    note: Text = field("", help="A word about it.", most="note", empty=True, lines=True)

    @property
    def ways(self) -> dict[str, Any]:
        """What is rolled, under the name of the way in which that is said."""
        found = {
            "expression": self.expression,
            "request": self.request,
            "from_sheet": self.from_sheet,
        }
        return {way: held for way, held in found.items() if held is not None}


class StartRoll(Rolling, do="roll.start", allowed=PLAYERS):
    """A roll begins; the table throws until somebody must choose."""

    sheet: Id = field("", help="Whose sheet it is rolled with; your own without it.")
    ask: Id = field("", help="The ask that it answers.")
    nonce: Nonce = field("", help="Your part in the dice.", secret=True)

    def run(self, writer: EventWriter) -> None:
        ask = _asked(writer, self.ask)
        wanted = self._wanted() if ask is None else self._as_asked(ask)
        sheet = self._sheet(writer)
        start = start_of(writer.state, wanted.ways, sheet, wanted.goal, whose=writer.seat.id)
        for rule_seat, seat in wanted.roles.items():
            if seat != REFEREE:
                find_seat(writer, seat, f"roles.{rule_seat}"[:60])
        roll = Roll(
            id=f"r{writer.state.rolled + 1}",
            by=writer.seat.id,
            what=start.what,
            version=start.version,
            written=start.written,
            title=start.title,
            sheet="" if sheet is None or "expression" in start.what else sheet.id,
            from_sheet=start.from_sheet,
            visibility=wanted.visibility,
            announce=wanted.announce or wanted.visibility == OPEN,
            audience=audience_of(wanted.visibility, writer.seat.id),
            roles=wanted.roles,
            ask=self.ask,
            physical=wanted.physical,
            goal=wanted.goal,
        )
        _begin(writer, roll, start, self.note)
        if ask is not None:
            _answer(writer, roll, ask)

    def _wanted(self) -> Wanted:
        visibility = self.visibility or OPEN
        return Wanted(
            self.ways, self.roles or {}, self.physical, self.goal, visibility, self.announce
        )

    def _as_asked(self, ask: Ask) -> Wanted:
        """What is asked for, under what whoever answers says; the visibility is the ask's."""
        if self.visibility not in (None, ask.visibility):
            raise bad_field("visibility", f"{ask.id} asks for a roll that is {ask.visibility}")
        own = self._wanted()._replace(visibility=ask.visibility, announce=ask.announce)
        if own.ways:
            return own
        return own._replace(
            ways={way: ask.roll[way] for way in WAYS if way in ask.roll},
            roles=ask.roll.get("roles", own.roles),
            physical=own.physical or ask.roll.get("physical", False),
            goal=own.goal or ask.roll.get("goal", ""),
        )

    def _sheet(self, writer: EventWriter) -> Sheet | None:
        """The sheet that is named, or one's own if there is one."""
        if self.sheet:
            return owned_sheet(writer, self.sheet)
        own = writer.state.sheets.get(writer.seat.id)
        return None if own is None or own.removed else own


def _begin(
    writer: EventWriter, roll: Roll, start: Start, note: str = "", leaving: str = ""
) -> None:
    _check_room(writer, roll, leaving)
    play = Play(writer, roll, start.transcript)
    body = {
        "roll": roll.id,
        "by": roll.by,
        "what": roll.what,
        "title": roll.title,
        "sheet": roll.sheet,
        "visibility": roll.visibility,
        "announce": roll.announce,
        "note": writer.seal(note),
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


def _check_room(writer: EventWriter, roll: Roll, leaving: str) -> None:
    going = [held for held in writer.state.going.values() if held.id != leaving]
    mine = [held for held in going if held.by == roll.by]
    if len(mine) >= writer.limits.open_rolls_each or weight(mine) > writer.limits.open_bytes_each:
        say = f"{len(mine)} of your rolls are open; finish one, or roll.abandon lets it go"
        raise Refusal("too_many", say)
    if len(going) >= writer.limits.open_rolls or weight(going) > writer.limits.open_bytes:
        raise Refusal("too_many", f"{len(going)} rolls are open at this table; finish one first")


def _asked(writer: EventWriter, name: str) -> Ask | None:
    if not name:
        return None
    ask = writer.state.asks.get(name)
    if ask is None or not belongs(writer.seat, ask.audience):
        raise Refusal("not_found", f"there is no open ask {said(name)}", "ask")
    if not ask.asks(writer.seat.id):
        raise Refusal("forbidden", f"{name} asks others, not {writer.seat.id}", "ask")
    if writer.seat.id in ask.answered:
        raise Refusal("conflict", f"you have answered {name} already", "ask")
    return ask


def _answer(writer: EventWriter, roll: Roll, ask: Ask) -> None:
    body = {"ask": ask.id, "seat": writer.seat.id, "roll": roll.id}
    if roll.is_secret and not roll.announce:
        writer.write_unnamed("ask.answered", body, roll.seers)
    else:
        writer.write("ask.answered", body)
    ask_after = {**ask.answered, writer.seat.id: roll.id}
    if ask.who != "all" and all(seat in ask_after for seat in ask.who):
        write_closed(writer, ask)


def write_closed(writer: EventWriter, ask: Ask) -> None:
    """An ask is over, for those who know of it."""
    write = writer.write_unnamed if ask.is_silent else writer.write
    write("ask.closed", {"ask": ask.id}, ask.audience)


class Reveal(Command, do="roll.reveal", allowed=PLAYERS):
    """Everybody may see a secret roll from now on."""

    roll: Id = field(help="The roll.")

    def run(self, writer: EventWriter) -> None:
        roll = find_roll(writer, self.roll)
        rollers(writer, roll, "roll.reveal")
        if not roll.is_secret:
            raise Refusal("conflict", f"everybody can see {roll.id} already", "roll")
        if roll.visibility == BLIND and not writer.seat.is_referee:
            raise Refusal("forbidden", "a blind roll is revealed by a referee", "roll")
        waiting = waiting_sheets(writer.state, roll)
        ready = [sheet.id for sheet in waiting if not is_foreign(writer.state, roll, sheet)]
        if ready:
            whole_roll(roll)
        shown = {"sheets": ready} if ready else {}
        writer.write("roll.revealed", {"roll": roll.id, **_unshown(writer, roll), **shown})
        if ready:
            weigh_late(writer, roll)
            with suppress(
                RollwrightError
            ):  # the rules have changed: nobody can tell what it would do
                apply_late(writer, roll, ready)


def _unshown(writer: EventWriter, roll: Roll) -> dict[str, int]:
    """How many more rolls a player made that nobody heard of: none is picked out of many."""
    if roll.announce or writer.state.seats[roll.by].role == REFEREE:
        return {}
    return {"unshown": writer.state.unshown[roll.by] - 1}


class Letting(Command):
    """Something of a roll waits for somebody to let it happen, or not."""

    roll: Id = field(help="The roll.")
    sheet: Id = field("", help="The sheet; all that are yours to decide without it.")

    def let(self, writer: EventWriter) -> tuple[Roll, list[str]]:
        """A roll of which something waits, and the sheets for which whoever commands decides."""
        roll = find_roll(writer, self.roll)
        seen_roll(writer, roll)
        named = self.sheet
        waiting = [s for s in waiting_sheets(writer.state, roll) if named in ("", s.id)]
        if not waiting:
            on = f"the sheet {said(named)}" if named else "sheets"
            raise Refusal("conflict", f"nothing of {roll.id} waits to be put on {on}", "roll")
        sheets = [sheet.id for sheet in waiting if may_let(writer.state, writer.seat, roll, sheet)]
        if not sheets:
            whose = called(waiting[0].owner)
            raise Refusal(
                "forbidden", f"{self.do} is for {whose}, whose sheet it is, and for referees"
            )
        return roll, sheets


class ApplyRoll(Letting, do="roll.apply", allowed=PLAYERS):
    """What waits of a roll is put on sheets; a secret roll stays secret."""

    def run(self, writer: EventWriter) -> None:
        roll, sheets = self.let(writer)
        whole_roll(roll)
        weigh_late(writer, roll)
        _write_end(writer, "roll.applied", roll, {"sheets": sheets})
        apply_late(writer, roll, sheets)


class DeclineRoll(Letting, do="roll.decline", allowed=PLAYERS):
    """What waits of a roll does not happen."""

    def run(self, writer: EventWriter) -> None:
        roll, sheets = self.let(writer)
        _write_end(writer, "roll.declined", roll, {"sheets": sheets})


def _write_end(writer: EventWriter, kind: str, roll: Roll, body: dict[str, Any]) -> None:
    whole_body = {"roll": roll.id, **body}
    if not roll.is_secret:
        writer.write(kind, whole_body)
    elif roll.announce:
        writer.write(kind, whole_body, roll.seers, {"by": writer.seat.id, "roll": roll.id})
    else:
        writer.write_unnamed(kind, whole_body, roll.seers)


class Abandon(Command, do="roll.abandon", allowed=PLAYERS):
    """An open roll is let go."""

    roll: Id = field(help="The roll.")

    def run(self, writer: EventWriter) -> None:
        roll = open_roll(writer, self.roll)
        rollers(writer, roll, "roll.abandon")
        _write_end(writer, "roll.abandoned", roll, {"opened": list(roll.veiled)})


class UndoRoll(Command, do="roll.undo", allowed=REFEREES):
    """A roll counts for nothing, and what it did to sheets is taken back."""

    roll: Id = field(help="The roll.")
    why: Text = field("", help="Why.", most="note", empty=True, lines=True)

    def run(self, writer: EventWriter) -> None:
        roll = find_roll(writer, self.roll)
        if roll.status != DONE:
            hint = "; roll.abandon lets it go" if roll.is_open else ""
            raise Refusal(
                "conflict", f"{roll.id} is {roll.status}, so it is not undone{hint}", "roll"
            )
        need_whole(writer.state, roll.changes)
        _write_end(writer, "roll.undone", roll, {"why": writer.seal(self.why)})
        for seq in reversed(roll.changes):
            write_undo(writer, seq)


def _still_theirs(writer: EventWriter, roll: Roll) -> Sheet | None:
    """The sheet that a roll was made with; None where it is gone."""
    sheet = writer.state.sheets.get(roll.sheet)
    return None if sheet is None or sheet.removed else owned_sheet(writer, sheet.id)


class RollAgain(Command, do="roll.again", allowed=PLAYERS):
    """The same roll anew; an open one is let go first."""

    roll: Id = field(help="The roll.")
    nonce: Nonce = field("", help="Your part in the dice.", secret=True)

    def run(self, writer: EventWriter) -> None:
        roll = find_roll(writer, self.roll)
        rollers(writer, roll, "roll.again")
        whole_roll(roll)
        sheet = _still_theirs(writer, roll)
        wanted = roll.what if roll.from_sheet is None else {"from_sheet": roll.from_sheet}
        start = start_of(writer.state, wanted, sheet, roll.goal, whose=writer.seat.id)
        if roll.is_open:
            _write_end(writer, "roll.abandoned", roll, {"opened": list(roll.veiled)})
        again = Roll(
            id=f"r{writer.state.rolled + 1}",
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
        _begin(writer, again, start, leaving=roll.id)


COMMANDS = (StartRoll, Reveal, ApplyRoll, DeclineRoll, UndoRoll, Abandon, RollAgain)
