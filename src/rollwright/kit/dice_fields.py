"""Fields that are dice: typed as `2d6` or `d8+d12`, and the pool that they mean."""

from __future__ import annotations

import re

from rollwright.dice import Die, Pool
from rollwright.errors import BadField
from rollwright.i18n.messages import msg
from rollwright.kit.fields import Field, Kind

DICE = re.compile(r"([1-9]\d{0,5})?[dDwW]([1-9]\d{0,5})")
MOST_DICE = 1_000


def dice_of(text: str) -> Pool | None:
    """Dice as they are typed for an argument; None for anything else.

    >>> dice_of("2d6 + d8")
    2D6 + D8
    """
    dice: list[Die] = []
    for part in text.split("+"):
        found = DICE.fullmatch(part.strip())
        if found is None or len(dice) + int(found[1] or 1) > MOST_DICE:
            return None
        dice += [Die(int(found[2]))] * int(found[1] or 1)
    return Pool(dice)


def dice_text(dice: Die | Pool) -> str:
    """Plain dice as they would be typed; empty where they cannot be.

    >>> from rollwright.dice import D6, D8
    >>> dice_text(2 * D6 + D8)
    '2d6+d8'
    """
    pool = Pool([dice]) if isinstance(dice, Die) else dice
    if not all(die.is_numbered and not die.name for die, _ in pool.groups):
        return ""
    return "+".join(f"{count if count > 1 else ''}d{len(die.faces)}" for die, count in pool.groups)


def _check(about: Field, value: object) -> str:
    if not isinstance(value, str) or dice_of(value) is None:
        raise BadField(about.name, msg("field.misfit", came=repr(value)[:60]), would_do=FITS)
    return value


FITS = "dice such as 2d6 or d8+d12"
DICE_KIND = Kind("dice", _check, lambda _: {"type": ["string", "integer"]}, FITS)
"""The type of a field that is dice is `Annotated[str, DICE_KIND]`."""
