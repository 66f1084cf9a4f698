"""Whose sheets a roll names: one class of them, and what is only named is not read."""

from typing import Annotated

import pytest

import rollwright as rw
from rollwright.dice import D6
from rollwright.errors import BadGame
from rollwright.game import Dots, Game, Sheet, Verdict, choose, roll, tell
from rollwright.kit import add_game
from rollwright.queries.plans import calls_of

game = Game("Deep Water", name="deep_water_of_tests")


class Diver(Sheet):
    """Somebody who holds their breath."""

    air: Annotated[int, Dots(8)] = 4
    loot: Annotated[int, Dots(9)] = 0


class Eel(Sheet):
    """Another kind of sheet."""

    teeth: int = 3


@game.roll(goal="out", order=("out", "stuck"))
async def dive(me: Diver, foe: Diver | None = None) -> Verdict:
    """Dig until you dare no longer."""
    while me.air:
        me.air -= 1
        if (await roll(D6)).sum < 3:
            tell("{me} is stuck, and {it} comes.", me=me, it=foe)
            return Verdict("stuck")
        if await choose("up", "again") == "up":
            break
    return Verdict("out")


add_game(game)


def test_who_is_only_named_in_the_story_has_nothing_of_their_sheet_read() -> None:
    """`tell("{me} …", me=me)` says a name: neither loot nor the air of a foe is asked for."""
    told = game.request_class("dive").signature
    assert told.me is not None
    assert ("name", "air") == told.me.reads
    assert ("name",) == told.others[0].reads


def test_the_call_is_told_by_the_field_of_the_sheet() -> None:
    """With 3 left one more dive is worth 4/6 of 2 against 1; with 2 left 4/6 of 3 against 2."""
    request = {"game": "deep_water_of_tests", "roll": "dive", "air": 4}
    advice = rw.advise(request, lambda end: (end.verdict == "out") * -end.air)
    calls = {line["situation"]: line["best_call"] for line in calls_of(advice, game)}
    assert {"me air 3": "again", "me air 2": "up (or not)"} == calls


def test_two_classes_of_sheets_are_refused() -> None:
    """A table knows one kind of sheet of a game: it would not know whose this is."""
    other = Game("Two Kinds", name="two_kinds_of_tests")
    with pytest.raises(BadGame, match="one class for all rolls"):

        @other.roll
        async def bite(me: Diver, eel: Eel) -> Verdict:
            """An eel with a sheet of its own."""
            return Verdict("success" if (await roll(D6)).sum > eel.teeth else "failure")
