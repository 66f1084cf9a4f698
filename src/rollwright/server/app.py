"""The app: everything a running server consists of, and every route behind its checks."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Lifespan

from rollwright.errors import RollwrightError
from rollwright.server.bans import BanCheck, Bans, list_bans
from rollwright.server.limits import DiskQuota, RateLimits
from rollwright.server.live.bus import Bus, RedisBus, cancel_tasks
from rollwright.server.live.commands import EXECUTOR_LIMITS, CommandExecutor
from rollwright.server.live.connections import Connection
from rollwright.server.live.registry import TableRegistry
from rollwright.server.logs import AccessLog, AddressFormat, Audit, LineFile, templates_of
from rollwright.server.maintenance import Backups, TrustedClock, refresh, start_timers
from rollwright.server.metrics import Metrics, StorageWatch
from rollwright.server.middleware import BelowPath, LanguageMiddleware, OriginCheck, SecurityHeaders
from rollwright.server.responses import answer, error_answer
from rollwright.server.routes import admin, chances, games, openapi, queries, shares, site, tables
from rollwright.server.settings import Settings
from rollwright.server.storage.store import Store
from rollwright.workers.memory import Ceilings, server_ceilings
from rollwright.workers.pool import WorkerLimits, WorkerPool

log = logging.getLogger("rollwright.server")


class Services:
    """The house with all tables in it."""

    def __init__(self, settings: Settings, store: Store, bus: Bus, counting: WorkerPool) -> None:
        self.settings = settings
        self.store = store
        self.storage_watch = StorageWatch(store)
        self.clock = TrustedClock()
        self.bus = bus
        self.workers = counting
        self.executor = CommandExecutor(
            EXECUTOR_LIMITS._replace(memory=_ceilings(settings).decision),
            options_seconds=settings.options_seconds,
        )
        self.limits = RateLimits(settings)
        counting.idle = self.limits.idle
        self.metrics = Metrics()
        self.backups = Backups(settings, self.metrics)
        self.audit = Audit(settings)
        self.bans = Bans()
        self.disk = DiskQuota(settings.disk_bytes)
        self.registry = TableRegistry(self)
        self.connections: set[Connection] = set()
        self.is_closing = False

    async def load_bans(self) -> None:
        """Learn the bans of the database, and send away everyone connected in spite of one."""
        now = time.time_ns() // 1_000_000
        self.bans.replace(await self.store.query(lambda open_: list_bans(open_, now)))
        if self.bans:
            for connection in tuple(self.connections):
                if self.bans.has(connection.address):
                    connection.close("forbidden", "the host of this server keeps you out")

    async def close_connections(self) -> None:
        """Announce to every client that the server ends, and wait until they know."""
        self.is_closing = True
        loop = asyncio.get_running_loop()
        until = loop.time() + self.settings.shutdown_seconds
        while any(not one.is_over for one in self.connections) and loop.time() < until:
            for connection in tuple(self.connections):
                if not connection.pending_commands:  # otherwise its commands are acknowledged first
                    connection.close("shutdown", "the server is restarted; come again soon")
            await asyncio.sleep(0.02)


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncIterator[Services]:
    """Open the database, the bus and the counting; close them in the other order."""
    if settings.upgrade:
        await asyncio.to_thread(_upgrade, settings)
    store = await Store.open(
        settings.address,
        synchronous=settings.synchronous,
        patience=float(settings.patience_seconds),
        least_free=settings.free_bytes,
    )
    bus = RedisBus(settings.redis) if settings.redis else Bus()
    services = Services(settings, store, bus, WorkerPool(_worker_limits(settings)))
    timers: list[asyncio.Task[None]] = []
    try:
        await services.workers.start()
        await refresh(services)
        await bus.start(services.registry.on_head, services.registry.on_presence)
        timers += start_timers(services)
        yield services
    finally:
        services.is_closing = True
        services.backups.stop()
        await cancel_tasks(timers)
        await services.storage_watch.stop()
        await services.registry.close()
        await bus.stop()
        await services.executor.stop()
        await services.workers.stop()
        await store.close()
        services.audit.close()


def _worker_limits(settings: Settings) -> WorkerLimits:
    """So much counting that the processes of all workers suit the machine and its memory."""
    ceilings = _ceilings(settings)
    return WorkerLimits(
        workers=ceilings.processes,
        seconds=settings.count_seconds,
        memory=ceilings.question,
        long_memory=ceilings.long,
    )


def _ceilings(settings: Settings) -> Ceilings:
    """Return the share of each worker in the memory for counting."""
    return server_ceilings(
        settings.count_bytes, settings.workers, os.cpu_count() or 1, settings.counters
    )


def _upgrade(settings: Settings) -> None:
    """Bring the database up to date; another process that wants that too finds it done."""
    from rollwright.server.storage.databases import address
    from rollwright.server.storage.inventory import upgrade_database

    upgrade_database(address(settings.address))


API = "/api/v1"


def create_app(settings: Settings) -> Starlette:
    """Return the app for these settings; without a lifespan set `app.state.services` yourself."""

    @asynccontextmanager
    async def lifespan_of(app: Starlette) -> AsyncIterator[None]:
        async with open_services(settings) as services:
            app.state.services = services
            yield

    api = [
        *admin.routes,
        *tables.routes,
        *games.routes,
        *queries.routes,
        *chances.routes,
        *shares.routes,
        *openapi.routes,
    ]
    routes = [
        *site.routes,
        Mount(API, routes=api),
        Route("/{path:path}", site.PageFiles(root_path=settings.root_path).serve, methods=["GET"]),
    ]
    return behind_checks(routes, settings, lifespan_of)


def behind_checks(
    routes: Sequence[BaseRoute], settings: Settings, lifespan: Lifespan[Starlette] | None = None
) -> Starlette:
    """Routes behind what every request passes, and with every failure as its JSON."""
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=_middleware(settings, routes),
        exception_handlers={RollwrightError: _error_response, HTTPException: _route_error},
    )


def _middleware(settings: Settings, routes: Sequence[BaseRoute]) -> list[Middleware]:
    """The layers in the order in which a request passes them."""
    layers = [Middleware(LanguageMiddleware)]
    if settings.root_path:  # before all others: they know paths as the routes do
        layers.append(Middleware(BelowPath, root_path=settings.root_path))
    if settings.access_log:
        lines, addresses = LineFile(settings.access_log), AddressFormat(settings.log_addresses)
        layers.append(Middleware(AccessLog, lines, addresses, templates_of(routes)))
    layers.append(Middleware(SecurityHeaders))
    if settings.cors:
        cors = Middleware(
            CORSMiddleware,
            allow_origins=settings.cors,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type"],
            max_age=3600,
        )
        layers.append(cors)
    return [*layers, Middleware(BanCheck), Middleware(OriginCheck, settings=settings)]


async def _error_response(request: Request, problem: Exception) -> Response:
    return error_answer(problem)


async def _route_error(request: Request, problem: Exception) -> Response:
    """A route that is not there, or a method that it does not have."""
    assert isinstance(problem, HTTPException)
    code = {404: "not_found", 405: "not_allowed"}.get(problem.status_code, "bad_request")
    message = f"{request.method} is not known here; /api/v1/openapi.json tells what is"
    headers = dict(problem.headers or {})
    return answer(
        {"ok": False, "error": {"code": code, "message": message}}, problem.status_code, headers
    )
