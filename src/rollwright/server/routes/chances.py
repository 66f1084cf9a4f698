"""The chance of every roll that a sheet begins, for whoever may see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright.errors import RollwrightError
from rollwright.kit.card.pages import sheet_shown
from rollwright.kit.fields import made
from rollwright.kit.forms import begun
from rollwright.kit.games import Game
from rollwright.kit.requests import to_plain
from rollwright.plain import Json, canonical
from rollwright.server.access import Entry, address_of, entered, services_of
from rollwright.server.counting.cache import Scope
from rollwright.server.responses import answer
from rollwright.server.routes.questions import (
    known_sheet,
    own_scope,
    unless_left,
)
from rollwright.table.commands.subjects import rolling_sheet
from rollwright.table.people import people_seen, person_at, sheet_seen
from rollwright.table.refusals import refusal
from rollwright.table.sheets import Sheet, need_game, shared_of

MOST_ROWS = 60
"""Rolls of a sheet whose chances are counted; of more the first ones."""


async def sheet_chances(request: Request) -> Response:
    """What each roll that a sheet begins is worth, as the button of that roll says it."""
    entry = await entered(request)
    game = need_game(entry.state, "sheet")
    sheet = rolling_sheet(known_sheet(entry.state, entry.seat, request.path_params["sheet"]))
    value = sheet_seen(entry.state, sheet)
    if value is None:
        raise refusal("not_found", "sheet.none", "sheet", game=game.title)
    shown = sheet_shown(game, value)
    drafts = list({canonical(draft): draft for draft in begins(shown["widgets"])}.values())
    asked = [(draft, _question(entry, game, sheet, draft)) for draft in drafts[:MOST_ROWS]]
    counting = _counted(request, entry, own_scope(entry.state, entry.seat), asked)
    return answer({"hash": shown["hash"], "chances": await unless_left(request, counting)})


def begins(shown: Any) -> Iterator[dict[str, Json]]:
    """The drafts of all rolls that widgets begin, in their order."""
    if isinstance(shown, list):
        for part in shown:
            yield from begins(part)
    elif isinstance(shown, dict):
        if shown.get("begins"):
            yield shown["begins"]
        yield from begins([shown.get(name, []) for name in ("rows", "show")])


async def _counted(
    request: Request,
    entry: Entry,
    scope: Scope,
    asked: list[tuple[dict[str, Json], Mapping[str, Json] | None]],
) -> list[dict[str, Json]]:
    """One after the other, so that others have their turn; what cannot be counted has no chance."""
    counting, address = services_of(request).counting, address_of(request)
    found: list[dict[str, Json]] = []
    for draft, question in asked:
        row: dict[str, Json] = {"begins": draft, "chance": None}
        if question is not None:
            with suppress(RollwrightError):  # of one row: the others have theirs
                told = await counting.ask(question, entry.share, scope=scope, address=address)
                row |= {name: told[name] for name in ("chance", "play") if name in told}
        found.append(row)
    return found


def _question(
    entry: Entry, game: Game, sheet: Sheet, draft: Mapping[str, Json]
) -> Mapping[str, Json] | None:
    """What is asked of the counting: the very roll that the button would make."""
    state, value = entry.state, sheet_seen(entry.state, sheet)
    people = people_seen(state, entry.seat, sheet.id)
    me = person_at(state, sheet.id, value)
    house, shared = made(game.house, state.house), shared_of(state)
    try:
        wanted = begun(game, draft, value, house, people, me=me, shared=shared)
    except RollwrightError:
        return None
    if wanted is None:
        return None
    drawn: Json = list(game.card.roll(wanted.roll).drawn[:1])
    of: dict[str, Json] = {"of": drawn} if drawn else {}
    plain = cast("Json", to_plain(wanted, whole=True))
    return {"ask": "preview", "parts": ["odds"], "request": plain, **of}


routes = [
    Route("/tables/{table}/sheets/{sheet}/chances", sheet_chances, methods=["GET"]),
]
