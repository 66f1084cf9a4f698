"""The sheet of a game for one: as widgets, changed as at a table, with what its rolls do to it.

A table of one seat lies behind it, so that whatever a table refuses or applies is refused and
applied here as well. It is made for each question and forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from rollwright import queries
from rollwright.budget import Budget
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField, RollwrightError
from rollwright.i18n.locale import reader_language
from rollwright.i18n.messages import Message, msg
from rollwright.kit.card.pages import drafts_of, sheet_to_json
from rollwright.kit.card.texts import say
from rollwright.kit.fields import Value, fields_of, made
from rollwright.kit.games import Game, find_game
from rollwright.queries.form import chance_query
from rollwright.queries.roll_specs import read_transcript
from rollwright.table.commands.dispatch import decide
from rollwright.table.commands.writer import Secrets
from rollwright.table.effects import EffectResult, Ending, settle_effects
from rollwright.table.events import HERE, REFEREE, Seat
from rollwright.table.rolls import TableRoll
from rollwright.table.sheets import Sheet, sheet_value, values_to_json
from rollwright.table.state import TableState

if TYPE_CHECKING:
    from rollwright.jsonable import Json, JsonObject
    from rollwright.queries.schemas import ChancesAnswer, RowChance
    from rollwright.workbench.kinds import ChancesQuery
    from rollwright.workbench.kinds import SheetQuery as Asked
    from rollwright.workbench.shapes import EffectDone, SheetKept

ME = "s1"
"""The one seat, and the sheet that belongs to it."""
BY_HAND = ("sheet.change", "sheet.change_item", "sheet.apply_effect")
"""The commands of a table that may be done here."""
MOST_ROWS = 60


def sheet(question: Asked, budget: Budget) -> SheetKept:
    """A sheet as widgets: after what was done to it by hand, and after a roll that has ended."""
    game, state = _create_table(question.game, question.sheet)
    if question.command is not None:
        _do_command(state, question.command)
    effects: list[EffectDone] = []
    if question.transcript is not None:
        effects = _roll_effects(game, state, read_transcript(question.transcript))
    values = state.sheets[ME].values
    return cast(
        "SheetKept",
        {**sheet_to_json(game, _value(state)), "values": values, "effects": effects},
    )


def chances(question: ChancesQuery, budget: Budget) -> ChancesAnswer:
    """Return the worth of each roll that a sheet begins; null for one that cannot be counted."""
    game, state = _create_table(question.game, question.sheet)
    value = _value(state)
    shown = sheet_to_json(game, value)
    drafts = drafts_of(shown["widgets"])[:MOST_ROWS]
    rows = [_chance(game, value, draft, budget) for draft in drafts]
    return {"hash": shown["hash"], "chances": rows}


def _chance(game: Game, value: Value, draft: dict[str, Json], budget: Budget) -> RowChance:
    row: dict[str, Any] = {"begins": draft, "chance": None}
    with suppress(RollwrightError):  # of one row: the others have theirs
        if question := chance_query(game, draft, value, made(game.house, {})):
            told = queries.answer("preview", question, Budget(budget.work))
            row |= {name: told[name] for name in ("chance", "play") if name in told}
    return cast("RowChance", row)


def _create_table(name: str, values: JsonObject | None) -> tuple[Game, TableState]:
    """A table for one with the sheet on it."""
    game = find_game(name)
    if game.sheet is None:
        none = Message("sheet.none", {"game": game.title})
        raise BadField("sheet", none, would_do=Message("would_do.none"))
    state = TableState(table="workbench", game=game.name)
    state.seats[ME] = Seat(ME, REFEREE, HERE)
    given = values_to_json(state, ME, _first(game) if values is None else dict(values))
    state.sheets[ME] = Sheet(ME, ME, given)
    return game, state


def _first(game: Game) -> JsonObject:
    """Return the first values of a new sheet: a ready-made character's, or a name."""
    if game.card.starters:
        return dict(game.card.starters[0].values)
    about = fields_of(game.sheet).get("name") if game.sheet is not None else None
    return {"name": game.title} if about is not None and about.is_required else {}


def _value(state: TableState) -> Value:
    return cast("Value", sheet_value(state, ME, state.sheets[ME].values))


def _do_command(state: TableState, command: JsonObject) -> None:
    """Do to the sheet what a command of a table does to one."""
    if command.get("do") not in BY_HAND:
        raise BadField("command", msg("field.came", came=repr(command.get("do"))[:40]))
    wanted = {**command, "sheet": ME}
    found = decide(state, ME, wanted, Secrets(bytes(32)), 0, bytes)
    for draft in found.drafts:
        if draft.kind == "sheet.changed":
            state.sheets[ME].change(cast("Any", draft.body)["changes"])


def _roll_effects(game: Game, state: TableState, transcript: Transcript) -> list[EffectDone]:
    """Return the effects on the sheet of a roll that has ended."""
    request = transcript.request
    if request is None or request.game != game.name or not transcript.is_done:
        return []
    roll = TableRoll("r1", ME, {"request": {}}, request.version, sheet=ME)
    done = settle_effects(state, roll, Ending(request, transcript.outcome))
    if ME in done.sheets:
        state.sheets[ME].change(done.sheets[ME])
    return list(_describe_effects(game, done))


def _describe_effects(game: Game, done: EffectResult) -> Iterator[EffectDone]:
    """Every effect in words, with whether it has changed the sheet."""
    for effect in done.audible_effects:
        language = reader_language()
        yield {
            "said": say(effect["said"], game.name, language),
            "applied": effect["applied"],
            "why": say(effect["why"], game.name, language) if "why" in effect else "",
        }
