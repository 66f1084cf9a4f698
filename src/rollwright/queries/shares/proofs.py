"""Dice that follow from keys and calls: drawn when thrown, and again by everyone who checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.kit.bodies import UNSEEN

if TYPE_CHECKING:
    from rollwright.dice import Face, Pool

LONGEST_WORD = 200


class CallThrows:
    """The throws that follow from one call, one after the other."""

    def __init__(self, key: str, call: bytes, witness: str = "") -> None:
        self._key, self._call = bytes.fromhex(key), call
        self._witness = bytes.fromhex(witness)
        self._throw = 0

    def throw(self, pool: Pool) -> tuple[Face, ...]:
        """A face for each die."""
        from rollwright.table.fairness import FairDice

        fair = FairDice(self._key, self._call, self._throw, self._witness)
        self._throw += 1
        return fair.throw(pool)


def promise_of(key: str) -> str:
    """Return the commitment to a key that is published before it is used."""
    from rollwright.table.fairness import slot_of

    return slot_of(bytes.fromhex(key))


def throws_from_key(key: str, word: str) -> CallThrows:
    """The throws that follow from a promised key and somebody's word.

    Their call is one that nobody signs, at no table.
    """
    from rollwright.table.fairness import call_hash

    call = {"slot": promise_of(key), "number": word}
    return CallThrows(key, call_hash("", "", "", call))


def can_be_read(word: str) -> bool:
    """Check whether a word can be shown to a checker, in one line and as it is."""
    return len(word) <= LONGEST_WORD and not UNSEEN.search(word) and "\n" not in word
