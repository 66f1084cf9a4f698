"""Commands for what is said and asked for, for witnesses, and for the end of a session."""

from __future__ import annotations

from rollwright.kit.bodies import Text
from rollwright.kit.checks import said
from rollwright.kit.fields import field
from rollwright.table.commands.context import PLAYERS, REFEREES, Command, find_seat
from rollwright.table.commands.forms import Id, Nonces, Seats
from rollwright.table.commands.rolls import Rolling, write_closed
from rollwright.table.commands.subjects import check_asked
from rollwright.table.commands.writer import AddNonces, EventWriter
from rollwright.table.effects import applied
from rollwright.table.fairness import witness_commitment
from rollwright.table.fold import offer_key
from rollwright.table.memory import weighed
from rollwright.table.refusals import Refusal, bad_field
from rollwright.table.rolls import EVERYBODY, OPEN
from rollwright.table.seats import REFEREE, SPECTATOR
from rollwright.table.sheet_values import game_of, sheet_version_of

MOST_NONCES = 8


class Say(Command, do="say", allowed=PLAYERS):
    """Something is said, to all or to some."""

    text: Text = field(help="What is said.", most="said", lines=True)
    to: Seats = field(EVERYBODY, help="The seats that hear it; all without it.", most="seats")

    def run(self, writer: EventWriter) -> None:
        if self.to == EVERYBODY:
            writer.write("said", {"text": writer.seal(self.text), "to": EVERYBODY})
            return
        for seat in self.to:
            find_seat(writer, seat, "to")
        audience = tuple(dict.fromkeys((*self.to, writer.seat.id)))
        writer.write("said", {"text": writer.seal(self.text), "to": list(self.to)}, audience)


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
            raise bad_field("nonces", "one of them was offered before or is empty", "fresh ones")
        unused = sum(owner == seat for owner in state.offers.values())
        if unused + len(nonces) > writer.limits.offers:
            raise Refusal("too_many", f"{unused} nonces of yours still wait to be used", "nonces")
        writer.write("witness.offered", {"commitments": list(nonces)})
        writer.side(AddNonces(seat, nonces))


class EndSession(Command, do="session.end", allowed=REFEREES):
    """The session is over; the game says what that changes on every sheet."""

    def run(self, writer: EventWriter) -> None:
        state = writer.state
        body = {"number": state.session, "version": sheet_version_of(state)}
        writer.write("session.ended", body)
        game = game_of(state)
        if game is None or game.new_session is None:
            return
        for sheet in state.sheets.values():
            if sheet.removed:
                continue
            effects = game.new_session()
            done = applied(state, game, [(effect, sheet, effect) for effect in effects])
            for name, changes in done.sheets.items():
                body = {"sheet": name, "changes": changes, "cause": {"session": state.session}}
                writer.write("sheet.changed", body, sheet.audience)


class MakeAsk(Rolling, do="ask.make", allowed=REFEREES):
    """Somebody, or everybody, is asked to roll."""

    who: Seats = field(help='The seats that are asked; "all" for everybody.', most="seats")

    def run(self, writer: EventWriter) -> None:
        if len(writer.state.asks) >= writer.limits.asks:
            raise Refusal(
                "too_many", f"{len(writer.state.asks)} asks are open; ask.close closes one"
            )
        some = () if isinstance(self.who, str) else self.who
        for seat in some:
            if find_seat(writer, seat, "who").role == SPECTATOR:
                raise Refusal("bad_field", f"who: {seat} only watches", "who")
        check_asked(writer.state, self.ways, self.goal)
        self._check_room(writer)
        how = {"roles": self.roles, "physical": self.physical, "goal": self.goal}
        visibility = self.visibility or OPEN
        body = {
            "ask": f"a{writer.state.asked + 1}",
            "who": list(some) or EVERYBODY,
            "roll": {name: held for name, held in (self.ways | how).items() if held},
            "note": writer.seal(self.note),
            "visibility": visibility,
            "announce": self.announce,
        }
        secret = visibility != OPEN and bool(some)
        write = writer.write_unnamed if secret and not self.announce else writer.write
        write("ask.made", body, (*some, writer.seat.id, REFEREE) if secret else None)

    def _check_room(self, writer: EventWriter) -> None:
        """Refuse to ask for so much that all asks are too much to be shown at once."""
        held = sum(ask.weight for ask in writer.state.asks.values())
        if held + sum(map(weighed, self.ways.values())) > writer.limits.asks_bytes:
            raise Refusal("too_many", "so much is asked for already; ask.close closes one")


class CloseAsk(Command, do="ask.close", allowed=REFEREES):
    """The ask is over, whoever has answered."""

    ask: Id = field(help="The ask.")

    def run(self, writer: EventWriter) -> None:
        ask = writer.state.asks.get(self.ask)
        if ask is None:
            raise Refusal("not_found", f"there is no open ask {said(self.ask)}", "ask")
        write_closed(writer, ask)


COMMANDS = (Say, OfferNonces, EndSession, MakeAsk, CloseAsk)
