"""Sources of faces: the system's entropy, a seed, or real dice read by a person."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from itertools import accumulate
from os import urandom
from typing import Protocol

from rollwright.dice import Die, Face, Pool
from rollwright.engine.position import check_faces
from rollwright.errors import BadAnswer
from rollwright.i18n.messages import msg

MOST_NAMED = 12


class Source(Protocol):
    """Anything that can say what the dice of a pool show, in the pool's order."""

    def throw(self, pool: Pool) -> tuple[Face, ...]:
        """A face for each die."""
        ...


class Dicebox:
    """Fair dice from a stream of random bytes.

    A number below n is drawn by rejection: enough bits are taken, and taken again while they come
    to n or more. So every face is exactly as likely as its weight says.
    """

    def __init__(self) -> None:
        self._bits = 0
        self._count = 0

    def block(self) -> bytes:
        """Some more random bytes."""
        raise TypeError("a Dicebox needs a block of bytes: use System or Seeded")

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely as the others."""
        wanted = (n - 1).bit_length()
        while True:
            while self._count < wanted:
                fresh = self.block()
                self._bits |= int.from_bytes(fresh, "little") << self._count
                self._count += 8 * len(fresh)
            number = self._bits & ((1 << wanted) - 1)
            self._bits >>= wanted
            self._count -= wanted
            if number < n:
                return number

    def face(self, die: Die) -> Face:
        """One throw of one die."""
        return self.faces(die, 1)[0]

    def faces(self, die: Die, count: int) -> list[Face]:
        """So many throws of one die."""
        below, faces, total = self.below, die.faces, die.total
        if total == len(faces):
            return [faces[below(total)] for _ in range(count)]
        ends = list(accumulate(die.weights))
        return [faces[bisect(ends, below(total))] for _ in range(count)]

    def throw(self, pool: Pool) -> tuple[Face, ...]:
        """A face for each die."""
        return tuple([face for die, count in pool.groups for face in self.faces(die, count)])


class SystemSource(Dicebox):
    """Faces from the operating system's entropy: nobody can foresee them."""

    def block(self) -> bytes:
        """Fresh entropy."""
        return urandom(64)


class SeededSource(Dicebox):
    """Faces that a seed settles once and for all: the same on every machine and in every version.

    >>> SeededSource("table").throw(3 * Die(6)) == SeededSource("table").throw(3 * Die(6))
    True
    """

    def __init__(self, seed: int | str) -> None:
        super().__init__()
        self.seed = seed
        self._number = 0

    def block(self) -> bytes:
        """The next 32 bytes: SHA-256 over the seed and a running number."""
        from hashlib import sha256

        self._number += 1
        return sha256(f"rollwright seed {self.seed!r} {self._number}".encode()).digest()


class TypedSource:
    """Faces read off real dice, or written down beforehand, in the order they are thrown.

    >>> TypedSource([4, 3]).throw(Die(8) + Die(12))
    (4, 3)
    """

    def __init__(self, faces: Iterable[object], *, waits: bool = False) -> None:
        self.left = list(faces)
        self.waits = waits
        """Whether a throw for which no face is left is waited for instead of refused."""

    @property
    def is_over(self) -> bool:
        """Whether the next throw is to be waited for."""
        return self.waits and not self.left

    def throw(self, pool: Pool) -> tuple[Face, ...]:
        """The next faces, if there are enough and the dice can show them."""
        if len(self.left) < pool.size:
            left = len(self.left)
            raise BadAnswer(msg("refused.answer.left", pool=repr(pool), n=pool.size, left=left))
        faces = check_faces(pool, self.left[: pool.size])
        del self.left[: pool.size]
        return faces

    def finish(self) -> None:
        """Refuse faces that no throw asked for."""
        if self.left:
            left = ", ".join(map(str, self.left[:MOST_NAMED]))
            more = ", …" if len(self.left) > MOST_NAMED else ""
            raise BadAnswer(msg("refused.answer.left_over", faces=left + more))
