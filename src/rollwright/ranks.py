"""Words with an order of their own, such as the grades of a result."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import ClassVar

from rollwright.errors import UnknownName


class Ranked(str):
    """A word with a place in an order: words compare by their place and equal plain text.

    Subclass it and list the words in `ranks`, each with its place.

    >>> class Size(Ranked):
    ...     ranks = {"small": 0, "large": 1}
    >>> Size("large") > "small", Size("small") == "small"
    (True, True)
    """

    ranks: ClassVar[Mapping[str, int]] = {}

    @property
    def rank(self) -> int:
        """The place of this word, from 0."""
        return self.ranks[self]

    def _ranks_with(self, other: str) -> tuple[int, int]:
        if other not in self.ranks:
            raise UnknownName(type(self).__name__.lower(), other, self.ranks)
        return self.ranks[self], self.ranks[other]

    def __lt__(self, other: str) -> bool:
        mine, theirs = self._ranks_with(other)
        return mine < theirs

    def __le__(self, other: str) -> bool:
        mine, theirs = self._ranks_with(other)
        return mine <= theirs

    def __gt__(self, other: str) -> bool:
        mine, theirs = self._ranks_with(other)
        return mine > theirs

    def __ge__(self, other: str) -> bool:
        mine, theirs = self._ranks_with(other)
        return mine >= theirs


def words_beside(value: object) -> tuple[str, ...]:
    """The words that a ranked value is one of, from the lowest up; none for other values.

    >>> words_beside("any text")
    ()
    """
    kind: type = type(value)
    return _words_of(kind)


@lru_cache(maxsize=256)
def _words_of(kind: type) -> tuple[str, ...]:
    if issubclass(kind, Ranked):
        return tuple(sorted(kind.ranks, key=lambda word: kind.ranks[word]))
    return tuple([str(one.value) for one in kind]) if issubclass(kind, Enum) else ()
