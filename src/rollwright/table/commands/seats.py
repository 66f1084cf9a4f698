"""Commands about the table itself and the people at it."""

from __future__ import annotations

from typing import Any

from rollwright.kit.fields import made
from rollwright.kit.requests import to_plain
from rollwright.table.commands.context import (
    ANYBODY,
    REFEREES,
    Command,
    an_id,
    find_seat,
    need_another_referee,
    own_or_referees,
)
from rollwright.table.commands.forms import (
    Field,
    anything,
    mapping,
    one_of,
    text,
    token_hash,
    yes_or_no,
)
from rollwright.table.commands.writer import AddToken, EraseTexts, Pen, RevokeTokens
from rollwright.table.limits import Limits
from rollwright.table.refusals import Refusal, refusing_what_came
from rollwright.table.seats import KNOCKING, ROLES
from rollwright.table.sheet_values import game_of

UNSAID: Any = object()


def commands(limits: Limits) -> dict[str, Command]:
    """The commands about the table and its seats."""
    a_seat, own_seat = Field(an_id), Field(an_id, "")
    role = Field(one_of(*ROLES))
    change = {
        "house": Field(mapping(limits.house), UNSAID),
        "knock": Field(yes_or_no, UNSAID),
        "title": Field(text(limits.title, empty=True), UNSAID),
        "lists": Field(anything(limits.lists), UNSAID),
    }
    name = Field(text(limits.name))
    move = {"seat": own_seat, "token_hash": Field(token_hash), "keep_old": Field(yes_or_no, False)}
    return {
        "table.change": Command(change, REFEREES, change_table),
        "link.rotate": Command(
            {"role": role, "token_hash": Field(token_hash)}, REFEREES, rotate_link
        ),
        "seat.admit": Command({"seat": a_seat}, REFEREES, admit),
        "seat.refuse": Command({"seat": a_seat}, REFEREES, refuse),
        "seat.remove": Command({"seat": own_seat}, ANYBODY, remove, while_knocking=True),
        "seat.rename": Command(
            {"seat": own_seat, "name": name}, ANYBODY, rename, while_knocking=True
        ),
        "seat.move": Command(move, ANYBODY, move_seat),
        "seat.role": Command({"seat": a_seat, "role": role}, REFEREES, change_role),
        "person.forget": Command({"seat": own_seat}, ANYBODY, forget, while_knocking=True),
    }


def house_of(game_name: str, house: dict[str, Any]) -> dict[str, Any]:
    """House rules as the game has them, those at their default too: defaults may change."""
    if not game_name:
        if house:
            raise Refusal("bad_field", "house: free notation has no house rules", "house")
        return {}
    from rollwright.kit.games import find_game

    with refusing_what_came("house"):
        return to_plain(made(find_game(game_name).house, house), whole=True)


def change_table(pen: Pen, fields: dict[str, Any]) -> None:
    """House rules, whether one knocks, the title, the table's own lists."""
    body = {name: value for name, value in fields.items() if value is not UNSAID}
    if not body:
        raise Refusal("bad_request", "nothing is to be changed; house, knock, title or lists")
    if "house" in body:
        game = game_of(pen.state)
        body["house"] = house_of("" if game is None else game.name, body["house"])
    if "title" in body:
        body["title"] = pen.seal(body["title"])
    pen.write("table.changed", body)


def rotate_link(pen: Pen, fields: dict[str, Any]) -> None:
    """A new link for a role; the old one is good no more."""
    role = fields["role"]
    pen.write("link.changed", {"role": role})
    pen.side(RevokeTokens("link", role=role))
    pen.side(AddToken(fields["token_hash"], "link", role))


def _knocking(pen: Pen, name: str) -> str:
    seat = find_seat(pen, name)
    if seat.status != KNOCKING:
        raise Refusal("conflict", f"{seat.id} is not knocking: it is at the table already", "seat")
    return seat.id


def admit(pen: Pen, fields: dict[str, Any]) -> None:
    """Somebody who knocks is let in."""
    pen.write("seat.admitted", {"seat": _knocking(pen, fields["seat"])})


def refuse(pen: Pen, fields: dict[str, Any]) -> None:
    """Somebody who knocks is not let in."""
    seat = _knocking(pen, fields["seat"])
    pen.write("seat.removed", {"seat": seat})
    pen.side(RevokeTokens("seat", seat=seat))


def remove(pen: Pen, fields: dict[str, Any]) -> None:
    """A seat leaves the table, or is made to."""
    seat = find_seat(pen, fields["seat"] or pen.seat.id)
    own_or_referees(pen, seat, "seat.remove")
    need_another_referee(pen, seat)
    pen.write("seat.removed", {"seat": seat.id})
    pen.side(RevokeTokens("seat", seat=seat.id))


def rename(pen: Pen, fields: dict[str, Any]) -> None:
    """Another name for a seat."""
    seat = find_seat(pen, fields["seat"] or pen.seat.id)
    own_or_referees(pen, seat, "seat.rename")
    pen.write("seat.renamed", {"seat": seat.id, "name": pen.seal(fields["name"], seat.id)})


def move_seat(pen: Pen, fields: dict[str, Any]) -> None:
    """A seat goes on from another device."""
    seat = find_seat(pen, fields["seat"] or pen.seat.id)
    own_or_referees(pen, seat, "seat.move")
    pen.write("seat.moved", {"seat": seat.id})
    stay = pen.limits.tokens - 1 if fields["keep_old"] else 0
    pen.side(RevokeTokens("seat", seat=seat.id, but=stay))
    pen.side(AddToken(fields["token_hash"], "seat", seat.role, seat.id))


def change_role(pen: Pen, fields: dict[str, Any]) -> None:
    """A seat becomes a referee, a player or a spectator."""
    seat = find_seat(pen, fields["seat"])
    if seat.role == fields["role"]:
        return
    need_another_referee(pen, seat)
    pen.write("seat.changed", {"seat": seat.id, "role": fields["role"]})


def forget(pen: Pen, fields: dict[str, Any]) -> None:
    """The name and all texts of a person are erased; the log stays whole."""
    name = fields["seat"] or pen.seat.id
    seat = pen.state.seats.get(name)
    if seat is None:
        raise Refusal("not_found", f"there is no seat {name!r}", "seat")
    own_or_referees(pen, seat, "person.forget")
    pen.write("person.forgotten", {"seat": seat.id})
    pen.side(EraseTexts(seat.id))
