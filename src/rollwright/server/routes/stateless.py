"""The API without a table: games, rolls, odds, advice, previews, comparisons, verification."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import lru_cache
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright import __version__
from rollwright.ask.games import describe, question_of
from rollwright.ask.kinds import KINDS, Describe, Question
from rollwright.budget import Budget
from rollwright.errors import UnknownName
from rollwright.kit.games import find_game, list_games
from rollwright.server.access import address_of, admitted
from rollwright.server.admin.keys import makers_for
from rollwright.server.bodies import object_of
from rollwright.server.codec import encoded
from rollwright.server.counting.kinds import Scope
from rollwright.server.limits import Spent
from rollwright.server.routes.questions import answered, place_for_body, read_body, read_unread
from rollwright.server.wire import JSON, answer
from rollwright.table.refusals import Refusal

CHEAP = 0.2
"""Questions that are asked while a slider moves count little against the rate of an address."""


Endpoint = Callable[[Request], Awaitable[Response]]

VERIFY_SECONDS = 40.0
"""A long log takes its time."""


async def root(request: Request) -> Response:
    """What this is."""
    services = admitted(request)
    here = services.settings.root_path + request.url.path.rstrip("/")
    links = ("games", *QUESTIONS, "verify", "openapi.json")
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
    return _tagged(request, *await asyncio.to_thread(_described, None))


async def game(request: Request) -> Response:
    """Everything about one game."""
    admitted(request, cost=CHEAP)
    name = request.path_params["name"]
    try:
        return _tagged(request, *await asyncio.to_thread(_described, name))
    except UnknownName as problem:
        raise Refusal("not_found", str(problem), "name") from None


@lru_cache(64)
def _described(name: str | None) -> tuple[bytes, str]:
    """A game, or all in short, as JSON, and its tag: it changes only when the game does."""
    if name is not None and name not in _names():
        raise UnknownName("game", name[:60], _names())
    body = encoded(describe(Describe(game=name), Budget()))
    return body, f'"{sha256(body).hexdigest()[:32]}"'


@lru_cache(1)
def _names() -> tuple[str, ...]:
    return list_games()


def _tagged(request: Request, body: bytes, tag: str) -> Response:
    """The body, unless whoever asks has it already."""
    headers = {"etag": tag, "cache-control": "no-cache"}
    held = [part.strip() for part in request.headers.get("if-none-match", "").split(",")]
    if tag in held or f"W/{tag}" in held:
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=JSON)


async def verify(request: Request) -> Response:
    """Whether a roll or a log is true."""
    services, address, spent = admitted(request), address_of(request), Spent()
    try:
        with place_for_body(request, services) as limit:
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
        services.limits.charge(spent, address)
    return answer(found)


async def ask(request: Request) -> Response:
    """The answer of a game to one of its own questions."""
    services = admitted(request)
    name, question = request.path_params["name"], request.path_params["question"]
    try:
        await asyncio.to_thread(_check_question, name, question)
    except UnknownName as problem:
        raise Refusal("not_found", str(problem), problem.kind) from None
    arguments = object_of(await read_unread(request, services.settings.body_bytes))
    asked = {"ask": "question", "game": name, "question": question, "arguments": arguments}
    return answer(await answered(request, asked, f"from {address_of(request)}"))


def _check_question(game: str, question: str) -> None:
    if game not in _names():
        raise UnknownName("game", game[:60], _names())
    question_of(find_game(game), question[:60])


def _asked(kind: str, question: type[Question]) -> Endpoint:
    """The route of a question that comes whole."""

    async def asked(request: Request) -> Response:
        admitted(request, cost=CHEAP if kind == "preview" else 1)
        body = await read_body(request, question)
        slot = body.pop("slot", "")
        share = f"from {address_of(request)}"
        return answer(await answered(request, {"ask": kind, **body}, share, slot=slot))

    return asked


APART = ("describe", "question", "verify")
QUESTIONS = {name: kind for name, kind in KINDS.items() if name not in APART}
"""What can be asked by POST of a body that is read at once; each is a route of its name."""

ASKED = [
    Route(f"/{kind}", _asked(kind, shape), methods=["POST"]) for kind, shape in QUESTIONS.items()
]
routes = [
    Route("/", root, methods=["GET"]),
    Route("/games", games, methods=["GET"]),
    Route("/games/{name}", game, methods=["GET"]),
    Route("/games/{name}/ask/{question}", ask, methods=["POST"]),
    *ASKED,
    Route("/verify", verify, methods=["POST"]),
]
