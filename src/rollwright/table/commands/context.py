"""What a command is made of, and the questions that many commands ask of seats, sheets, rolls."""

from __future__ import annotations

from typing import Any, ClassVar

from rollwright.errors import did_you_mean
from rollwright.kit.bodies import Body
from rollwright.kit.checks import said
from rollwright.table.commands.writer import EventWriter
from rollwright.table.limits import LIMITS, Limits
from rollwright.table.refusals import Recall, Refusal
from rollwright.table.rolls import Roll
from rollwright.table.seats import PLAYER, REFEREE, REMOVED, ROLES, Seat, belongs
from rollwright.table.sheets import Sheet

REFEREES = (REFEREE,)
PLAYERS = (PLAYER, REFEREE)
ANYBODY = ROLES


class Command(Body):
    """Something that somebody does at a table; a subclass has its fields, and does it:
    `class Say(Command, do="say", allowed=PLAYERS)`.
    """

    bounds: ClassVar[Limits] = LIMITS
    do: ClassVar[str] = ""
    """What it is called."""
    allowed: ClassVar[tuple[str, ...]] = ANYBODY
    """The roles that may give it."""
    while_knocking: ClassVar[bool] = False
    """Whether somebody may who is not let in yet."""
    nonce = ""
    """The client's part in the dice; commands that throw have it as a field."""

    def __init_subclass__(
        cls,
        *,
        do: str = "",
        allowed: tuple[str, ...] = ANYBODY,
        while_knocking: bool = False,
        **more: Any,
    ) -> None:
        cls.do, cls.allowed, cls.while_knocking = do, allowed, while_knocking
        super().__init_subclass__(**more)

    def run(self, writer: EventWriter) -> None:
        """Write what it comes to, or refuse it."""
        raise NotImplementedError(self.do)


def find_seat(writer: EventWriter, name: str, field: str = "seat") -> Seat:
    """A seat that has not been removed."""
    seat = writer.state.seats.get(name)
    if seat is None:
        known = [s.id for s in writer.state.seats.values() if s.status != REMOVED]
        raise Refusal("not_found", f"there is no seat {said(name)}{_guess(name, known)}", field)
    if seat.status == REMOVED:
        raise Refusal("gone", f"{name} was removed from the table", field)
    return seat


def own_or_referees(writer: EventWriter, seat: Seat, what: str) -> None:
    """Refuse somebody who is neither that seat nor a referee."""
    if writer.seat.id != seat.id and not writer.seat.is_referee:
        raise Refusal("forbidden", f"{what} is for {seat.id} and for referees")


def need_another_referee(writer: EventWriter, seat: Seat) -> None:
    """Refuse to leave the table without a referee."""
    others = [s for s in writer.state.seats.values() if s.is_referee and s.id != seat.id]
    if seat.is_referee and not others:
        raise Refusal(
            "conflict", f"{seat.id} is the only referee; make somebody else one first", "seat"
        )


def find_sheet(writer: EventWriter, name: str) -> Sheet:
    """A sheet that the one who commands may see."""
    sheet = writer.state.sheets.get(name)
    if sheet is None or sheet.removed or not belongs(writer.seat, sheet.audience):
        known = [
            s.id
            for s in writer.state.sheets.values()
            if not s.removed and belongs(writer.seat, s.audience)
        ]
        raise Refusal("not_found", f"there is no sheet {said(name)}{_guess(name, known)}", "sheet")
    return sheet


def owned_sheet(writer: EventWriter, name: str) -> Sheet:
    """A sheet that the one who commands may change."""
    sheet = find_sheet(writer, name)
    if sheet.owner != writer.seat.id and not writer.seat.is_referee:
        raise Refusal("forbidden", f"the sheet {name} is for its owner and for referees", "sheet")
    return sheet


def find_roll(writer: EventWriter, name: str) -> Roll:
    """A roll that the one who commands may know of; of a silent secret nothing is said."""
    roll = writer.state.roll(name)
    knows = roll is not None and (
        roll.announce or belongs(writer.seat, roll.seers) or writer.seat.id == roll.by
    )
    if roll is None or not (knows or writer.seat.is_referee):
        raise Refusal("not_found", f"there is no roll {said(name)}", "roll")
    return roll


def whole_roll(roll: Roll) -> Roll:
    """A roll with all that it was made of; that of an old one has to be read again."""
    if not roll.is_whole:
        raise Recall(roll.seqs)
    return roll


def open_roll(writer: EventWriter, name: str) -> Roll:
    """A roll that still waits for something; whether it does is no business of outsiders."""
    roll = find_roll(writer, name)
    if writer.seat.id != roll.by and not writer.seat.is_referee:
        seen_roll(writer, roll)
    if not roll.is_open:
        raise Refusal("conflict", f"{name} has ended: it is {roll.status}", "roll")
    return roll


def seen_roll(writer: EventWriter, roll: Roll) -> None:
    """Refuse somebody who may not see the roll."""
    if not belongs(writer.seat, roll.seers):
        raise Refusal("forbidden", f"{roll.id} is a {roll.visibility} roll that you may not see")


def rollers(writer: EventWriter, roll: Roll, what: str) -> None:
    """Refuse somebody who neither rolls nor is a referee."""
    if writer.seat.id != roll.by and not writer.seat.is_referee:
        raise Refusal("forbidden", f"{what} is for {roll.by}, who rolls, and for referees")


def _guess(name: str, known: list[str]) -> str:
    return did_you_mean(str(name)[:40], known)
