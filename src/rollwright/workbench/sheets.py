"""The sheet of a game for one: as widgets, changed as at a table, with what its rolls do to it.

A table of one seat lies behind it, so that whatever a table refuses or applies is refused and
applied here as well. It is made for each question and forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from rollwright import ask
from rollwright.ask.form import chance_asked
from rollwright.ask.subjects import read_transcript
from rollwright.budget import Budget
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField, RollwrightError
from rollwright.kit.card.pages import drafts_begun, sheet_shown
from rollwright.kit.card.texts import say
from rollwright.kit.fields import Value, fields_of, made
from rollwright.kit.games import Game, find_game
from rollwright.table.commands.dispatch import decide
from rollwright.table.commands.writer import Secrets
from rollwright.table.effects import Ending, Settled, settled
from rollwright.table.events import HERE, REFEREE, Seat
from rollwright.table.rolls import Roll
from rollwright.table.sheets import Sheet, plain_values, sheet_value
from rollwright.table.state import TableState
from rollwright.words.messages import Message, said
from rollwright.words.reader import reader_language

if TYPE_CHECKING:
    from rollwright.ask.shapes import ChancesAnswer, RowChance
    from rollwright.plain import Json, Record
    from rollwright.workbench.kinds import Chances
    from rollwright.workbench.kinds import Sheet as Asked
    from rollwright.workbench.shapes import EffectDone, SheetKept

ME = "s1"
"""The one seat, and the sheet that belongs to it."""
BY_HAND = ("sheet.change", "sheet.thing", "sheet.effect")
"""The commands of a table that may be done here."""
MOST_ROWS = 60


def sheet(question: Asked, budget: Budget) -> SheetKept:
    """A sheet as widgets: after what was done to it by hand, and after a roll that has ended."""
    game, state = _laid(question.game, question.sheet)
    if question.command is not None:
        _done(state, question.command)
    effects: list[EffectDone] = []
    if question.transcript is not None:
        effects = _rolled(game, state, read_transcript(question.transcript))
    values = state.sheets[ME].values
    return cast(
        "SheetKept",
        {**sheet_shown(game, _value(state)), "values": values, "effects": effects},
    )


def chances(question: Chances, budget: Budget) -> ChancesAnswer:
    """Return the worth of each roll that a sheet begins; null for one that cannot be counted."""
    game, state = _laid(question.game, question.sheet)
    value = _value(state)
    shown = sheet_shown(game, value)
    drafts = drafts_begun(shown["widgets"])[:MOST_ROWS]
    rows = [_chance(game, value, draft, budget) for draft in drafts]
    return {"hash": shown["hash"], "chances": rows}


def _chance(game: Game, value: Value, draft: dict[str, Json], budget: Budget) -> RowChance:
    row: dict[str, Any] = {"begins": draft, "chance": None}
    with suppress(RollwrightError):  # of one row: the others have theirs
        if question := chance_asked(game, draft, value, made(game.house, {})):
            told = ask.answer("preview", question, Budget(budget.work))
            row |= {name: told[name] for name in ("chance", "play") if name in told}
    return cast("RowChance", row)


def _laid(name: str, values: Record | None) -> tuple[Game, TableState]:
    """A table for one with the sheet on it."""
    game = find_game(name)
    if game.sheet is None:
        none = Message("sheet.none", {"game": game.title})
        raise BadField("sheet", none, would_do=Message("would_do.none"))
    state = TableState(table="workbench", game=game.name)
    state.seats[ME] = Seat(ME, REFEREE, HERE)
    given = plain_values(state, ME, _first(game) if values is None else dict(values))
    state.sheets[ME] = Sheet(ME, ME, given)
    return game, state


def _first(game: Game) -> Record:
    """Return the first values of a new sheet: a ready-made character's, or a name."""
    if game.card.starters:
        return dict(game.card.starters[0].values)
    about = fields_of(game.sheet).get("name") if game.sheet is not None else None
    return {"name": game.title} if about is not None and about.is_required else {}


def _value(state: TableState) -> Value:
    return cast("Value", sheet_value(state, ME, state.sheets[ME].values))


def _done(state: TableState, command: Record) -> None:
    """Do to the sheet what a command of a table does to one."""
    if command.get("do") not in BY_HAND:
        raise BadField("command", said("field.came", came=repr(command.get("do"))[:40]))
    wanted = {**command, "sheet": ME}
    found = decide(state, ME, wanted, Secrets(bytes(32)), 0, bytes)
    for draft in found.drafts:
        if draft.kind == "sheet.changed":
            state.sheets[ME].change(cast("Any", draft.body)["changes"])


def _rolled(game: Game, state: TableState, transcript: Transcript) -> list[EffectDone]:
    """Return the effects on the sheet of a roll that has ended."""
    request = transcript.request
    if request is None or request.game != game.name or not transcript.is_done:
        return []
    roll = Roll("r1", ME, {"request": {}}, request.version, sheet=ME)
    done = settled(state, roll, Ending(request, transcript.outcome))
    if ME in done.sheets:
        state.sheets[ME].change(done.sheets[ME])
    return list(_told(game, done))


def _told(game: Game, done: Settled) -> Iterator[EffectDone]:
    """Every effect in words, with whether it has changed the sheet."""
    for effect in done.told:
        language = reader_language()
        yield {
            "said": say(effect["said"], game.name, language),
            "applied": effect["applied"],
            "why": say(effect["why"], game.name, language) if "why" in effect else "",
        }
