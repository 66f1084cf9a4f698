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
from rollwright.server.access import address_of, number_of, read
from rollwright.server.answers import (
    BanList,
    Done,
    KeptOut,
    ListedTable,
    ListedTables,
    MadeKey,
    Quotas,
    TakenBack,
)
from rollwright.server.keys import (
    MAKE,
    NewKey,
    add_key,
    administered,
    new_token,
    take_keys_back,
)
from rollwright.server.responses import JSON, answer
from rollwright.server.storage import inventory
from rollwright.server.storage.inventory import BATCH, MOST_LISTED, ORDERS, Listed
from rollwright.server.storage.rows import PIECE_BYTES
from rollwright.table.refusals import Refusal, refusal

if TYPE_CHECKING:
    from rollwright.server.app import Services

TABLE = re.compile(r"[a-z2-7]{12}")
LISTED = 100
COSTLY = 5


async def list_tables(request: Request) -> Response:
    """Tables with their sizes and times, and how many people are connected."""
    services = await administered(request)
    order = request.query_params.get("order", "touched")
    if order not in ORDERS:
        raise Refusal("bad_field", f"order: {', '.join(ORDERS)} would do", "order")
    limit = number_of(request, "limit", LISTED, MOST_LISTED)
    skip = number_of(request, "skip", 0, 2**53)
    found = await services.store.ask(
        lambda open_: inventory.list_tables(open_, order=order, skip=skip, limit=limit)
    )
    return answer(ListedTables(tables=tuple(_told(services, one) for one in found)))


async def look(request: Request) -> Response:
    """One table: its size and its times."""
    services = await administered(request)
    return answer(_told(services, await _found(services, request)))


async def delete(request: Request) -> Response:
    """Delete a table with everything of it."""
    services = await administered(request)
    table = (await _found(services, request)).table
    await services.store.delete_table(table)
    services.rooms.missing(table)
    services.audit.note("table.deleted", who="host", table=table, address=address_of(request))
    return answer(Done())


async def export(request: Request) -> Response:
    """The whole log of a table, with every secret in it."""
    services = await administered(request, cost=COSTLY)
    table = (await _found(services, request)).table
    services.audit.note("table.exported", who="host", table=table, address=address_of(request))
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="table-{table}-whole-log.json"',
    }
    return StreamingResponse(_log(services, table), 200, headers, JSON)


async def _log(services: Services, table: str) -> AsyncIterator[bytes]:
    last, piece = 0, inventory.beginning(table)
    while events := (await services.store.stretch(table, last, BATCH, PIECE_BYTES)).events:
        yield piece + inventory.told(events)
        last, piece = events[-1].seq, b","
    yield b"]}" if last else piece + b"]}"


async def quotas(request: Request) -> Response:
    """Return what everything takes up, and its limits."""
    services = await administered(request)
    used = await services.store.ask(inventory.usage)
    most = {
        "disk_bytes": services.settings.disk_bytes,
        "table_bytes": services.settings.table_bytes,
    }
    now = {"rooms": len(services.rooms), "connections": len(services.connections)}
    return answer(Quotas(**used._asdict(), **now, limits=most))


async def list_bans(request: Request) -> Response:
    """The networks that are kept out."""
    services = await administered(request)
    found = await services.store.ask(lambda open_: bans.list_bans(open_, _now()))
    return answer(BanList(bans=tuple(KeptOut(**ban._asdict()) for ban in found)))


async def ban(request: Request) -> Response:
    """Keep an address or a network out; anyone connected from there is sent away."""
    services = await administered(request)
    made = (await read(request, bans.NewBan)).ban(_now())
    await services.store.do(lambda open_: bans.add_ban(open_, made))
    await services.learn_bans()
    services.audit.note("ban.made", who="host", network=made.network, address=address_of(request))
    return answer(KeptOut(**made._asdict()), 201)


async def lift(request: Request) -> Response:
    """Let a network in again."""
    services = await administered(request)
    network = bans.listed_as(request.query_params.get("network"))
    if not await services.store.do(lambda open_: bans.lift_ban(open_, network)):
        raise Refusal("not_found", f"{network} is not kept out")
    await services.learn_bans()
    services.audit.note("ban.lifted", who="host", network=network, address=address_of(request))
    return answer(Done())


async def make_key(request: Request) -> Response:
    """Make a new key to make tables with; it is shown only once."""
    services = await administered(request)
    days, key = (await read(request, NewKey)).days, new_token()
    await services.store.do(lambda open_: add_key(open_, key, MAKE, days))
    services.audit.note("key.made", who="host", address=address_of(request))
    return answer(MadeKey(key=key, days=days), 201)


async def take_back(request: Request) -> Response:
    """Make every key to make tables with good for nothing."""
    services = await administered(request)
    count = await services.store.do(lambda open_: take_keys_back(open_, MAKE))
    services.audit.note("keys.taken_back", who="host", address=address_of(request))
    return answer(TakenBack(keys=count))


async def _found(services: Services, request: Request) -> Listed:
    table = request.path_params["table"]
    known = TABLE.fullmatch(table) is not None
    found = (
        await services.store.ask(lambda open_: inventory.find_table(open_, table))
        if known
        else None
    )
    if found is None:
        raise refusal("not_found", "server.table.none")
    return found


def _told(services: Services, one: Listed) -> ListedTable:
    room = services.rooms.present(one.table)
    connected = len(room.everybody.presence.seats) if room is not None else 0
    return ListedTable(**one._asdict(), connected=connected)


def _now() -> int:
    return time.time_ns() // 1_000_000


ADMIN = "/admin"

routes = [
    Route(ADMIN + "/tables", list_tables, methods=["GET"]),
    Route(ADMIN + "/tables/{table}", look, methods=["GET"]),
    Route(ADMIN + "/tables/{table}", delete, methods=["DELETE"]),
    Route(ADMIN + "/tables/{table}/log.json", export, methods=["GET"]),
    Route(ADMIN + "/quotas", quotas, methods=["GET"]),
    Route(ADMIN + "/bans", list_bans, methods=["GET"]),
    Route(ADMIN + "/bans", ban, methods=["POST"]),
    Route(ADMIN + "/bans", lift, methods=["DELETE"]),
    Route(ADMIN + "/keys", make_key, methods=["POST"]),
    Route(ADMIN + "/keys", take_back, methods=["DELETE"]),
]
