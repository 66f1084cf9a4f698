"""Starters: every game has people who are ready to play, in each of its languages."""

import pytest

from rollwright.kit.card.pages import sheet_to_json
from rollwright.kit.forms import fitting, form_of
from rollwright.kit.games import find_game, own_games
from rollwright.queries import answer


def spoken(value, words):
    """What stands on a starter, with its names as a language has them."""
    if isinstance(value, str):
        return words.get(f"name.{value}", value)
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


def things(shown):
    """Every row of every list on a sheet."""
    return [row for widget in shown["widgets"] for row in widget.get("rows", [])]


@pytest.mark.parametrize("name", own_games())
def test_everybody_finds_somebody_to_be(name):
    """Three people of different names, each a legal sheet from which rolls begin at once."""
    game = find_game(name)
    starters = game.card.starters
    assert 3 <= len({starter.values["name"] for starter in starters})
    for code, catalog in game.words.sources[0].items():
        for starter in starters:
            sheet = game.sheet(**spoken(dict(starter.values), catalog.texts))
            begun = rows(sheet_to_json(game, sheet)["widgets"])
            assert begun, code
            assert all(form_of(game, draft, sheet, None)["can"] for draft in begun), code


def test_tools_and_weapons_of_twilight2000_roll_what_they_are_for():
    """A med kit is for MEDICAL AID, a tool kit for TECH, an M249 for HEAVY WEAPONS (T2K R3)."""
    game = find_game("twilight2000")
    found = {}
    for starter in game.card.starters:
        sheet = game.sheet(**starter.values)
        for widget in sheet_to_json(game, sheet)["widgets"]:
            for row in widget.get("rows", []):
                request = form_of(game, row["begins"], sheet, None)["request"]
                found[row["key"]] = request["skill_name"]
    assert found == {
        "M16A2": "ranged combat",
        "Makarov PM": "ranged combat",
        "M249": "heavy weapons",
        "med kit": "medical aid",
        "tool kit": "tech",
    }


def test_things_of_edge20_roll_what_they_are_for():
    """A staff is no medicine, and nobody sneaks with a crossbow (EDGE R4)."""
    game = find_game("edge20")
    found = {}
    for starter in game.card.starters:
        sheet = game.sheet(**starter.values)
        for row in sheet_to_json(game, sheet)["widgets"][-1]["rows"]:
            found[row["key"]] = form_of(game, row["begins"], sheet, None)["request"]["skill"]
    assert found == {
        "Sabre": "Blades",
        "Healer's bag": "Medicine",
        "Staff": "Staves",
        "Crossbow": "Marksmanship",
        "Lockpicks": "Locks",
    }


@pytest.mark.parametrize("name", own_games())
def test_names_on_a_starter_are_in_every_language(name):
    """Whatever has a text of its own in one language has one in the others."""
    catalogs = find_game(name).words.sources[0]
    ids = {
        code: {id for id in own if id.startswith(("starter.", "name."))}
        for code, own in catalogs.items()
    }
    assert ids["en"] == ids["de"]
    assert ids["en"]


@pytest.mark.parametrize("name", own_games())
def test_everybody_reads_the_same_starter_in_their_own_language(name):
    """Skills are kept by one name, whoever made the character; what it is called is words."""
    game = find_game(name)
    words = game.words
    starters = [game.sheet(**starter.values) for starter in game.card.starters]
    titles = [row["title"] for sheet in starters for row in things(sheet_to_json(game, sheet))]
    known = [title for title in titles if isinstance(title, list)]
    assert known
    in_german = [words.say(title, "de") for title in known]
    assert [words.known_as(text) for text in in_german] == [title[0][5:] for title in known]
    assert in_german != [words.say(title) for title in known]


@pytest.mark.parametrize("name", own_games())
def test_a_roll_that_is_asked_for_in_one_language_is_found_in_the_other(name):
    """Old sheets have the words of whoever made them; everything on them is found by both."""
    game = find_game(name)
    german = game.words.sources[0]["de"].texts
    for starter in game.card.starters:
        written = spoken(dict(starter.values), german)
        kept, old = game.sheet(**starter.values), game.sheet(**written)
        for asks, other in ((kept, old), (old, kept)):
            for draft in rows(sheet_to_json(game, asks)["widgets"]):
                assert not fitting(game, draft, other, None).lacks
                found = form_of(game, draft, other, None)
                assert found["can"], found["why"]
                assert form_of(game, draft, asks, None)["dice"] == found["dice"]


@pytest.mark.parametrize("name", own_games())
def test_no_two_names_are_written_alike(name):
    """In no language, or somebody would find another's skill."""
    for catalog in find_game(name).words.sources[0].values():
        names = [text.casefold() for id, text in catalog.texts.items() if id.startswith("name.")]
        assert len(set(names)) == len(names)


def test_what_people_make_up_stays_as_they_typed_it():
    """A name that no catalog has is said as it is, and is only itself."""
    words = find_game("dust").words
    assert "Trommeln" == words.name("Trommeln") == words.known_as("Trommeln")
    assert "Stealth" == words.known_as("schleichen")


@pytest.mark.parametrize("name", own_games())
def test_a_roll_to_try_leaves_something_to_choose(name):
    """With the faces that it begins with, no matter which game has one."""
    trial = find_game(name).card.trial
    if trial is None:
        return
    request = {"game": name, "roll": trial.roll, **trial.fields}
    rolled = answer("roll", {"request": request, "faces": list(trial.faces)})
    assert "choice" == rolled["step"]["step"]
