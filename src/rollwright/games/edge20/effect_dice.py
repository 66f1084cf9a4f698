"""Damage and healing as people write them, such as `2d6+3`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rollwright.dice import Die, Pool
from rollwright.errors import BadField

MOST_DICE = 40
SIZES = range(2, 101)
_TERM = re.compile(r"([+-]?)(?:(\d{0,9})d(\d{1,9})|(\d{1,9}))", re.IGNORECASE)
_WOULD_DO = 'dice and numbers such as "2d6+3"'


class EffectDice(NamedTuple):
    """Dice to be added up, and a flat part."""

    pool: Pool
    flat: int

    @property
    def highest(self) -> int:
        """The sum with every die at its highest; the flat part stays as it is."""
        return self.flat + sum(len(die.faces) for die in self.pool)


@lru_cache(maxsize=1000)
def effect_dice(text: str, field: str = "effect") -> EffectDice:
    """The dice behind the text.

    >>> effect_dice("2d6 + d4 - 1")
    EffectDice(pool=effect D4 + 2 effect D6, flat=-1)
    """
    rest = "".join(text.split())
    counts: dict[Die, int] = {}
    flat, place = 0, 0
    while place < len(rest):
        term = _TERM.match(rest, place)
        if term is None or (place and not term[1]):
            raise _refused(field, f"{rest[place:]!r} in {text!r} is neither dice nor a number")
        place = term.end()
        if term[4]:
            flat += int(term[1] + term[4])
        else:
            die, count = _dice(field, term)
            counts[die] = counts.get(die, 0) + count
    if sum(counts.values()) > MOST_DICE:
        raise _refused(field, f"{sum(counts.values())} dice are more than {MOST_DICE}")
    return EffectDice(Pool(counts), flat)


def _dice(field: str, term: re.Match[str]) -> tuple[Die, int]:
    count, size = int(term[2] or 1), int(term[3])
    if term[1] == "-":
        raise _refused(field, f"{term[0]!r} takes dice away, which no rule does")
    if size not in SIZES:
        raise _refused(field, f"a die has {SIZES[0]} to {SIZES[-1]} sides here, not {size}")
    return Die(size, name="effect"), count


def _refused(field: str, problem: str) -> BadField:
    return BadField(field, problem, rule="EDGE R5", would_do=_WOULD_DO)
