"""The app: every route, behind the checks that all requests pass."""

from __future__ import annotations

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
from rollwright.server.admin import routes as admin_routes
from rollwright.server.admin.bans import BanCheck
from rollwright.server.middleware import BelowPath, Guard, OriginCheck
from rollwright.server.operations.logs import AccessLog, Addresses, LineFile, templates_of
from rollwright.server.routes import exports, health, openapi, stateless, table_questions, tables
from rollwright.server.routes.pages import Page
from rollwright.server.services import open_hall
from rollwright.server.settings import Settings
from rollwright.server.wire import answer, error_answer

API = "/api/v1"


def create_app(settings: Settings) -> Starlette:
    """The app for these settings. Whoever runs it without a lifespan sets `app.state.services`."""

    @asynccontextmanager
    async def opened(app: Starlette) -> AsyncIterator[None]:
        async with open_hall(settings) as services:
            app.state.services = services
            yield

    api = [
        *admin_routes.routes,
        *tables.routes,
        *exports.routes,
        *table_questions.routes,
        *stateless.routes,
        *openapi.routes,
    ]
    routes = [
        *health.routes,
        Mount(API, routes=api),
        Route("/{path:path}", Page(root_path=settings.root_path).serve, methods=["GET"]),
    ]
    return behind_checks(routes, settings, opened)


def behind_checks(
    routes: Sequence[BaseRoute], settings: Settings, lifespan: Lifespan[Starlette] | None = None
) -> Starlette:
    """Routes behind what every request passes, and with every failure as its JSON."""
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=_middleware(settings, routes),
        exception_handlers={RollwrightError: _refused, HTTPException: _not_here},
    )


def _middleware(settings: Settings, routes: Sequence[BaseRoute]) -> list[Middleware]:
    layers = [Middleware(Guard), Middleware(OriginCheck, settings=settings)]
    layers.insert(1, Middleware(BanCheck))
    if settings.cors:
        cors = Middleware(
            CORSMiddleware,
            allow_origins=settings.cors,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type"],
            max_age=3600,
        )
        layers.insert(1, cors)
    if settings.access_log:
        lines, addresses = LineFile(settings.access_log), Addresses(settings.log_addresses)
        layers.insert(0, Middleware(AccessLog, lines, addresses, templates_of(routes)))
    if settings.root_path:  # before all others: they know paths as the routes do
        layers.insert(0, Middleware(BelowPath, root_path=settings.root_path))
    return layers


async def _refused(request: Request, problem: Exception) -> Response:
    return error_answer(problem)


async def _not_here(request: Request, problem: Exception) -> Response:
    """A route that is not there, or a method that it does not have."""
    assert isinstance(problem, HTTPException)
    code = {404: "not_found", 405: "not_allowed"}.get(problem.status_code, "bad_request")
    message = f"{request.method} is not known here; /api/v1/openapi.json tells what is"
    headers = dict(problem.headers or {})
    return answer(
        {"ok": False, "error": {"code": code, "message": message}}, problem.status_code, headers
    )
