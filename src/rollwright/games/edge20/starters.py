"""Characters to begin with: ready to play, and everything on them can be changed.

What the game knows by name is kept by that name and said as `name.NAME` of the words: at a table of
two languages everybody has the same skills, each in their own.
"""

from __future__ import annotations

from rollwright.i18n.catalogs import words_of
from rollwright.kit.card import Starter

msg = words_of(__package__ or __name__).msg


def _skills(**modifiers: int) -> list[dict[str, object]]:
    return [{"name": name, "modifier": modifier} for name, modifier in modifiers.items()]


STARTERS = (
    Starter(
        msg("starter.blade"),
        {
            "name": "Tamsin Reed",
            "skills": _skills(Blades=6, Brawn=4, Athletics=3, Notice=1),
            "items": [{"name": "Sabre", "tier": 1, "effect": "1d8+3", "skill": "Blades"}],
            "rerolls": 1,
        },
    ),
    Starter(
        msg("starter.healer"),
        {
            "name": "Brother Oswin",
            "skills": _skills(Medicine=6, Lore=4, Insight=3, Staves=1),
            "items": [
                {
                    **{"name": "Healer's bag", "tier": 1, "effect": "1d6+2"},
                    **{"skill": "Medicine", "weapon": False},
                },
                {"name": "Staff", "tier": 1, "effect": "1d6", "skill": "Staves"},
            ],
            "rerolls": 1,
        },
    ),
    Starter(
        msg("starter.thief"),
        {
            "name": "Pim",
            "skills": _skills(Stealth=6, Locks=5, Notice=3, Marksmanship=2),
            "items": [
                {"name": "Crossbow", "tier": 2, "effect": "1d10", "skill": "Marksmanship"},
                {"name": "Lockpicks", "tier": 1, "skill": "Locks", "weapon": False},
            ],
            "rerolls": 1,
        },
    ),
)
