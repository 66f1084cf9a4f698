"""Polynomials packed into one big integer, a slot for each coefficient (Kronecker's trick)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

SHIFTING_PAYS = 12
"""From slots this wide on, adding shifted copies beats multiplying: most of a slot is zeros."""


def slot_bytes(most: int) -> int:
    """How many bytes a slot needs so that coefficients up to `most` never spill over."""
    if most < 1 << 64:
        return 8
    return (most.bit_length() + 7) // 8


def packed(coefficients: Sequence[int], width: int) -> int:
    """The integer with these coefficients in its slots, the lowest first."""
    if width == 8:
        return int.from_bytes(struct.pack(f"<{len(coefficients)}Q", *coefficients), "little")
    return int.from_bytes(b"".join([c.to_bytes(width, "little") for c in coefficients]), "little")


def packed_terms(terms: dict[int, int] | list[tuple[int, int]], width: int) -> int:
    """The integer with each weight in the slot of its exponent."""
    pairs = terms.items() if isinstance(terms, dict) else terms
    bits = 8 * width
    return sum([weight << (exponent * bits) for exponent, weight in pairs])


def unpacked(number: int, width: int, count: int) -> Sequence[int]:
    """The first `count` coefficients in the slots of `number`."""
    data = number.to_bytes(width * count, "little")
    if width == 8:
        return struct.unpack(f"<{count}Q", data)
    read = int.from_bytes
    return [read(data[i : i + width], "little") for i in range(0, len(data), width)]


class Factor:
    """A die that packed polynomials are multiplied by, again and again."""

    __slots__ = ("_doublings", "_number", "_shifts", "_slot", "terms")

    def __init__(self, terms: list[tuple[int, int]], width: int) -> None:
        """The terms come with rising exponents."""
        self.terms = terms
        self._slot = slot = 8 * width
        self._number = 0
        self._shifts: list[tuple[int, int]] = []
        self._doublings: list[tuple[int, bool]] = []
        if width < SHIFTING_PAYS:
            self._number = packed_terms(terms, width)
        elif len(terms) > 2 and _is_run(terms):
            self._doublings = _doublings(len(terms), slot)
        else:
            self._shifts = [(exponent * slot, weight) for exponent, weight in terms]

    @classmethod
    def from_packed(cls, number: int, width: int) -> Factor:
        """The die whose weights are packed in a number."""
        count = -(-number.bit_length() // (8 * width))
        weights = unpacked(number, width, count)
        return cls([(i, weight) for i, weight in enumerate(weights) if weight], width)

    def method(self) -> Callable[[int], int]:
        """How to multiply a packed polynomial by this die."""
        if self._number:
            return self._number.__mul__
        return self._by_doubling if self._doublings else self._by_shifting

    def _by_shifting(self, number: int) -> int:
        made = 0
        for shift, weight in self._shifts:
            made += (number if weight == 1 else number * weight) << shift
        return made

    def _by_doubling(self, number: int) -> int:
        made, slot = number, self._slot
        for length, more in self._doublings:
            made += made << length
            if more:
                made = (made << slot) + number
        first, weight = self.terms[0]
        return (made if weight == 1 else made * weight) << (first * slot)


def _is_run(terms: list[tuple[int, int]]) -> bool:
    first, weight = terms[0]
    last = terms[-1][0]
    return last - first == len(terms) - 1 and all([w == weight for _, w in terms])


def _doublings(count: int, slot: int) -> list[tuple[int, bool]]:
    """How to add up a run of shifted copies: double what is there, then perhaps one more."""
    made = []
    length = 1
    for digit in f"{count:b}"[1:]:
        made.append((length * slot, digit == "1"))
        length = 2 * length + (digit == "1")
    return made
