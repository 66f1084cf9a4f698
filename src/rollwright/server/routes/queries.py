"""Questions over HTTP: games and dice without a table, rolls not made yet, advice on open ones."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright import __version__
from rollwright.budget import Budget
from rollwright.errors import RollwrightError, UnknownName
from rollwright.i18n.messages import Message
from rollwright.jsonable import Json
from rollwright.kit.card.pages import shared_sheet_to_json, sheet_to_json
from rollwright.kit.fields import made
from rollwright.kit.forms import form_of, in_short
from rollwright.kit.shared import TABLE
from rollwright.queries.form import form as asked_form
from rollwright.queries.form import marks as asked_marks
from rollwright.queries.games import question_of
from rollwright.queries.kinds import KINDS, FaceLabelsQuery, FormQuery, Query
from rollwright.server.access import (
    CHEAP,
    Entry,
    address_of,
    admit,
    answer_here,
    charge_for,
    enter,
    services_of,
)
from rollwright.server.keys import makers_for
from rollwright.server.responses import SpooledBody, answer, call_in_time, read_bytes, spool_body
from rollwright.server.routes.bodies import TableAdvice, TableForm, TablePreview
from rollwright.server.routes.games import known_game
from rollwright.table.commands.roll_specs import (
    WAYS,
    roll_spec_from,
    rolling_sheet,
    spec_form,
    start_of,
)
from rollwright.table.errors import CodedError, as_field_errors, bad_field, command_error
from rollwright.table.events import Seat
from rollwright.table.mentions import person_at, sheet_value_of, sheets_of_people, visible_people
from rollwright.table.sheets import Sheet, need_game, shared_of
from rollwright.table.state import TableState
from rollwright.table.transcripts import rule_seat_of, transcript_of
from rollwright.table.visibility import sheet_for
from rollwright.workers.cache import PUBLIC, PrivacyScope
from rollwright.workers.costs import CostMeter
from rollwright.workers.payloads import parse_body, parse_object

if TYPE_CHECKING:
    from rollwright.server.app import Services


T = TypeVar("T")


LONGEST_HERE = 98_304
"""Bytes of a body that is worked on while everybody waits: the longest request and what is beside
it."""
SHEETS_AT_ONCE = 4
"""Sheets that are made as a game has them before others have a turn: a few milliseconds."""


async def read_body(request: Request, shape: type[Query], most: int = 0) -> dict[str, Json]:
    """The fields of a body that were given, checked against its shape."""
    longest = services_of(request).settings.body_bytes
    return parse_body(await read_bytes(request, min(longest, most or longest)), shape)


@contextmanager
def slot_for_body(request: Request, services: Services) -> Iterator[int]:
    """How long a body may be; a long one needs a place, for it is held until its turn comes."""
    said = request.headers.get("content-length", "")
    short = services.settings.body_bytes
    if said.isascii() and said.isdigit() and int(said[:20]) <= short:
        yield short
        return
    with services.limits.bodies.slot(address_of(request)):
        yield services.settings.import_bytes


async def answer_query(
    request: Request,
    question: Mapping[str, Json],
    share: str,
    *,
    scope: PrivacyScope = PUBLIC,
    slot: str = "",
    body: SpooledBody | None = None,
    seconds: float | None = None,
    spent: CostMeter | None = None,
) -> dict[str, Json]:
    """The answer to a question; when the asker hangs up, nobody counts on."""
    counting, address = services_of(request).workers, address_of(request)
    asking = counting.answer(
        question,
        share,
        scope=scope,
        address=address,
        slot=slot,
        pieces=None if body is None else body.pieces(),
        size=0 if body is None else body.size,
        seconds=seconds,
        spent=spent,
    )
    return await cancel_on_disconnect(request, asking)


async def cancel_on_disconnect(request: Request, work: Coroutine[object, None, T]) -> T:
    """Return the result of some work; stop it if the client hangs up."""
    asked = asyncio.create_task(work)
    left = asyncio.create_task(_wait_for_disconnect(request))
    try:
        await asyncio.wait((asked, left), return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise command_error("gone", "server.left")
        return await asked
    finally:
        asked.cancel()
        left.cancel()
        await asyncio.gather(asked, left, return_exceptions=True)


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


Endpoint = Callable[[Request], Awaitable[Response]]

VERIFY_SECONDS = 40.0
"""A long log takes its time."""


async def root(request: Request) -> Response:
    """Describe the server."""
    services = admit(request)
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


async def verify(request: Request) -> Response:
    """Whether a roll or a log is true."""
    services, address, spent = admit(request), address_of(request), CostMeter()
    try:
        with slot_for_body(request, services) as limit:
            async with spool_body(request, limit) as body:
                found = await answer_query(
                    request,
                    {"ask": "verify"},
                    f"from {address}",
                    scope=PrivacyScope(whose="a log or roll of somebody's own"),
                    body=body,
                    seconds=VERIFY_SECONDS,
                    spent=spent,
                )
    finally:
        services.limits.charge(spent, address)
    return answer(found)


async def form(request: Request) -> Response:
    """The form of a roll that is being made up; nothing is counted for it."""
    admit(request, cost=CHEAP)
    question = FormQuery.from_plain(await read_body(request, FormQuery, LONGEST_HERE))
    await asyncio.to_thread(known_game, request, question.game)  # loading it takes its time
    return answer_here(request, None, asked_form, question, Budget(), paid=CHEAP)


async def marks(request: Request) -> Response:
    """How faces are read in a roll; nothing is counted for it."""
    admit(request, cost=CHEAP)
    question = FaceLabelsQuery.from_plain(await read_body(request, FaceLabelsQuery, LONGEST_HERE))
    game = str(question.request.get("game", ""))
    await asyncio.to_thread(known_game, request, game)  # loading it takes its time
    return answer_here(request, None, asked_marks, question, Budget(), paid=CHEAP)


async def game_question(request: Request) -> Response:
    """The answer of a game to one of its own questions."""
    services = admit(request)
    name, question = request.path_params["name"], request.path_params["question"]
    try:
        await asyncio.to_thread(_check_question, request, name, question)
    except UnknownName as problem:
        raise CodedError("not_found", problem.wording, problem.field) from None
    arguments = parse_object(await read_bytes(request, services.settings.body_bytes))
    asked = {"ask": "question", "game": name, "question": question, "arguments": arguments}
    return answer(await answer_query(request, asked, f"from {address_of(request)}"))


def _check_question(request: Request, game: str, question: str) -> None:
    question_of(known_game(request, game), question[:60])


def _query_endpoint(kind: str, question: type[Query]) -> Endpoint:
    """The route of a question that comes whole."""

    async def endpoint(request: Request) -> Response:
        admit(request, cost=CHEAP if kind == "preview" else 1)
        body = await read_body(request, question)
        slot = str(body.pop("slot", ""))
        share = f"from {address_of(request)}"
        return answer(await answer_query(request, {"ask": kind, **body}, share, slot=slot))

    return endpoint


OWN_ROUTES = ("describe", "form", "marks", "question", "verify")
QUESTIONS = {name: kind for name, kind in KINDS.items() if name not in OWN_ROUTES}
"""Questions that can be asked by a POST whose body is read at once; each is a route of its name."""

EVERYBODY, WATCHING = "everybody", "watching"


async def preview(request: Request) -> Response:
    """All there is to say about a roll before it is made, under the table's house rules."""
    entry = await enter(request, cost=CHEAP)
    body = await read_body(request, TablePreview, LONGEST_HERE)
    slot = str(body.pop("slot", ""))
    with charge_for(request, entry, paid=CHEAP):
        question = call_in_time(preview_question, entry.state, entry.seat, body)
    scope = own_scope(entry.state, entry.seat)
    if slot:
        slot = f"{scope.whose} {slot}"
    return answer(await answer_query(request, question, entry.share, scope=scope, slot=slot))


def own_scope(state: TableState, seat: Seat | None) -> PrivacyScope:
    """Return the unshared scope of private questions, such as a roll somebody thinks about.

    Those who only watch know the same, and share what they ask.
    """
    return PrivacyScope(state.table, WATCHING if seat is None else seat.id)


def roll_scope(state: TableState, seat: Seat | None, name: str) -> PrivacyScope:
    """Who may share what is asked about a roll: everybody at the table where all see all of it.

    A secret roll is for each to ask about alone. Of one in which the rule hides something, a seat
    asks with faces that it may not know: that is shared with nothing else, not even with what the
    same seat asks about another roll, for equal answers would come quicker.
    """
    roll, own = state.rolls[name], own_scope(state, seat)
    if roll.veiled:
        return own._replace(whose=f"{own.whose} {name} {roll.seqs[-1]}")
    return own if roll.is_secret else PrivacyScope(state.table, EVERYBODY)


def preview_question(
    state: TableState, seat: Seat | None, body: dict[str, Json]
) -> Mapping[str, Json]:
    """Return the question to count: the very roll that roll.start would make of these fields."""
    how = {name: value for name, value in body.items() if name not in (*WAYS, "sheet")}
    question = {"ask": "preview", **how}
    asked = roll_spec_from(body)
    if spec_form(asked) == "expression":
        if "sheet" in body:
            none = Message("would_do.none")
            raise bad_field("sheet", Message("table.sheet.expression"), none)
        return question | {"expression": body["expression"]}
    sheet = None
    name = str(body.get("sheet") or (seat.id if seat else ""))
    if "sheet" in body or ("draft" in body and name in state.sheets):
        sheet = rolling_sheet(find_sheet(state, seat, name))
    start = start_of(state, asked, sheet, whose=seat.id if seat else WATCHING)
    return question | cast("dict[str, Json]", start.what)


async def prepare_sheets(request: Request, entry: Entry) -> None:
    """Make what a form needs of everybody's sheets, a few at a time: all may just have changed.

    The error for one of them is sent with the form.
    """
    sheets = [one for one in sheets_of_people(entry.state, entry.seat) if one.made_of is None]
    for start in range(0, len(sheets), SHEETS_AT_ONCE):
        with suppress(RollwrightError), charge_for(request, entry, paid=0):
            for sheet in sheets[start : start + SHEETS_AT_ONCE]:
                call_in_time(sheet_value_of, entry.state, sheet)
        await asyncio.sleep(0)


async def table_form(request: Request) -> Response:
    """The form of a roll that is being made up, under the table's house rules."""
    entry = await enter(request, cost=CHEAP)
    question = TableForm.from_plain(await read_body(request, TableForm, LONGEST_HERE))
    await prepare_sheets(request, entry)
    return answer_here(request, entry, form_at, entry.state, entry.seat, question, paid=CHEAP)


def form_at(state: TableState, seat: Seat | None, question: TableForm) -> dict[str, Json]:
    """The form of a draft as a seat may have it."""
    game = need_game(state, "form")
    name = question.sheet or (seat.id if seat else "")
    sheet = None
    if question.sheet or name in state.sheets:
        sheet = sheet_value_of(state, rolling_sheet(find_sheet(state, seat, name)))
    with as_field_errors("draft"):
        house = made(game.house, state.house)
        people = visible_people(state, seat, name)
        purpose = question.purpose or "roll"
        me = person_at(state, name, sheet) if name in state.sheets else None
        found = form_of(
            game, question.draft, sheet, house, people, purpose, me=me, shared=shared_of(state)
        )
    return {"n": question.n, **in_short(found, question.hash or "")}


async def sheet_view(request: Request) -> Response:
    """Return a sheet as widgets, for anyone who may see it."""
    entry = await enter(request, cost=CHEAP)
    name = request.path_params["sheet"]
    return answer_here(request, entry, sheet_view_at, entry.state, entry.seat, name, paid=CHEAP)


def sheet_view_at(state: TableState, seat: Seat | None, name: str) -> Mapping[str, object]:
    """A sheet as widgets, as a seat may have it."""
    game, sheet = need_game(state, "sheet"), find_sheet(state, seat, name)
    value = sheet_value_of(state, sheet)
    if value is None:
        raise command_error("not_found", "sheet.none", "sheet", game=game.title)
    if sheet.id == TABLE:
        return shared_sheet_to_json(game, value, by_referee=seat is not None and seat.is_referee)
    return sheet_to_json(game, value)


def find_sheet(state: TableState, seat: Seat | None, name: str) -> Sheet:
    """A sheet that a seat may see."""
    sheet = sheet_for(state, seat, name)
    if sheet is None:
        raise command_error("not_found", "server.sheet.none", "sheet", name=repr(name[:40]))
    return sheet


async def advice(request: Request) -> Response:
    """Return the worth of each option of an open roll, as far as the client can know it."""
    entry = await enter(request)
    body = await read_body(request, TableAdvice)
    name = request.path_params["roll"]
    goal = str(body.get("goal") or "")
    with charge_for(request, entry, paid=1):
        question = call_in_time(advice_question, entry.state, entry.seat, name, goal)
    scope = roll_scope(entry.state, entry.seat, name)
    return answer(await answer_query(request, question, entry.share, scope=scope))


def advice_question(
    state: TableState, seat: Seat | None, name: str, goal: str = ""
) -> Mapping[str, Json]:
    """Return the question to count about an open roll."""
    rule_seat = rule_seat_of(state, name, seat.id if seat is not None else "")
    transcript = cast("dict[str, Json]", transcript_of(state, name))
    aim = goal or state.rolls[name].goal
    return {"ask": "advise", "transcript": transcript, "seat": rule_seat, "goal": aim}


routes = [
    Route("/", root, methods=["GET"]),
    Route("/games/{name}/ask/{question}", game_question, methods=["POST"]),
    *[
        Route(f"/{kind}", _query_endpoint(kind, of), methods=["POST"])
        for kind, of in QUESTIONS.items()
    ],
    Route("/form", form, methods=["POST"]),
    Route("/marks", marks, methods=["POST"]),
    Route("/verify", verify, methods=["POST"]),
    Route("/tables/{table}/preview", preview, methods=["POST"]),
    Route("/tables/{table}/form", table_form, methods=["POST"]),
    Route("/tables/{table}/sheets/{sheet}/card", sheet_view, methods=["GET"]),
    Route("/tables/{table}/rolls/{roll}/advice", advice, methods=["POST"]),
]
