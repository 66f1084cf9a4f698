"""Kinds of dice as an expression names them: by their sides, or by faces of their own."""

from __future__ import annotations

from operator import eq, ge, gt, le, lt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwright.dice import Die, Pool

COMPARE: dict[str, Any] = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}

Test = tuple[str, Any]
"""Which faces are meant: a comparison and a number."""


def passes(test: Test, face: Any) -> bool:
    """Whether a face is meant."""
    return bool(COMPARE[test[0]](face, test[1]))


class Kind:
    """Dice of one kind; `sides` is 0 where the faces are not 1 to n."""

    __slots__ = ("sides", "faces", "_die", "_pools")

    def __init__(self, sides: int, faces: tuple[Any, ...] = ()) -> None:
        self.sides = sides
        self.faces: Any = faces or range(1, sides + 1)
        self._die: Die | None = None
        self._pools: dict[int, Pool] | None = None

    @property
    def low(self) -> Any:
        """The lowest face."""
        return 1 if self.sides else min(self.faces)

    @property
    def high(self) -> Any:
        """The highest face."""
        return self.sides or max(self.faces)

    @property
    def is_whole(self) -> bool:
        """Whether every face is a whole number."""
        return bool(self.sides) or all(type(face) is int for face in self.faces)

    def die(self) -> Die:
        """The die of the engine."""
        if self._die is None:
            from rollwright.dice import Die

            self._die = Die(self.sides or self.faces)
        return self._die

    def pool(self, count: int) -> Pool:
        """So many of them, for the engine."""
        if self._pools is None:
            self._pools = {}
        pool = self._pools.get(count)
        if pool is None:
            pool = self._pools[count] = count * self.die()
        return pool

    def meant(self, test: Test) -> int:
        """How many faces pass a test."""
        compare, mark = test
        if not self.sides:
            return sum([passes(test, face) for face in self.faces])
        if compare == "=":
            return int(mark in self.faces)
        floor = int(mark.__floor__())
        below = floor - (compare in ("<", ">=") and floor == mark)
        below = min(max(below, 0), self.sides)
        return below if compare in ("<", "<=") else self.sides - below
