"""The host's administration over HTTP, each with the host's token."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from rollwright.server import bans
from rollwright.server.access import address_of, body_as, query_number
from rollwright.server.answers import (
    BanData,
    BanListAnswer,
    DoneAnswer,
    KeyAnswer,
    QuotaAnswer,
    RevocationAnswer,
    TableListAnswer,
    TableUsageData,
)
from rollwright.server.keys import (
    MAKE,
    NewKey,
    add_key,
    admit_host,
    new_token,
    revoke_keys,
)
from rollwright.server.responses import JSON, answer
from rollwright.server.storage import inventory
from rollwright.server.storage.inventory import BATCH, MOST_LISTED, ORDERS, TableUsage
from rollwright.server.storage.rows import PIECE_BYTES
from rollwright.table.errors import CodedError, command_error

if TYPE_CHECKING:
    from rollwright.server.app import Services

TABLE = re.compile(r"[a-z2-7]{12}")
LISTED = 100
COSTLY = 5


async def list_tables(request: Request) -> Response:
    """Tables with their sizes and times, and how many people are connected."""
    services = await admit_host(request)
    order = request.query_params.get("order", "touched")
    if order not in ORDERS:
        raise CodedError("bad_field", f"order: {', '.join(ORDERS)} would do", "order")
    limit = query_number(request, "limit", LISTED, MOST_LISTED)
    skip = query_number(request, "skip", 0, 2**53)
    found = await services.store.query(
        lambda open_: inventory.list_tables(open_, order=order, skip=skip, limit=limit)
    )
    return answer(TableListAnswer(tables=tuple(_table_data(services, one) for one in found)))


async def get_table(request: Request) -> Response:
    """One table: its size and its times."""
    services = await admit_host(request)
    return answer(_table_data(services, await _find(services, request)))


async def delete(request: Request) -> Response:
    """Delete a table with everything of it."""
    services = await admit_host(request)
    table = (await _find(services, request)).table
    await services.store.delete_table(table)
    services.registry.on_deletion(table)
    services.audit.note("table.deleted", who="host", table=table, address=address_of(request))
    return answer(DoneAnswer())


async def export(request: Request) -> Response:
    """The whole log of a table, with every secret in it."""
    services = await admit_host(request, cost=COSTLY)
    table = (await _find(services, request)).table
    services.audit.note("table.exported", who="host", table=table, address=address_of(request))
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="table-{table}-whole-log.json"',
    }
    return StreamingResponse(_log(services, table), 200, headers, JSON)


async def _log(services: Services, table: str) -> AsyncIterator[bytes]:
    last, piece = 0, inventory.beginning(table)
    while events := (await services.store.events_after(table, last, BATCH, PIECE_BYTES)).events:
        yield piece + inventory.encode_events(events)
        last, piece = events[-1].seq, b","
    yield b"]}" if last else piece + b"]}"


async def quotas(request: Request) -> Response:
    """Return what everything takes up, and its limits."""
    services = await admit_host(request)
    used = await services.store.query(inventory.usage)
    most = {
        "disk_bytes": services.settings.disk_bytes,
        "table_bytes": services.settings.table_bytes,
    }
    now = {"rooms": len(services.registry), "connections": len(services.connections)}
    return answer(QuotaAnswer(**used._asdict(), **now, limits=most))


async def list_bans(request: Request) -> Response:
    """The networks that are kept out."""
    services = await admit_host(request)
    found = await services.store.query(lambda open_: bans.list_bans(open_, _now()))
    return answer(BanListAnswer(bans=tuple(BanData(**ban._asdict()) for ban in found)))


async def add_ban(request: Request) -> Response:
    """Keep an address or a network out; anyone connected from there is sent away."""
    services = await admit_host(request)
    made = (await body_as(request, bans.NewBan)).ban(_now())
    await services.store.run(lambda open_: bans.add_ban(open_, made))
    await services.load_bans()
    services.audit.note("ban.made", who="host", network=made.network, address=address_of(request))
    return answer(BanData(**made._asdict()), 201)


async def remove_ban(request: Request) -> Response:
    """Let a network in again."""
    services = await admit_host(request)
    network = bans.ban_name(request.query_params.get("network"))
    if not await services.store.run(lambda open_: bans.remove_ban(open_, network)):
        raise CodedError("not_found", f"{network} is not kept out")
    await services.load_bans()
    services.audit.note("ban.lifted", who="host", network=network, address=address_of(request))
    return answer(DoneAnswer())


async def make_key(request: Request) -> Response:
    """Make a new key to make tables with; it is shown only once."""
    services = await admit_host(request)
    days, key = (await body_as(request, NewKey)).days, new_token()
    await services.store.run(lambda open_: add_key(open_, key, MAKE, days))
    services.audit.note("key.made", who="host", address=address_of(request))
    return answer(KeyAnswer(key=key, days=days), 201)


async def revoke_all_keys(request: Request) -> Response:
    """Make every key to make tables with good for nothing."""
    services = await admit_host(request)
    count = await services.store.run(lambda open_: revoke_keys(open_, MAKE))
    services.audit.note("keys.taken_back", who="host", address=address_of(request))
    return answer(RevocationAnswer(keys=count))


async def _find(services: Services, request: Request) -> TableUsage:
    table = request.path_params["table"]
    known = TABLE.fullmatch(table) is not None
    found = (
        await services.store.query(lambda open_: inventory.find_table(open_, table))
        if known
        else None
    )
    if found is None:
        raise command_error("not_found", "server.table.none")
    return found


def _table_data(services: Services, one: TableUsage) -> TableUsageData:
    room = services.registry.find(one.table)
    connected = len(room.broadcast.presence.seats) if room is not None else 0
    return TableUsageData(**one._asdict(), connected=connected)


def _now() -> int:
    return time.time_ns() // 1_000_000


ADMIN = "/admin"

routes = [
    Route(ADMIN + "/tables", list_tables, methods=["GET"]),
    Route(ADMIN + "/tables/{table}", get_table, methods=["GET"]),
    Route(ADMIN + "/tables/{table}", delete, methods=["DELETE"]),
    Route(ADMIN + "/tables/{table}/log.json", export, methods=["GET"]),
    Route(ADMIN + "/quotas", quotas, methods=["GET"]),
    Route(ADMIN + "/bans", list_bans, methods=["GET"]),
    Route(ADMIN + "/bans", add_ban, methods=["POST"]),
    Route(ADMIN + "/bans", remove_ban, methods=["DELETE"]),
    Route(ADMIN + "/keys", make_key, methods=["POST"]),
    Route(ADMIN + "/keys", revoke_all_keys, methods=["DELETE"]),
]
