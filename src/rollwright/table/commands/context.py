"""What a command is made of, and the questions that many commands ask of seats, sheets, rolls."""

from __future__ import annotations

from typing import Any, ClassVar

from rollwright.errors import did_you_mean
from rollwright.kit.bodies import Body
from rollwright.kit.fields import said
from rollwright.table.commands.writer import Pen
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

    def run(self, pen: Pen) -> None:
        """Write what it comes to, or refuse it."""
        raise NotImplementedError(self.do)


def find_seat(pen: Pen, name: str, field: str = "seat") -> Seat:
    """A seat that has not been removed."""
    seat = pen.state.seats.get(name)
    if seat is None:
        known = [s.id for s in pen.state.seats.values() if s.status != REMOVED]
        raise Refusal("not_found", f"there is no seat {said(name)}{_guess(name, known)}", field)
    if seat.status == REMOVED:
        raise Refusal("gone", f"{name} was removed from the table", field)
    return seat


def own_or_referees(pen: Pen, seat: Seat, what: str) -> None:
    """Refuse somebody who is neither that seat nor a referee."""
    if pen.seat.id != seat.id and not pen.seat.is_referee:
        raise Refusal("forbidden", f"{what} is for {seat.id} and for referees")


def need_another_referee(pen: Pen, seat: Seat) -> None:
    """Refuse to leave the table without a referee."""
    others = [s for s in pen.state.seats.values() if s.is_referee and s.id != seat.id]
    if seat.is_referee and not others:
        raise Refusal(
            "conflict", f"{seat.id} is the only referee; make somebody else one first", "seat"
        )


def find_sheet(pen: Pen, name: str) -> Sheet:
    """A sheet that the one who commands may see."""
    sheet = pen.state.sheets.get(name)
    if sheet is None or sheet.removed or not belongs(pen.seat, sheet.audience):
        known = [
            s.id
            for s in pen.state.sheets.values()
            if not s.removed and belongs(pen.seat, s.audience)
        ]
        raise Refusal("not_found", f"there is no sheet {said(name)}{_guess(name, known)}", "sheet")
    return sheet


def owned_sheet(pen: Pen, name: str) -> Sheet:
    """A sheet that the one who commands may change."""
    sheet = find_sheet(pen, name)
    if sheet.owner != pen.seat.id and not pen.seat.is_referee:
        raise Refusal("forbidden", f"the sheet {name} is for its owner and for referees", "sheet")
    return sheet


def find_roll(pen: Pen, name: str) -> Roll:
    """A roll that the one who commands may know of; of a silent secret nothing is said."""
    roll = pen.state.roll(name)
    knows = roll is not None and (
        roll.announce or belongs(pen.seat, roll.seers) or pen.seat.id == roll.by
    )
    if roll is None or not (knows or pen.seat.is_referee):
        raise Refusal("not_found", f"there is no roll {said(name)}", "roll")
    return roll


def whole_roll(roll: Roll) -> Roll:
    """A roll with all that it was made of; that of an old one has to be read again."""
    if not roll.is_whole:
        raise Recall(roll.seqs)
    return roll


def open_roll(pen: Pen, name: str) -> Roll:
    """A roll that still waits for something; whether it does is no business of outsiders."""
    roll = find_roll(pen, name)
    if pen.seat.id != roll.by and not pen.seat.is_referee:
        seen_roll(pen, roll)
    if not roll.is_open:
        raise Refusal("conflict", f"{name} has ended: it is {roll.status}", "roll")
    return roll


def seen_roll(pen: Pen, roll: Roll) -> None:
    """Refuse somebody who may not see the roll."""
    if not belongs(pen.seat, roll.seers):
        raise Refusal("forbidden", f"{roll.id} is a {roll.visibility} roll that you may not see")


def rollers(pen: Pen, roll: Roll, what: str) -> None:
    """Refuse somebody who neither rolls nor is a referee."""
    if pen.seat.id != roll.by and not pen.seat.is_referee:
        raise Refusal("forbidden", f"{what} is for {roll.by}, who rolls, and for referees")


def _guess(name: str, known: list[str]) -> str:
    return did_you_mean(str(name)[:40], known)
