"""Commands about the table itself and the people at it."""

from __future__ import annotations

from typing import Any

from rollwright.kit.bodies import Data, Object, Text
from rollwright.kit.fields import field, made
from rollwright.kit.requests import to_plain
from rollwright.table.commands.context import (
    REFEREES,
    Command,
    find_seat,
    need_another_referee,
    own_or_referees,
)
from rollwright.table.commands.forms import Hash, Id
from rollwright.table.commands.writer import AddToken, EraseTexts, EventWriter, RevokeTokens
from rollwright.table.refusals import Refusal, refusing_what_came
from rollwright.table.seats import KNOCKING, Seat
from rollwright.table.shapes import Role
from rollwright.table.sheet_values import game_of


def house_of(game_name: str, house: dict[str, Any]) -> dict[str, Any]:
    """House rules as the game has them, those at their default too: defaults may change."""
    if not game_name:
        if house:
            raise Refusal("bad_field", "house: free notation has no house rules", "house")
        return {}
    from rollwright.kit.games import find_game

    with refusing_what_came("house"):
        return to_plain(made(find_game(game_name).house, house), whole=True)


class ChangeTable(Command, do="table.change", allowed=REFEREES):
    """House rules, whether one knocks, the title, the table's own lists."""

    house: Object | None = field(None, help="All house rules.", most="house")
    knock: bool | None = field(None, help="Whether a referee lets each newcomer in.")
    title: Text | None = field(None, help="What the table is called.", most="title", empty=True)
    lists: Data | None = field(None, help="Lists of the table's own.", most="lists")

    def run(self, writer: EventWriter) -> None:
        found = {
            "house": self.house,
            "knock": self.knock,
            "title": self.title,
            "lists": self.lists,
        }
        body: dict[str, Any] = {name: held for name, held in found.items() if held is not None}
        if not body:
            raise Refusal("bad_request", "nothing is to be changed; house, knock, title or lists")
        if self.house is not None:
            game = game_of(writer.state)
            body["house"] = house_of("" if game is None else game.name, self.house)
        if self.title is not None:
            body["title"] = writer.seal(self.title)
        writer.write("table.changed", body)


class RotateLink(Command, do="link.rotate", allowed=REFEREES):
    """A new link for a role; the old one is good no more."""

    role: Role = field(help="The role that it lets join.")
    token_hash: Hash = field(help="Of the new link's token.", secret=True)

    def run(self, writer: EventWriter) -> None:
        writer.write("link.changed", {"role": self.role})
        writer.side(RevokeTokens("link", role=self.role))
        writer.side(AddToken(self.token_hash, "link", self.role))


def _knocking(writer: EventWriter, name: str) -> str:
    seat = find_seat(writer, name)
    if seat.status != KNOCKING:
        raise Refusal("conflict", f"{seat.id} is not knocking: it is at the table already", "seat")
    return seat.id


class Admit(Command, do="seat.admit", allowed=REFEREES):
    """Somebody who knocks is let in."""

    seat: Id = field(help="The seat.")

    def run(self, writer: EventWriter) -> None:
        writer.write("seat.admitted", {"seat": _knocking(writer, self.seat)})


class Refuse(Command, do="seat.refuse", allowed=REFEREES):
    """Somebody who knocks is not let in."""

    seat: Id = field(help="The seat.")

    def run(self, writer: EventWriter) -> None:
        seat = _knocking(writer, self.seat)
        writer.write("seat.removed", {"seat": seat})
        writer.side(RevokeTokens("seat", seat=seat))


class OfSeat(Command):
    """Something about a seat: one's own, or for a referee any."""

    seat: Id = field("", help="The seat; your own without it.")

    def named(self, writer: EventWriter) -> Seat:
        """The seat, if the one who commands may do this to it."""
        seat = find_seat(writer, self.seat or writer.seat.id)
        own_or_referees(writer, seat, self.do)
        return seat


class RemoveSeat(OfSeat, do="seat.remove", while_knocking=True):
    """A seat leaves the table, or is made to."""

    def run(self, writer: EventWriter) -> None:
        seat = self.named(writer)
        need_another_referee(writer, seat)
        writer.write("seat.removed", {"seat": seat.id})
        writer.side(RevokeTokens("seat", seat=seat.id))


class Rename(OfSeat, do="seat.rename", while_knocking=True):
    """Another name for a seat."""

    name: Text = field(help="The new name.", most="name")

    def run(self, writer: EventWriter) -> None:
        seat = self.named(writer)
        writer.write("seat.renamed", {"seat": seat.id, "name": writer.seal(self.name, seat.id)})


class MoveSeat(OfSeat, do="seat.move"):
    """A seat goes on from another device."""

    token_hash: Hash = field(help="Of the new device's token.", secret=True)
    keep_old: bool = field(False, help="Whether the other devices stay good.")

    def run(self, writer: EventWriter) -> None:
        seat = self.named(writer)
        writer.write("seat.moved", {"seat": seat.id})
        stay = writer.limits.tokens - 1 if self.keep_old else 0
        writer.side(RevokeTokens("seat", seat=seat.id, but=stay))
        writer.side(AddToken(self.token_hash, "seat", seat.role, seat.id))


class ChangeRole(Command, do="seat.role", allowed=REFEREES):
    """A seat becomes a referee, a player or a spectator."""

    seat: Id = field(help="The seat.")
    role: Role = field(help="What it becomes.")

    def run(self, writer: EventWriter) -> None:
        seat = find_seat(writer, self.seat)
        if seat.role == self.role:
            return
        need_another_referee(writer, seat)
        writer.write("seat.changed", {"seat": seat.id, "role": self.role})


class Forget(Command, do="person.forget", while_knocking=True):
    """The name and all texts of a person are erased; the log stays whole."""

    seat: Id = field("", help="The seat, also one that was removed; your own without it.")

    def run(self, writer: EventWriter) -> None:
        name = self.seat or writer.seat.id
        seat = writer.state.seats.get(name)
        if seat is None:
            raise Refusal("not_found", f"there is no seat {name!r}", "seat")
        own_or_referees(writer, seat, self.do)
        writer.write("person.forgotten", {"seat": seat.id})
        writer.side(EraseTexts(seat.id))


COMMANDS = (
    ChangeTable,
    RotateLink,
    Admit,
    Refuse,
    RemoveSeat,
    Rename,
    MoveSeat,
    ChangeRole,
    Forget,
)
