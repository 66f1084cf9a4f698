"""The list of games, and everything about one, over HTTP: made once in each language."""

from __future__ import annotations

import asyncio
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright.budget import Budget
from rollwright.errors import UnknownName
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.codes import language_code
from rollwright.i18n.languages import lineage
from rollwright.i18n.locale import ENGLISH, reader_language, use_locale
from rollwright.i18n.messages import HOUSE
from rollwright.kit.games import Game, find_game, list_games
from rollwright.queries.games import describe
from rollwright.queries.kinds import DescribeQuery
from rollwright.server.access import CHEAP, address_of, admit, services_of
from rollwright.server.json_codec import encode
from rollwright.server.responses import JSON
from rollwright.table.errors import CodedError
from rollwright.workers.costs import CostMeter

LONGEST_CODE = 20
"""Characters of the name of a language."""
MOST_DESCRIBED = 64
"""Descriptions that are kept, each of a game in a language."""


class Descriptions:
    """The games' descriptions as JSON with their tags; they change only with the server."""

    def __init__(self) -> None:
        self.names = list_games()
        self._known: dict[tuple[str | None, str | None], tuple[bytes, str]] = {}

    def of(self, name: str | None, language: str | None = None) -> tuple[bytes, str]:
        """A game, or all in short."""
        found = self._known.get((name, language))
        if found is None:
            found = _describe(name, language)
            if len(self._known) < MOST_DESCRIBED:
                self._known[name, language] = found
        return found

    def in_language(self, name: str, language: str | None) -> tuple[bytes, str]:
        """A game with its words in the nearest language that there are any in."""
        game = self.game(name)
        if not language or len(language) > LONGEST_CODE:
            return self.of(name, language)
        wanted = language_code(language)
        near = {words.nearest(wanted) for words in (words_of(HOUSE), game.words)}
        return self.of(name, next((code for code in lineage(wanted) if code in near), ENGLISH))

    def game(self, name: str) -> Game:
        """A game by its name; to look everywhere for one that is not here takes much longer."""
        if name not in self.names:
            raise UnknownName("game", name[:60], self.names)
        return find_game(name)


def descriptions_of(request: Request) -> Descriptions:
    """Those of this server, made when one is first asked for."""
    state = request.app.state
    if not hasattr(state, "descriptions"):
        state.descriptions = Descriptions()
    found: Descriptions = state.descriptions
    return found


def _describe(name: str | None, language: str | None) -> tuple[bytes, str]:
    with use_locale(language or ENGLISH):
        body = encode(describe(DescribeQuery(game=name, language=language), Budget()))
    return body, f'"{sha256(body).hexdigest()[:32]}"'


def known_game(request: Request, name: str) -> Game:
    """A game that this server has, by its name."""
    return descriptions_of(request).game(name)


async def games(request: Request) -> Response:
    """The games there are."""
    admit(request, cost=CHEAP)
    return _tag_response(request, *await asyncio.to_thread(_all_in_short, request))


def _all_in_short(request: Request) -> tuple[bytes, str]:
    return descriptions_of(request).of(None, reader_language())


async def game(request: Request) -> Response:
    """Everything about one game."""
    admit(request, cost=CHEAP)
    name, language = request.path_params["name"], request.query_params.get("language")
    try:
        return _tag_response(
            request, *await asyncio.to_thread(_in_language, request, name, language)
        )
    except UnknownName as problem:
        raise CodedError("not_found", problem.wording, "name") from None


def _in_language(request: Request, name: str, language: str | None) -> tuple[bytes, str]:
    return descriptions_of(request).in_language(name, language)


def _tag_response(request: Request, body: bytes, tag: str) -> Response:
    """Return the body, unless the client has it already."""
    headers = {"etag": tag, "cache-control": "no-cache"}
    held = [part.strip() for part in request.headers.get("if-none-match", "").split(",")]
    if tag in held or f"W/{tag}" in held:
        return Response(status_code=304, headers=headers)
    spent = CostMeter()
    spent.sent = len(body)
    services_of(request).limits.charge(spent, address_of(request), paid=CHEAP)
    return Response(body, headers=headers, media_type=JSON)


routes = [
    Route("/games", games, methods=["GET"]),
    Route("/games/{name}", game, methods=["GET"]),
]
