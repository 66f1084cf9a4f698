"""Characters to begin with, and a roll to try before there is one.

They are ready to play, and everything on them can be changed.

What the game knows by name is kept by that name and said as `name.NAME` of the words: at a table of
two languages everybody has the same skills, each in their own.
"""

from __future__ import annotations

from rollwright.i18n.catalogs import words_of
from rollwright.kit.card import Starter, Trial

msg = words_of(__package__ or __name__).msg

_RIFLE = {"name": "M16A2", "rate_of_fire": 6, "base_damage": 2, "rounds": 30, "spares": 4}
_PISTOL = {"name": "Makarov PM", "rate_of_fire": 2, "rounds": 8, "magazine_size": 8, "spares": 2}
_MACHINE_GUN = {
    **{"name": "M249", "skill_name": "heavy weapons", "rate_of_fire": 6, "base_damage": 2},
    **{"kind": "belt", "rounds": 100, "magazine_size": 100, "spares": 1},
}
_MED_KIT = {"name": "med kit", "skill_name": "medical aid"}
_TOOL_KIT = {"name": "tool kit", "skill_name": "tech"}

STARTERS = (
    Starter(
        msg("starter.rifle"),
        {
            **{"name": "Ines Diaz", "STR": "C", "AGL": "B", "INT": "B", "EMP": "C"},
            **{"ranged_combat": "B", "recon": "C", "mobility": "C", "driving": "D"},
            **{"stamina": "D", "medical_aid": "D", "weapons": [_RIFLE, _PISTOL]},
        },
    ),
    Starter(
        msg("starter.medic"),
        {
            **{"name": "Kasia Nowak", "STR": "C", "AGL": "C", "INT": "B", "EMP": "A"},
            **{"medical_aid": "B", "persuasion": "C", "survival": "D", "stamina": "D"},
            **{"ranged_combat": "D", "weapons": [_PISTOL], "tools": [_MED_KIT]},
        },
    ),
    Starter(
        msg("starter.gunner"),
        {
            **{"name": "Karl Brandt", "STR": "A", "AGL": "B", "INT": "C", "EMP": "C"},
            **{"heavy_weapons": "B", "ranged_combat": "C", "close_combat": "C", "stamina": "C"},
            **{"tech": "D", "weapons": [_MACHINE_GUN], "tools": [_TOOL_KIT]},
        },
    ),
)

TRIAL = Trial(
    msg("trial"),
    roll="attack",
    fields={"attribute": "B", "skill": "B", "ammo_dice": 2},
    faces=(4, 2, 5, 3),
)
