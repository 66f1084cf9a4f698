"""Commands of seats, from a socket or a request: checked, done, acknowledged."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rollwright.errors import RollwrightError
from rollwright.plain import check_plain
from rollwright.server.limits import Spent, seat_name
from rollwright.server.wire import error_of
from rollwright.table.commands.context import OWN_ID
from rollwright.table.events import KNOCKING, REMOVED, Seat
from rollwright.table.refusals import Refusal

if TYPE_CHECKING:
    from rollwright.server.rooms.room import Room
    from rollwright.server.services import Services

COMMAND_ID = re.compile(OWN_ID)

Ack = dict[str, Any]
AUDITED = frozenset(
    {"link.rotate", "person.forget", "seat.move", "seat.refuse", "seat.remove", "seat.role"}
)
"""Commands that change who may be here, which the audit log tells of."""


async def obey(
    services: Services, room: Room, seat: Seat | None, address: str, command: Any
) -> Ack:
    """Do a command of a seat, and answer with how it ended; it is committed when `ok` is true."""
    name = command.get("id") if isinstance(command, dict) else None
    spent, acting = Spent(), None
    try:
        services.limits.address.take(address)
        acting = _acting(services, room, seat)
        with spent:
            wanted = checked(command)
        done = await room.act(acting.id, wanted, address=address, spent=spent)
    except Exception as problem:
        error = error_of(problem)
        services.metrics.refused.labels(error["code"]).inc()
        known = isinstance(problem, RollwrightError)
        services.metrics.commands.labels("refused" if known else "failed").inc()
        return {"ok": False, "id": name if is_command_id(name) else None, "error": error}
    finally:
        services.limits.charge(spent, address, seat_name(room.table, acting.id) if acting else "")
    if command["do"] in AUDITED:
        about = {"table": room.table, "address": address}
        services.audit.note(command["do"], who=f"seat {acting.id}", **about, **_whom(command))
    return {"ok": True, "id": name, "first": done.first, "last": done.last}


def _whom(command: dict[str, Any]) -> dict[str, str]:
    """Whose seat or which link it was about; nothing else of a command is ever logged."""
    return {name: str(command[name])[:20] for name in ("seat", "role") if name in command}


def _acting(services: Services, room: Room, seat: Seat | None) -> Seat:
    if seat is None:
        raise Refusal("forbidden", "you only watch; join the table to do this")
    if seat.status == REMOVED:
        raise Refusal("gone", "this seat was removed from the table")
    if seat.status == KNOCKING:
        raise Refusal("forbidden", "you are still at the door; a referee must let you in")
    services.limits.seat.take(seat_name(room.table, seat.id))
    return seat


def checked(command: Any) -> dict[str, Any]:
    """The command, if it has the form of one."""
    if not isinstance(command, dict):
        raise Refusal("bad_request", 'a command is an object: {"id": …, "do": …}')
    check_id(command.get("id"))
    if not isinstance(command.get("do"), str):
        raise Refusal("bad_field", "do: the name of what is to be done is missing", "do")
    check_plain(command)
    return command


def is_command_id(text: object) -> bool:
    """Whether something can be the id of a command."""
    return isinstance(text, str) and COMMAND_ID.fullmatch(text) is not None


def check_id(text: object) -> str:
    """The id that a client gave to what it asks for, so that asking twice does it once."""
    if not isinstance(text, str) or not COMMAND_ID.fullmatch(text):
        raise Refusal("bad_field", "id: 8 to 64 letters, digits, - or _ of your own would do", "id")
    return text
