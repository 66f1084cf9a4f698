"""How long the server takes for a form: every kind of roll of every game, also with many parts."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from rollwright.kit.controls import fresh
from rollwright.kit.fields import fields_of
from rollwright.kit.forms import form_of
from rollwright.kit.games import Game, find_game, own_games

MANY = 6
"""So many targets, checks or people, where a roll has some."""


def drafts(game: Game, roll: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A draft as it begins, and one for each list of parts that is as long as people make it."""
    yield roll, {"roll": roll}
    for name, about in fields_of(game.requests[roll]).items():
        if about.kind == "list" and about.inner.kind == "value":
            many = min(MANY, about.most or MANY)
            parts = [fresh(about.inner.inner) | {"name": f"{n}"} for n in range(many)]
            named = "name" in fields_of(about.inner.inner)
            plain = parts if named else [fresh(about.inner.inner)] * many
            yield f"{roll}, {many} {about.title}", {"roll": roll, "set": {name: plain}}


def slowest(times: int) -> Iterator[tuple[str, list[float]]]:
    """Of each game the form that takes longest, with its milliseconds."""
    for name in own_games():
        game = find_game(name)
        measured = {
            said: _milliseconds(game, draft, times)
            for roll in game.requests
            for said, draft in drafts(game, roll)
        }
        said = max(measured, key=lambda one: sorted(measured[one])[times // 2])
        yield f"{game.title}, {said}", measured[said]


def _milliseconds(game: Game, draft: dict[str, Any], times: int) -> list[float]:
    house = game.house()
    form_of(game, draft, None, house)  # so that words are read and fields described
    found = []
    for _ in range(times):
        before = perf_counter()
        form_of(game, draft, None, house)
        found.append(1000 * (perf_counter() - before))
    return found
