"""Forms of the games as they open: nothing is in error that nobody said, nothing is there twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from rollwright.kit.card import Person
from rollwright.kit.fields import made
from rollwright.kit.forms import form_of
from rollwright.kit.games import find_game, own_games


def controls(form: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All controls of a form, those in groups too."""
    for control in form:
        yield control
        yield from controls(control.get("form", []))
        for part in control.get("parts", []):
            yield from controls(part.get("form", []))


def opened(name: str, roll: str, **sheet: Any) -> dict[str, dict[str, Any]]:
    """The controls of a roll as it opens with a sheet, by what they set."""
    game = find_game(name)
    assert game.sheet is not None
    found = form_of(game, {"roll": roll}, made(game.sheet, sheet), made(game.house, {}))
    return {control["at"]: control for control in controls(found["form"]) if "at" in control}


def test_a_repair_without_parts_shows_that_there_are_none() -> None:
    """T2K R67: a repair takes a spare part; the field in error shows the 0 that the sheet has."""
    weapon = {"name": "M4", "rounds": 30, "magazine_size": 30, "reliability": 3}
    parts = opened("twilight2000", "repair", tech="C", weapons=[weapon])["set.spare_parts"]
    assert (0, 0) == (parts["value"], parts["low"])
    assert parts["wrong"]
    parts = opened("twilight2000", "repair", spare_parts=2, weapons=[weapon])["set.spare_parts"]
    assert 2 == parts["value"]
    assert not parts.get("wrong")


def test_a_repair_opens_without_an_error() -> None:
    """T2K R67: without a sheet the 1 that is shown is a 1 that counts, and nothing is wrong."""
    shown = opened("twilight2000", "repair")
    assert 1 == shown["set.spare_parts"]["value"]
    assert [] == [at for at, control in shown.items() if "wrong" in control]


@pytest.mark.parametrize("name", own_games())
def test_every_roll_opens_without_an_error(name: str) -> None:
    """Alone or with others at the table, without a sheet, with an empty one and as each starter:
    nothing is refused that nobody touched, and it can be rolled at once.
    """
    game = find_game(name)
    assert game.sheet is not None
    starters = [made(game.sheet, dict(starter.values)) for starter in game.card.starters]
    others = tuple(Person(f"@s{n}", one.name, one) for n, one in enumerate(starters, 3))
    for sheet, people, roll in product(
        (None, made(game.sheet, {}), *starters), ((), others), game.requests
    ):
        me = Person("@s2", sheet.name, sheet) if sheet is not None and people else None
        found = form_of(game, {"roll": roll}, sheet, made(game.house, {}), people, me=me)
        wrong = {one.get("at"): one["wrong"] for one in controls(found["form"]) if "wrong" in one}
        assert ({}, True) == (wrong, found["can"]), (roll, sheet)


@pytest.mark.parametrize("name", ["kleptonomicon", "twilight2000"])
def test_who_sits_at_the_table_is_tapped_and_never_typed(name: str) -> None:
    """A group has its members by their names; only somebody from elsewhere would be typed."""
    game = find_game(name)
    assert game.sheet is not None
    ann, bo = (made(game.sheet, {"name": who}) for who in ("Ann", "Bo"))
    there = (Person("@s3", "Bo", bo),)
    me = Person("@s2", "Ann", ann)

    def shown(draft: dict[str, Any]) -> list[dict[str, Any]]:
        found = form_of(game, draft, ann, made(game.house, {}), there, me=me)
        return [*controls(found["form"])]

    [picks] = [one for one in shown({"roll": "group"}) if one["control"] == "picks"]
    member = next(one["value"] for one in picks["options"] if one["label"] == "Bo")
    after = shown({"roll": "group", "set": {"members": [member]}})
    parts = [part for one in after for part in one.get("parts", [])]
    asked = [*after, *(one for part in parts for one in controls(part["form"]))]
    typed = [one["at"] for one in asked if one["control"] == "text" and "members" in one["at"]]
    assert [] == typed
    assert [member] == next(one["value"] for one in after if one["control"] == "picks")


def test_difficulties_have_their_names() -> None:
    """DUST R5: the ends and the usual one under their numbers, the one that is set beside it."""
    difficulty = opened("dust", "roll")["set.difficulty"]
    assert ["form.difficulty", {"name": {"word": "Standard"}}] == difficulty["help"]
    words = {"2": ["form.trivial"], "6": ["form.standard"], "10": ["form.impossible"]}
    assert words == difficulty["words"]


def test_every_stat_is_listed_once() -> None:
    """DUST R2: of the stats one is tapped; what goes with it is picked from a menu."""
    stats = [{"name": name, "rating": 3} for name in ("Wits", "Drive", "Repair")]
    shown = opened("dust", "roll", stats=stats)
    assert ("chips", "menu") == (shown["pick.attribute"]["style"], shown["pick.ability"]["style"])
    for place in ("pick.attribute", "pick.ability"):
        values = [option["value"] for option in shown[place]["options"]]
        assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    ("game", "roll"), [("twilight2000", "magazine"), ("dust", "plan"), ("ghostburn", "session")]
)
def test_questions_about_many_rolls_belong_to_explore(game: str, roll: str) -> None:
    """What nobody throws at once is no button among those of play."""
    assert find_game(game).card.roll(roll).only_explored
