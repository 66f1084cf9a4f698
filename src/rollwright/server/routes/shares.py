"""Rolls of a table to show elsewhere: a picture and a text, for whoever may see the roll."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib.util import find_spec

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rollwright.plain import Json
from rollwright.server.access import Entry, address_of, entered
from rollwright.server.counting.cache import Scope
from rollwright.server.limits import Spent
from rollwright.server.routes.questions import EVERYBODY, answered, own_scope, unless_left
from rollwright.table.refusals import refusal
from rollwright.table.shares import share_question, shareable
from rollwright.table.visibility import seen

NO_STORE = {"cache-control": "no-store"}
DRAW_SECONDS = 10.0
SVG = "image/svg+xml"


async def picture_svg(request: Request) -> Response:
    """The roll as a picture."""
    _, told = await _shared(request, _light(request, ""))
    return Response(str(told["svg"]), 200, NO_STORE, SVG)


async def picture_png(request: Request) -> Response:
    """The roll as a picture in pixels, drawn in a process where that holds up nobody."""
    if find_spec("resvg_py") is None:
        raise refusal("not_found", "server.png")
    entry, told = await _shared(request, _light(request, "dark"))
    address, spent = address_of(request), Spent()
    try:
        with entry.services.limits.exports.place(address):
            drawing = entry.services.counting.work(
                {"ask": "draw"},
                entry.share,
                address=address,
                pieces=_pieces(str(told["svg"])),
                seconds=DRAW_SECONDS,
                spent=spent,
            )
            drawn = await unless_left(request, drawing)
        spent.sent += len(drawn)
    finally:
        entry.charge(spent, address)
    return Response(drawn, 200, NO_STORE, "image/png")


async def _pieces(svg: str) -> AsyncIterator[bytes]:
    yield svg.encode()


async def text(request: Request) -> Response:
    """The roll as lines to paste, with a link that verifies."""
    _, told = await _shared(request)
    return PlainTextResponse(str(told["text"]), 200, NO_STORE)


async def _shared(request: Request, light: str = "") -> tuple[Entry, dict[str, Json]]:
    """A roll as somebody may see it, drawn and told in the counting, where its odds are known."""
    entry = await entered(request)
    roll = shareable(entry.state, entry.seat, request.path_params["roll"])
    events = await entry.room.events_at(roll.seqs)
    views = [seen(event, entry.seat, entry.state) for event in events]
    about = [view for view in views if _is_of(view, roll.id)]
    question = {"ask": "share", **share_question(entry.state, entry.seat, roll, about)}
    scope = own_scope(entry.state, entry.seat)
    if not roll.is_secret:
        scope = Scope(entry.state.table, EVERYBODY)
    more: dict[str, Json] = {"light": light} if light else {}
    more["address"] = _place(request)
    told = await answered(request, question | more, entry.share, scope=scope)
    return entry, dict(told)


def _is_of(view: object, roll: str) -> bool:
    """Whether an event tells the roll itself, and not what it did to a sheet."""
    assert isinstance(view, dict)
    body = view.get("body")
    return body is None or body.get("roll") == roll


def _place(request: Request) -> str:
    """Where the page lies, as whoever asks has written it."""
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
