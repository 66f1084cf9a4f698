"""Commands for what is said and asked for, for witnesses, and for the end of a session."""

from __future__ import annotations

from rollwright.kit.bodies import Text
from rollwright.kit.checks import said
from rollwright.kit.fields import field
from rollwright.table import schemas
from rollwright.table.commands.context import (
    PLAYERS,
    REFEREES,
    Command,
    Id,
    Nonces,
    Seats,
    find_seat,
)
from rollwright.table.commands.plays import write_change
from rollwright.table.commands.rolls import Rolling, known_roles, write_closed
from rollwright.table.commands.subjects import check_asked, spelled
from rollwright.table.commands.writer import AddNonces, EventWriter
from rollwright.table.effects import renewed
from rollwright.table.events import OPEN, PLAYER, REFEREE, SPECTATOR
from rollwright.table.fairness import witness_commitment
from rollwright.table.fold import offer_key
from rollwright.table.limits import weighed
from rollwright.table.refusals import bad_field, refusal
from rollwright.table.rolls import EVERYBODY
from rollwright.table.sheets import game_of, sheet_version_of
from rollwright.words.messages import Message

MOST_NONCES = 8

A_SHEET, OF_A_SHEET = 10, 64
"""As many dice take as long as what a session changes on a sheet, and one more for so many bytes
that stand on it."""


class Say(Command, do="say", allowed=PLAYERS):
    """Something is said, to all or to some."""

    text: Text = field(help="What is said.", most="said", lines=True)
    to: Seats = field(EVERYBODY, help="The seats that hear it; all without it.", most="seats")

    def run(self, writer: EventWriter) -> None:
        if isinstance(self.to, str):
            writer.write(
                "said", schemas.Said(by=writer.by, text=writer.seal(self.text), to=self.to)
            )
            return
        for seat in self.to:
            find_seat(writer, seat, "to")
        body = schemas.Said(by=writer.by, text=writer.seal(self.text), to=list(self.to))
        writer.write("said", body, tuple(dict.fromkeys((*self.to, writer.by))))


class OfferNonces(Command, do="witness.offer"):
    """Random numbers that later throws of others may use: committed to now, opened then."""

    nonces: Nonces = field(
        help="Each 32 random bytes as hexadecimal digits.", most=MOST_NONCES, secret=True
    )

    def run(self, writer: EventWriter) -> None:
        values = [bytes.fromhex(nonce) for nonce in self.nonces]
        nonces = {witness_commitment(value): value for value in values}
        state, seat = writer.state, writer.seat.id
        if not all(values) or any(offer_key(known) in state.offered for known in nonces):
            raise bad_field("nonces", Message("table.nonces.stale"), Message("table.nonces.fresh"))
        unused = sum(owner == seat for owner in state.offers.values())
        if unused + len(nonces) > writer.limits.offers:
            raise refusal("too_many", "table.nonces.many", "nonces", n=unused)
        writer.write(
            "witness.offered", schemas.WitnessOffered(by=writer.by, commitments=list(nonces))
        )
        writer.side(AddNonces(seat, nonces))


class EndSession(Command, do="session.end", allowed=REFEREES):
    """The session is over; the game says what that changes on every sheet."""

    def run(self, writer: EventWriter) -> None:
        state = writer.state
        body = schemas.SessionEnded(
            by=writer.by, number=state.session, version=sheet_version_of(state)
        )
        writer.write("session.ended", body)
        game = game_of(state)
        if game is None or game.new_session is None:
            return
        sheets = [sheet for sheet in state.sheets.values() if not sheet.removed]
        writer.weigh(sum([A_SHEET + sheet.weight // OF_A_SHEET for sheet in sheets]), throws=0)
        for sheet in sheets:
            for changes in renewed(state, game, sheet).sheets.values():
                write_change(writer, sheet, changes, {"session": state.session})


class MakeAsk(Rolling, do="ask.make", allowed=REFEREES):
    """Somebody, or everybody, is asked to roll."""

    who: Seats = field(help='The seats that are asked; "all" for everybody.', most="seats")

    def run(self, writer: EventWriter) -> None:
        _put_away(writer)
        if len(writer.state.asks) >= writer.limits.asks:
            raise refusal("too_many", "table.asks.many", n=len(writer.state.asks))
        some = () if isinstance(self.who, str) else self.who
        for seat in some:
            if find_seat(writer, seat, "who").role == SPECTATOR:
                raise bad_field("who", Message("table.watches", {"seat": seat}))
        asked, visibility = spelled(writer.state, self.asked, self.dialect), self.shown_to
        check_asked(writer.state, asked)
        known_roles(writer, asked.get("roles", {}))
        held = sum(ask.weight for ask in writer.state.asks.values())
        if held + weighed(asked) > writer.limits.asks_bytes:
            raise refusal("too_many", "table.asks.much")
        body = schemas.AskMade(
            by=writer.by,
            ask=f"a{writer.state.asked + 1}",
            who=list(some) or EVERYBODY,
            roll=asked,
            note=writer.seal(self.note),
            visibility=visibility,
            announce=self.announce,
        )
        secret = visibility != OPEN and bool(some)
        audience = (*some, writer.by, REFEREE) if secret else None
        writer.write("ask.made", body, audience, unnamed=secret and not self.announce)


def _put_away(writer: EventWriter) -> None:
    """What everybody was asked for is over once all who play have answered, and more is asked."""
    playing = {
        seat.id for seat in writer.state.seats.values() if seat.is_here and seat.role == PLAYER
    }
    for ask in [*writer.state.asks.values()]:
        if ask.who == EVERYBODY and ask.answered and playing <= ask.answered.keys():
            write_closed(writer, ask)


class CloseAsk(Command, do="ask.close", allowed=PLAYERS):
    """The ask is over, whoever has answered; who alone is left to answer may say no."""

    ask: Id = field(help="The ask.")

    def run(self, writer: EventWriter) -> None:
        ask = writer.state.asks.get(self.ask)
        if not writer.seat.is_referee and (ask is None or ask.left != {writer.by}):
            raise refusal("forbidden", "table.ask.closing", "ask")
        if ask is None:
            raise refusal("not_found", "table.ask.none", "ask", name=said(self.ask))
        write_closed(writer, ask)
