"""Commands for what is said, for witnesses, and for the end of a session."""

from __future__ import annotations

from typing import Any

from rollwright.table.asks import EVERYBODY
from rollwright.table.decisions import AddNonces
from rollwright.table.effects import applied
from rollwright.table.fairness import witness_commitment
from rollwright.table.folding import offer_key
from rollwright.table.forms import Field, bad_field, listed, nonce, text
from rollwright.table.limits import Limits
from rollwright.table.needs import ANYBODY, PLAYERS, REFEREES, Command, an_id, find_seat
from rollwright.table.pens import Pen
from rollwright.table.refusals import Refusal
from rollwright.table.sheet_values import game_of, sheet_version_of

MOST_NONCES = 8


def commands(limits: Limits) -> dict[str, Command]:
    """The commands that are about neither seats, sheets nor rolls."""
    seats = listed(an_id, limits.seats)

    def to(name: str, came: Any) -> Any:
        return EVERYBODY if came == EVERYBODY else seats(name, came)

    say_form = {"text": Field(text(limits.said, lines=True)), "to": Field(to, EVERYBODY)}
    return {
        "say": Command(say_form, PLAYERS, say),
        "witness.offer": Command({"nonces": Field(listed(nonce, MOST_NONCES))}, ANYBODY, offer),
        "session.end": Command({}, REFEREES, end_session),
    }


def say(pen: Pen, fields: dict[str, Any]) -> None:
    """Something is said, to all or to some."""
    to = fields["to"]
    for seat in () if to == EVERYBODY else to:
        find_seat(pen, seat, "to")
    audience = None if to == EVERYBODY else tuple(dict.fromkeys((*to, pen.seat.id)))
    pen.write("said", {"text": pen.seal(fields["text"]), "to": to}, audience)


def offer(pen: Pen, fields: dict[str, Any]) -> None:
    """Nonces that later throws of others may use: committed to now, opened then."""
    nonces = {witness_commitment(value): value for value in fields["nonces"]}
    state, seat = pen.state, pen.seat.id
    if not all(fields["nonces"]) or any(offer_key(known) in state.offered for known in nonces):
        raise bad_field("nonces", "one of them was offered before or is empty", "fresh ones")
    unused = sum(owner == seat for owner in state.offers.values())
    if unused + len(nonces) > pen.limits.offers:
        raise Refusal("too_many", f"{unused} nonces of yours still wait to be used", "nonces")
    pen.write("witness.offered", {"commitments": list(nonces)})
    pen.side(AddNonces(seat, nonces))


def end_session(pen: Pen, fields: dict[str, Any]) -> None:
    """The session is over; the game says what that changes on every sheet."""
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
