"""Commands for what is said and asked for, for witnesses, and for the end of a session."""

from __future__ import annotations

from dataclasses import replace

from rollwright.i18n.locale import ENGLISH, use_locale
from rollwright.i18n.messages import Message
from rollwright.kit.bodies import Text
from rollwright.kit.checks import format_value
from rollwright.kit.fields import field
from rollwright.table import schemas
from rollwright.table.commands.context import (
    PLAYERS,
    REFEREES,
    SIGNS,
    Command,
    Hash,
    Hashes,
    Id,
    Seats,
    find_seat,
)
from rollwright.table.commands.roll_execution import RollExecution, write_change
from rollwright.table.commands.roll_specs import check_spec, complete_spec, translate_dice
from rollwright.table.commands.rolls import (
    RollSpecCommand,
    cancel_rolls,
    known_roles,
    write_request_end,
)
from rollwright.table.commands.signed_commands import SlotUse
from rollwright.table.commands.writer import Decision, Entropy, EventWriter, Secrets
from rollwright.table.devices import WitnessWait
from rollwright.table.effects import session_effects
from rollwright.table.errors import as_command_errors, bad_field, command_error
from rollwright.table.events import OPEN, PLAYER, REFEREE, SPECTATOR, PublicPart, next_id
from rollwright.table.fairness import call_hash, commitment_of
from rollwright.table.limits import LIMITS, TableLimits, weight_of
from rollwright.table.mentions import skeleton
from rollwright.table.reducer import offer_key, waiting_roll
from rollwright.table.rolls import EVERYBODY, TableRoll
from rollwright.table.sheets import game_of, sheet_version_of
from rollwright.table.state import TableState

MOST_OFFERED = 8

A_COMMAND = "/"
"""What a line looks to begin with that is meant for a program, such as a whisper of another tool:
said here, everybody would read it.
"""

A_SHEET, OF_A_SHEET = 10, 64
"""Dice that take as long as the changes of a new session on a sheet, and bytes of the sheet that
take as long as one more.
"""


class SendChatCommand(Command, do="chat.send", allowed=PLAYERS):
    """Something is said, to all or to some."""

    text: Text = field(help="What is said.", most="said", lines=True)
    to: Seats = field(EVERYBODY, help="The seats that hear it; all without it.", most="seats")

    def run(self, writer: EventWriter) -> None:
        if any(skeleton(line).startswith(A_COMMAND) for line in self.text.splitlines()):
            raise command_error("bad_field", "table.say.command", "text")
        if isinstance(self.to, str):
            writer.write(
                "chat.sent",
                schemas.ChatSentEvent(by=writer.by, text=writer.seal(self.text), to=self.to),
            )
            return
        for seat in self.to:
            find_seat(writer, seat, "to")
        body = schemas.ChatSentEvent(by=writer.by, text=writer.seal(self.text), to=list(self.to))
        writer.write("chat.sent", body, tuple(dict.fromkeys((*self.to, writer.by))))


class CommitWitnessCommand(Command, do="witness.commit", signs=SIGNS):
    """Numbers that are ready for throws of others: only the commitments leave the device."""

    commitments: Hashes = field(
        help="The commitment to each number: its hash as the dice are documented.",
        most=MOST_OFFERED,
    )

    def run(self, writer: EventWriter) -> None:
        state, seat, offered = writer.state, writer.seat.id, self.commitments
        known = any(offer_key(offer) in state.offered for offer in offered)
        if known or not all(offered) or len(set(offered)) < len(offered):
            stale, fresh = Message("table.offers.stale"), Message("table.offers.fresh")
            raise bad_field("commitments", stale, fresh)
        unused = sum(owner.seat == seat for owner in state.offers.values())
        if unused + len(offered) > writer.limits.offers:
            raise command_error("too_many", "table.offers.many", "commitments", n=unused)
        writer.write(
            "witness.committed",
            schemas.WitnessCommittedEvent(by=writer.by, commitments=list(offered)),
        )


class RevealWitnessCommand(Command, do="witness.reveal", signs=SIGNS):
    """The number of a witness that dice wait for; they follow at once."""

    asked: int = field(help="The event that asks for it.", low=1)
    number: Hash = field(help="The number, 32 bytes as 64 hexadecimal digits.")

    def run(self, writer: EventWriter) -> None:
        roll = waiting_roll(writer.state, self.asked)
        waiting = None if roll is None else roll.witness
        if roll is None or waiting is None or waiting.seat != writer.by:
            raise command_error("conflict", "table.witness.late", "asked")
        number = bytes.fromhex(self.number)
        if commitment_of(number) != waiting.offer:
            raise bad_field("number", Message("table.witness.other"))
        body = schemas.WitnessRevealedEvent(by=writer.by, asked=self.asked, number=self.number)
        writer.write("witness.revealed", body)
        continue_after_witness(writer, roll, waiting, number)


def time_out_witness(
    state: TableState, asked: int, secrets: Secrets, entropy: Entropy, limits: TableLimits = LIMITS
) -> Decision:
    """Go on after a witness was silent for too long: ask the next, or throw.

    The host does it, and nobody at the table; nothing follows if the witness has answered by now.
    """
    roll = waiting_roll(state, asked)
    waiting = None if roll is None else roll.witness
    if roll is None or waiting is None:
        return Decision()
    seat = waiting.seat
    left = {offer: owner for offer, owner in state.offers.items() if owner.seat != seat}
    writer = EventWriter(
        replace(state, offers=left), state.seats[waiting.call.by], secrets, entropy, limits
    )
    writer.call = slot_use_of(state, waiting)
    following = writer.find_witness()
    body = schemas.WitnessTimedOutEvent(by="", asked=asked, seat=seat)
    shown: PublicPart = {} if following is None else {"witness": following}
    with use_locale(ENGLISH), as_command_errors():
        writer.write("witness.timed_out", body, open=shown)
        if following is None:
            continue_after_witness(writer, roll, waiting)
    return writer.decision


def continue_after_witness(
    writer: EventWriter, roll: TableRoll, waiting: WitnessWait, number: bytes = b""
) -> None:
    """Throw the dice of a call that waited for a witness, as its caller would have."""
    writer.call = slot_use_of(writer.state, waiting, number)
    writer.seat = writer.state.seats[writer.call.by]
    play = RollExecution(writer, roll)
    if number:
        play.advance(once=waiting.once)
    else:
        play.advance_without_witness(once=waiting.once)


def slot_use_of(state: TableState, waiting: WitnessWait, number: bytes = b"") -> SlotUse:
    """A call that was written before, to be gone on with."""
    call = waiting.call
    device = state.devices.get(call.said.get("device", ""))
    made = call_hash(state.table, state.epoch, device.seat if device else "", call.said)
    by = device.seat if device else call.said.get("seat", call.by)
    return SlotUse(by, call.said, made, call.lane, call.number, call.seq, 0, number)


class EndSessionCommand(Command, do="session.end", allowed=REFEREES):
    """The session is over: open rolls are given up, and the game says what else that changes."""

    keep_open: bool = field(False, help="Whether open rolls wait for the next session instead.")

    def run(self, writer: EventWriter) -> None:
        state = writer.state
        body = schemas.SessionEndedEvent(
            by=writer.by, number=state.session, version=sheet_version_of(state)
        )
        writer.write("session.ended", body)
        self._renew(writer)
        if not self.keep_open:
            cancel_rolls(writer, state.going.values())

    def _renew(self, writer: EventWriter) -> None:
        """Write what the game changes on every sheet."""
        state, game = writer.state, game_of(writer.state)
        if game is None or game.new_session is None:
            return
        sheets = [sheet for sheet in state.sheets.values() if not sheet.removed]
        writer.weigh(sum([A_SHEET + sheet.weight // OF_A_SHEET for sheet in sheets]), throws=0)
        for sheet in sheets:
            for changes in session_effects(state, game, sheet).sheets.values():
                write_change(writer, sheet, changes, {"session": state.session})


class CreateRequestCommand(RollSpecCommand, do="roll_request.create", allowed=REFEREES):
    """Somebody, or everybody, is asked to roll."""

    who: Seats = field(help='The seats that are asked; "all" for everybody.', most="seats")

    def run(self, writer: EventWriter) -> None:
        _close_complete(writer)
        if len(writer.state.asks) >= writer.limits.asks:
            raise command_error("too_many", "table.asks.many", n=len(writer.state.asks))
        some = () if isinstance(self.who, str) else self.who
        for seat in some:
            if find_seat(writer, seat, "who").role == SPECTATOR:
                raise bad_field("who", Message("table.watches", {"seat": seat}))
        asked, visibility = (
            translate_dice(writer.state, self.roll_spec, self.dialect),
            self.effective_visibility,
        )
        check_spec(writer.state, asked)
        asked = complete_spec(writer.state, asked)
        known_roles(writer, asked.get("roles", {}))
        held = sum(ask.weight for ask in writer.state.asks.values())
        if held + weight_of(asked) > writer.limits.asks_bytes:
            raise command_error("too_many", "table.asks.much")
        secret = visibility != OPEN and bool(some)
        body = schemas.RequestCreatedEvent(
            by=writer.by,
            ask=next_id("a", writer.state.asked, writer.seq, secret=secret),
            who=list(some) or EVERYBODY,
            roll=asked,
            note=writer.seal(self.note),
            visibility=visibility,
            announce=self.announce,
        )
        audience = (*some, writer.by, REFEREE) if secret else None
        writer.write("roll_request.created", body, audience, unnamed=secret and not self.announce)


def _close_complete(writer: EventWriter) -> None:
    """Close asks for everybody that all players have answered, when more is asked."""
    playing = {
        seat.id for seat in writer.state.seats.values() if seat.is_here and seat.role == PLAYER
    }
    for ask in [*writer.state.asks.values()]:
        if ask.who == EVERYBODY and ask.answered and playing <= ask.answered.keys():
            write_request_end(writer, ask)


class CloseRequestCommand(Command, do="roll_request.close", allowed=PLAYERS):
    """Close an ask, answered or not; the only one left to answer may decline it so."""

    ask: Id = field(help="The ask.")

    def run(self, writer: EventWriter) -> None:
        ask = writer.state.asks.get(self.ask)
        if not writer.seat.is_referee and (ask is None or ask.open_seats != {writer.by}):
            raise command_error("forbidden", "table.ask.closing", "ask")
        if ask is None:
            raise command_error("not_found", "table.ask.none", "ask", name=format_value(self.ask))
        write_request_end(writer, ask)
