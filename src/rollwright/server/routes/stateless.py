"""The API without a table: games, rolls, odds, advice, previews, comparisons, verification."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright import __version__
from rollwright.errors import UnknownName
from rollwright.server.access import address_of, admitted
from rollwright.server.admin.keys import makers_for
from rollwright.server.counting.kinds import Scope
from rollwright.server.described import written_game, written_games
from rollwright.server.limits import Spent
from rollwright.server.routes import schemas
from rollwright.server.routes.questions import answered, place_for_body, read_body, read_unread
from rollwright.server.wire import JSON, answer
from rollwright.table.refusals import Refusal

CHEAP = 0.2
"""Questions that are asked while a slider moves count little against the rate of an address."""


VERIFY_SECONDS = 40.0
"""A long log takes its time."""


async def root(request: Request) -> Response:
    """What this is."""
    hall = admitted(request)
    here = hall.settings.root_path + request.url.path.rstrip("/")
    links = ("games", "roll", "odds", "advise", "preview", "compare", "verify", "openapi.json")
    return answer(
        {
            "rollwright": __version__,
            "api": 1,
            "tables": makers_for(request),
            "links": {name.partition(".")[0]: f"{here}/{name}" for name in links},
        }
    )


async def games(request: Request) -> Response:
    """The games there are."""
    admitted(request, cost=CHEAP)
    return _tagged(request, *await asyncio.to_thread(written_games))


async def game(request: Request) -> Response:
    """Everything about one game."""
    admitted(request, cost=CHEAP)
    name = request.path_params["name"]
    try:
        return _tagged(request, *await asyncio.to_thread(written_game, name))
    except UnknownName as problem:
        raise Refusal("not_found", str(problem), "name") from None


def _tagged(request: Request, body: bytes, tag: str) -> Response:
    """The body, unless whoever asks has it already."""
    headers = {"etag": tag, "cache-control": "no-cache"}
    held = [part.strip() for part in request.headers.get("if-none-match", "").split(",")]
    if tag in held or f"W/{tag}" in held:
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=JSON)


async def roll(request: Request) -> Response:
    """Roll something, or go on with a roll."""
    return await _asked(request, "roll", schemas.Roll)


async def odds(request: Request) -> Response:
    """The exact odds."""
    return await _asked(request, "odds", schemas.Odds)


async def advise(request: Request) -> Response:
    """The best call."""
    return await _asked(request, "advise", schemas.Advise)


async def preview(request: Request) -> Response:
    """All there is to say about a roll before it is made."""
    return await _asked(request, "preview", schemas.Preview, cost=CHEAP)


async def compare(request: Request) -> Response:
    """Several rolls side by side."""
    return await _asked(request, "compare", schemas.Compare)


async def verify(request: Request) -> Response:
    """Whether a roll or a log is true."""
    hall, address, spent = admitted(request), address_of(request), Spent()
    try:
        with place_for_body(request, hall) as limit:
            payload = await read_unread(request, limit)
            found = await answered(
                request,
                {"ask": "verify"},
                f"from {address}",
                scope=Scope(whose="a log or roll of somebody's own"),
                payload=payload or b" ",
                seconds=VERIFY_SECONDS,
                spent=spent,
            )
    finally:
        hall.limits.charge(spent, address)
    return answer(found)


async def _asked(request: Request, ask: str, shape: type, *, cost: float = 1) -> Response:
    admitted(request, cost=cost)
    body: dict[str, Any] = await read_body(request, shape)
    slot = body.pop("slot", "")
    share = f"from {address_of(request)}"
    return answer(await answered(request, {"ask": ask, **body}, share, slot=slot))


routes = [
    Route("/", root, methods=["GET"]),
    Route("/games", games, methods=["GET"]),
    Route("/games/{name}", game, methods=["GET"]),
    Route("/roll", roll, methods=["POST"]),
    Route("/odds", odds, methods=["POST"]),
    Route("/advise", advise, methods=["POST"]),
    Route("/preview", preview, methods=["POST"]),
    Route("/compare", compare, methods=["POST"]),
    Route("/verify", verify, methods=["POST"]),
]
