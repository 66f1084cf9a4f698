"""Characters to begin with: ready to play, and everything on them can be changed.

What the game knows by name is kept by that name and said as `name.NAME` of the words: at a table of
two languages everybody has the same skills, each in their own.
"""

from __future__ import annotations

from rollwright.i18n.catalogs import words_of
from rollwright.kit.card import Starter

msg = words_of(__package__ or __name__).msg


def _abilities(**scores: int) -> list[dict[str, object]]:
    return [{"name": name, "score": score} for name, score in scores.items()]


def _skill(name: str, ability: str, bonus: int | None = None, **more: bool) -> dict[str, object]:
    return {"name": name, "ability": ability, "bonus": bonus, **more}


STARTERS = (
    Starter(
        msg("starter.face"),
        {
            "name": "Sable",
            "abilities": _abilities(Presence=5, Focus=3, Reflexes=3, Strength=2),
            "skills": [
                _skill("Persuade", "Presence", 2, favored=True),
                _skill("Deceive", "Presence", 1),
                _skill("Perceive", "Focus", 1),
                _skill("Shoot", "Reflexes"),
            ],
            "items": [{"name": "Voice modulator", "kind": "aug", "skill": "Deceive", "bonus": 2}],
        },
    ),
    Starter(
        msg("starter.razor"),
        {
            "name": "Kestrel",
            "abilities": _abilities(Reflexes=5, Strength=4, Focus=2, Presence=2),
            "skills": [
                _skill("Shoot", "Reflexes", 2, favored=True),
                _skill("Fight", "Strength", 1),
                _skill("Sneak", "Reflexes", 1),
                _skill("Perceive", "Focus"),
            ],
            "items": [{"name": "Smartgun", "kind": "gear", "skill": "Shoot", "bonus": 2}],
        },
    ),
    Starter(
        msg("starter.hacker"),
        {
            "name": "Null",
            "abilities": _abilities(Focus=5, Reflexes=3, Presence=3, Strength=2),
            "skills": [
                _skill("Hack", "Focus", 2, favored=True),
                _skill("Perceive", "Focus", 1),
                _skill("Sneak", "Reflexes", 1),
                _skill("Deceive", "Presence"),
            ],
            "items": [{"name": "Cyberdeck", "kind": "gear", "skill": "Hack", "bonus": 2}],
        },
    ),
)
