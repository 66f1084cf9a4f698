"""Kinds of dice as an expression names them, and where quick rolls get their faces."""

from __future__ import annotations

import os
from itertools import islice
from operator import eq, ge, gt, le, lt, ne
from os import urandom
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rollwright.dice import Die, Pool
    from rollwright.engine.sources import Source
    from rollwright.notation.tree import Amount


COMPARE: dict[str, Callable[[Amount, Amount], bool]] = {
    "=": eq,
    "<>": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "even": lambda face, _: face % 2 == 0,
    "odd": lambda face, _: face % 2 == 1,
}

Test: TypeAlias = "tuple[str, Amount]"
"""Which faces are meant: a comparison and a number."""


Tests: TypeAlias = "tuple[Test, ...]"
"""Several of them: a face is meant that passes any; none means no face."""


def passes(test: Test, face: Amount) -> bool:
    """Whether a face is meant."""
    return COMPARE[test[0]](face, test[1])


def meets(tests: Tests, face: Amount) -> bool:
    """Whether a face passes any of the tests."""
    return any([COMPARE[compare](face, mark) for compare, mark in tests])


class DieKind:
    """Dice of one kind; `sides` is 0 where the faces are not 1 to n."""

    __slots__ = ("sides", "faces", "low", "high", "is_whole", "_die", "_pools")

    def __init__(self, sides: int, faces: tuple[Amount, ...] = ()) -> None:
        self.sides = sides
        self.faces: Sequence[Amount] = faces or range(1, sides + 1)
        self.low: Amount = 1 if sides else min(faces)
        self.high: Amount = sides or max(faces)
        self.is_whole = bool(sides) or all([type(face) is int for face in faces])
        """Whether every face is a whole number."""
        self._die: Die | None = None
        self._pools: dict[int, Pool] | None = None

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
            if len(self._pools) >= MOST_POOLS:
                self._pools = {}
            pool = self._pools[count] = count * self.die()
        return pool

    def count_matches(self, *every: Tests) -> int:
        """How many faces pass one test of each."""
        plain = [tests[0] for tests in every if len(tests) == 1 and tests[0][0] in RANGES]
        if not self.sides or len(plain) < len(every):
            return sum([all([meets(tests, face) for tests in every]) for face in self.faces])
        first, last = 1, self.sides
        for compare, mark in plain:
            floor, ceil = mark.__floor__(), mark.__ceil__()
            if compare != "<" and compare != "<=":
                first = max(first, floor + 1 if compare == ">" else ceil)
            if compare != ">" and compare != ">=":
                last = min(last, ceil - 1 if compare == "<" else floor)
        return max(last - first + 1, 0)


RANGES = frozenset(["=", "<", "<=", ">", ">="])
MOST_POOLS = 32
MOST_IN_A_BYTE = 255
DRAWN_AT_ONCE = 256
BYTES = bytes(range(256))
USUAL_SIDES = (4, 6, 8, 10, 12, 20, 100)
USUAL: dict[Amount, DieKind] = {sides: DieKind(sides) for sides in (2, 3, *USUAL_SIDES)}
"""The dice that people have are made once."""


class Thrower:
    """Faces for the dice an expression asks for."""

    __slots__ = ()

    def faces(self, kind: DieKind, count: int) -> Sequence[Amount]:
        """A face for each of `count` dice."""
        raise TypeError(f"{type(self).__name__} does not say how")


class SourceThrower(Thrower):
    """The faces of a source: a seed, or what was typed in from real dice."""

    __slots__ = ("source",)

    def __init__(self, source: Source) -> None:
        self.source = source

    def faces(self, kind: DieKind, count: int) -> Sequence[Amount]:
        """Return the source's faces."""
        return self.source.throw(kind.pool(count))


class SystemThrower(Thrower):
    """Fair faces from the operating system's entropy, drawn some hundred at a time.

    A byte becomes a face by its remainder; bytes that would favour the low faces are thrown away.
    """

    __slots__ = ("_ready", "_tables")

    def __init__(self) -> None:
        self._ready: dict[int, Iterator[int]] = {}
        self._tables = {sides: _table(sides) for sides in USUAL_SIDES}

    def faces(self, kind: DieKind, count: int) -> Sequence[Amount]:
        """The next faces that lie ready, or fresh ones."""
        ready = self._ready.get(kind.sides)
        if ready is not None:
            if count == 1:
                face = next(ready, 0)
                if face:
                    return (face,)
            else:
                faces = bytes(islice(ready, count))
                if len(faces) == count:
                    return faces
        if 0 < kind.sides <= MOST_IN_A_BYTE:
            return self._fresh(kind.sides, count)
        number = len(kind.faces)
        return tuple([kind.faces[_below(number)] for _ in range(count)])

    def _fresh(self, sides: int, count: int) -> bytes:
        table = self._tables.get(sides)
        if table is None:
            table = self._tables[sides] = _table(sides)
        drawn = b""
        while len(drawn) < count:
            drawn += urandom(max(DRAWN_AT_ONCE, 2 * (count - len(drawn)))).translate(*table)
        ready = iter(drawn)
        faces = bytes(islice(ready, count))
        self._ready[sides] = ready
        return faces

    def forget(self) -> None:
        """Throw away what lies ready, so that a forked process never shows the same faces."""
        self._ready.clear()


def _table(sides: int) -> tuple[bytes, bytes]:
    """Return the face of each byte, and the bytes without one."""
    faces = bytes(range(1, sides + 1)) * (256 // sides)
    return faces.ljust(256, b"?"), BYTES[len(faces) :]


def _below(number: int) -> int:
    """A whole number from 0 to `number` - 1, each as likely as the others."""
    bits = (number - 1).bit_length()
    size = (bits + 7) // 8
    while True:
        drawn = int.from_bytes(urandom(size), "little") >> (8 * size - bits)
        if drawn < number:
            return drawn


SYSTEM = SystemThrower()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=SYSTEM.forget)
