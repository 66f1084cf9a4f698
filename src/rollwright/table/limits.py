"""How much a table holds, and how much of what was worked out is kept at hand.

What is beyond the limits is refused with a sentence.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict
from collections.abc import Hashable
from marshal import dumps
from typing import Any, Generic, NamedTuple, TypeVar


class TableLimits(NamedTuple):
    """The most of everything that a table takes."""

    dice: int = 1000
    """Dice in one throw."""
    throws: int = 100
    """Throws in one command; a roll with more of them waits to be gone on with."""
    entries: int = 2000
    """Throws and choices in one roll."""
    open_rolls: int = 100
    open_rolls_each: int = 12
    open_roll_bytes: int = 1_500_000
    """Bytes of the events of an open roll; one that has come to more can only be let go."""
    open_bytes_each: int = 2_000_000
    """Bytes of all open rolls of a seat, and of a table: then nothing more is begun, and what is
    open is not thrown on with, but for small rolls."""
    open_bytes: int = 6_000_000
    run_bytes: int = 64_000
    """Bytes of the faces of one command, as JSON; a roll with more waits to be gone on with."""
    small_roll_bytes: int = 16_000
    """Bytes that an open roll may always take, however much is open beside it."""
    seats: int = 64
    seats_ever: int = 1000
    """Seats with those of everybody who has left."""
    tokens: int = 8
    """Tokens of a seat that are good at once, so many devices: one more takes the oldest back."""
    sheets: int = 200
    sheets_bytes: int = 2_000_000
    """Bytes of all sheets together."""
    asks: int = 40
    """Asks that are open at once."""
    asks_bytes: int = 400_000
    """Bytes of what all of them ask for."""
    offers: int = 16
    """Unused witness offers of one seat."""
    name: int = 60
    title: int = 120
    note: int = 400
    said: int = 4000
    expression: int = 1000
    request: int = 32_000
    """Bytes of a request as JSON."""
    whole_request: int = 96_000
    """Bytes of a request as it is written down, with everything that was at its default."""
    sheet: int = 48_000
    """Bytes of a sheet as JSON."""
    house: int = 8_000
    """Bytes of a table's house rules as JSON."""
    lists: int = 64_000
    """Bytes of a table's own lists as JSON."""


LIMITS = TableLimits()


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def weight_of(value: Any) -> int:
    """About how many bytes some plain data takes when it is written down.

    They are counted in Python's own form of it, which is made in a third of the time.

    >>> weight_of({"faces": [3, 4], "how": "fair"})
    44
    """
    try:
        return len(dumps(value, WITHOUT_REFERENCES))
    except ValueError:  # a word with an order of its own is in it
        return len(str(value))


WITHOUT_REFERENCES = 2
"""The version of that form in which whatever comes twice counts twice."""


class BoundedCache(Generic[K, V]):
    """The values used last, as many as there is room for, in their number and in their weight."""

    def __init__(self, most: int, most_weight: int) -> None:
        self.weight = 0
        self._most = most
        self._most_weight = most_weight
        self._held: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._one_at_a_time = allocate_lock()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, key: K) -> V | None:
        """The value, if it is still at hand."""
        with self._one_at_a_time:
            found = self._held.get(key)
            if found is None:
                return None
            self._held.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V, weight: int) -> None:
        """Keep a value; those that rested longest give way, and what is too heavy is not kept."""
        if weight > self._most_weight // 4:
            return
        with self._one_at_a_time:
            self.weight += weight - self._held.pop(key, (None, 0))[1]
            self._held[key] = value, weight
            while len(self._held) > self._most or self.weight > self._most_weight:
                self.weight -= self._held.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything."""
        with self._one_at_a_time:
            self._held.clear()
            self.weight = 0
