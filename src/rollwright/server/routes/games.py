"""What games there are, and everything about one, over HTTP: made once in each language."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright.ask.games import describe
from rollwright.ask.kinds import Describe
from rollwright.budget import Budget
from rollwright.errors import UnknownName
from rollwright.kit.games import Game, find_game, list_games
from rollwright.server.access import CHEAP, address_of, admitted, services_of
from rollwright.server.json import encoded
from rollwright.server.limits import Spent
from rollwright.server.responses import JSON
from rollwright.table.refusals import Refusal
from rollwright.words.catalogs import words_of
from rollwright.words.codes import language_code
from rollwright.words.languages import lineage
from rollwright.words.messages import HOUSE
from rollwright.words.reader import ENGLISH, reading

LONGEST_CODE = 20
"""Characters of the name of a language."""


async def games(request: Request) -> Response:
    """The games there are."""
    admitted(request, cost=CHEAP)
    return _tagged(request, *await asyncio.to_thread(_described, None))


async def game(request: Request) -> Response:
    """Everything about one game."""
    admitted(request, cost=CHEAP)
    name, language = request.path_params["name"], request.query_params.get("language")
    try:
        return _tagged(request, *await asyncio.to_thread(_in_language, name, language))
    except UnknownName as problem:
        raise Refusal("not_found", problem.wording, "name") from None


def _in_language(name: str, language: str | None) -> tuple[bytes, str]:
    """A game with its words in the nearest language that there are any in, however it is called."""
    game = known_game(name)
    if not language or len(language) > LONGEST_CODE:
        return _described(name, language)
    wanted = language_code(language)
    near = {words.nearest(wanted) for words in (words_of(HOUSE), game.words)}
    return _described(name, next((code for code in lineage(wanted) if code in near), ENGLISH))


@lru_cache(64)
def _described(name: str | None, language: str | None = None) -> tuple[bytes, str]:
    """A game, or all in short, as JSON, and its tag: it changes only when the game does."""
    with reading(language or ENGLISH):
        body = encoded(describe(Describe(game=name, language=language), Budget()))
    return body, f'"{sha256(body).hexdigest()[:32]}"'


def known_game(name: str) -> Game:
    """A game by its name; to look everywhere for one that is not here takes much longer."""
    if name not in _names():
        raise UnknownName("game", name[:60], _names())
    return find_game(name)


@lru_cache(1)
def _names() -> tuple[str, ...]:
    return list_games()


def _tagged(request: Request, body: bytes, tag: str) -> Response:
    """The body, unless whoever asks has it already."""
    headers = {"etag": tag, "cache-control": "no-cache"}
    held = [part.strip() for part in request.headers.get("if-none-match", "").split(",")]
    if tag in held or f"W/{tag}" in held:
        return Response(status_code=304, headers=headers)
    spent = Spent()
    spent.sent = len(body)
    services_of(request).limits.charge(spent, address_of(request), paid=CHEAP)
    return Response(body, headers=headers, media_type=JSON)


routes = [
    Route("/games", games, methods=["GET"]),
    Route("/games/{name}", game, methods=["GET"]),
]
