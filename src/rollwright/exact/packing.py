"""Polynomials packed into one big integer, a slot for each coefficient (Kronecker's trick)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence


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


def packed_terms(terms: Mapping[int, int] | Iterable[tuple[int, int]], width: int) -> int:
    """The integer with each weight in the slot of its exponent."""
    pairs = terms.items() if isinstance(terms, Mapping) else terms
    bits = 8 * width
    return sum([weight << (exponent * bits) for exponent, weight in pairs])


def unpacked(number: int, width: int, count: int) -> Sequence[int]:
    """The first `count` coefficients in the slots of `number`."""
    data = number.to_bytes(width * count, "little")
    if width == 8:
        return struct.unpack(f"<{count}Q", data)
    read = int.from_bytes
    return [read(data[i : i + width], "little") for i in range(0, len(data), width)]
