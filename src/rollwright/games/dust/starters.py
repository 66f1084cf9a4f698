"""Characters to begin with: ready to play, and everything on them can be changed.

What the game knows by name is kept by that name and said as `name.NAME` of the words: at a table of
two languages everybody has the same skills, each in their own.
"""

from __future__ import annotations

from rollwright.i18n.catalogs import words_of
from rollwright.kit.card import Starter

msg = words_of(__package__ or __name__).msg


def _stats(**ratings: int) -> list[dict[str, object]]:
    return [{"name": name, "rating": rating} for name, rating in ratings.items()]


STARTERS = (
    Starter(
        msg("starter.driver"),
        {
            "name": "Mags Okoro",
            "stats": _stats(Reflexes=4, Wits=3, Strength=2, Drive=4, Repair=2, Firearms=1),
            "adrenaline": 1,
        },
    ),
    Starter(
        msg("starter.scout"),
        {
            "name": "Jory Vane",
            "stats": _stats(Perception=4, Reflexes=3, Strength=2, Stealth=3, Firearms=3),
            "adrenaline": 1,
        },
    ),
    Starter(
        msg("starter.mechanic"),
        {
            "name": "Old Teller",
            "stats": _stats(Wits=4, Strength=3, Reflexes=2, Repair=4, Athletics=2, Drive=1),
            "adrenaline": 1,
        },
    ),
)
