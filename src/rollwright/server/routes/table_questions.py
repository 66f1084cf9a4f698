"""Questions at a table: a roll not made yet, and advice on an open one as a seat knows it."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright.server.access import entered
from rollwright.server.bodies import TableAdvice, TablePreview
from rollwright.server.counting.kinds import Scope
from rollwright.server.routes.questions import answered, read_body
from rollwright.server.wire import answer
from rollwright.table.commands.subjects import WAYS, asked_of, start_of, the_way
from rollwright.table.events import Seat, belongs
from rollwright.table.refusals import Refusal
from rollwright.table.sheets import Sheet
from rollwright.table.state import TableState
from rollwright.table.transcripts import rule_seat_of, transcript_of

CHEAP = 0.2
"""Questions that are asked while a slider moves count little against the rate of a seat."""

EVERYBODY, WATCHING = "everybody", "watching"


async def preview(request: Request) -> Response:
    """All there is to say about a roll before it is made, under the table's house rules."""
    entry = await entered(request, cost=CHEAP)
    body = await read_body(request, TablePreview)
    slot = body.pop("slot", "")
    question = preview_question(entry.state, entry.seat, body)
    scope = own_scope(entry.state, entry.seat)
    if slot:
        slot = f"{scope.whose} {slot}"
    return answer(await answered(request, question, entry.share, scope=scope, slot=slot))


def own_scope(state: TableState, seat: Seat | None) -> Scope:
    """What somebody asks for themselves, such as a roll they think about; nobody shares it.

    Those who only watch know the same, and share what they ask.
    """
    return Scope(state.table, WATCHING if seat is None else seat.id)


def roll_scope(state: TableState, seat: Seat | None, name: str) -> Scope:
    """Who may share what is asked about a roll: everybody at the table where all see all of it.

    A secret roll is for each to ask about alone. Of one in which the rule hides something, a seat
    asks with faces that it may not know: that is shared with nothing else, not even with what the
    same seat asks about another roll, for equal answers would come quicker.
    """
    roll, own = state.rolls[name], own_scope(state, seat)
    if roll.veiled:
        return own._replace(whose=f"{own.whose} {name} {roll.seqs[-1]}")
    return own if roll.is_secret else Scope(state.table, EVERYBODY)


def preview_question(state: TableState, seat: Seat | None, body: dict[str, Any]) -> dict[str, Any]:
    """What is asked of the counting: the very roll that roll.start would make of these fields."""
    how = {name: value for name, value in body.items() if name not in (*WAYS, "sheet")}
    question = {"ask": "preview", **how}
    asked = asked_of(body)
    if the_way(asked) == "expression":
        return question | {"expression": body["expression"]}
    sheet = None
    if "from_sheet" in body:
        sheet = known_sheet(state, seat, body.get("sheet") or (seat.id if seat else ""))
    return question | dict(start_of(state, asked, sheet, whose=seat.id if seat else WATCHING).what)


def known_sheet(state: TableState, seat: Seat | None, name: str) -> Sheet:
    """A sheet that a seat may see."""
    sheet = state.sheets.get(name)
    if sheet is None or sheet.removed or not belongs(seat, sheet.audience):
        raise Refusal("not_found", f"there is no sheet {name[:40]!r} that you may see", "sheet")
    return sheet


async def advice(request: Request) -> Response:
    """What each option of an open roll is worth, as far as whoever asks can know."""
    entry = await entered(request)
    body = await read_body(request, TableAdvice)
    name = request.path_params["roll"]
    question = advice_question(entry.state, entry.seat, name, body.get("goal", ""))
    scope = roll_scope(entry.state, entry.seat, name)
    return answer(await answered(request, question, entry.share, scope=scope))


def advice_question(
    state: TableState, seat: Seat | None, name: str, goal: str = ""
) -> dict[str, Any]:
    """What is asked of the counting about an open roll."""
    rule_seat = rule_seat_of(state, name, seat.id if seat is not None else "")
    transcript = transcript_of(state, name)
    aim = goal or state.rolls[name].goal
    return {"ask": "advise", "transcript": transcript, "seat": rule_seat, "goal": aim}


routes = [
    Route("/tables/{table}/preview", preview, methods=["POST"]),
    Route("/tables/{table}/rolls/{roll}/advice", advice, methods=["POST"]),
]
