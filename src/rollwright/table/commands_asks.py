"""Commands by which a referee asks for rolls."""

from __future__ import annotations

from typing import Any

from rollwright.table.asks import EVERYBODY
from rollwright.table.commands_rolls import how_fields, write_closed
from rollwright.table.forms import Field, listed, said
from rollwright.table.limits import Limits
from rollwright.table.memory import weighed
from rollwright.table.needs import REFEREES, Command, an_id, find_seat
from rollwright.table.pens import Pen
from rollwright.table.refusals import Refusal
from rollwright.table.rolls import OPEN
from rollwright.table.seats import REFEREE, SPECTATOR
from rollwright.table.starting import WAYS, check_asked, what_fields


def commands(limits: Limits) -> dict[str, Command]:
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
