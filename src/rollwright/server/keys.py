"""The host's keys: the token that administers, and keys to make tables with.

Of all of them only hashes are kept. A wrong one counts against the address that it came from.
"""

from __future__ import annotations

import time
from hmac import compare_digest
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, insert, or_, select
from starlette.requests import HTTPConnection, Request

from rollwright.kit.bodies import Body
from rollwright.kit.fields import field
from rollwright.server.access import address_of, admit, note_failure, services_of
from rollwright.server.middleware import host_and_port
from rollwright.server.settings import is_loopback
from rollwright.server.storage.schema import keys
from rollwright.server.tokens import hash_of, key_of
from rollwright.table.errors import CodedError

if TYPE_CHECKING:
    from rollwright.server.app import Services

ADMIN, MAKE = "admin", "make"
DAY_MS = 86_400_000
MOST_DAYS = 3650
FORWARDED = frozenset(
    (
        "cdn-loop",
        "cf-connecting-ip",
        "client-ip",
        "fastly-client-ip",
        "fly-client-ip",
        "forwarded",
        "true-client-ip",
        "via",
        "x-client-ip",
        "x-cluster-client-ip",
        "x-envoy-external-address",
        "x-original-host",
        "x-real-ip",
    )
)
"""Headers by which a proxy shows itself, beside all that begin with X-Forwarded."""
OLD_HTTP = "1.0"
"""What some proxies speak where nothing else was set; no browser does."""
REASONS = {
    "host": "only the host makes tables here; ask for a link to make one",
    "passphrase": "whoever makes a table here needs the passphrase; ask the host for it",
}


class NewKey(Body):
    """Makes a key to make tables with."""

    days: int = field(30, help="How long it is good.", low=1, high=MOST_DAYS)


def new_token() -> str:
    """A token that nobody can guess."""
    return token_urlsafe(32)


def add_key(connection: Connection, token: str, kind: str, days: int | None = None) -> None:
    """Keep the hash of a key; a new token of the host takes the place of the old one."""
    now = time.time_ns() // 1_000_000
    connection.execute(delete(keys).where(keys.c.ends_at <= now))
    if kind == ADMIN:
        connection.execute(delete(keys).where(keys.c.kind == ADMIN))
    row = {"hash": hash_of(token), "kind": kind, "made_at": now}
    row["ends_at"] = now + days * DAY_MS if days is not None else None
    connection.execute(insert(keys), row)


def revoke_keys(connection: Connection, kind: str) -> int:
    """Make all keys of a kind good for nothing; how many there were."""
    return connection.execute(delete(keys).where(keys.c.kind == kind)).rowcount


def hashes_of(connection: Connection, kind: str) -> list[str]:
    """The hashes of the keys of a kind that are good now."""
    now = time.time_ns() // 1_000_000
    good = or_(keys.c.ends_at.is_(None), keys.c.ends_at > now)
    return list(connection.scalars(select(keys.c.hash).where(keys.c.kind == kind, good)))


def token_of(request: HTTPConnection) -> str:
    """The token of a request in whatever form it came; "" where none did."""
    given = request.headers.getlist("authorization")
    scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    return token.strip() if scheme.lower() == "bearer" else ""


async def is_host(services: Services, token: str) -> bool:
    """Whether it is the host's token: the one that was set, or the one in the database."""
    if not token:
        return False
    hashed = hash_of(token)
    good = await services.store.query(lambda open_: hashes_of(open_, ADMIN))
    if services.settings.admin_token:
        good.append(hash_of(services.settings.admin_token))
    return any([compare_digest(hashed, one) for one in good])


async def admit_host(request: Request, *, cost: float = 1) -> Services:
    """Let the host in, and nobody else."""
    services = admit(request, cost=cost)
    token = token_of(request)
    if await is_host(services, token):
        return services
    if token:
        note_failure(services, address_of(request), "admin")
        services.audit.note("admin.refused", address=address_of(request))
    raise CodedError(
        "unauthorized", "this needs the host's token; `rollwright admin token` makes one"
    )


def makers_for(request: HTTPConnection) -> str:
    """Return who may make tables, as this client sees it: anybody, passphrase or host.

    With no setting, strangers may still come through a proxy that the settings do not name, or by a
    name that somebody else points at this machine. If the local network is served too, the listener
    a client came by shows whether it is on this machine.
    """
    settings = services_of(request).settings
    if settings.tables == "auto" and (_has_proxy_headers(request) or not _names_localhost(request)):
        return "host"
    return settings.makers_here if is_loopback(address_of(request)) else settings.makers


def _has_proxy_headers(request: HTTPConnection) -> bool:
    if request.scope.get("http_version") == OLD_HTTP:
        return True
    return any(name in FORWARDED or name.startswith("x-forwarded") for name in request.headers)


def _names_localhost(request: HTTPConnection) -> bool:
    """Whether the client knows us by a name that means the machine it is on itself."""
    place = host_and_port(f"http://{request.headers.get('host', '')}")
    name = place[0] if place else ""
    return name.endswith(".localhost") or is_loopback(name)


async def check_may_create(services: Services, request: Request) -> str:
    """Who makes a table: `anybody`, `host`, `key` or `passphrase`; others are refused."""
    makers = makers_for(request)
    if makers == "anybody":
        return makers
    token, address = token_of(request), address_of(request)
    if not token:
        raise CodedError("unauthorized", REASONS[makers])
    if await is_host(services, token):
        return "host"
    good = await services.store.query(lambda open_: hashes_of(open_, MAKE))
    if any([compare_digest(hash_of(token), one) for one in good]):
        return "key"
    if makers == "passphrase" and _is_passphrase(services, token, address):
        return "passphrase"
    note_failure(services, address, "make")
    services.audit.note("make.refused", address=address)
    raise CodedError("unauthorized", f"this key is not good here: {REASONS[makers]}")


def _is_passphrase(services: Services, token: str, address: str) -> bool:
    """Check a passphrase. It can be guessed, so frequent guessers must wait, right or wrong."""
    services.limits.failures.check(address)
    services.limits.passphrases.check("all")
    if compare_digest(hash_of(token), hash_of(key_of(services.settings.passphrase))):
        return True
    services.limits.passphrases.take("all")
    return False
