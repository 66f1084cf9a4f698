"""The form of a roll that is being made up, without a table, and how its faces are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rollwright.errors import BadField, RollwrightError
from rollwright.i18n.messages import msg
from rollwright.kit.card.marks import marks_read
from rollwright.kit.fields import made
from rollwright.kit.forms import first_request, form_of, in_short
from rollwright.kit.games import find_game, from_plain
from rollwright.kit.requests import to_plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rollwright.budget import Budget
    from rollwright.jsonable import Json
    from rollwright.kit.card.drafts import Person
    from rollwright.kit.fields import Value
    from rollwright.kit.games import Game
    from rollwright.queries.kinds import FaceLabelsQuery, FormQuery
    from rollwright.queries.schemas import MarksAnswer


def form(question: FormQuery, budget: Budget) -> dict[str, Any]:
    """The form of a roll without a table."""
    game = find_game(question.game)
    sheet = None
    if question.sheet is not None:
        if game.sheet is None:
            none = msg("sheet.none", game=game.title)
            raise BadField("sheet", none, would_do=msg("would_do.none"))
        sheet = made(game.sheet, question.sheet, "sheet")
    house = made(game.house, question.house, "house") if question.house else None
    answer = form_of(game, question.draft, sheet, house, purpose=question.purpose or "roll")
    return {"n": question.n, **in_short(answer, question.hash or "")}


def chance_query(
    game: Game,
    draft: Mapping[str, Json],
    sheet: Value,
    house: Value,
    people: tuple[Person, ...] = (),
    *,
    me: Person | None = None,
    shared: Value | None = None,
) -> dict[str, Json]:
    """The question for what a roll of a sheet is worth, as its button would make it; else none."""
    try:
        wanted = first_request(game, draft, sheet, house, people, me=me, shared=shared)
    except RollwrightError:
        return {}
    if wanted is None:
        return {}
    drawn: Json = list(game.card.roll(wanted.roll).drawn[:1])
    of: dict[str, Json] = {"of": drawn} if drawn else {}
    return {"parts": ["odds"], "request": cast("Json", to_plain(wanted, whole=True)), **of}


def marks(question: FaceLabelsQuery, budget: Budget) -> MarksAnswer:
    """How faces are read in a roll.

    >>> from rollwright.queries.kinds import FaceLabelsQuery
    >>> from rollwright.budget import Budget
    >>> request = {"game": "twilight2000", "roll": "skill", "attribute": "B"}
    >>> sorted(marks(FaceLabelsQuery(request=request), Budget())["marks"]["d10"])
    ['1', '10..10', '6..9']
    """
    found = marks_read(from_plain(question.request))
    return {"hash": found.hash, "marks": cast("dict[str, Json]", found.marks)}
