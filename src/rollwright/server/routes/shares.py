"""Rolls of a table to show elsewhere: a picture and a text of what everybody may see.

Of a secret roll there is only somebody's own copy, which is asked for as that and says so.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib.util import find_spec

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rollwright.jsonable import Json
from rollwright.server.access import Entry, address_of, enter, viewer_of
from rollwright.server.routes.queries import (
    EVERYBODY,
    answer_query,
    cancel_on_disconnect,
    own_scope,
)
from rollwright.table.errors import command_error
from rollwright.table.events import Event, kind_of
from rollwright.table.rolls import TableRoll
from rollwright.table.shares import share_query, shareable
from rollwright.table.visibility import view_event
from rollwright.workers.cache import PrivacyScope
from rollwright.workers.costs import CostMeter

NO_STORE = {"cache-control": "no-store"}
DRAW_SECONDS = 10.0
SVG = "image/svg+xml"


async def picture_svg(request: Request) -> Response:
    """The roll as a picture."""
    _, told = await _share_roll(request, _light(request, ""))
    return Response(str(told["svg"]), 200, NO_STORE, SVG)


async def picture_png(request: Request) -> Response:
    """The roll as a picture in pixels, drawn in a process where that holds up nobody."""
    if find_spec("resvg_py") is None:
        raise command_error("not_found", "server.png")
    entry, told = await _share_roll(request, _light(request, "dark"))
    address, spent = address_of(request), CostMeter()
    try:
        with entry.services.limits.exports.slot(address):
            drawing = entry.services.workers.run(
                {"ask": "draw"},
                entry.share,
                address=address,
                pieces=_pieces(str(told["svg"])),
                seconds=DRAW_SECONDS,
                spent=spent,
            )
            drawn = await cancel_on_disconnect(request, drawing)
        spent.sent += len(drawn)
    finally:
        entry.charge(spent, address)
    return Response(drawn, 200, NO_STORE, "image/png")


async def _pieces(svg: str) -> AsyncIterator[bytes]:
    yield svg.encode()


async def text(request: Request) -> Response:
    """The roll as lines to paste, with a link that verifies."""
    _, told = await _share_roll(request)
    return PlainTextResponse(str(told["text"]), 200, NO_STORE)


async def _share_roll(request: Request, light: str = "") -> tuple[Entry, dict[str, Json]]:
    """Return a roll as everybody may see it, or as the client's own copy, drawn by the counting."""
    entry = await enter(request)
    seer = viewer_of(request, entry)
    roll = shareable(entry.state, entry.seat, seer, request.path_params["roll"])
    # The number of a witness comes right before the dice that waited for it.
    seqs = {*roll.seqs, *(seq - 1 for seq in roll.seqs if seq > 1)}
    events = await entry.live.events_at(sorted(seqs))
    about = [view_event(event, seer, entry.state) for event in events if _is_of_roll(event, roll)]
    question = {"ask": "share", **share_query(entry.state, seer, roll, about)}
    scope = PrivacyScope(entry.state.table, EVERYBODY)
    if roll.is_secret:
        scope = own_scope(entry.state, entry.seat)
    more: dict[str, Json] = {"light": light} if light else {}
    more["address"] = _page_address(request)
    told = await answer_query(request, question | more, entry.share, scope=scope)
    return entry, dict(told)


def _is_of_roll(event: Event, roll: TableRoll) -> bool:
    """Check whether an event belongs to the roll itself, or is the number of a witness for it.

    Its effects on a sheet may be hidden, and are no part of it.
    """
    kind = kind_of(event)
    of_roll = kind.startswith("roll.") and event.seq in roll.seqs
    return of_roll or kind == "witness.revealed"


def _page_address(request: Request) -> str:
    """Return the address of the page, as the client wrote it."""
    root = request.app.state.services.settings.root_path
    return f"{request.url.scheme}://{request.url.netloc[:200]}{root}"


def _light(request: Request, otherwise: str) -> str:
    """By day or by night, as it was asked for; the question itself refuses anything else."""
    return request.query_params.get("light", otherwise)[:40]


ROLL = "/tables/{table}/rolls/{roll}"

routes = [
    Route(ROLL + "/picture.svg", picture_svg, methods=["GET"]),
    Route(ROLL + "/picture.png", picture_png, methods=["GET"]),
    Route(ROLL + "/text", text, methods=["GET"]),
]
