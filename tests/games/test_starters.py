"""Starters: every game has people who are ready to play, in each of its languages."""

import pytest

from rollwright.kit.forms import form_of
from rollwright.kit.games import find_game, own_games
from rollwright.kit.surfaces import sheet_shown


def spoken(value, words):
    """What stands on a starter, with its names as a language has them."""
    if isinstance(value, str):
        return words.get(f"starter.{value}", value)
    if isinstance(value, list):
        return [spoken(one, words) for one in value]
    if isinstance(value, dict):
        return {name: spoken(one, words) for name, one in value.items()}
    return value


def rows(shown):
    """Whatever begins a roll on a sheet."""
    waiting, found = list(shown), []
    while waiting:
        widget = waiting.pop()
        waiting += [*widget.get("show", []), *widget.get("rows", [])]
        found += [widget["begins"]] if widget.get("begins") else []
    return found


@pytest.mark.parametrize("name", own_games())
def test_everybody_finds_somebody_to_be(name):
    """Three people of different names, each a legal sheet from which rolls begin at once."""
    game = find_game(name)
    starters = game.card.starters
    assert 3 <= len({starter.values["name"] for starter in starters})
    for code, catalog in game.words.sources[0].items():
        for starter in starters:
            sheet = game.sheet(**spoken(dict(starter.values), catalog.texts))
            begun = rows(sheet_shown(game, sheet)["widgets"])
            assert begun, code
            assert all(form_of(game, draft, sheet, None)["can"] for draft in begun), code


@pytest.mark.parametrize("name", own_games())
def test_names_on_a_starter_are_in_every_language(name):
    """Whatever has a text of its own in one language has one in the others."""
    catalogs = find_game(name).words.sources[0]
    ids = {code: {id for id in own if id.startswith("starter.")} for code, own in catalogs.items()}
    assert ids["en"] == ids["de"]
    assert ids["en"]
