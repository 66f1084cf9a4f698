"""Addresses and networks that are kept out, for a while or until the host lifts it."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Collection
from typing import Annotated, NamedTuple

from sqlalchemy import Connection, delete, func, insert, or_, select
from starlette.types import ASGIApp, Receive, Scope, Send

from rollwright.jsonable import Json
from rollwright.kit.bodies import Body
from rollwright.kit.fields import Field, Kind, field
from rollwright.server.limits import rate_limit_key
from rollwright.server.responses import error_answer
from rollwright.server.settings import WIDEST
from rollwright.server.storage.schema import bans
from rollwright.table.errors import CodedError, command_error

MOST_BANS = 10_000
HOUSEHOLD = 64
"""Bits of an IPv6 address that name one household: a smaller ban would keep out nobody."""
HOUR_MS = 3_600_000
MOST_HOURS = 87_600
FORBIDDEN_CODE = 4403
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
OURSELVES = [ipaddress.ip_network(one) for one in ("127.0.0.0/8", "0.0.0.0/32", "::/127")]
"""Networks of the host's own commands and of what monitors the server."""


class Ban(NamedTuple):
    """A network that is kept out; `ends_at` is None where the host lifts it by hand."""

    network: str
    made_at: int
    ends_at: int | None = None


def network_of(text: object) -> str:
    """The network that a ban of an address or a network covers, or a refusal.

    >>> network_of("203.0.113.9"), network_of("2001:db8::1:2:3")
    ('203.0.113.9/32', '2001:db8::/64')
    """
    network = _household_network(_read(text))
    if network.prefixlen < WIDEST[network.version]:
        raise CodedError(
            "bad_field", "network: this is too wide; it would keep out too many", "network"
        )
    if any(network.overlaps(own) for own in OURSELVES if own.version == network.version):
        raise CodedError("bad_field", "network: the server itself is in this", "network")
    return str(network)


def ban_name(text: object) -> str:
    """The name under which a ban is listed, however wide it is: it must be possible to lift it."""
    return str(_household_network(_read(text)))


def _read(text: object) -> Network:
    try:
        return ipaddress.ip_network(str(text).strip(), strict=False)
    except ValueError:
        raise CodedError(
            "bad_field",
            "network: an address or a network such as 203.0.113.0/24 would do",
            "network",
        ) from None


def _household_network(network: Network) -> Network:
    if isinstance(network, ipaddress.IPv4Network):
        return network
    mapped = network.network_address.ipv4_mapped
    if mapped is not None and network.prefixlen >= 96:
        return ipaddress.ip_network((mapped, network.prefixlen - 96))
    return network.supernet(new_prefix=min(HOUSEHOLD, network.prefixlen))


def add_ban(connection: Connection, ban: Ban) -> None:
    """Keep a network out; a ban that is there already gets the new end."""
    over = or_(bans.c.network == ban.network, bans.c.ends_at <= ban.made_at)
    connection.execute(delete(bans).where(over))
    if (connection.scalar(select(func.count()).select_from(bans)) or 0) >= MOST_BANS:
        raise CodedError(
            "too_many", f"there are {MOST_BANS:,} bans; lift some, or ban wider networks"
        )
    connection.execute(insert(bans), ban._asdict())


def remove_ban(connection: Connection, network: str) -> bool:
    """Let a network in again; False if it was not kept out."""
    return connection.execute(delete(bans).where(bans.c.network == network)).rowcount > 0


def list_bans(connection: Connection, now: int) -> list[Ban]:
    """The bans that hold now, newest first."""
    holds = or_(bans.c.ends_at.is_(None), bans.c.ends_at > now)
    found = connection.execute(select(bans).where(holds).order_by(bans.c.made_at.desc()))
    return [Ban(*row) for row in found]


def _check_hours(about: Field, came: Json) -> float:
    if isinstance(came, bool) or not isinstance(came, int | float) or not 0 < came <= MOST_HOURS:
        raise CodedError("bad_field", f"hours: a number from 1 to {MOST_HOURS} would do", "hours")
    return came


_HOURS = {"type": "number", "exclusiveMinimum": 0, "maximum": MOST_HOURS}
Hours = Annotated[float, Kind("hours", _check_hours, lambda _: _HOURS, "a number of hours")]
BanTarget = Annotated[
    str, Kind("network", lambda _, came: network_of(came), lambda _: {"type": "string"}, "")
]


class NewBan(Body):
    """Keeps somebody out: for so many hours, or with none until it is lifted."""

    network: BanTarget = field(help="An address or a network.")
    hours: Hours | None = field(None, help="For how long; until lifted without it.")

    def ban(self, now: int) -> Ban:
        """Return the ban to store."""
        ends_at = None if self.hours is None else now + round(self.hours * HOUR_MS)
        return Ban(self.network, now, ends_at)


class Bans:
    """The bans of the database as one process knows them, found quickly."""

    def __init__(self) -> None:
        self._ends: dict[tuple[int, int], dict[int, int | None]] = {}
        """By version and length of prefix: the networks, and when each ban ends."""

    def __bool__(self) -> bool:
        return bool(self._ends)

    def replace(self, found: Collection[Ban]) -> None:
        """These are all of them."""
        ends: dict[tuple[int, int], dict[int, int | None]] = {}
        for ban in found:
            network = ipaddress.ip_network(ban.network)
            kind = network.version, network.prefixlen
            ends.setdefault(kind, {})[int(network.network_address)] = ban.ends_at
        self._ends = ends

    def has(self, address: str) -> bool:
        """Whether an address, or a household's network, is kept out now."""
        try:
            network = ipaddress.ip_network(rate_limit_key(address))
        except ValueError:
            return False
        bits = network.max_prefixlen
        number = int(network.network_address)
        now = time.time_ns() // 1_000_000
        for (version, length), ends in self._ends.items():
            if version != network.version:
                continue
            end = ends.get(number >> (bits - length) << (bits - length), 0)
            if end is None or end > now:
                return True
        return False


class BanCheck:
    """Middleware that turns away banned clients before anything else is done for them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on everybody else."""
        if scope["type"] == "lifespan" or not _has_ban(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": FORBIDDEN_CODE})
        else:
            await error_answer(command_error("forbidden", "server.banned"))(scope, receive, send)


def _has_ban(scope: Scope) -> bool:
    services = getattr(scope["app"].state, "services", None)
    client = scope.get("client")
    return bool(services is not None and services.bans and client and services.bans.has(client[0]))
