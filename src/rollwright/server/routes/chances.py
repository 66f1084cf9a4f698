"""The chance of every roll that a sheet begins, for everyone who may see it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright.errors import RollwrightError
from rollwright.jsonable import Json
from rollwright.kit.card.drafts import Person
from rollwright.kit.card.pages import drafts_of, sheet_to_json
from rollwright.kit.fields import Value, made
from rollwright.kit.games import Game
from rollwright.queries.form import chance_query
from rollwright.server.access import Entry, address_of, charge_for, enter
from rollwright.server.limits import seat_name
from rollwright.server.responses import answer, call_in_time
from rollwright.server.routes.queries import (
    cancel_on_disconnect,
    find_sheet,
    own_scope,
    prepare_sheets,
)
from rollwright.table.commands.roll_specs import rolling_sheet
from rollwright.table.errors import command_error
from rollwright.table.events import Seat
from rollwright.table.mentions import person_at, sheet_value_of, visible_people
from rollwright.table.sheets import need_game, shared_of
from rollwright.table.state import TableState
from rollwright.workers.cache import PrivacyScope

MOST_ROWS = 60
"""Rolls of a sheet whose chances are counted; of more the first ones."""


class SheetRolls(NamedTuple):
    """A sheet with its rolls as it was when somebody asked, and all that a form of theirs needs.

    The table goes on while chances are counted: what is counted last is of the same state.
    """

    game: Game
    value: Value
    hash: str
    drafts: list[dict[str, Json]]
    house: Value
    people: tuple[Person, ...]
    me: Person
    shared: Value | None

    def question(self, draft: Mapping[str, Json]) -> dict[str, Json]:
        """Return the question to count: the very roll that the button would make; else nothing."""
        game, value, me, shared = self.game, self.value, self.me, self.shared
        asked = chance_query(game, draft, value, self.house, self.people, me=me, shared=shared)
        return {"ask": "preview", **asked} if asked else {}


async def sheet_chances(request: Request) -> Response:
    """Return the chance of each roll that a sheet begins, as its button shows it."""
    entry = await enter(request)
    name = request.path_params["sheet"]
    await prepare_sheets(request, entry)
    with charge_for(request, entry, paid=1):
        shown = call_in_time(sheet_at, entry.state, entry.seat, name)
    counting = _count_rolls(request, entry, shown, own_scope(entry.state, entry.seat))
    return answer({"hash": shown.hash, "chances": await cancel_on_disconnect(request, counting)})


def sheet_at(state: TableState, seat: Seat | None, name: str) -> SheetRolls:
    """A sheet that a seat may see, with its first rolls."""
    game = need_game(state, "sheet")
    sheet = rolling_sheet(find_sheet(state, seat, name))
    value = sheet_value_of(state, sheet)
    if value is None:
        raise command_error("not_found", "sheet.none", "sheet", game=game.title)
    shown = sheet_to_json(game, value)
    drafts = drafts_of(shown["widgets"])
    return SheetRolls(
        game,
        value,
        shown["hash"],
        drafts[:MOST_ROWS],
        made(game.house, state.house),
        visible_people(state, seat, sheet.id),
        person_at(state, sheet.id, value),
        shared_of(state),
    )


async def _count_rolls(
    request: Request, entry: Entry, shown: SheetRolls, scope: PrivacyScope
) -> list[dict[str, Json]]:
    """One after the other, so that others have their turn; what cannot be counted has no chance.

    Each is made when its turn comes, and paid for.
    """
    counting, pace = entry.services.workers, entry.services.limits.pace
    address, share = address_of(request), entry.share
    seat = "" if entry.seat is None else seat_name(share, entry.seat.id)
    found: list[dict[str, Json]] = []
    for draft in shown.drafts:
        make = partial(call_in_time, shown.question, draft)
        row: dict[str, Json] = {"begins": draft, "chance": None}
        with suppress(RollwrightError):  # of one row: the others have theirs
            if question := await pace.make(make, address, seat):
                told = await counting.answer(question, share, scope=scope, address=address)
                row |= {name: told[name] for name in ("chance", "play") if name in told}
        found.append(row)
    return found


routes = [
    Route("/tables/{table}/sheets/{sheet}/chances", sheet_chances, methods=["GET"]),
]
