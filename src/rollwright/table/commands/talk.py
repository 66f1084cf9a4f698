"""Commands for what is said, for witnesses, and for the end of a session."""

from __future__ import annotations

from typing import Any

from rollwright.table.commands.context import ANYBODY, PLAYERS, REFEREES, Command, an_id, find_seat
from rollwright.table.commands.forms import Field, bad_field, listed, nonce, said, text
from rollwright.table.commands.rolls import how_fields, write_closed
from rollwright.table.commands.subjects import WAYS, check_asked, what_fields
from rollwright.table.commands.writer import AddNonces, Pen
from rollwright.table.effects import applied
from rollwright.table.fairness import witness_commitment
from rollwright.table.fold import offer_key
from rollwright.table.limits import Limits
from rollwright.table.memory import weighed
from rollwright.table.refusals import Refusal
from rollwright.table.rolls import EVERYBODY, OPEN
from rollwright.table.seats import REFEREE, SPECTATOR
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


def ask_commands(limits: Limits) -> dict[str, Command]:
    """The commands about asks."""
    make = {
        "who": Field(_who(limits)),
        **what_fields(limits),
        **how_fields(limits),
    }
    return {
        "ask.make": Command(make, REFEREES, make_ask),
        "ask.close": Command({"ask": Field(an_id)}, REFEREES, close_ask),
    }


def _who(limits: Limits) -> Any:
    seats = listed(an_id, limits.seats)
    return lambda name, came: EVERYBODY if came == EVERYBODY else seats(name, came)


def make_ask(pen: Pen, fields: dict[str, Any]) -> None:
    """Somebody, or everybody, is asked to roll."""
    if len(pen.state.asks) >= pen.limits.asks:
        raise Refusal("too_many", f"{len(pen.state.asks)} asks are open; ask.close closes one")
    who = fields["who"]
    for seat in () if who == EVERYBODY else who:
        if find_seat(pen, seat, "who").role == SPECTATOR:
            raise Refusal("bad_field", f"who: {seat} only watches", "who")
    check_asked(pen.state, fields)
    _check_room(pen, fields)
    wanted = (*WAYS, "roles", "physical", "goal")
    visibility = fields["visibility"] or OPEN
    body = {
        "ask": f"a{pen.state.asked + 1}",
        "who": who,
        "roll": {name: fields[name] for name in wanted if fields[name]},
        "note": pen.seal(fields["note"]),
        "visibility": visibility,
        "announce": fields["announce"],
    }
    secret = visibility != OPEN and who != EVERYBODY
    write = pen.write_unnamed if secret and not fields["announce"] else pen.write
    write("ask.made", body, (*who, pen.seat.id, REFEREE) if secret else None)


def _check_room(pen: Pen, fields: dict[str, Any]) -> None:
    """Refuse to ask for so much that all asks are too much to be shown at once."""
    held = sum(ask.weight for ask in pen.state.asks.values())
    if held + sum(weighed(fields[way]) for way in WAYS) > pen.limits.asks_bytes:
        raise Refusal("too_many", "so much is asked for already; ask.close closes one")


def close_ask(pen: Pen, fields: dict[str, Any]) -> None:
    """The ask is over, whoever has answered."""
    ask = pen.state.asks.get(fields["ask"])
    if ask is None:
        raise Refusal("not_found", f"there is no open ask {said(fields['ask'])}", "ask")
    write_closed(pen, ask)
