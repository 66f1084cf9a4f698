"""Effects of a game: a sheet takes what its own rolls do to it, and stays a sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollwright.errors import BadField, RollwrightError
from rollwright.gamecheck.report import CheckPart
from rollwright.gamecheck.rolls import PossibleOutcome
from rollwright.gamecheck.samples import rollers_of, sheets_of
from rollwright.kit.fields import Value, made
from rollwright.kit.games import Effect, Game
from rollwright.kit.requests import to_plain
from rollwright.kit.shared import SHARED
from rollwright.kit.words import many

MOST_TIMES = 20
"""How often an effect happens to one sheet, so that limits are met."""


class FailedSheet:
    """In place of a sheet where the author's code raised something."""


def check_effects(
    game: Game, ends: list[PossibleOutcome], part: CheckPart, shown: Callable[[str, Any], None]
) -> None:
    """Apply every effect that was met, over and over, to the sheet of its roll and to others."""
    found: dict[str, tuple[Effect, PossibleOutcome]] = {}
    for one in ends:
        with part.trying(f"effects of {one.where}"):
            effects = () if game.effects is None else game.effects(one.sample.request, one.outcome)
            for effect in effects:
                found.setdefault(repr(effect), (effect, one))
    if game.new_session is not None and ends:
        with part.trying("new_session"):
            for effect in game.new_session():
                found.setdefault(repr(effect), (effect, ends[0]))
    sheets = sheets_of(game)
    if game.apply is not None:
        _check_rollers(game, ends, part)
    for effect, one in found.values():
        with part.trying(f"effect of {one.where}"):
            text = game.card.effect(effect)
            if not effect.quiet:
                shown(f"effect {effect.kind.replace(' ', '-')}", text)
        if effect.target == SHARED:
            _check_shared_sheet(game, effect, part)
            continue
        if game.apply is None:
            continue
        for where, sheet in sheets:
            _apply(game, sheet, effect, f"{effect!r} on {where}", part)
    if game.sheet is None:
        part.looked_at = f"{many(len(found), 'effect')}; the game has no sheets"
    else:
        tried = f"{many(len(found), 'effect')} on {many(len(sheets), 'sheet')}"
        part.looked_at = f"{tried}, up to {MOST_TIMES} times"


def _check_shared_sheet(game: Game, effect: Effect, part: CheckPart) -> None:
    """Check that the shared sheet stays valid, however often something happens to it."""
    where = f"{effect!r} on what the table shares"
    if game.shared is None:
        part.fault(where, "the game shares nothing; shared=… would do")
        return
    with part.trying(where):
        shared: object = game.shared()
        for _ in range(MOST_TIMES):
            shared = game.apply_shared(shared, effect)
            if not isinstance(shared, game.shared):
                part.fault(where, f"apply_shared gave {shared!r:.80}")
                return


def _check_rollers(game: Game, ends: list[PossibleOutcome], part: CheckPart) -> None:
    """The sheet that a roll was filled in from takes all that the roll does to it, in order.

    A number that it refuses says that an effect is not cut where its field ends: at a table it
    would not happen at all. An effect on something else may find that it is not there.
    """
    rollers = rollers_of(game)
    for one in ends:
        for whose, sheet in rollers.get(one.sample.request, ()):
            where = f"effects of {one.where} on {whose}"
            with part.trying(where):
                effects = game.effects(one.sample.request, one.outcome) if game.effects else ()
                for effect in [one for one in effects if one.target != SHARED]:
                    after = _after(game, sheet, effect)
                    if isinstance(after, BadField) and not effect.target:
                        part.fault(where, f"the sheet that rolled refuses {effect!r}: {after}")
                    if not isinstance(after, RollwrightError):
                        sheet = after


def _apply(game: Game, sheet: Value, effect: Effect, where: str, part: CheckPart) -> None:
    """Check that an effect gives a sheet again, or is refused, such as a price beyond its means."""
    for _ in range(MOST_TIMES):
        after: Value | RollwrightError | FailedSheet = FailedSheet()
        with part.trying(where):
            after = _after(game, sheet, effect)
        if isinstance(after, RollwrightError | FailedSheet) or after == sheet:
            return
        if problem := _no_sheet(game, after):
            part.fault(where, problem)
            return
        sheet = after


def _after(game: Game, sheet: Value, effect: Effect) -> Value | RollwrightError:
    """The sheet after an effect, or why that is refused."""
    assert game.apply is not None
    try:
        return game.apply(sheet, effect)
    except RollwrightError as refusal:
        return refusal


def _no_sheet(game: Game, after: object) -> str:
    """Why this is no sheet of the game; empty where it is one."""
    assert game.sheet is not None
    if not isinstance(after, game.sheet):
        return f"apply gave {after!r:.80}, which is no {game.sheet.__name__}"
    try:
        again = made(game.sheet, to_plain(after, whole=True))
    except RollwrightError as refusal:
        return f"the sheet is illegal then: {refusal}"
    return "" if again == after else "the sheet is another one when it is stored and read again"
