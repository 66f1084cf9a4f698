"""The form of a roll that is being made up, without a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rollwright.errors import BadField
from rollwright.kit.fields import made
from rollwright.kit.forms import form_of, in_short
from rollwright.kit.games import find_game
from rollwright.words.messages import said

if TYPE_CHECKING:
    from rollwright.ask.kinds import Form
    from rollwright.budget import Budget


def form(question: Form, budget: Budget) -> dict[str, Any]:
    """The form of a roll without a table."""
    game = find_game(question.game)
    sheet = None
    if question.sheet is not None:
        if game.sheet is None:
            none = said("sheet.none", game=game.title)
            raise BadField("sheet", none, would_do=said("would_do.none"))
        sheet = made(game.sheet, question.sheet, "sheet")
    house = made(game.house, question.house, "house") if question.house else None
    answer = form_of(game, question.draft, sheet, house, purpose=question.purpose or "roll")
    return {"n": question.n, **in_short(answer, question.hash or "")}
