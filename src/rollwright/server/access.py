"""Who asks: the table, the seat and the limits of a request, checked before anything is done.

Every route begins with one of these:

    services = admitted(request)                 # anybody; counts against the address's rate
    entry = await entered(request)           # a seat, or somebody who watches with a link
    entry = await entered(request, role="referee")

They raise `CodedError`, which the app turns into its JSON answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from rollwright.errors import BadField
from rollwright.jsonable import Json
from rollwright.kit.bodies import Body
from rollwright.server.limits import rate_limit_key, seat_name
from rollwright.server.responses import answer, call_in_time, read_json
from rollwright.server.tokens import bearer, hash_of
from rollwright.table.commands.context import command_field_error
from rollwright.table.errors import CodedError, command_error
from rollwright.workers.costs import CostMeter

if TYPE_CHECKING:
    from rollwright.server.app import Services
    from rollwright.server.live.live_table import LiveTable
    from rollwright.server.storage.appends import TableToken
    from rollwright.table.events import Seat
    from rollwright.table.state import TableState


B = TypeVar("B", bound=Body)
CHEAP = 0.2
"""Questions that are asked while a slider moves count little against the rate of an address."""
LONGEST_NUMBER = 16
"""Digits: as many as a number has that programs in a browser count to."""


class Entry(NamedTuple):
    """Somebody at a table: the room, and the seat they act for."""

    services: Services
    live: LiveTable
    seat: Seat | None
    """None for somebody who only watches, with a spectator's link."""

    @property
    def state(self) -> TableState:
        """The table as it is now. It changes under your feet: take what you need, then await."""
        return self.live.state

    @property
    def share(self) -> str:
        """Whose part of the counting this is."""
        return self.live.table

    def charge(self, spent: CostMeter, address: str, *, paid: float = 1) -> None:
        """Charge the client that asked for what something has cost beyond what it paid before."""
        name = seat_name(self.live.table, self.seat.id) if self.seat else ""
        self.services.limits.charge(spent, address, name, paid=paid)


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the running server."""
    services: Services = connection.app.state.services
    return services


def address_of(connection: HTTPConnection) -> str:
    """Return the client's address; a proxy's headers count only if the proxy is trusted."""
    return rate_limit_key(connection.client.host) if connection.client else "local"


def admit(connection: HTTPConnection, *, cost: float = 1) -> Services:
    """Let a request in unless its address asks too often; `cost` counts as so many requests."""
    services = services_of(connection)
    services.limits.address.take(address_of(connection), cost)
    return services


async def enter(request: Request, *, role: str = "", cost: float = 1) -> Entry:
    """Let a seat in: a valid token of this table, not removed, not still at the door."""
    services = admit(request, cost=cost)
    token, room = await authenticate_request(services, request, request.path_params["table"])
    seat = seat_of(room, token)
    if seat is not None:
        services.limits.seat.take(seat_name(room.table, seat.id), cost)
    if role and (seat is None or seat.role != role):
        raise command_error("forbidden", "server.role", role=role)
    return Entry(services, room, seat)


@contextmanager
def charge_for(request: Request, entry: Entry | None = None, *, paid: float) -> Iterator[CostMeter]:
    """Charge the client for work done here while everybody waits, beyond what it has paid.

    Nothing may be awaited inside.
    """
    spent, address = CostMeter(), address_of(request)
    try:
        with spent:
            yield spent
    finally:
        if entry is None:
            services_of(request).limits.charge(spent, address, paid=paid)
        else:
            entry.charge(spent, address, paid=paid)


def answer_here(
    request: Request,
    entry: Entry | None,
    make: Callable[..., Mapping[str, object]],
    *args: object,
    paid: float,
) -> Response:
    """The answer to something that is worked out here, charged by what it costs."""
    with charge_for(request, entry, paid=paid) as spent:
        made = answer(call_in_time(make, *args))
        spent.sent += len(made.body)
    return made


async def authenticate_request(
    services: Services, request: Request, table: str
) -> tuple[TableToken, LiveTable]:
    """The token of a request and its table's room."""
    return await authenticate(services, table, bearer(request), address_of(request))


async def authenticate(
    services: Services, table: str, token: str, address: str
) -> tuple[TableToken, LiveTable]:
    """Return the token and its table's room, or raise.

    A guessed token counts against the address. A revoked one is no guess, and a client with a valid
    one never waits for a neighbour's guesses.
    """
    found = await services.store.find_token(hash_of(token))
    if found is None or found.table != table:
        note_failure(services, address, "table")
    if found is None or found.table != table or found.revoked:
        services.metrics.refused.labels("unauthorized").inc()
        raise command_error("unauthorized", "server.token")
    return found, await services.registry.get(table)


def note_failure(services: Services, address: str, kind: str) -> None:
    """A token, key or passphrase was guessed: it is counted, and too many are refused as such."""
    services.metrics.wrong.labels(kind).inc()
    services.limits.failures.take(address)


def seat_of(room: LiveTable, token: TableToken, *, knocking: bool = False) -> Seat | None:
    """The seat a token acts for, or None for a spectator's link."""
    if token.kind == "link":
        if token.role == "spectator":
            return None
        raise command_error("forbidden", "server.join")
    seat = room.state.seats.get(token.seat)
    if seat is None or seat.status == "removed":
        raise command_error("gone", "table.removed")
    if seat.status == "knocking" and not knocking:
        raise command_error("forbidden", "server.door")
    return seat


async def json_body(request: Request, *, limit: int | None = None) -> dict[str, Json]:
    """The JSON object in the body of a request, never read beyond its limit."""
    value = await read_json(request, limit or services_of(request).settings.body_bytes)
    if not isinstance(value, dict):
        raise CodedError("bad_request", f"the body is {_kind_name(value)}; a JSON object would do")
    return value


async def body_as(request: Request, kind: type[B]) -> B:
    """The body of a request as it is described, or a refusal that names the field."""
    body = await json_body(request)
    try:
        return kind.from_plain(body)
    except BadField as problem:
        raise command_field_error(problem) from None


def query_number(request: Request, name: str, default: int, most: int, *, least: int = 0) -> int:
    """A number in the address of a request; one that is too long is not even read."""
    given = request.query_params.get(name) or str(default)
    is_number = given.isascii() and given.isdigit() and len(given) <= LONGEST_NUMBER
    if not is_number or not least <= int(given) <= most:
        raise CodedError("bad_field", f"{name}: a number from {least} to {most} would do", name)
    return int(given)


ME, EVERYBODY = "me", "everybody"


def viewer_of(request: Request, entry: Entry, otherwise: str = EVERYBODY) -> Seat | None:
    """Return the seat whose view of the roll is made: the client's own, or everybody's (None).

    A copy to be shown is what everybody sees, no matter who asks for it; `for=me` asks for one's
    own.
    """
    wanted = request.query_params.get("for", otherwise)
    if wanted not in (ME, EVERYBODY):
        raise CodedError("bad_field", f"for: {ME} or {EVERYBODY} would do", "for")
    return entry.seat if wanted == ME else None


def _kind_name(value: Json) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
