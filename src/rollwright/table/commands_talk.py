"""Commands for what is said, for witnesses, and for the end of a session."""

from __future__ import annotations

from rollwright.kit.bodies import Text
from rollwright.kit.fields import field
from rollwright.table.asks import EVERYBODY
from rollwright.table.decisions import AddNonces
from rollwright.table.effects import applied
from rollwright.table.fairness import witness_commitment
from rollwright.table.folding import offer_key
from rollwright.table.forms import Nonces, Seats
from rollwright.table.needs import PLAYERS, REFEREES, Command, find_seat
from rollwright.table.pens import Pen
from rollwright.table.refusals import Refusal, bad_field
from rollwright.table.sheet_values import game_of, sheet_version_of

MOST_NONCES = 8


class Say(Command, do="say", allowed=PLAYERS):
    """Something is said, to all or to some."""

    text: Text = field(help="What is said.", most="said", lines=True)
    to: Seats = field(EVERYBODY, help="The seats that hear it; all without it.", most="seats")

    def run(self, pen: Pen) -> None:
        if self.to == EVERYBODY:
            pen.write("said", {"text": pen.seal(self.text), "to": EVERYBODY})
            return
        for seat in self.to:
            find_seat(pen, seat, "to")
        audience = tuple(dict.fromkeys((*self.to, pen.seat.id)))
        pen.write("said", {"text": pen.seal(self.text), "to": list(self.to)}, audience)


class OfferNonces(Command, do="witness.offer"):
    """Random numbers that later throws of others may use: committed to now, opened then."""

    nonces: Nonces = field(
        help="Each 32 random bytes as hexadecimal digits.", most=MOST_NONCES, secret=True
    )

    def run(self, pen: Pen) -> None:
        values = [bytes.fromhex(nonce) for nonce in self.nonces]
        nonces = {witness_commitment(value): value for value in values}
        state, seat = pen.state, pen.seat.id
        if not all(values) or any(offer_key(known) in state.offered for known in nonces):
            raise bad_field("nonces", "one of them was offered before or is empty", "fresh ones")
        unused = sum(owner == seat for owner in state.offers.values())
        if unused + len(nonces) > pen.limits.offers:
            raise Refusal("too_many", f"{unused} nonces of yours still wait to be used", "nonces")
        pen.write("witness.offered", {"commitments": list(nonces)})
        pen.side(AddNonces(seat, nonces))


class EndSession(Command, do="session.end", allowed=REFEREES):
    """The session is over; the game says what that changes on every sheet."""

    def run(self, pen: Pen) -> None:
        state = pen.state
        body = {"number": state.session, "version": sheet_version_of(state)}
        pen.write("session.ended", body)
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
                pen.write("sheet.changed", body, sheet.audience)


COMMANDS = (Say, OfferNonces, EndSession)
