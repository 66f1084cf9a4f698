"""What a roll is of: an expression, a request, or a request filled in from a sheet."""

from __future__ import annotations

from typing import Any, NamedTuple

from rollwright.api import started
from rollwright.engine.transcript import Transcript
from rollwright.errors import did_you_mean
from rollwright.kit.checks import said
from rollwright.kit.fields import fields_of
from rollwright.kit.games import Game
from rollwright.kit.requests import Request, from_plain, to_plain
from rollwright.table.frames import canonical
from rollwright.table.limits import LIMITS
from rollwright.table.memory import Memory, weighed
from rollwright.table.refusals import Refusal, bad_field, refusing, refusing_what_came
from rollwright.table.sheet_values import HOUSE, game_of, need_game, sheet_value
from rollwright.table.sheets import Sheet
from rollwright.table.state import TableState
from rollwright.table.words import title_of

START_BYTES = 8_000
"""What a roll that can begin takes, beside what was asked for."""

WAYS = ("expression", "request", "from_sheet")


class Start(NamedTuple):
    """A roll that can begin."""

    what: dict[str, Any]
    transcript: Transcript
    title: str
    version: str
    written: bytes = b""
    from_sheet: dict[str, Any] | None = None


def the_way(fields: dict[str, Any]) -> str:
    """Which of the ways to say what is rolled was given; empty for none."""
    given = [way for way in WAYS if fields.get(way) is not None]
    if len(given) > 1:
        raise Refusal("bad_request", f"{' and '.join(given)} came together; one of them would do")
    return given[0] if given else ""


def start_of(
    state: TableState,
    fields: dict[str, Any],
    sheet: Sheet | None,
    goal: str = "",
    *,
    whose: str = "",
) -> Start:
    """The roll that the fields ask for, with nothing thrown yet.

    It is remembered for `whose` it is, and for nobody else: that a roll is known already shows in
    the time it takes, and what somebody rolls may be a secret.
    """
    way = the_way(fields)
    if way == "expression":
        if goal:
            raise bad_field("goal", "an expression has no goals", "none")
        return _of_expression(fields["expression"])
    if way == "request":
        if not whose:
            return _of_request(_request(state, fields["request"]), goal)
        return _of_known_request(state, fields["request"], goal, whose)
    if way == "from_sheet":
        request = _from_sheet(state, fields["from_sheet"], sheet)
        return _of_request(request, goal)._replace(from_sheet=fields["from_sheet"])
    raise Refusal("bad_request", "nothing is asked for; expression, request or from_sheet would do")


def _of_expression(expression: str) -> Start:
    with refusing("expression"):
        transcript = started(expression)
    return Start({"expression": expression}, transcript, title_of(expression), "")


def _of_known_request(state: TableState, came: dict[str, Any], goal: str, whose: str) -> Start:
    """A request of the table's game; what they asked for lately need not be read again."""
    game = need_game(state, "request")
    version = game.version_of(came.get("roll", game.default_roll))
    key = (game, version, canonical([state.table, whose, state.house, came, goal]))
    found = _starts.get(key)
    if found is None:
        found = _of_request(_request(state, came), goal)
        _starts.put(key, found, START_BYTES + 20 * len(key[2]))
    return found


_starts: Memory[tuple[Game, str, bytes], Start] = Memory(1024, 16 * 2**20)


def _of_request(request: Request, goal: str) -> Start:
    what = {"request": to_plain(request, whole=True)}
    if weighed(what) > LIMITS.whole_request:
        say = (
            f"request: with all that it leaves open it has more than {LIMITS.whole_request:,} bytes"
        )
        raise Refusal("too_large", say, "request")
    with refusing("goal"):
        if goal:
            game_named(request).goal(goal, request)
    with refusing_what_came("request"):
        transcript = started(request)
        return Start(what, transcript, title_of(request), request.version, canonical(what))


def game_named(request: Request) -> Game:
    """The game of a request."""
    from rollwright.kit.games import find_game

    return find_game(request.game)


def _request(state: TableState, came: dict[str, Any]) -> Request:
    """A request of the table's game, under the table's house rules, whatever it says of them."""
    game = need_game(state, "request")
    named = came.get("game", game.name)
    if named != game.name:
        raise bad_field("request.game", f"{said(named)} came, the table plays {game.name}")
    kind = game.requests.get(str(came.get("roll", game.default_roll)))
    with refusing_what_came("request"):
        return from_plain(came | _house_for(state, kind) | {"game": game.name})


def _house_for(state: TableState, kind: type | None) -> dict[str, Any]:
    return {HOUSE: state.house} if kind is not None and HOUSE in fields_of(kind) else {}


def _from_sheet(state: TableState, came: dict[str, Any], sheet: Sheet | None) -> Request:
    game = need_game(state, "sheet to roll from")
    kind = roll_named(game, came)
    if game.from_sheet is None:
        raise Refusal("bad_request", f"{game.title} fills no requests in from sheets")
    if sheet is None:
        raise Refusal("bad_request", "there is no sheet to roll from: sheet.make makes one")
    fields = {name: value for name, value in came.items() if name != "roll"}
    fields |= _house_for(state, kind)
    if "sheet" in fields:
        raise bad_field("from_sheet.sheet", "the sheet is named beside from_sheet")
    with refusing_what_came("from_sheet", fields_of(kind)):
        return game.from_sheet(sheet_value(state, sheet.values), kind.roll, **fields)


def roll_named(game: Game, came: dict[str, Any]) -> type[Request]:
    """The kind of roll that is asked for."""
    name = came.get("roll", game.default_roll)
    kind = game.requests.get(name) if isinstance(name, str) else None
    if kind is None:
        guess = did_you_mean(str(name)[:40], sorted(game.requests))
        raise bad_field("from_sheet.roll", f"{game.name} has no roll {said(name)}{guess}")
    return kind


def check_asked(state: TableState, ways: dict[str, Any], goal: str) -> None:
    """Refuse what nobody could be asked to roll, as far as it can be told without a sheet."""
    if the_way(ways) == "from_sheet":
        roll_named(need_game(state, "sheet to roll from"), ways["from_sheet"])
    else:
        start_of(state, ways, None, goal)


__all__ = ["Start", "check_asked", "game_of", "start_of", "the_way"]
