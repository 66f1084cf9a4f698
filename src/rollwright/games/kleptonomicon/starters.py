"""Characters to begin with: ready to play, and everything on them can be changed.

What the game knows by name is kept by that name and said as `name.NAME` of the words: at a table of
two languages everybody has the same skills, each in their own.
"""

from __future__ import annotations

from rollwright.i18n.catalogs import words_of
from rollwright.kit.card import Starter

msg = words_of(__package__ or __name__).msg


def _modifiers(**values: int) -> list[dict[str, object]]:
    return [{"name": name.replace("_", " "), "value": value} for name, value in values.items()]


STARTERS = (
    Starter(
        msg("starter.burglar"),
        {
            "name": "Quill",
            "modifiers": _modifiers(Sneaking=3, Lockpicking=3, Climbing=2, Focus_Save=1, Charm=0),
        },
    ),
    Starter(
        msg("starter.talker"),
        {
            "name": "Madame Orsolya",
            "modifiers": _modifiers(Charm=3, Disguise=3, History=2, Focus_Save=1, Sneaking=0),
        },
    ),
    Starter(
        msg("starter.muscle"),
        {
            "name": "Bram the Anvil",
            "modifiers": _modifiers(
                Brawling=3, Climbing=2, Intimidation=2, Body_Save=2, Lockpicking=-1
            ),
        },
    ),
)
