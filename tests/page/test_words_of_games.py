"""German words for all that the games name: goals, prices, outcomes, fields, choices, rolls."""

import re

from hatch_build import WEB

from rollwright.ask.measures import COSTS
from rollwright.exact.fields import field_names
from rollwright.kit import fields_of, find_game
from rollwright.kit.games import own_games

AS_ON_THE_SHEET = ("skill_name", "attribute_name")
"""Skills and attributes are called what the sheet calls them."""


def german():
    """The keys that have a German word."""
    texts = [(WEB / "src" / "words" / name).read_text("utf-8") for name in
             ("de_panel.ts", "de_rolling.ts")]  # fmt: skip
    return set(re.findall(r'^  "([^"]+)":', "\n".join(texts), re.MULTILINE))


def asked(game, kind):
    """The keys of the fields of a request and of everything in it; of each, one will do."""
    for name, about in fields_of(kind).items():
        if name == "house":
            continue
        yield f"request.{game}.{name}", f"request.{name}"
        while about.kind == "list":
            about = about.inner
        words = [one for one in about.choices if isinstance(one, str) and len(one) > 1]
        for word in words if name not in AS_ON_THE_SHEET else ():
            yield (f"value.{word.lower().replace(' ', '_')}",)
        if about.kind == "value":
            yield from asked(game, about.inner)


def wanted():
    """All keys; of each, one will do."""
    for cost in COSTS:
        yield (f"cost.{cost}",)
    for name in own_games():
        game = find_game(name)
        for goal in game.goals:
            yield (f"goal.{goal}",)
        for roll, kind in game.requests.items():
            yield (f"roll.{name}.{roll}",)
            yield from asked(name, kind)
            for field in field_names(kind.outcome):
                yield f"outcome.{field}", f"cost.{field}"


def test_german_has_a_word_for_everything_a_game_names():
    """Nothing that goes by a name is left in English."""
    known = german()
    assert [] == sorted({keys[-1] for keys in wanted() if not known.intersection(keys)})
