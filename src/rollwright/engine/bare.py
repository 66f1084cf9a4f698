"""Numbers and texts of authors' own kinds, which are values as long as they have no attributes."""

from __future__ import annotations

from typing import Any

from rollwright.errors import Misuse


class Bare:
    """Numbers and texts of authors' own kinds that had no attributes when a position was known.

    They are values like any others then, and are not copied. One that is given an attribute later
    would have it on every way, which is refused.
    """

    def __init__(self) -> None:
        self._met: dict[int, Any] = {}

    def note(self, value: Any) -> None:
        """Remember a value without attributes, so that it can be looked at again."""
        if id(value) not in self._met:
            if len(self._met) >= MOST_BARE:
                self.check()
            self._met[id(value)] = value

    def forget(self) -> None:
        """Begin with none: what happens to values between two counts is nobody's concern."""
        self._met.clear()

    def check(self) -> None:
        """Refuse values that were given attributes meanwhile, and forget all of them."""
        met, self._met = self._met, {}
        for value in met.values():
            if value.__dict__:
                raise Misuse(
                    f"{value!r}, which lives across an await, is given the attribute "
                    f"{next(iter(value.__dict__))!r} later: a {type(value).__name__} is a value "
                    "like any other; keep what belongs to it in a tuple or a dataclass"
                )


MOST_BARE = 1000
"""So many such values are remembered before they are looked at again."""
bare = Bare()
