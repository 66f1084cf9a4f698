"""Characters to begin with: ready to play, and everything on them can be changed.

What stands on them by a name of its own is in the words as `starter.NAME`, so that a table reads
it in its own language.
"""

from __future__ import annotations

from rollwright.kit.card import Starter
from rollwright.words.catalogs import words_of

said = words_of(__package__ or __name__).said

_RIFLE = {"name": "M16A2", "rate_of_fire": 6, "base_damage": 2, "rounds": 30, "spares": 4}
_PISTOL = {"name": "Makarov PM", "rate_of_fire": 2, "rounds": 8, "magazine_size": 8, "spares": 2}
_MACHINE_GUN = {
    **{"name": "M249", "rate_of_fire": 6, "base_damage": 3},
    **{"rounds": 100, "magazine_size": 100, "spares": 1},
}

STARTERS = (
    Starter(
        said("starter.rifle"),
        {
            **{"name": "Ines Diaz", "STR": "C", "AGL": "B", "INT": "B", "EMP": "C"},
            **{"ranged_combat": "B", "recon": "C", "mobility": "C", "driving": "D"},
            **{"stamina": "D", "medical_aid": "D", "weapons": [_RIFLE, _PISTOL]},
        },
    ),
    Starter(
        said("starter.medic"),
        {
            **{"name": "Kasia Nowak", "STR": "C", "AGL": "C", "INT": "B", "EMP": "A"},
            **{"medical_aid": "B", "persuasion": "C", "survival": "D", "stamina": "D"},
            **{"ranged_combat": "D", "weapons": [_PISTOL], "tools": [{"name": "med kit"}]},
        },
    ),
    Starter(
        said("starter.gunner"),
        {
            **{"name": "Karl Brandt", "STR": "A", "AGL": "B", "INT": "C", "EMP": "C"},
            **{"heavy_weapons": "C", "ranged_combat": "B", "close_combat": "C", "stamina": "C"},
            **{"tech": "D", "weapons": [_MACHINE_GUN], "tools": [{"name": "tool kit"}]},
        },
    ),
)
