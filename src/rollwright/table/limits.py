"""How much a table holds: what is beyond these is refused with a sentence."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The most of everything that a table takes."""

    dice: int = 1000
    """Dice in one throw."""
    throws: int = 100
    """Throws in one command; a roll with more of them waits to be gone on with."""
    entries: int = 2000
    """Throws and choices in one roll."""
    open_rolls: int = 100
    open_rolls_each: int = 12
    seats: int = 64
    sheets: int = 200
    asks: int = 40
    """Asks that are open at once."""
    offers: int = 16
    """Unused witness offers of one seat."""
    name: int = 60
    title: int = 120
    note: int = 400
    said: int = 4000
    expression: int = 1000
    request: int = 32_000
    """Bytes of a request as JSON."""
    sheet: int = 48_000
    """Bytes of a sheet as JSON."""
    house: int = 8_000
    """Bytes of a table's house rules as JSON."""
    lists: int = 64_000
    """Bytes of a table's own lists as JSON."""


LIMITS = Limits()
