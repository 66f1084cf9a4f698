"""The subject of a roll: an expression, a request, or a request filled in from a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from marshal import dumps
from typing import Any, NamedTuple

from rollwright.api import new_transcript
from rollwright.engine.transcript import Transcript
from rollwright.errors import UnknownName, with_likeliest
from rollwright.hooks import Text
from rollwright.i18n.messages import Message
from rollwright.jsonable import Json, JsonObject, canonical_json
from rollwright.kit.agreements import check_agreement
from rollwright.kit.checks import format_value
from rollwright.kit.fields import Value, fields_of, made
from rollwright.kit.forms import fitting, request_of
from rollwright.kit.games import Game, find_game, from_plain
from rollwright.kit.requests import Request, to_plain
from rollwright.kit.shared import TABLE
from rollwright.table.errors import (
    as_command_errors,
    as_field_errors,
    bad_field,
    command_error,
    command_error_of,
)
from rollwright.table.limits import LIMITS, WITHOUT_REFERENCES, BoundedCache, weight_of
from rollwright.table.mentions import sheet_value_of, visible_people
from rollwright.table.schemas import ResolvedRoll, RollSpecData
from rollwright.table.sheets import HOUSE, Sheet, game_of, need_game, shared_of, sheet_value
from rollwright.table.state import TableState
from rollwright.table.transcripts import title_of

START_BYTES = 8_000
"""Bytes that a roll about to begin takes beside its request."""

WAYS = ("expression", "request", "draft")


class RollStart(NamedTuple):
    """A roll that can begin."""

    what: ResolvedRoll
    transcript: Transcript
    title: Text
    version: str
    written: bytes = b""
    draft: JsonObject | None = None


def roll_spec_from(fields: Mapping[str, Any]) -> RollSpecData:
    """Return what is to be rolled, from fields that also hold other things."""
    asked: RollSpecData = {}
    if (expression := fields.get("expression")) is not None:
        asked["expression"] = expression
    if (request := fields.get("request")) is not None:
        asked["request"] = request
    if (draft := fields.get("draft")) is not None:
        asked["draft"] = draft
    return asked


def translate_dice(state: TableState, asked: RollSpecData, dialect: str = "") -> RollSpecData:
    """Return the request with its dice in our spelling: from that tool's, or the table's own.

    A question that the tool would ask becomes its default number: a log has dice and no names.
    """
    tool = find_dialect(dialect) if dialect else state.dialect
    if "expression" not in asked:
        if dialect:
            raise bad_field("dialect", Message("table.dialect.dice"), Message("would_do.none"))
        return asked
    if not tool:
        return asked
    from rollwright.notation import translate

    with as_command_errors("expression"):
        made = translate(asked["expression"], tool)
        ours = made.fill(made.defaults)
    if len(ours) > LIMITS.expression:
        long = Message("field.long", {"n": len(ours), "most": LIMITS.expression})
        raise bad_field("expression", long)
    return {**asked, "expression": ours}


def find_dialect(name: str) -> str:
    """A tool whose spelling is known; empty for our own."""
    from rollwright.notation.dialects import DIALECTS, OURS

    known = name.lower()
    if known and known not in DIALECTS:
        raise command_error_of(UnknownName("dialect", name[:40], DIALECTS), "dialect")
    return "" if known == OURS else known


def repeat_spec(what: Mapping[str, Any], draft: object = None) -> RollSpecData:
    """Return an earlier roll's request, to be rolled under the table's present house rules."""
    asked = roll_spec_from(what if draft is None else {"draft": draft})
    if "request" in asked:
        asked["request"] = _without_house_rules(asked["request"])
    return asked


def _without_house_rules(came: JsonObject) -> JsonObject:
    return {name: value for name, value in came.items() if name != HOUSE}


def spec_form(asked: RollSpecData) -> str:
    """Which of the ways to say what is rolled was given; empty for none."""
    given = [way for way in WAYS if way in asked]
    if len(given) > 1:
        raise command_error("bad_request", "table.ways.many", ways=given)
    return given[0] if given else ""


def start_of(
    state: TableState, asked: RollSpecData, sheet: Sheet | None = None, *, whose: str = ""
) -> RollStart:
    """The roll that is asked for, with nothing thrown yet.

    It is remembered for `whose` it is, and for nobody else: that a roll is known already shows in
    the time it takes, and what somebody rolls may be a secret.
    """
    way, goal, policy = spec_form(asked), asked.get("goal", ""), asked.get("policy", "")
    if way == "expression":
        if policy:
            raise bad_field("policy", Message("table.policy.expression"), Message("would_do.none"))
        if goal:
            raise bad_field("goal", Message("table.goal.expression"), Message("would_do.none"))
        if asked.get("roles"):
            raise bad_field("roles", Message("table.roles.expression"), Message("table.request"))
        return _of_expression(asked["expression"])
    if way == "request":
        if not whose:
            return _of_request(_request(state, asked["request"]), goal, policy)
        return _of_known_request(state, asked["request"], goal, policy, whose)
    if way == "draft":
        roles = {**asked.get("roles", {}), **_roles_of(asked["draft"])}
        request = _fill_draft(state, asked["draft"] | {"roles": roles}, sheet, whose)
        return _of_request(request, goal, policy)._replace(draft=asked["draft"])
    raise command_error("bad_request", "table.ways.none")


def _of_expression(expression: str) -> RollStart:
    with as_command_errors("expression"):
        transcript = new_transcript(expression)
    return RollStart({"expression": expression}, transcript, title_of(expression), "")


def _of_known_request(
    state: TableState, came: JsonObject, goal: str, policy: str, whose: str
) -> RollStart:
    """A request of the table's game; what they asked for lately need not be read again."""
    game = need_game(state, "request")
    version = game.version_of(came.get("roll", game.default_roll))
    key = (game, version, _request_key(state.table, whose, state.house, came, goal, policy))
    found = _starts.get(key)
    if found is None:
        found = _of_request(_request(state, came), goal, policy)
        _starts.put(key, found, START_BYTES + 20 * len(key[2]))
    return found


def _request_key(*asked: Json) -> bytes:
    """Return the request as bytes; `canonical` takes five times as long."""
    try:
        return dumps(asked, WITHOUT_REFERENCES)
    except ValueError:  # a word with an order of its own is in it
        return canonical_json(asked)


_starts: BoundedCache[tuple[Game, str, bytes], RollStart] = BoundedCache(1024, 16 * 2**20)


def _of_request(request: Request, goal: str, policy: str = "") -> RollStart:
    what: ResolvedRoll = {"request": to_plain(request, whole=True)}
    if weight_of(what) > LIMITS.whole_request:
        raise command_error(
            "too_large", "table.request.large", "request", most=LIMITS.whole_request
        )
    with as_command_errors("goal"):
        if goal:
            find_game(request.game).goal(goal, request)
    with as_command_errors():
        if policy:
            check_agreement(find_game(request.game), policy, request)
    with as_field_errors("request"):
        transcript = new_transcript(request)
        return RollStart(what, transcript, title_of(request), request.version, canonical_json(what))


def _request(state: TableState, came: JsonObject) -> Request:
    """A request of the table's game, under the table's house rules."""
    game = need_game(state, "request")
    named = came.get("game", game.name)
    if named != game.name:
        other = Message("table.game.other", {"came": format_value(named), "game": game.name})
        raise bad_field("request.game", other)
    kind = game.requests.get(str(came.get("roll", game.default_roll)))
    with as_field_errors("request"):
        return from_plain(
            came | _house_rules_for(state, kind, came, "request") | {"game": game.name}
        )


def _house_rules_for(
    state: TableState, kind: type | None, came: JsonObject, way: str
) -> JsonObject:
    """The table's house rules, for what has any; it may not ask for others."""
    if kind is None or HOUSE not in fields_of(kind):
        return {}
    if came.get(HOUSE, state.house) != state.house:
        raise bad_field(f"{way}.{HOUSE}", Message("table.house.own"), Message("table.leave_out"))
    return {HOUSE: state.house}


def _roles_of(draft: JsonObject) -> JsonObject:
    """Who plays which part, as a draft has it."""
    held = draft.get("roles")
    return held if isinstance(held, dict) else {}


def _fill_draft(
    state: TableState, came: JsonObject, sheet: Sheet | None, whose: str = ""
) -> Request:
    """The request that a draft makes, under the table's house rules and with a sheet.

    Of those who play a part in it the roll reads the sheets that the roller may see.
    """
    game = need_game(state, "draft")
    kind = find_roll_kind(game, came)
    _draft_fields(came)
    value = None if sheet is None else sheet_value(state, sheet.id, sheet.values)
    known = value if isinstance(value, Value) else None
    with as_field_errors("draft", fields_of(kind)):
        house = made(game.house, state.house)
        own = whose if sheet is None else sheet.id
        people = visible_people(state, state.seats.get(whose), own) if came["roles"] else ()
        return request_of(game, came, known, house, shared=shared_of(state), people=people)


def fit_draft(state: TableState, came: JsonObject, sheet: Sheet | None) -> JsonObject:
    """A draft that somebody is asked for, without what their sheet lacks; else as it came."""
    game, value = game_of(state), None if sheet is None else sheet_value_of(state, sheet)
    if game is None or value is None:
        return came
    with as_field_errors("draft"):
        house = made(game.house, state.house)
        fit = fitting(game, came, value, house, shared=shared_of(state))
    return dict(fit.draft) if fit.draft is not None and fit.lacks else came


def _draft_fields(came: JsonObject) -> JsonObject:
    """The fields that a draft says itself; house rules are the table's."""
    fields = came.get("set", {})
    if not isinstance(fields, dict):
        problem = Message("table.no_object", {"came": format_value(fields)})
        raise bad_field("draft.set", problem, Message("table.by_name"))
    if HOUSE in fields:
        raise bad_field(
            f"draft.set.{HOUSE}", Message("table.house.own"), Message("table.leave_out")
        )
    return fields


def rolling_sheet(sheet: Sheet) -> Sheet:
    """A sheet that something is rolled with: a character's, not what the table shares."""
    if sheet.id == TABLE:
        raise bad_field("sheet", Message("table.sheet.shared"))
    return sheet


def find_roll_kind(game: Game, came: JsonObject) -> type[Request]:
    """The kind of roll that is asked for."""
    name = came.get("roll", game.default_roll)
    kind = game.requests.get(name) if isinstance(name, str) else None
    if kind is None:
        none = Message("table.no_roll", {"game": game.name, "name": format_value(name)})
        raise bad_field("draft.roll", with_likeliest(none, str(name)[:40], sorted(game.requests)))
    return kind


def check_spec(state: TableState, asked: RollSpecData) -> None:
    """Refuse what nobody could be asked to roll, as far as that is known without a sheet."""
    if spec_form(asked) == "draft":
        _check_draft(state, asked)
    else:
        start_of(state, asked)


def complete_spec(state: TableState, asked: RollSpecData) -> RollSpecData:
    """Return the request of an ask, with what the game sets for every such roll."""
    game = game_of(state)
    if game is None or "draft" not in asked:
        return asked
    draft = asked["draft"]
    sets = game.card.roll(find_roll_kind(game, draft).roll).ask_sets
    return {**asked, "draft": {**draft, "set": {**sets, **_draft_fields(draft)}}} if sets else asked


def _check_draft(state: TableState, asked: RollSpecData) -> None:
    """Refuse a draft with a field that the roll does not have, or such a goal or policy."""
    game = need_game(state, "draft")
    kind = find_roll_kind(game, asked["draft"])
    known = fields_of(kind)
    for name in _draft_fields(asked["draft"]):
        if name not in known:
            none = with_likeliest(Message("field.unknown"), name[:40], sorted(known))
            raise bad_field(f"draft.set.{name[:60]}", none)
    if goal := asked.get("goal", ""):
        with as_command_errors("goal"):
            game.goal(goal, kind)
    if policy := asked.get("policy", ""):
        with as_command_errors():
            check_agreement(game, policy)
